// What a room server says, command by command: written down in front of one that is right, and said again by one that
// says whatever a script has. As text, in Latin-1: a first line, and then `<<< ` with each command and its answer.

import { connect, type Socket } from 'node:net';
import { listenOnUnixSocket, SocketReader, type UnixListener } from '../support/unix-listener.ts';

/** Bytes as Latin-1. The greeting is the answer to the empty command. */
export interface Said {
  command: string;
  answer: string;
}

const COMMAND_LINE = /\n<<< ([^\n]*)\n/;
/**
 * Silence of so many steps ends a connection: the client waits for more than it is sent, or for nothing any more. A
 * process that stood still meanwhile has taken one of them, and not all.
 */
const SILENT_STEPS = 15;
const STEP_MS = 1;
/** of the event loop, until the other end of a connection in this process has noticed that it is closed */
const TURNS = 5;

/** `first` without a line end */
export function writeTalk(first: string, talk: readonly Said[]): string {
  return first + talk.map(({ command, answer }) => `\n<<< ${command}\n${answer}`).join('');
}

export function readTalk(text: string): { first: string; talk: Said[] } {
  const [first = '', ...others] = text.split(COMMAND_LINE);
  const talk: Said[] = [];
  for (let i = 0; i < others.length; i += 2) talk.push({ command: others[i]!, answer: others[i + 1]! });
  return { first, talk };
}

export interface TalkRecorder extends UnixListener {
  /** What has been said since the last call, in the order of the answers. */
  taken(): Said[];
}

/** Passes on to the room server at `target` one command at a time. */
export async function recordTalk(target: string): Promise<TalkRecorder> {
  let talk: Said[] = [];
  const listener = await listenOnUnixSocket((socket) => {
    const upstream = connect(target);
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      end.on('error', () => {}).on('close', () => other.destroy());
    }
    pass(socket, upstream, (said) => talk.push(said)).catch(() => socket.destroy());
  });
  const taken = (): Said[] => {
    const before = talk;
    talk = [];
    return before;
  };
  return { ...listener, taken };
}

async function pass(socket: Socket, upstream: Socket, keep: (said: Said) => void): Promise<void> {
  const client = new SocketReader(socket);
  const server = new SocketReader(upstream);
  const send = (text: string) => socket.write(Buffer.from(text, 'latin1'));
  const line = async (): Promise<string> => (await server.line()).toString('latin1');
  const listing = async (): Promise<string> => {
    for (let text = ''; ; ) {
      const next = await line();
      text += next;
      if (next === '000\n' || next === '') return text;
    }
  };
  for (let command = ''; ; ) {
    let status = await line();
    let notices = '';
    for (; status.startsWith('9'); status = await line()) notices += status;
    let rest = '';
    if (status.startsWith('1')) rest = await listing();
    else if (status.startsWith('6')) {
      rest = (await server.bytes(Number.parseInt(status.slice(4), 10))).toString('latin1');
    }
    send(notices + status + rest);
    const length = await passBody(client, status, command, (bytes) => upstream.write(bytes));
    if (length === 'end') return;
    const confirmation = status.startsWith('8') ? await listing() : '';
    send(confirmation);
    keep({ command, answer: notices + status + rest + confirmation });
    const next = await client.line();
    if (next.at(-1) !== 10) return;
    command = next.toString('latin1').replace(/\r?\n$/, '');
    upstream.write(next);
    if (hasTextAtOnce(command) && (await passText(client, (bytes) => upstream.write(bytes))) === 'end') return;
  }
}

/** What the client sends behind this status line; `end` where it goes away instead. */
async function passBody(
  client: SocketReader,
  status: string,
  command: string,
  write: (bytes: Buffer) => void,
): Promise<'end' | undefined> {
  if (/^[48]/.test(status)) return passText(client, write);
  if (status.startsWith('7')) write(await client.bytes(Number.parseInt(command.slice(5), 10) || 0));
  return undefined;
}

