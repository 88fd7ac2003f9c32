// Bounds the memory held by large responses to slow clients, in total and per client. Responses that share a buffer
// count once. Each listener has one.

import { AppError } from '../errors.ts';
import {
  MAX_OUTGOING_BYTES,
  MAX_PACKED_AT_ONCE,
  MAX_PACKED_STREAMS,
  MAX_WAITING_OUTGOING_BYTES,
  OUTGOING_WAIT_MS,
} from '../limits/http.ts';
import { type Asker, awaitTurn, type Turn } from '../system/fair-queue.ts';

/** A counted response. */
export interface Held {
  /** Replaces the buffer. Throws like enter; then nothing is held. */
  replace(bytes: Uint8Array): Promise<void>;
  leave(): void;
}

/** A held buffer, charged to the client that requested it first. */
interface Load {
  client: string;
  size: number;
  readers: number;
}

interface Waiting {
  client: string;
  bytes: Uint8Array;
  size: number;
  turn: Turn;
}

export class Outgoing {
  readonly #maxBytes: number;
  readonly #maxWaitingBytes: number;
  readonly #loads = new Map<Uint8Array, Load>();
  readonly #queue = new Set<Waiting>();
  readonly #held = new Sums();
  readonly #waiting = new Sums();
  #packing = 0;
  #packedStreams = 0;

  constructor(maxBytes = MAX_OUTGOING_BYTES, maxWaitingBytes = MAX_WAITING_OUTGOING_BYTES) {
    this.#maxBytes = maxBytes;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** bytes held for clients, and bytes waiting to be held */
  get bytes(): { held: number; waiting: number } {
    return { held: this.#held.total, waiting: this.#waiting.total };
  }

  /**
   * Resolves when a response of `size` bytes, mainly `bytes`, may be sent. Throws busy if too much is waiting or it
   * waited too long; rejects when the client disconnects.
   */
  async enter(client: Asker, bytes: Uint8Array, size: number): Promise<Held> {
    await this.#admit(client, bytes, size);
    let current: Uint8Array | undefined = bytes;
    const release = () => {
      if (current) this.#release(current);
      current = undefined;
    };
    return {
      replace: async (other) => {
        release(); // nothing else is admitted in between, so a smaller buffer always fits
        const admitted = this.#admit(client, other, other.length);
        this.#startNext();
        await admitted;
        current = other;
      },
      leave: () => {
        release();
        this.#startNext();
      },
    };
  }

  /** Runs `pack` unless the thread pool is busy with others. */
  async pack(pack: () => Promise<Buffer>): Promise<Buffer | undefined> {
    if (this.#packing >= MAX_PACKED_AT_ONCE) return undefined;
    this.#packing++;
    try {
      return await pack();
    } finally {
      this.#packing--;
    }
  }

  /** Reserves a slot for a compressed stream; call the result to release it. undefined: none is free. */
  enterPackedStream(): (() => void) | undefined {
    if (this.#packedStreams >= MAX_PACKED_STREAMS) return undefined;
    this.#packedStreams++;
    return () => {
      this.#packedStreams--;
    };
  }

  async #admit({ turnKey: client, gone }: Asker, bytes: Uint8Array, size: number): Promise<void> {
    gone.throwIfAborted();
    if (this.#fits(client, bytes, size)) return this.#hold(client, bytes, size);
    if (!this.#waiting.has(client, size, this.#maxWaitingBytes)) throw late();
    const giveUp = () => this.#leaveQueue(waiting);
    const waiting: Waiting = { client, bytes, size, turn: awaitTurn(gone, OUTGOING_WAIT_MS, late, giveUp) };
    this.#queue.add(waiting);
    this.#waiting.add(client, size);
    await waiting.turn.came;
  }

  /** A response above the per-client limit is admitted when little else is held. */
  #fits(client: string, bytes: Uint8Array, size: number): boolean {
    if (this.#loads.has(bytes) || this.#held.has(client, size, this.#maxBytes)) return true;
    return size > this.#maxBytes / 2 && this.#held.of(client) === 0 && this.#held.total <= this.#maxBytes / 2;
  }

  #hold(client: string, bytes: Uint8Array, size: number): void {
    const load = this.#loads.get(bytes);
    if (load) {
      load.readers++;
      return;
    }
    this.#loads.set(bytes, { client, size, readers: 1 });
    this.#held.add(client, size);
  }

  #release(bytes: Uint8Array): void {
    const load = this.#loads.get(bytes)!;
    if (--load.readers > 0) return;
    this.#loads.delete(bytes);
    this.#held.add(load.client, -load.size);
  }

  /** In order of arrival; a client over its limit does not block others. */
  #startNext(): void {
    for (const waiting of this.#queue) {
      const { client, bytes, size, turn } = waiting;
      if (!this.#fits(client, bytes, size)) continue;
      this.#leaveQueue(waiting);
      this.#hold(client, bytes, size);
      turn.start();
    }
  }

  #leaveQueue(waiting: Waiting): void {
    this.#queue.delete(waiting);
    this.#waiting.add(waiting.client, -waiting.size);
  }
}

/** Byte counts, in total and per client. */
class Sums {
  total = 0;
  readonly #byClient = new Map<string, number>();

  of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** Whether `size` more bytes fit: `max` in total, half of it per client. */
  has(client: string, size: number, max: number): boolean {
    return this.total + size <= max && this.of(client) + size <= max / 2;
  }

  add(client: string, size: number): void {
    this.total += size;
    const sum = this.of(client) + size;
    if (sum === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, sum);
  }
}

function late(): AppError {
  return new AppError('busy', 'Too many large answers are on their way. Try again soon.', { retryAfterSeconds: 5 });
}
