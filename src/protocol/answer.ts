// A complete reply of a room server: the status line and the listing (1xx) or bytes (6xx) that follow, collected or
// streamed.

import { AppError } from '../errors.ts';
import { MAX_COLLECTED_BYTES } from '../limits/protocol.ts';
import { command } from './fields.ts';
import { binaryLength, ListingReader, ListingStream, type OnNotice, readStatus } from './framing.ts';
import type { ByteQueue } from './lines.ts';
import { REPLY, replyClass, STATUS, type StatusLine } from './status.ts';

export interface Answer extends StatusLine {
  /** lines of a listing, without line ends */
  lines: string[];
  /** bytes of a binary reply */
  bytes: Buffer | undefined;
}

const NO_LINES: string[] = [];

export class AnswerReader {
  #status: StatusLine | undefined;
  #listing: ListingReader | undefined;
  #length = 0;
  readonly #onNotice: OnNotice | undefined;

  constructor(onNotice?: OnNotice) {
    this.#onNotice = onNotice;
  }

  /** The complete reply. Throws backend_protocol, also above MAX_COLLECTED_BYTES. */
  read(queue: ByteQueue): Answer | undefined {
    const status = (this.#status ??= this.#begin(queue));
    if (!status) return undefined;
    if (this.#listing) {
      const lines = this.#listing.read(queue);
      return lines && { ...status, lines, bytes: undefined };
    }
    if (replyClass(status.code) !== REPLY.binary) return { ...status, lines: NO_LINES, bytes: undefined };
    if (queue.length < this.#length) return undefined;
    return { ...status, lines: NO_LINES, bytes: queue.take(this.#length) };
  }

  #begin(queue: ByteQueue): StatusLine | undefined {
    const status = readStatus(queue, this.#onNotice);
    if (!status) return undefined;
    const kind = replyClass(status.code);
    if (kind === REPLY.listing) this.#listing = new ListingReader();
    if (kind === REPLY.binary) {
      this.#length = binaryLength(status);
      if (this.#length > MAX_COLLECTED_BYTES) {
        throw new AppError('backend_protocol', 'The room server sent a reply that is too large.');
      }
    }
    return status;
  }
}

/** Receives what follows a status line, piece by piece. */
export type TakePiece = (piece: Buffer) => void;

/** Streams a reply of any size without keeping it. */
export class PassedAnswer {
  #status: StatusLine | undefined;
  #take: TakePiece | undefined;
  #listing: ListingStream | undefined;
  #left = 0;
  readonly #begin: (status: StatusLine) => TakePiece | undefined;
  readonly #onNotice: OnNotice | undefined;

  constructor(begin: (status: StatusLine) => TakePiece | undefined, onNotice?: OnNotice) {
    this.#begin = begin;
    this.#onNotice = onNotice;
  }

  /**
   * The status line, once the whole reply has been passed on. Throws backend_protocol, and what the callback throws.
   */
  read(queue: ByteQueue): StatusLine | undefined {
    const status = (this.#status ??= this.#readStatus(queue));
    if (!status) return undefined;
    for (;;) {
      const piece = this.#listing ? this.#listing.read(queue) : this.#left === 0 ? 'end' : queue.take(this.#left);
      if (piece === 'end') return status;
      if (piece === undefined || piece.length === 0) return undefined;
      if (!this.#listing) this.#left -= piece.length;
      this.#take?.(piece);
    }
  }

  #readStatus(queue: ByteQueue): StatusLine | undefined {
    const status = readStatus(queue, this.#onNotice);
    if (!status) return undefined;
    this.#take = this.#begin(status);
    const kind = replyClass(status.code);
    if (kind === REPLY.listing) this.#listing = new ListingStream();
    if (kind === REPLY.binary) this.#left = binaryLength(status);
    return status;
  }
}

/** Sent after a command that may be answered twice; its reply is 200. */
export const IN_STEP = command('NOOP');

/** Reads up to the reply to IN_STEP: a real server replies twice if two parts share a name (quirk Q6). */
export class PassedInStep {
  #answer: PassedAnswer;
  readonly #onNotice: OnNotice | undefined;

  constructor(begin: (status: StatusLine) => TakePiece | undefined, onNotice?: OnNotice) {
    this.#answer = new PassedAnswer(begin, onNotice);
    this.#onNotice = onNotice;
  }

  /** true once both replies are complete. Throws like PassedAnswer. */
  read(queue: ByteQueue): true | undefined {
    for (;;) {
      const status = this.#answer.read(queue);
      if (!status) return undefined;
      if (status.code === STATUS.done) return true;
      this.#answer = new PassedAnswer(() => undefined, this.#onNotice);
    }
  }
}
