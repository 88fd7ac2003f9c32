// A calendar of the caller is to be deleted as a whole: what he organizes in it is taken back, what he was invited to
// is declined, one object after the other (RFC 6638 sections 3.2.1.3 and 3.2.2.3).

import { AppError } from '../../errors.ts';
import { MAX_REMOVED_INVITATIONS } from '../../limits/dav.ts';
import type { EnteredRoom } from '../../model.ts';
import { serverOf } from '../../room-server/driver.ts';
import { deleteFromRoom } from '../../room-server/posting.ts';
import { requireDeletable } from '../../room-server/room-admin.ts';
import { contentsOf, listMembers } from '../collection/collection.ts';
import { unlessGone } from '../message/unless-gone.ts';
import type { RoomContext } from '../room-context.ts';
import { isOwnCalendar, mayBeScheduled } from './own-calendar.ts';
import { removeScheduled } from './plan.ts';

/**
 * Removes the invitations of a room that is to be deleted. Changes nothing where it is no calendar of the caller.
 * Throws as requireDeletable, forbidden where they are more than one request may send messages for.
 */
export async function removeInvitations(context: RoomContext, entered: EnteredRoom): Promise<void> {
  if (!isOwnCalendar(entered)) return;
  const { app, caller, room } = context;
  await requireDeletable(app.pool, caller.identity, room);
  const invitations = await invitationsIn(context);
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

/** Numbers of those that may be; of too many, one more than may be removed. */
async function invitationsIn(context: RoomContext): Promise<number[]> {
  const { app, caller, room } = context;
  const most = MAX_REMOVED_INVITATIONS + 1;
  const { lacks, scheduling } = await serverOf(app.pool, caller.identity);
  if (!lacks.scheduling) return [...(await scheduling.tags(app.pool, caller.identity, room, 0, most)).keys()];
  const found: number[] = [];
  const { members } = await listMembers(context);
  for await (const batch of members) {
    for await (const contents of contentsOf(context, batch)) {
      for (const { member, bytes } of contents) if (mayBeScheduled(bytes.toString('latin1'))) found.push(member.msgnum);
      if (found.length >= most) return found;
    }
  }
  return found;
}
