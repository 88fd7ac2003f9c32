// A whole answer of a room server, collected: status line, and the listing (1xx) or the bytes (6xx) that follow it.

import { AppError } from '../errors.ts';
import { MAX_COLLECTED_BYTES } from '../limits/protocol.ts';
import { binaryLength, ListingReader, type OnNotice, readStatus } from './framing.ts';
import type { ByteQueue } from './lines.ts';
import type { StatusLine } from './status.ts';

export interface Answer extends StatusLine {
  /** of a listing, without line ends; empty otherwise */
  lines: string[];
  /** of a binary answer */
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

  /** The answer once it is complete. Throws backend_protocol, also for more than MAX_COLLECTED_BYTES. */
  read(queue: ByteQueue): Answer | undefined {
    const status = (this.#status ??= this.#begin(queue));
    if (!status) return undefined;
    if (this.#listing) {
      const lines = this.#listing.read(queue);
      return lines && { ...status, lines, bytes: undefined };
    }
    if (status.code < 600 || status.code >= 700) return { ...status, lines: NO_LINES, bytes: undefined };
    if (queue.length < this.#length) return undefined;
    return { ...status, lines: NO_LINES, bytes: queue.take(this.#length) };
  }

  #begin(queue: ByteQueue): StatusLine | undefined {
    const status = readStatus(queue, this.#onNotice);
    if (!status) return undefined;
    if (status.code < 200) this.#listing = new ListingReader();
    if (status.code >= 600 && status.code < 700) {
      this.#length = binaryLength(status);
      if (this.#length > MAX_COLLECTED_BYTES) {
        throw new AppError('backend_protocol', 'The room server sent more than it announced.');
      }
    }
    return status;
  }
}
