// Bodies that are received, or copied, before they are sent to the room server (http/spool.ts), bounded for each
// account: they lie on the disk of the gateway, where the room server's own bounds do not count.

import { AppError } from '../errors.ts';
import { type Spooled, type SpoolOptions, spool } from '../http/spool.ts';

export class Spools {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** of bodies that have not been disposed of, by account */
  readonly #bytesOf = new Map<string, number>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes the source to its end; `account` as accountOf of the pool, `see` as of `spool`. Throws what that throws, and
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