async function passText(client: SocketReader, write: (bytes: Buffer) => void): Promise<'end' | undefined> {
  for (;;) {
    const line = await client.line();
    if (line.length === 0) return 'end';
    write(line);
    if (/^000\r?\n$/.test(line.toString('latin1'))) return undefined;
  }
}

/** ENT0 with a fourteenth field: the text follows without a status line in between. */
function hasTextAtOnce(command: string): boolean {
  return command.startsWith('ENT0 ') && Number(command.split('|')[13]) > 0;
}

/** What one is to say: to this very command, else to one of the same verb, else what one that is right has said. */
export class Script {
  readonly #own: Map<string, string[]>;
  readonly #right: ReadonlyMap<string, string>;
  asked = 0;

  constructor(talk: readonly Said[], right: ReadonlyMap<string, string>) {
    this.#right = right;
    this.#own = new Map();
    for (const { command, answer } of talk) {
      for (const key of new Set([command, verbOf(command)])) {
        this.#own.getOrInsertComputed(key, () => []).push(answer);
      }
    }
  }

  answerTo(command: string): string {
    this.asked++;
    const own = this.#next(command);
    return (
      own ?? this.#right.get(command) ?? this.#next(verbOf(command)) ?? this.#right.get(verbOf(command)) ?? UNKNOWN
    );
  }

  /** Of several the first, then the second …, the last again and again. */
  #next(key: string): string | undefined {
    const answers = this.#own.get(key);
    return answers && answers.length > 1 ? answers.shift() : answers?.[0];
  }
}

const UNKNOWN = '530 Unknown.\n';
export const verbOf = (command: string): string => command.slice(0, 4);

export interface ScriptedServer extends UnixListener {
  /** On connections that are opened from now on; those that are open are broken off, and the client has noticed. */
  play(script: Script): Promise<void>;
  /** connections since `play`, and commands on them */
  asked(): { connections: number; commands: number };
}

/** A room server that is silent is broken off. */
export async function scriptedServer(): Promise<ScriptedServer> {
  let script = new Script([], new Map());
  let connections = 0;
  const open = new Set<Socket>();
  const listener = await listenOnUnixSocket((socket) => {
    connections++;
    open.add(socket.on('close', () => open.delete(socket)));
    breakOffSilent(socket);
    say(socket, script).catch(() => socket.destroy());
  });
  return {
    ...listener,
    asked: () => ({ connections, commands: script.asked }),
    async play(next) {
      script = next;
      connections = 0;
      for (const socket of open) socket.destroy();
      for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function breakOffSilent(socket: Socket): void {
  let steps = 0;
  const timer = setInterval(() => ++steps === SILENT_STEPS && socket.destroy(), STEP_MS);
  socket.on('data', () => (steps = 0)).on('close', () => clearInterval(timer));
}

async function say(socket: Socket, script: Script): Promise<void> {
  const client = new SocketReader(socket);
  for (let command = ''; ; ) {
    const answer = script.answerTo(command);
    // notices come before the line that says what follows
    const end = /^(?:9[^\n]*\n)*[^\n]*\n?/.exec(answer)![0].length;
    const status = answer.slice(0, end).replace(/^(?:9[^\n]*\n)*/, '');
    const isTransfer = /^[478]/.test(status);
    socket.write(Buffer.from(isTransfer ? answer.slice(0, end) : answer, 'latin1'));
    if (isTransfer) {
      if ((await passBody(client, status, command, () => {})) === 'end') return;
      if (answer.length > end) socket.write(Buffer.from(answer.slice(end), 'latin1'));
    }
    const next = await client.line();
    if (next.at(-1) !== 10) return;
    command = next.toString('latin1').replace(/\r?\n$/, '');
    if (hasTextAtOnce(command) && (await passText(client, () => {})) === 'end') return;
    if (command === 'QUIT') {
      socket.end('200 Goodbye.\n');
      return;
    }
  }
}
