// A room server that answers well for a while and then misbehaves: closes, stalls, sends garbage or endless answers.
// One fault per connection, so that a test can let a first connection die and a second one work.

import type { Socket } from 'node:net';
import { listenOnUnixSocket, SocketReader, type UnixListener } from './unix-listener.ts';

export type FaultKind =
  | 'none'
  | 'close' // instead of the answer
  | 'cut-status' // half a status line, then the end
  | 'cut-listing' // a listing that ends before its 000
  | 'cut-binary' // fewer bytes than the 6xx line announced
  | 'stall' // no answer, the connection stays
  | 'garbage' // bytes that are no status line
  | 'endless-line' // a listing whose line never ends
  | 'endless-listing'; // a listing whose 000 never comes

export interface Fault {
  kind: FaultKind;
  /** commands answered before; 'greeting': the fault takes the place of the greeting, 'greeted': follows it at once */
  after: number | 'greeting' | 'greeted';
}

export interface FaultServer extends UnixListener {
  /** command lines as they came, by connection */
  received: string[][];
  /** texts and bytes that were sent behind a command, as they came */
  bodies: string[];
}

/**
 * By whole line, else by verb; each with its LF. Of several the first, then the second …, the last again and again. Of
 * an answer 4xx, 7xx or 8xx the first line is sent; what stands behind it when the text, or the bytes that the command
 * announced, have come.
 */
export type Answers = Readonly<Record<string, string | string[]>>;

const LOG_IN: Answers = {
  IDEN: '200 Ok\n',
  USER: '300 Password required\n',
  PASS: '200 ann|4|0|0|0|2|0\n',
  NOOP: '200 ok\n',
};

/** Connection n has fault n of the list; those beyond its end have none. */
export async function faultServer(answers: Answers, faults: readonly Fault[]): Promise<FaultServer> {
  const received: string[][] = [];
  const bodies: string[] = [];
  const known = { ...LOG_IN, ...answers };
  const listener = await listenOnUnixSocket((socket) => {
    const commands: string[] = [];
    const fault = faults[received.length] ?? { kind: 'none', after: 0 };
    received.push(commands);
    serve(socket, known, fault, { commands, bodies }).catch(() => socket.destroy());
  });
  return { ...listener, received, bodies };
}

async function serve(
  socket: Socket,
  answers: Answers,
  { kind, after }: Fault,
  { commands, bodies }: { commands: string[]; bodies: string[] },
): Promise<void> {
  const hasFault = kind !== 'none';
  if (hasFault && after === 'greeting') return misbehave(socket, kind);
  socket.write('200 fault server ready.\n');
  if (hasFault && after === 'greeted') return misbehave(socket, kind);
  const reader = new SocketReader(socket);
  for (;;) {
    const bytes = await reader.line();
    if (bytes.at(-1) !== 10) break;
    const line = bytes.toString().trimEnd();
    if (line === 'DEXP 1') {
      socket.write('200 1\n'); // comes with every log-in and is no part of what is tested
      continue;
    }
    commands.push(line);
    if (hasFault && commands.length > Number(after)) return misbehave(socket, kind);
    const answer =
      line === 'QUIT' ? '200 Goodbye.\n' : next(answers[line] ?? answers[line.slice(0, 4)] ?? '530 Unknown.\n');
    if (!/^[478]/.test(answer)) {
      // a post whose text comes at once
      if (line.startsWith('ENT0') && answer.startsWith('1')) bodies.push(await textFrom(reader));
      socket.write(answer);
      if (line === 'QUIT') break;
      continue;
    }
    const status = answer.slice(0, answer.indexOf('\n') + 1);
    socket.write(status);
    bodies.push(await (answer.startsWith('7') ? bytesOf(reader, line) : textFrom(reader)));
    socket.write(answer.slice(status.length));
  }
  socket.end();
}

async function textFrom(reader: SocketReader): Promise<string> {
  for (let text = ''; ; ) {
    const line = (await reader.line()).toString();
    if (/^(000\r?\n)?$/.test(line)) return text;
    text += line;
  }
}

/** As many as the first field of the command says. */
async function bytesOf(reader: SocketReader, line: string): Promise<string> {
  return (await reader.bytes(Number.parseInt(line.slice(5), 10))).toString('latin1');
}

const next = (of: string | string[]): string => (typeof of === 'string' ? of : of.length > 1 ? of.shift()! : of[0]!);

async function misbehave(socket: Socket, kind: FaultKind): Promise<void> {
  const long = 'x'.repeat(16 * 1024);
  switch (kind) {
    case 'close':
      socket.end();
      return;
    case 'cut-status':
      socket.end('20');
      return;
    case 'cut-listing':
      socket.end('100 listing\nfirst row\nsecond ro');
      return;
    case 'cut-binary':
      socket.end('600 100000|-1||text/plain|\nonly this');
      return;
    case 'garbage':
      socket.write(Buffer.from('\x00\xff\xfegarbage\r\n\n\x80\n', 'latin1'));
      return;
    case 'endless-line':
      return writeForEver(socket, '100 listing\n', long);
    case 'endless-listing':
      return writeForEver(socket, '100 listing\n', '1234567\n'.repeat(2048));
    default: // stall
      return;
  }
}

async function writeForEver(socket: Socket, first: string, rest: string): Promise<void> {
  socket.write(first);
  while (!socket.destroyed) {
    if (socket.write(rest)) continue;
    await new Promise<void>((resolve) => {
      const proceed = () => {
        socket.off('drain', proceed).off('close', proceed);
        resolve();
      };
      socket.on('drain', proceed).on('close', proceed);
    });
  }
}
