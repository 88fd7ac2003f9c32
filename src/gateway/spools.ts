// Bodies on their way to the room server (http/spool.ts), bounded by account: they use the gateway's disk, which the
// room server's quotas do not count.

import { AppError } from '../errors.ts';
import { type Spooled, type SpoolOptions, spool } from '../http/spool.ts';

export class Spools {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** bytes of bodies that are not disposed of, by account */
  readonly #bytesOf = new Map<string, number>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads the source to its end; `account` as pool.accountOf, `see` as in `spool`. Throws as `spool`,
   * too_many_requests.
   */
  async take(account: string, source: AsyncIterable<Buffer>, see?: SpoolOptions['see']): Promise<Spooled> {
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      const all = (this.#bytesOf.get(account) ?? 0) + bytes;
      if (all > 0) this.#bytesOf.set(account, all);
      else this.#bytesOf.delete(account);
      return all;
    };
    const max = this.#maxBytes;
    const count = (piece: Buffer) => {
      if (hold(piece.length) > max) {
        throw new AppError('too_many_requests', 'This account sends too much at the same time.', {
          retryAfterSeconds: 10,
        });
      }
      see?.(piece);
    };
    try {
      const spooled = await spool(source, this.#folder, { see: count });
      return {
        ...spooled,
        async [Symbol.asyncDispose]() {
          hold(-held);
          await spooled[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      hold(-held);
      throw error;
    }
  }
}
