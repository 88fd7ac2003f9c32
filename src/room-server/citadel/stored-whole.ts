// A real room server cuts a message at its size limit and confirms it (quirk Q40), so the stored size is compared with
// what was sent.

import { AppError } from '../../errors.ts';
import { MAX_LINE_BEYOND_LIMIT_BYTES } from '../../limits/sessions.ts';
import { type EnteredRoom, VIEW } from '../../model.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import type { Connection } from '../connection/connection.ts';
import { enterRoom } from '../connection/goto.ts';
import { partsOf, storedSizeOf } from '../messages.ts';
import { deleteFromRoom, requireNewer } from '../posting.ts';
import type { SentMessage } from '../server.ts';

/** As MessageMethods.requireWhole. */
export async function requireWhole(
  connection: Connection,
  before: EnteredRoom,
  msgnum: number,
  sent: SentMessage,
  learn: (bytes: number) => void,
): Promise<void> {
  // a card is written anew and cannot be compared
  if (before.defaultView === VIEW.addressBook) return;
  requireNewer(msgnum, before);
  // mail is filed there (protocol section 16)
  if (sent.isMail) await enterRoom(connection, { name: OWN_ROOM.sent, password: '' });
  if (await isWhole(connection, msgnum, sent)) return;
  const stored = await storedSizeOf(connection, msgnum);
  const bytes = stored < sent.total ? stored - MAX_LINE_BEYOND_LIMIT_BYTES : sent.total - 1;
  if (bytes > 0) learn(bytes);
  throw new AppError(
    'too_large',
    `The room server cut the message at its size limit. ${await rest(connection, msgnum, sent)}`,
  );
}

/**
 * A cut message lacks its last part: a part without its closing boundary is not listed. Nor are the alternatives of a
 * text, so the attachments, which follow part 1, are looked for by number.
 */
async function isWhole(connection: Connection, msgnum: number, sent: SentMessage): Promise<boolean> {
  if (sent.isAsPut && sent.attachments === 0) return (await storedSizeOf(connection, msgnum)) >= sent.total;
  const parts = await partsOf(connection, msgnum);
  if (sent.attachments > 0) return parts.some(({ partnum }) => partnum === String(sent.attachments + 1));
  return (parts[0]?.length ?? 0) >= sent.total - sent.header;
}

/** Deletes it unless it is mail; returns a sentence for the user. */
async function rest(connection: Connection, msgnum: number, { isMail }: SentMessage): Promise<string> {
  if (isMail) return `The part that fitted was sent to the recipients; it is message ${msgnum} in Sent Items.`;
  const isGone = await deleteFromRoom(connection, msgnum).then(
    () => true,
    () => false,
  );
  return isGone
    ? 'Nothing of it was stored.'
    : `The part that fitted is stored as message ${msgnum}, because this account may not delete it.`;
}
