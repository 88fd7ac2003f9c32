// The largest message that the room server accepts (its setting c_maxmsglen). A real one cuts larger messages without
// an error (quirk Q40) and shows the setting to administrators only, so it is read on their connections, or learned
// from the first message that was cut.

import { AppError } from '../../errors.ts';
import { LIMIT_FRESH_MS, LIMIT_KNOWN_MS } from '../../limits/sessions.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { Pool } from '../../room-server/connection/pool.ts';

const ASK = [command('CONF', 'GETVAL', 'c_maxmsglen'), command('CONF', 'GETVAL', 'c_maxsessions')];

export class MessageLimit {
  #bytes = 0;
  /** performance.now() */
  #learnt = Number.NEGATIVE_INFINITY;

  /** Bytes of a message with its MIME headers; undefined while unknown. */
  get bytes(): number | undefined {
    return this.#bytes > 0 && performance.now() - this.#learnt < LIMIT_KNOWN_MS ? this.#bytes : undefined;
  }

  learn(bytes: number): void {
    this.#bytes = bytes;
    this.#learnt = performance.now();
  }

  /**
   * Asks on an administrator's connection, unless it was asked just now; also for the server's maximum of sessions, for
   * the pool.
   */
  async ask(connection: Connection, pool: Pool): Promise<void> {
    if (performance.now() - this.#learnt < LIMIT_FRESH_MS) return;
    const [bytes, sessions] = (await connection.askAll(ASK)).map(({ code, text }) =>
      code === 200 ? toInt(splitFields(text)[0]) : undefined,
    );
    if (bytes !== undefined) this.learn(bytes);
    if (sessions !== undefined) pool.keepClearOf(sessions);
  }

  /** Throws too_large. */
  require(bytes: number): void {
    const limit = this.bytes;
    if (limit === undefined || bytes <= limit) return;
    throw new AppError('too_large', `The room server accepts messages up to ${limit} bytes; this one has ${bytes}.`);
  }
}
