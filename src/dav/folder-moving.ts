// MOVE and COPY of a folder with everything below it (RFC 4918 sections 9.8.3 and 9.9.2), inside a files room or
// between two: by the verb of the embedded room server; elsewhere each member is posted under its new name, and a MOVE
// deletes the old ones when all are there.

import { AppError, unlessGone } from '../errors.ts';
import { membersBelow, removeTree } from '../gateway/folder/location.ts';
import { openNamed } from '../gateway/message/open-message.ts';
import { FOLDER_TYPE, inTurn, postEmpty } from '../gateway/message/posting.ts';
import { postCopy } from '../gateway/message/reposting.ts';
import { checkedPath, encodedPath, roomPath } from '../gateway/paths.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { STATUS_OF } from '../http/problem.ts';
import { MAX_FAILED_MEMBERS } from '../limits/dav.ts';
import { canDelete, type EnteredRoom, isFolder } from '../model.ts';
import { numberSegment } from '../protocol/member-names.ts';
import type { Member } from '../room-server/collections.ts';
import { serverOf } from '../room-server/driver.ts';
import { clearPlace, requireRoomFor, type TransferTarget } from './transfer-target.ts';

export interface FolderSource {
  context: RoomContext;
  entered: EnteredRoom;
  folder: Pick<Member, 'name' | 'msgnum'>;
}

/** A member that could not be copied or, after all were, could not be deleted. */
export interface FailedMember {
  href: string;
  status: number;
}

export interface FolderTransfer {
  isReplaced: boolean;
  failed: readonly FailedMember[];
}

/** Throws conflict, precondition_failed, forbidden, bad_request before anything is changed. */
export async function transferFolder(
  source: FolderSource,
  target: TransferTarget,
  isCopy: boolean,
): Promise<FolderTransfer> {
  const { context, entered, folder } = source;
  const isBare = isWithoutMembers(context, isCopy);
  if (!target.isFiles || target.name === '') {
    throw new AppError('conflict', 'Only a files room can hold folders.');
  }
  const name = `${target.name}/`;
  const isSameRoom = target.entered?.name === entered.name;
  if (isSameRoom && (name.startsWith(folder.name) || folder.name.startsWith(name))) {
    throw new AppError('forbidden', 'A folder cannot be moved into itself or replace a folder that contains it.');
  }
  if (!isCopy && !canDelete(entered)) throw new AppError('forbidden', 'You may not delete anything in this room.');
  return inTurn(target.context, name, async () => {
    await requireRoomFor(target, name);
    if (!isBare)
      for await (const members of namedBelow(source, name)) for (const each of members) checkedPath(each.name);
    const { app, caller } = context;
    const failed = !(await serverOf(app.pool, caller.identity)).lacks.memberNames
      ? await placeTree(source, target, { isCopy, isShallow: isBare })
      : await postTree(source, target, isCopy, isBare);
    return { isReplaced: target.file !== undefined || target.folder !== undefined, failed };
  });
}

/** A member and its new name. */
interface NamedMember {
  member: Pick<Member, 'name' | 'msgnum'>;
  name: string;
}

/** Everything below the folder with its new name, in batches. */
async function* namedBelow({ context, folder }: FolderSource, name: string): AsyncGenerator<readonly NamedMember[]> {
  for await (const batch of membersBelow(context, folder.name)) {
    yield batch.map((member) => ({ member, name: `${name}${member.name.slice(folder.name.length)}` }));
  }
}

/** The members that fail, without those below a failed folder. Stops after MAX_FAILED_MEMBERS. */
async function putBelow(
  source: FolderSource,
  name: string,
  put: (member: NamedMember) => Promise<void>,
): Promise<FailedMember[]> {
  const failed: FailedMember[] = [];
  const folders: string[] = [];
  for await (const members of namedBelow(source, name)) {
    for (const each of members) {
      const { member } = each;
      if (folders.some((folder) => member.name.startsWith(folder))) continue;
      try {
        await put(each);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failed.push(failedMember(source.context, member.name, error));
        if (isFolder(member)) folders.push(member.name);
        if (failed.length >= MAX_FAILED_MEMBERS) return failed;
      }
    }
  }
  return failed;
}

/** By the verb of the embedded room server: with dead properties, all of it or nothing. */
async function placeTree(
  { context, entered, folder }: FolderSource,
  target: TransferTarget,
  options: { isCopy: boolean; isShallow: boolean },
): Promise<FailedMember[]> {
  const { app, caller, room } = context;
  const there = target.entered?.name === entered.name ? '' : target.context.room.name;
  const placing = { ...options, room: there, mayReplace: target.mayOverwrite };
  const { members } = await serverOf(app.pool, caller.identity);
  await app.pool.withRoom(caller.identity, room, (connection) =>
    members.placeFolder(connection, folder.name, `${target.name}/`, placing),
  );
  return [];
}

/** By the documented verbs; a MOVE deletes the old ones when all are there. */
async function postTree(
  source: FolderSource,
  target: TransferTarget,
  isCopy: boolean,
  isBare: boolean,
): Promise<FailedMember[]> {
  const { context, folder } = source;
  const name = `${target.name}/`;
  const put = (member: NamedMember) => copyOne(source, target, member);
  await clearPlace(target, true);
  await put({ member: folder, name });
  const failed = isBare ? [] : await putBelow(source, name, put);
  if (failed.length > 0) return failed;
  const left = isCopy ? [] : await removeTree(context, folder);
  return left.map((member) => failedMember(context, member.name, member.error));
}

function failedMember({ app, room }: RoomContext, name: string, { code }: AppError): FailedMember {
  return { href: `${roomPath(app, room.name)}${encodedPath(name)}`, status: STATUS_OF[code] };
}

/** By the documented verbs: posts it anew, unless it is gone. */
async function copyOne(
  { context }: FolderSource,
  { context: there }: TransferTarget,
  { member, name }: NamedMember,
): Promise<void> {
  if (isFolder(member)) return void (await postEmpty(there, name, FOLDER_TYPE));
  const message = await unlessGone(openNamed(context, numberSegment(member.msgnum)));
  if (message) await postCopy(message, there, { name });
}

/** Depth of a COPY is 0 or infinity, of a MOVE infinity (RFC 4918 sections 9.8.3 and 9.9.2). Throws bad_request. */
function isWithoutMembers({ exchange }: RoomContext, isCopy: boolean): boolean {
  const depth = exchange.header('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth === 'infinity') return false;
  if (depth === '0' && isCopy) return true;
  throw new AppError('bad_request', isCopy ? 'Depth takes 0 or infinity.' : 'MOVE takes Depth infinity only.');
}
