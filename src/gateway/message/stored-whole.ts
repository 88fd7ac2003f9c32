// A real room server cuts a message at its size limit and confirms it as if nothing had happened (quirk Q40). So what
// was sent is compared with what was kept.

import { AppError } from '../../errors.ts';
import { MAX_LINE_BEYOND_LIMIT_BYTES } from '../../limits/sessions.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { partsOf, storedSizeOf } from '../../room-server/messages.ts';
import { deleteFromRoom } from '../../room-server/posting.ts';
import type { MessageLimit } from './size-limit.ts';

/** What went out to the room server, in bytes. */
export interface SentMessage {
  /** MIME header lines and the blank line behind them */
  header: number;
  total: number;
  attachments: number;
  /** a multipart that was put as it is: its parts were not counted */
  isAsPut: boolean;
  isMail: boolean;
}

/** Passes a message of buildMessage on and measures it; its header is the first piece. */
export async function* measured(
  message: AsyncIterable<Buffer>,
  sent: Pick<SentMessage, 'header' | 'total'>,
): AsyncGenerator<Buffer> {
  for await (const piece of message) {
    if (sent.total === 0) sent.header = piece.length;
    sent.total += piece.length;
    yield piece;
  }
}

/**
 * Throws too_large when the message that the connection's room has under `msgnum` is shorter than what was sent, and
 * tells `limit` how much was kept. It is then taken out again where the caller may do that, but for mail: that has been
 * delivered, and the sender is to see what.
 */
export async function requireWhole(
  connection: Connection,
  msgnum: number,
  sent: SentMessage,
  limit: MessageLimit,
): Promise<void> {
  if (await isWhole(connection, msgnum, sent)) return;
  const kept = await storedSizeOf(connection, msgnum);
  const bytes = kept < sent.total ? kept - MAX_LINE_BEYOND_LIMIT_BYTES : sent.total - 1;
  if (bytes > 0) limit.learn(bytes);
  throw new AppError(
    'too_large',
    `The room server cut the message at its size limit. ${await rest(connection, msgnum, sent)}`,
  );
}

/** Of several parts the last is missing when it was cut, for a part without its closing boundary is not counted. */
async function isWhole(connection: Connection, msgnum: number, sent: SentMessage): Promise<boolean> {
  if (sent.isAsPut && sent.attachments === 0) return (await storedSizeOf(connection, msgnum)) >= sent.total;
  const parts = await partsOf(connection, msgnum);
  return sent.attachments > 0 ? parts.length > sent.attachments : (parts[0]?.length ?? 0) >= sent.total - sent.header;
}

/** Takes it out, unless it is mail; a sentence for the user that says so. */
async function rest(connection: Connection, msgnum: number, { isMail }: SentMessage): Promise<string> {
  if (isMail) return `What fitted has been sent to the recipients; it is message ${msgnum} in Sent Items.`;
  const isGone = await deleteFromRoom(connection, msgnum).then(
    () => true,
    () => false,
  );
  return isGone
    ? 'Nothing of it was kept.'
    : `What fitted was kept as message ${msgnum}, because this account may not delete it.`;
}
