// What a peer sends behind a 4xx, 7xx or 8xx (protocol section 4): its bytes go to the verb that asked for them, in
// turns with the other sessions.

import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import type { ByteQueue } from '../../protocol/lines.ts';
import type { BinaryReply, Owed, TextReply } from '../session/reply.ts';
import { BinaryReader } from './binary-reader.ts';
import { TextReader } from './text-reader.ts';

/** One transfer from the peer. */
export class Incoming {
  #bytes = 0;
  #turnBytes = 0;
  readonly #reader: TextReader | BinaryReader;
  readonly #onFault: (error: unknown) => void;

  constructor(reply: TextReply | BinaryReply, onFault: (error: unknown) => void) {
    this.#reader = 'text' in reply ? new TextReader(reply.text) : new BinaryReader(reply);
    this.#onFault = onFault;
  }

  /** Consumes what it can; true when all of it has come. */
  read(queue: ByteQueue): boolean {
    const waiting = queue.length;
    const isComplete = this.#reader.read(queue);
    this.#bytes += waiting - queue.length;
    this.#turnBytes += waiting - queue.length;
    return isComplete;
  }

  get isLong(): boolean {
    return this.#bytes > STREAM_CHUNK_BYTES;
  }

  /** Whether so much was read since this was last true that others have their turn. */
  endsTurn(): boolean {
    const isOver = this.#turnBytes >= STREAM_CHUNK_BYTES;
    if (isOver) this.#turnBytes = 0;
    return isOver;
  }

  end(): Owed | Promise<Owed> {
    return this.#reader.end();
  }

  /** Nothing of it remains. */
  abort(): void {
    try {
      this.#reader.abort();
    } catch (error) {
      this.#onFault(error);
    }
  }
}
