// A room server that replays one recorded session of test/fixtures/transcripts: it expects the recorded bytes from the
// client, in order, and answers with the recorded bytes. The prefixes of the lines are listed below.

import { AssertionError } from 'node:assert';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { listenOnUnixSocket, SocketReader, type UnixListener } from './unix-listener.ts';

export type Step = { from: 'client' | 'server'; bytes: Buffer; lineNumber: number } | { from: 'server'; closes: true };

export interface Transcript {
  path: string;
  /** by name; the greeting is the first step of each */
  sessions: Map<string, Step[]>;
}

export async function loadTranscript(path: string | URL): Promise<Transcript> {
  return { path: String(path), sessions: parseTranscript(await readFile(path, 'utf8')) };
}

export function parseTranscript(text: string): Map<string, Step[]> {
  const sessions = new Map<string, Step[]>();
  let current: Step[] | undefined;
  const enter = (name: string) => {
    current = sessions.get(name) ?? [];
    sessions.set(name, current);
  };
  for (const [index, line] of text.split('\n').entries()) {
    const name = /^(?:@ |# session )(\w+(?: \d+)?)/.exec(line)?.[1];
    const wire = /^([CS])([:~=#]) (.*)$/s.exec(line);
    if (name) {
      enter(name);
    } else if (wire) {
      if (!current) enter('the only one');
      const from = wire[1] === 'C' ? 'client' : 'server';
      // what goes on was not what closed: the remark was about a connection that an administrator ended
      if (isClosing(current!.at(-1))) current!.pop();
      current!.push({ from, bytes: wireBytes(wire[2]!, wire[3]!), lineNumber: index + 1 });
    } else if (line.startsWith('# (server closed the connection') && current) {
      current.push({ from: 'server', closes: true });
    } else if (line !== '' && !line.startsWith('#')) {
      throw new Error(`line ${index + 1} of the transcript is unreadable: ${line}`);
    }
  }
  return sessions;
}

function isClosing(step: Step | undefined): boolean {
  return step !== undefined && 'closes' in step;
}

/** The bytes of one line of a recording, by the sign behind its C or S. */
export function wireBytes(kind: string, text: string): Buffer {
  if (kind === '#') return Buffer.from(text, 'base64'); // raw bytes, no line end
  if (kind === '~') return Buffer.from(`${text}\r\n`);
  if (kind === ':') return Buffer.from(`${text}\n`);
  // '=': `\xHH` is a byte, `\\` a backslash, the rest printable UTF-8
  const pieces = text.match(/\\x[0-9a-f]{2}|\\\\|[^\\]+/gi) ?? [];
  const bytes = pieces.map((piece) => {
    if (piece === '\\\\') return Buffer.from('\\');
    return piece.startsWith('\\x') ? Buffer.of(Number.parseInt(piece.slice(2), 16)) : Buffer.from(piece);
  });
  return Buffer.concat([...bytes, Buffer.from('\n')]);
}

export interface ScriptedPeer extends UnixListener {
  /** Rejects with a diff at the first byte that is not the recorded one, or when the client goes before the end. */
  done: Promise<void>;
}

/** Plays `steps` to the first client that connects; a slice of a session will do. */
export async function scriptedPeer(steps: readonly Step[]): Promise<ScriptedPeer> {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  done.catch(() => {}); // whoever awaits it gets to know
  let isTaken = false;
  const listener = await listenOnUnixSocket((socket) => {
    if (isTaken) {
      socket.destroy();
      return;
    }
    isTaken = true;
    play(steps, socket).then(resolve, (error: unknown) => {
      socket.destroy();
      reject(error);
    });
  });
  return { ...listener, done };
}

async function play(steps: readonly Step[], socket: Socket): Promise<void> {
  const reader = new SocketReader(socket);
  for (const step of steps) {
    if ('closes' in step) {
      socket.end();
    } else if (step.from === 'server') {
      socket.write(step.bytes);
    } else {
      const isLine = step.bytes.at(-1) === 10;
      const received = await (isLine ? reader.line() : reader.bytes(step.bytes.length));
      if (!received.equals(step.bytes)) throw difference(step.lineNumber, received, step.bytes);
    }
  }
}

function difference(lineNumber: number, received: Buffer, expected: Buffer): AssertionError {
  const [actual, wanted] = [received, expected].map((bytes) => JSON.stringify(bytes.toString('latin1')));
  return new AssertionError({
    message: `line ${lineNumber} of the transcript: expected ${wanted}, the client sent ${actual}`,
    actual,
    expected: wanted,
  });
}
