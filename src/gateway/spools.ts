// Bodies on their way to the room server (http/spool.ts), bounded by account: they use memory, descriptors and the disk
// of the gateway, which the room server's quotas do not count.

import { AppError } from '../errors.ts';
import { type Spooled, type SpoolOptions, spool } from '../http/spool.ts';
import { MAX_SPOOLED_BODIES_PER_USER } from '../limits/http.ts';

export class Spools {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** what is not disposed of, by account */
  readonly #heldBy = new Map<string, { count: number; bytes: number }>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads the source to its end; `account` as pool.accountOf, `see` as in `spool`. Throws as `spool`,
   * too_many_requests.
   */
  async take(account: string, source: AsyncIterable<Buffer>, see?: SpoolOptions['see']): Promise<Spooled> {
    const held = this.#heldBy.getOrInsertComputed(account, () => ({ count: 0, bytes: 0 }));
    if (held.count >= MAX_SPOOLED_BODIES_PER_USER) throw tooMuch();
    held.count++;
    let own = 0;
    const release = () => {
      held.bytes -= own;
      own = 0;
      if (--held.count === 0) this.#heldBy.delete(account);
    };
    const count = (piece: Buffer) => {
      own += piece.length;
      held.bytes += piece.length;
      if (held.bytes > this.#maxBytes) throw tooMuch();
      see?.(piece);
    };
    try {
      const spooled = await spool(source, this.#folder, { see: count });
      let isHeld = true;
      return {
        ...spooled,
        async [Symbol.asyncDispose]() {
          if (isHeld) release();
          isHeld = false;
          await spooled[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}

function tooMuch(): AppError {
  return new AppError('too_many_requests', 'This account sends too much at the same time.', { retryAfterSeconds: 10 });
}
