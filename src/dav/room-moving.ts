// MOVE and COPY of a room (RFC 4918 sections 9.8.3 and 9.9.2). A MOVE renames it, as PATCH does, and changes nothing
// else. A COPY is a personal room of the caller, as MKCOL makes it, with the same messages.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { acceptedRoomName, messagePath, noParent, roomPath } from '../gateway/paths.ts';
import { removeLocks, requireRoomUnlocked } from '../gateway/preconditions.ts';
import { roomContext } from '../gateway/request-room.ts';
import { accessTo, type RoomContext } from '../gateway/room-context.ts';
import { isOwnCalendar, schedulingRefusal } from '../gateway/scheduling/conditions.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { MAX_COPIED_AT_ONCE } from '../limits/dav.ts';
import { collectionKind, type EnteredRoom, holdsObjects, VIEW } from '../model.ts';
import { serverOf } from '../room-server/driver.ts';
import { listAll } from '../room-server/messages.ts';
import { copyToRoom } from '../room-server/posting.ts';
import { createPersonalRoom, deleteRoom, renameRoom } from '../room-server/room-admin.ts';
import { mayOverwrite, parseDestination } from './href.ts';
import { exists } from './mkcol.ts';
import { expandedName } from './xml-read.ts';

/** MOVE r/:room/ */
export async function moveRoom(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  if (!/^(infinity)?$/i.test(depthOf(exchange))) throw new AppError('bad_request', 'MOVE takes Depth infinity only.');
  const context = await roomContext(exchange, app, caller);
  const { name, entered } = await freeTarget(context, true);
  await renameRoom(app.pool, caller.identity, context.room, name);
  await removeLocks(context, entered, '');
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

/** COPY r/:room/, with Depth: 0 without its messages */
export async function copyRoom(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const depth = depthOf(exchange);
  if (!/^(0|infinity)?$/i.test(depth)) throw new AppError('bad_request', 'Depth takes 0 or infinity.');
  const context = await roomContext(exchange, app, caller);
  const { name, view, entered } = await freeTarget(context, false);
  const messages = depth === '0' ? [] : await listAll(app.pool, caller.identity, context.room);
  if (messages.length > 0) await requireNoInvitations(context, entered);
  const { pool } = app;
  const { identity } = caller;
  // if the process is killed while it is filled, the room server removes it
  const server = await serverOf(pool, identity);
  const isMarked = messages.length > 0 && !server.lacks.unfinishedRooms;
  await createPersonalRoom(pool, identity, name, view, isMarked);
  try {
    await server.messages.keepingMarks(
      accessTo(context),
      messages,
      { name, password: '' },
      () => fill(context, name, messages),
      true,
    );
    if (isMarked) await server.rooms.finish(pool, identity, name);
  } catch (error) {
    // all or nothing; it is personal, so nobody else wrote in it. The first error is the answer.
    await deleteRoom(app.pool, caller.identity, { name, password: '' }).catch(() => {});
    throw error;
  }
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

/**
 * Throws forbidden if it has invitations: each may be in one calendar of the caller only (RFC 6638 section 3.2.4.1).
 */
async function requireNoInvitations(context: RoomContext, entered: EnteredRoom): Promise<void> {
  const { app, caller, room } = context;
  if (!isOwnCalendar(entered)) return;
  const { lacks, scheduling } = await serverOf(app.pool, caller.identity);
  if (lacks.scheduling) return;
  const [first] = await scheduling.invitations(accessTo(context), 1);
  if (first === undefined) return;
  throw schedulingRefusal('unique-scheduling-object-resource', [messagePath(app, room.name, first)]);
}

async function fill({ app, caller, room }: RoomContext, name: string, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  await app.pool.visitRoom(caller.identity, room, async (connection) => {
    for (let at = 0; at < messages.length; at += MAX_COPIED_AT_ONCE) {
      await copyToRoom(connection, messages.slice(at, at + MAX_COPIED_AT_ONCE), name);
    }
  });
}

/**
 * The new name, and the kind of the room. An existing room is never replaced, since it holds what others wrote. Throws
 * not_found if the room itself does not exist, precondition_failed, forbidden, conflict, bad_request.
 */
async function freeTarget(
  context: RoomContext,
  isMove: boolean,
): Promise<{ name: string; view: number; entered: EnteredRoom }> {
  const { exchange, app, caller } = context;
  const { identity } = caller;
  const target = parseDestination(exchange, app);
  const entered = await requireRoomUnlocked(context, isMove);
  if (target.name !== '') throw await innerRoom(context, target.room, entered);
  const name = acceptedRoomName(target.room);
  if (await exists(app.pool.readInRoom(identity, { name, password: '' }, []))) {
    if (!mayOverwrite(exchange)) throw new AppError('precondition_failed', 'The Destination exists already.');
    throw new AppError('forbidden', 'There is already a room of this name. Delete it first.');
  }
  // in a personal room of mail nothing could be stored without recipients (protocol section 16)
  const view = entered.defaultView === VIEW.mailbox ? VIEW.board : entered.defaultView;
  return { name, view, entered };
}

/** A room holds no other rooms (RFC 4791 section 5.3.2.1, RFC 6352 section 6.3.2.1). `outer`: its name. */
async function innerRoom({ app, caller }: RoomContext, outer: string, entered: EnteredRoom): Promise<AppError> {
  if (!(await exists(app.pool.readInRoom(caller.identity, { name: outer, password: '' }, [])))) return noParent();
  const kind = collectionKind(entered);
  const rule = kind === 'addressbook' ? 'CR:addressbook-collection-location-ok' : 'C:calendar-collection-location-ok';
  const condition = { ...expandedName(rule), hrefs: [] };
  return new AppError('forbidden', 'A room cannot hold other rooms.', holdsObjects(kind) ? { condition } : {});
}

function depthOf(exchange: Exchange): string {
  return exchange.header('depth')?.trim() ?? '';
}
