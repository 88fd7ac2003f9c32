// Scheduling messages as mail (RFC 6047), for room servers without a verb for them: the server forwards mail to people
// elsewhere and files it in the Mail room of its own users.

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
import { PLAIN_POSTING } from '../message/posting.ts';
import type { RoomContext } from '../room-context.ts';

const MAIL = { name: ROOM_MACRO.mail, password: '' };
/** delivery status (RFC 6638 section 3.2.9) */
const SENT = '1.1';
const UNKNOWN = '3.7';
const NO_WAY = '5.2';

/** The status of each recipient, as far as it is known before sending. */
export async function mailStatuses(
  { app, caller }: RoomContext,
  messages: readonly SchedulingMessage[],
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const all = new Set(messages.flatMap(({ recipients }) => recipients));
  if (all.size === 0) return statuses;
  await app.pool.withRoom(caller.identity, MAIL, async (connection) => {
    const mailable = [...all].filter((one) => mailAddress(one) !== undefined);
    const isEach = mailable.length > 0 && !(await takes(connection, mailable));
    for (const [i, one] of mailable.entries()) {
      const isTaken = !isEach || (i < MAX_PROBED_GUESTS && (await takes(connection, [one])));
      statuses.set(one, isTaken ? SENT : UNKNOWN);
    }
  });
  for (const one of all) if (!statuses.has(one)) statuses.set(one, NO_WAY);
  return statuses;
}

/** Sends each message to the recipients that the room server accepts. */
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

/** `mailto:bob@example.com?subject=x` → `bob@example.com`; undefined for no mail address. */
function mailAddress(address: string): string | undefined {
  const mail = /^mailto:([^?,;<>"\s]+@[^?,;<>"\s]+)/.exec(addressKey(address))?.[1];
  return mail !== undefined && isFieldSafe(mail) ? mail : undefined;
}
