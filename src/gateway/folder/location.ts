// What is at the path of a request in a room, through folders in a files room; and folders with their content.

import { AppError, unlessGone } from '../../errors.ts';
import { decodePercent } from '../../http/query.ts';
import { collectionKind, type EnteredRoom, parentFolder } from '../../model.ts';
import { parseMessageNumber } from '../../protocol/member-names.ts';
import type { Member, NamedMember, Undeleted } from '../../room-server/collections.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findNamed, listMembers, openMember } from '../collection/collection.ts';
import { checkedPath, noParent } from '../paths.ts';
import { accessTo, type RoomContext } from '../room-context.ts';

/** A name in a room, with its member. */
export interface Located {
  context: RoomContext;
  entered: EnteredRoom;
  isFiles: boolean;
  /** '' for the room; of a member its own name, whatever the path called it */
  name: string;
  /** undefined for the room, and if there is none */
  member: Member | undefined;
}

/** `segment`: as in exchange.params.name, '' for the room. Throws not_found for a missing room. */
export async function locate(context: RoomContext, segment: string): Promise<Located> {
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const isFiles = collectionKind(entered) === 'files';
  const common = { context, entered, isFiles };
  if (segment === '') return { ...common, name: '', member: undefined };
  const member = await unlessGone(openMember(context, segment, false));
  return { ...common, name: member?.name ?? segment, member };
}

/** The name is possible in the files room of the connection, and its folder exists. Throws conflict. */
export async function requirePossiblePath(
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

/** The same for a file. Throws method_not_allowed if a folder has the name. */
export async function requirePossibleFile(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  name: string,
): Promise<void> {
  if (name.endsWith('/')) throw new AppError('method_not_allowed', 'A folder has no content.');
  await requirePossiblePath(context, connection, entered, name);
  const [folder] = await findNamed(context, connection, entered, `${name}/`);
  if (folder !== undefined) throw new AppError('method_not_allowed', 'A folder has this name.');
}

/**
 * The name that a path means in a files room; undefined below a message number. `rest`: percent-encoded, after the
 * room's slash. Throws bad_request.
 */
export function filePathOf(rest: string): string | undefined {
  const name = decodePercent(rest);
  return parseMessageNumber(name.split('/')[0]!) === undefined ? name : undefined;
}

/** All members below a folder, for '' of the room, in batches. */
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
