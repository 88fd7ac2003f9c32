// Scheduling messages as mail, for a room server that has no verb to deliver them (RFC 6047): it sends them on to
// people elsewhere, and puts them into the Mail room of those who are here.

import { AppError } from '../../errors.ts';
import { MAX_PROBED_GUESTS } from '../../limits/dav.ts';
import { schedulingMail } from '../../mime/scheduling/imip.ts';
import { addressKey } from '../../mime/scheduling/lines.ts';
import type { SchedulingMessage } from '../../mime/scheduling/object.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { ROOM_MACRO } from '../../protocol/room-facts.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { type Posting, probePost } from '../../room-server/posting.ts';
import { PLAIN_POSTING } from '../message/post-body.ts';
import type { RoomContext } from '../room-context.ts';

const MAIL = { name: ROOM_MACRO.mail, password: '' };
/** codes of delivery (RFC 6638 section 3.2.9) */
const SENT = '1.1';
const UNKNOWN = '3.7';
const NO_WAY = '5.2';

/** The status of each recipient, as far as the room server can tell before the mail goes. */
export async function mailStatuses(
  { app, caller }: RoomContext,
  messages: readonly SchedulingMessage[],
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const all = new Set(messages.flatMap(({ recipients }) => recipients));
  if (all.size === 0) return statuses;
  await app.pool.withRoom(caller.identity, MAIL, async (connection) => {
    const known = [...all].filter((one) => mailAddress(one) !== undefined);
    const isEach = known.length > 0 && !(await takes(connection, known));
    for (const [i, one] of known.entries()) {
      const isTaken = !isEach || (i < MAX_PROBED_GUESTS && (await takes(connection, [one])));
      statuses.set(one, isTaken ? SENT : UNKNOWN);
    }
  });
  for (const one of all) if (!statuses.has(one)) statuses.set(one, NO_WAY);
  return statuses;
}

/** Sends each to those of its recipients whom the room server takes mail for. */
export async function mailMessages(
  { app, caller }: RoomContext,
  messages: readonly SchedulingMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await app.pool.withRoom(caller.identity, MAIL, async (connection) => {
    for (const message of messages) {
      const { subject, body } = schedulingMail(message);
      let taken = message.recipients.filter((one) => mailAddress(one) !== undefined);
      if (taken.length > 0 && !(await takes(connection, taken))) {
        const probed = taken.slice(0, MAX_PROBED_GUESTS);
        taken = [];
        for (const one of probed) if (await takes(connection, [one])) taken.push(one);
      }
      if (taken.length === 0) continue;
      const server = await serverOf(app.pool, connection);
      await server.messages.post(connection, { ...postingTo(taken), subject }, pieces(body));
    }
  });
}

async function* pieces(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

async function takes(connection: Connection, recipients: readonly string[]): Promise<boolean> {
  try {
    await probePost(connection, postingTo(recipients));
    return true;
  } catch (error) {
    if (error instanceof AppError && ['bad_request', 'forbidden'].includes(error.code)) return false;
    throw error;
  }
}

function postingTo(recipients: readonly string[]): Posting {
  return { ...PLAIN_POSTING, recipients: recipients.map(mailAddress).join(', ') };
}

/** `mailto:bob@example.com?subject=x` → `bob@example.com`; undefined for what is no mail address. */
function mailAddress(address: string): string | undefined {
  const mail = /^mailto:([^?,;<>"\s]+@[^?,;<>"\s]+)/.exec(addressKey(address))?.[1];
  return mail !== undefined && isFieldSafe(mail) ? mail : undefined;
}
