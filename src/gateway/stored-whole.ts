// A real room server cuts a message at its size limit and confirms it as if nothing had happened (quirk Q40). So what was
// sent is compared with what was kept; called by posting.ts after a large post.

import type { Connection } from '../client/connection.ts';
import { partsOf } from '../client/messages.ts';
import { remove } from '../client/posting.ts';
import { AppError } from '../errors.ts';

/** What went out to the room server, in bytes. */
export interface Sent {
  /** MIME header lines and the blank line behind them */
  header: number;
  total: number;
}

/** Passes a message of buildMessage on and measures it; its header is the first piece. */
export async function* measured(message: AsyncIterable<Buffer>, sent: Sent): AsyncGenerator<Buffer> {
  for await (const piece of message) {
    if (sent.total === 0) sent.header = piece.length;
    sent.total += piece.length;
    yield piece;
  }
}

/**
 * Throws too_large when the message that the connection's room has under `msgnum` is shorter than what was sent; it is
 * then taken out again where the caller may do that. Of a multipart the last part is missing when it was cut, because
 * a part without its closing boundary is not counted; one that was put as it is cannot be checked.
 */
export async function requireWhole(
  connection: Connection,
  msgnum: number,
  sent: Sent,
  attachmentCount: number,
): Promise<void> {
  const parts = await partsOf(connection, msgnum);
  const isWhole =
    attachmentCount > 0 ? parts.length > attachmentCount : (parts[0]?.length ?? 0) >= sent.total - sent.header;
  if (isWhole) return;
  const isGone = await remove(connection, msgnum).then(
    () => true,
    () => false,
  );
  const rest = isGone ? 'Nothing of it was kept.' : 'What fitted was kept, because this account may not delete it.';
  throw new AppError('too_large', `The room server cut the message at its size limit. ${rest}`);
}
