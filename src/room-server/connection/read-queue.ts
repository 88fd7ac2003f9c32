// A socket with a queue of readers, which consume its bytes in order. After a protocol violation, timeout or loss it is
// closed for good, and all waiting readers fail.

import type { Socket } from 'node:net';
import type { AppError } from '../../errors.ts';
import { BULK_TURN_BYTES, BULK_TURN_MS, REPLY_TIMEOUT_MS, STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { ByteQueue } from '../../protocol/lines.ts';
import { requestTurns } from '../../system/turn-queue.ts';
import { runningClock, type WaitClock } from '../../system/wait-clock.ts';
import { type Fault, faultError } from './server-errors.ts';

/** A body to be sent. */
export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Consumes what it needs of the received bytes; undefined: it needs more. Throws on a violation. */
type Read<T> = (queue: ByteQueue) => T | undefined;

export interface ReadQueueHost {
  /** called when a reply has been consumed, with its latency in milliseconds */
  answered?: ((milliseconds: number) => void) | undefined;
  /** bytes were received */
  heard?: (() => void) | undefined;
  /** nothing was received for REPLY_TIMEOUT_MS while a reader waited */
  failed?: (() => void) | undefined;
  /** No reader waits; the queue may hold unsolicited bytes. Throws on a violation. */
  unsolicited(queue: ByteQueue): void;
  closed(): void;
}

/** A reader in the queue; the first one gets the bytes. */
interface Waiting {
  /** true when it is done. Throws on a violation. */
  advance(queue: ByteQueue): boolean;
  fail(error: AppError): void;
  /** measures how long the current request waits */
  clock?: WaitClock | undefined;
}

export class ReadQueue {
  readonly #socket: Socket;
  readonly #host: ReadQueueHost;
  readonly #queue = new ByteQueue();
  readonly #waiting: Waiting[] = [];
  #failure: AppError | undefined;
  /** the socket's write buffer is full */
  #isFull = false;
  /** no reader is pulling */
  #isPaused = false;
  /** waiting for its turn among other transfers */
  #isResting = false;
  /** received since the last turn */
  #turnBytes = 0;
  /** received since the last complete reply that was not streamed */
  #streamBytes = 0;
  /** silence timer: runs while a reader waits; restarted by incoming data, not by our writes */
  #silence: NodeJS.Timeout | undefined;
  /** Unix milliseconds */
  lastUsed = Date.now();

  constructor(socket: Socket, host: ReadQueueHost) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      host.heard?.();
      this.#queue.push(chunk);
      this.#silence?.refresh();
      this.#advance();
      this.#turnBytes += chunk.length;
      this.#streamBytes += chunk.length;
      if (this.#turnBytes >= BULK_TURN_BYTES) this.#rest();
    });
    socket.on('drain', () => this.#silence?.refresh());
    socket.on('error', (error) => this.fail('backend_lost', error));
    socket.on('close', () => this.fail('backend_lost', 'closed'));
  }

  get isClosed(): boolean {
    return this.#failure !== undefined;
  }

  /** No reader waits, and all bytes have been consumed. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#queue.length === 0;
  }

  /** Resolves with the result of `read`. */
  take<T>(read: Read<T>): Promise<T> {
    const { answered } = this.#host;
    const asked = answered && performance.now();
    return new Promise((resolve, reject) => {
      this.#await({
        advance: (queue) => {
          const value = read(queue);
          if (value === undefined) return false;
          this.#streamBytes = 0;
          answered?.(performance.now() - asked!);
          resolve(value);
          return true;
        },
        fail: reject,
      });
    });
  }

  /** The next piece of a stream. The socket is paused until the next pull. */
  pull<T>(read: Read<T>): Promise<T> {
    const ready = read(this.#queue);
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve, reject) => {
      this.#await({
        advance: (queue) => {
          const piece = read(queue);
          if (piece === undefined) return false;
          this.pause();
          resolve(piece);
          return true;
        },
        fail: reject,
      });
    });
  }

  /** Pauses the socket until a reader waits, or `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isResting && this.#socket.isPaused()) this.#socket.resume();
  }

  /**
   * Without a pause one socket could be read many times in one round of the event loop. Long answers are also
   * throttled; many short ones are not.
   */
  #rest(): void {
    const isBulk = this.#streamBytes >= BULK_TURN_BYTES;
    this.#turnBytes = 0;
    this.#isResting = true;
    this.#socket.pause();
    void (isBulk ? requestTurns.nextOfBulk(BULK_TURN_MS) : requestTurns.next()).then(() => {
      this.#isResting = false;
      if (!this.#isPaused && !this.#failure) this.#socket.resume();
    });
  }

  /** Nothing is written after a failure. */
  write(text: string): void {
    if (!this.#failure) this.#socket.write(text);
  }

  /**
   * Sends `start`, all of it and `end`, in few writes, pausing while the socket is full. If the body throws, closes the
   * connection and throws that.
   */
  async send(body: Pieces, end = '', start = ''): Promise<void> {
    let pieces: Buffer[] = start === '' ? [] : [Buffer.from(start)];
    let length = 0;
    let turnBytes = 0;
    const write = async () => {
      if (this.#failure) throw this.#failure;
      const isTaken = this.#socket.write(Buffer.concat(pieces));
      this.#silence?.refresh(); // a long text is no silence of the other side, which does not answer before its end
      turnBytes += length;
      pieces = [];
      length = 0;
      if (!isTaken) await this.#drained();
      if (turnBytes < BULK_TURN_BYTES) return;
      turnBytes = 0;
      await requestTurns.nextOfBulk(BULK_TURN_MS);
    };
    try {
      for await (const bytes of body) {
        pieces.push(bytes);
        length += bytes.length;
        if (length >= STREAM_CHUNK_BYTES) await write();
      }
      if (end !== '') pieces.push(Buffer.from(end));
      if (pieces.length > 0) await write();
    } catch (error) {
      this.fail('backend_lost', 'closed by us');
      throw error;
    }
  }

  /**
   * Gives the socket away, paused and with nobody who listens. backend_protocol where something has come that nobody
   * has taken: it would be mixed up with what the new owner reads.
   */
  release(): Socket {
    if (!this.isEmpty) this.fail('backend_protocol', 'it sent more than was asked for');
    if (this.#failure) throw this.#failure;
    this.#failure = faultError('backend_lost', 'given away');
    const socket = this.#socket;
    for (const event of ['data', 'close', 'drain']) socket.removeAllListeners(event);
    this.#listenNoLonger();
    return socket.pause();
  }

  /** Closes at once; what waits fails. */
  fail(fault: Fault, cause: unknown): void {
    if (this.#failure) return;
    this.#failure = faultError(fault, cause);
    this.#socket.destroy();
    this.#listenNoLonger();
    const [first, ...others] = this.#waiting.splice(0);
    for (const each of first ? [first, ...others] : []) each.clock?.end();
    first?.fail(this.#failure);
    // a violation is the answer to the first one; the others only lose their connection, and may be asked again
    const loss = fault === 'backend_protocol' ? faultError('backend_lost', 'closed after a violation') : this.#failure;
    for (const waiting of others) waiting.fail(loss);
    this.#host.closed();
  }

  #await(waiting: Waiting): void {
    if (this.#failure) {
      waiting.fail(this.#failure);
      return;
    }
    this.#waiting.push(waiting);
    waiting.clock = runningClock();
    waiting.clock?.begin();
    this.lastUsed = Date.now();
    this.resume();
    if (this.#waiting.length === 1) this.#listenForSilence();
    if (this.#waiting.length === 1 && this.#queue.length > 0) this.#advance();
  }

  #listenForSilence(): void {
    if (this.#silence) this.#silence.refresh();
    else this.#silence = setTimeout(() => this.#silent(), REPLY_TIMEOUT_MS).unref();
  }

  #silent(): void {
    this.#silence = undefined;
    if (this.#waiting.length === 0 && !this.#isFull) return;
    // who pauses it takes nothing: the other side cannot be heard
    if (this.#socket.isPaused() && !this.#isFull) {
      this.#listenForSilence();
      return;
    }
    this.#host.failed?.();
    this.fail('backend_timeout', 'silence');
  }

  #listenNoLonger(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #advance(): void {
    try {
      while (this.#waiting.length > 0) {
        if (!this.#waiting[0]!.advance(this.#queue)) return;
        this.#waiting.shift()!.clock?.end();
      }
      this.#host.unsolicited(this.#queue);
    } catch (error) {
      this.fail('backend_protocol', error);
    }
  }

  #drained(): Promise<void> {
    this.#isFull = true;
    this.#listenForSilence();
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#isFull = false;
        this.#socket.off('drain', settle);
        this.#socket.off('close', settle);
        if (this.#failure) reject(this.#failure);
        else resolve();
      };
      this.#socket.on('drain', settle);
      this.#socket.on('close', settle);
    });
  }
}
