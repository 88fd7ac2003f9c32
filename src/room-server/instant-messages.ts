// Instant messages: sending, and taking those that have come (verbs SEXP and GEXP, protocol section 18.10).

import { command, splitFields, toInt } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import type { KnownRefusals } from './connection/refusal.ts';
import { writeText } from './text-transfer.ts';

const BROADCAST = 1;
const SENDING: KnownRefusals = {
  [STATUS.notOpen]: ['conflict', 'This user is not here, or takes no instant messages.'],
};

export interface InstantMessage {
  /** Unix seconds */
  time: number;
  sender: string;
  address: string;
  isBroadcast: boolean;
  text: string;
}

/**
 * Sends to everybody logged in as `to`; `broadcast` is all users. Throws not_found (570), conflict when nobody would
 * get it (553), forbidden for a broadcast of others than administrators (550).
 */
export function sendInstantMessage(pool: Pool, identity: Identity, to: string, text: string): Promise<void> {
  return pool.withConnection(identity, (connection) => writeText(connection, command('SEXP', to, '-'), text, SENDING));
}

/** What has come since the last call, oldest first; see Pool.takeInstantMessages. */
export async function takeInstantMessages(pool: Pool, identity: Identity): Promise<InstantMessage[]> {
  const answers = await pool.takeInstantMessages(identity);
  return answers.map(({ text, lines }) => {
    // `more|time|flags|sender|node|address`
    const fields = splitFields(text);
    return {
      time: toInt(fields[1]),
      sender: fields[3] ?? '',
      address: fields[5] ?? '',
      isBroadcast: (toInt(fields[2]) & BROADCAST) !== 0,
      text: lines.join('\n'),
    };
  });
}
