// A calendar of the caller is to be deleted as a whole: what he organizes in it is taken back, what he was invited to
// is declined, one object after the other (RFC 6638 sections 3.2.1.3 and 3.2.2.3).

import { AppError, unlessGone } from '../../errors.ts';
import { MAX_REMOVED_INVITATIONS } from '../../limits/dav.ts';
import type { EnteredRoom } from '../../model.ts';
import { serverOf } from '../../room-server/driver.ts';
import { deleteFromRoom } from '../../room-server/posting.ts';
import { requireDeletable } from '../../room-server/room-admin.ts';
import { accessTo, type RoomContext } from '../room-context.ts';
import { isOwnCalendar } from './own-calendar.ts';
import { removeScheduled } from './plan.ts';

/**
 * Removes the invitations of a room that is to be deleted. Changes nothing where it is no calendar of the caller.
 * Throws as requireDeletable, forbidden where they are more than one request may send messages for.
 */
export async function removeInvitations(context: RoomContext, entered: EnteredRoom): Promise<void> {
  if (!isOwnCalendar(entered)) return;
  const { app, caller, room } = context;
  await requireDeletable(app.pool, caller.identity, room);
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const invitations = await scheduling.invitations(accessTo(context), MAX_REMOVED_INVITATIONS + 1);
  if (invitations.length > MAX_REMOVED_INVITATIONS) {
    const most = `more than ${MAX_REMOVED_INVITATIONS} invitations, whose guests have to be told`;
    throw new AppError('forbidden', `This calendar has ${most}: delete or move some of them first.`);
  }
  for (const msgnum of invitations) {
    const remove = removeScheduled(context, msgnum, (within) =>
      app.pool.withRoom(caller.identity, room, (connection) =>
        within(connection, () => deleteFromRoom(connection, msgnum)),
      ),
    );
    await unlessGone(remove);
  }
}
