// Large answers on their way to clients that may be slow: how much of them is in memory is bounded, for all and for one
// client. What several answers have in common counts once. A listener has one.

import { AppError } from '../errors.ts';
import {
  MAX_OUTGOING_BYTES,
  MAX_PACKED_AT_ONCE,
  MAX_PACKED_STREAMS,
  MAX_WAITING_OUTGOING_BYTES,
  OUTGOING_WAIT_MS,
} from '../limits/http.ts';
import { awaitTurn, type Turn } from '../system/fair-queue.ts';

/** An answer that is counted. */
export interface Held {
  /** Its bytes are others now. Throws as enter; then nothing is held. */
  replace(bytes: Uint8Array): Promise<void>;
  leave(): void;
}

/** Who an answer is for. */
export interface Client {
  /** what counts as one client */
  remoteNetwork: string;
  /** aborts when the client has closed the connection */
  gone: AbortSignal;
}

/** Bytes that are held, by the client that asked for them first. */
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

  /** what is held for clients that have not taken it yet, and what waits for that */
  get bytes(): { held: number; waiting: number } {
    return { held: this.#held.total, waiting: this.#waiting.total };
  }

  /**
   * Resolves when an answer of `size` bytes, that is `bytes` and little more, may go out. Throws busy where too much
   * waits already, or when it has waited too long; rejects when the client leaves.
   */
  async enter(client: Client, bytes: Uint8Array, size: number): Promise<Held> {
    await this.#admit(client, bytes, size);
    let current: Uint8Array | undefined = bytes;
    const release = () => {
      if (current) this.#release(current);
      current = undefined;
    };
    return {
      replace: async (other) => {
        release(); // nothing else is admitted meanwhile: what is smaller surely finds the place that it had
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

  /** Runs `pack`, unless so many run already that a thread would have to be waited for. */
  async pack(pack: () => Promise<Buffer>): Promise<Buffer | undefined> {
    if (this.#packing >= MAX_PACKED_AT_ONCE) return undefined;
    this.#packing++;
    try {
      return await pack();
    } finally {
      this.#packing--;
    }
  }

  /** A place for an answer that is packed as it is made; to be left by what is returned. undefined: there is none. */
  enterPackedStream(): (() => void) | undefined {
    if (this.#packedStreams >= MAX_PACKED_STREAMS) return undefined;
    this.#packedStreams++;
    return () => {
      this.#packedStreams--;
    };
  }

  async #admit({ remoteNetwork: client, gone }: Client, bytes: Uint8Array, size: number): Promise<void> {
    gone.throwIfAborted();
    if (this.#fits(client, bytes, size)) return this.#hold(client, bytes, size);
    if (!this.#waiting.has(client, size, this.#maxWaitingBytes)) throw late();
    const giveUp = () => this.#leaveQueue(waiting);
    const waiting: Waiting = { client, bytes, size, turn: awaitTurn(gone, OUTGOING_WAIT_MS, late, giveUp) };
    this.#queue.add(waiting);
    this.#waiting.add(client, size);
    await waiting.turn.came;
  }

  /** One that is larger than all that a client may have gets its turn when little else is on its way. */
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

  /** In the order in which they came; a client that has too much on its way blocks no other. */
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

/** Bytes in all and by client. */
class Sums {
  total = 0;
  readonly #byClient = new Map<string, number>();

  of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** There is room for so many more: of `max` in all, and of half of it for one client. */
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
