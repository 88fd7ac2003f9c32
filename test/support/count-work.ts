// Preloaded into a gateway (--import): counts what a request makes each of its two threads do. Told over the channel of
// child processes (node:child_process, 'ipc'): any message is answered with the WorkCounts so far. Each thread writes
// its own fields of one shared memory; the heap is what V8 has counted (total_allocated_bytes, garbage included).

import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { getEnvironmentData, isMainThread, setEnvironmentData, threadName } from 'node:worker_threads';

const FIELDS = [
  /** writes to the room server, and by it: a system call each */
  'asks',
  'answers',
  /** times that the gateway asked and had to wait for the answer before it asked again, on one connection */
  'roundTrips',
  /** SQL statements that the room server ran, those that begin and end transactions among them */
  'statements',
  /** bytes to the room server and by it */
  'asked',
  'answered',
  /** writes and bytes to HTTP clients */
  'sends',
  'sent',
  /** bytes that went from one buffer to another, or between buffer and string, by thread */
  'gatewayCopied',
  'serverCopied',
] as const;

type Field = (typeof FIELDS)[number];

export type WorkCounts = Record<Field, number> & {
  /** bytes allocated on the gateway's JavaScript heap so far */
  gatewayHeap: number;
};

const SHARED = 'vestibule-work-counts';
/** node:net calls it for each write to the handle, of one piece or of several together */
interface Writing {
  _writeGeneric(this: Socket & Writing, isMany: boolean, data: unknown, ...rest: unknown[]): unknown;
  /** bytes that the handle has taken */
  readonly _bytesDispatched: number;
}

const isServer = !isMainThread && threadName === 'backend/worker';
if (isMainThread) countAsGateway();
else if (isServer) await countAsServer();

function countAsGateway(): void {
  const memory = new SharedArrayBuffer(FIELDS.length * Float64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(SHARED, memory);
  const counts = new Float64Array(memory);
  /** connections to the room server on which an answer has come behind the last question, or nothing was asked yet */
  const isAnswered = new WeakMap<Socket, boolean>();
  countWrites((socket, bytes) => {
    // those to HTTP clients were accepted by a server, those to the room server were not
    if ((socket as { server?: unknown }).server) {
      add(counts, 'sends', 1);
      add(counts, 'sent', bytes);
      return;
    }
    add(counts, 'asks', 1);
    add(counts, 'asked', bytes);
    const known = isAnswered.get(socket);
    if (known === undefined) socket.on('data', () => isAnswered.set(socket, true));
    if (known !== false) add(counts, 'roundTrips', 1);
    isAnswered.set(socket, false);
  });
  countCopies(counts, 'gatewayCopied');
  process.on('message', () => {
    const named = Object.fromEntries(FIELDS.map((field, i) => [field, counts[i]!])) as Record<Field, number>;
    const heap = getHeapStatistics() as unknown as { total_allocated_bytes: number };
    process.send!({ ...named, gatewayHeap: heap.total_allocated_bytes } satisfies WorkCounts);
  });
}

async function countAsServer(): Promise<void> {
  const counts = new Float64Array(getEnvironmentData(SHARED) as SharedArrayBuffer);
  countWrites((_socket, bytes) => {
    add(counts, 'answers', 1);
    add(counts, 'answered', bytes);
  });
  countCopies(counts, 'serverCopied');
  const { DatabaseSync, StatementSync } = await import('node:sqlite');
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    wrap(StatementSync.prototype, name, () => add(counts, 'statements', 1));
  }
  wrap(DatabaseSync.prototype, 'exec', () => add(counts, 'statements', 1));
}

function add(counts: Float64Array, field: Field, by: number): void {
  counts[FIELDS.indexOf(field)]! += by;
}

function countWrites(count: (socket: Socket, bytes: number) => void): void {
  const prototype = Socket.prototype as unknown as Writing;
  const original = prototype._writeGeneric;
  prototype._writeGeneric = function (isMany, data, ...rest) {
    // a socket that is not connected yet is called again
    const isWritten = !this.connecting;
    const before = this._bytesDispatched;
    const result = original.call(this, isMany, data, ...rest);
    if (isWritten) count(this, this._bytesDispatched - before);
    return result;
  };
}

/** What is copied inside Node, as by a socket that takes a string, is in the bytes of the writes. */
function countCopies(counts: Float64Array, field: Field): void {
  const note = (bytes: unknown) => add(counts, field, bytes as number);
  const ofResult = (_args: unknown[], result: unknown) => note((result as Uint8Array | string).length);
  wrap(Buffer, 'concat', ofResult);
  wrap(Buffer, 'from', (args, result) => args[0] instanceof ArrayBuffer || ofResult(args, result));
  wrap(Buffer.prototype, 'copy', (_args, result) => note(result));
  wrap(Buffer.prototype, 'toString', ofResult);
  wrap(TextDecoder.prototype, 'decode', ofResult);
  wrap(Uint8Array.prototype, 'set', ([source]) => note((source as ArrayLike<number>).length));
}

/** Calls `then` behind each call of a method. */
function wrap<T extends object>(target: T, name: keyof T, then: (args: unknown[], result: unknown) => void): void {
  const original = target[name] as (...args: unknown[]) => unknown;
  target[name] = function (this: unknown, ...args: unknown[]) {
    const result = original.apply(this, args);
    then(args, result);
    return result;
  } as T[keyof T];
}
