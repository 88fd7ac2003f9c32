// What the path of a request leads to inside a room: in a files room through folders, elsewhere to a member by any of
// its names.

import { AppError, unlessGone } from '../../errors.ts';
import { decodePercent } from '../../http/query.ts';
import { collectionKind, type EnteredRoom, parentFolder } from '../../model.ts';
import { parseMessageNumber } from '../../protocol/member-names.ts';
import type { Member, NamedMember, Undeleted } from '../../room-server/collections.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findNamed, listMembers, openMember } from '../collection/collection.ts';
import { accessTo, type RoomContext } from '../room-context.ts';
import { checkedPath, noParent } from './path.ts';

/** A place in a room, with what is there. */
export interface Located {
  context: RoomContext;
  entered: EnteredRoom;
  isFiles: boolean;
  /** '' is the room itself; of a member its own name, whatever the path called it; else the one that it would have */
  name: string;
  /** undefined for the room, and where there is nothing */
  member: Member | undefined;
}

/** `segment`: as in exchange.params.name, '' for the room itself. Throws not_found where there is no such room. */
export async function locate(context: RoomContext, segment: string): Promise<Located> {
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const isFiles = collectionKind(entered) === 'files';
  const common = { context, entered, isFiles };
  if (segment === '') return { ...common, name: '', member: undefined };
  const member = await unlessGone(openMember(context, segment, false));
  return { ...common, name: member?.name ?? segment, member };
}

/**
 * Something can be made under this name in the files room that the connection is in: the name is possible and its
 * folder is there. Throws conflict.
 */
export async function requirePlace(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  name: string,
): Promise<void> {
  checkedPath(name);
  const parent = parentFolder(name);
  if (!parent) return;
  const [folder] = await findNamed(context, connection, entered, parent);
  if (folder === undefined) throw noParent();
}

/** The same for the content of a file. Throws method_not_allowed where a folder has the name, conflict. */
export async function requireFilePlace(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  name: string,
): Promise<void> {
  if (name.endsWith('/')) throw new AppError('method_not_allowed', 'A folder has no content.');
  await requirePlace(context, connection, entered, name);
  const [folder] = await findNamed(context, connection, entered, `${name}/`);
  if (folder !== undefined) throw new AppError('method_not_allowed', 'There is a folder of this name.');
}

/**
 * The name that a path below a room means in a files room; undefined for what lies below a message number, unless that
 * is the name of a folder. `rest`: as sent, all behind the room's slash. Throws bad_request.
 */
export function filePathOf(rest: string): string | undefined {
  const name = decodePercent(rest);
  return parseMessageNumber(name.split('/')[0]!) === undefined ? name : undefined;
}

/** All members below a folder, or of the whole room for '', in batches. */
export async function* membersBelow(context: RoomContext, folder: string): AsyncGenerator<readonly Member[]> {
  const { members } = await listMembers(context, { folder, isDeep: true });
  // the embedded room server lists the folder, too
  for await (const batch of members) yield batch.filter(({ name }) => name !== folder);
}

/** Deletes a folder, as MemberMethods.removeFolder. */
export async function removeTree(context: RoomContext, folder: NamedMember): Promise<readonly Undeleted[]> {
  const { members } = await serverOf(context.app.pool, context.caller.identity);
  return members.removeFolder(accessTo(context), folder);
}
