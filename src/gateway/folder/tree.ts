// A folder with all that lies below it: deleting it, copying it. Without members of its own a folder is one message.

import { AppError } from '../../errors.ts';
import { MAX_FAILED_MEMBERS } from '../../limits/dav.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { listMembers } from '../collection/collection.ts';
import { isFolder, type Member } from '../collection/member.ts';
import { removeReplaced } from '../message/replacement.ts';
import { unlessGone } from '../message/unless-gone.ts';
import type { RoomContext } from '../room-context.ts';
import { parentFolder } from './path.ts';

/** All members below a folder, or of the whole room for '', in batches. */
export async function* membersBelow(context: RoomContext, folder: string): AsyncGenerator<readonly Member[]> {
  const { members } = await listMembers(context, { folder, isDeep: true });
  // our own room server lists the folder, too
  for await (const batch of members) yield batch.filter(({ name }) => name !== folder);
}

/** A member that the room server would not delete, and why. */
export interface Undeleted {
  name: string;
  error: AppError;
}

/**
 * Deletes a folder: on the embedded room server as a whole or not at all; on any other first the files below it, then
 * the folders, itself last. What cannot be deleted stays with the folders that it lies in, and all else goes
 * (RFC 4918 section 9.6.1); after MAX_FAILED_MEMBERS of them nothing more is tried. Throws forbidden where there is too
 * much in it, and what is no refusal of a single message.
 */
export async function removeTree(
  context: RoomContext,
  folder: Pick<Member, 'name' | 'msgnum'>,
): Promise<readonly Undeleted[]> {
  const { app, caller, room } = context;
  const server = await serverOf(app.pool, caller.identity);
  if (!server.lacks.memberNames) {
    // who was faster has done the same
    const remove = (connection: Connection) => server.members.removeFolder(connection, folder.name);
    await unlessGone(app.pool.withRoom(caller.identity, room, remove));
    return [];
  }
  const left: Undeleted[] = [];
  /** folders that what is left lies in */
  const kept = new Set<string>();
  const folders: Pick<Member, 'name' | 'msgnum'>[] = [folder];
  const remove = (members: readonly Pick<Member, 'name' | 'msgnum'>[]) =>
    app.pool.withRoom(caller.identity, room, async (connection) => {
      for (const { name, msgnum } of members) {
        if (kept.has(name) || left.length >= MAX_FAILED_MEMBERS) continue;
        const error = await refusedDeletion(connection, msgnum);
        if (!error) continue;
        left.push({ name, error });
        for (let around = parentFolder(name); around; around = parentFolder(around)) kept.add(around);
      }
    });
  for await (const batch of membersBelow(context, folder.name)) {
    for (const member of batch) if (isFolder(member)) folders.push(member);
    const files = batch.filter((member) => !isFolder(member));
    if (files.length > 0) await remove(files);
  }
  // those deepest down first
  await remove(folders.sort((one, other) => other.name.length - one.name.length));
  return left;
}

/** Why the room server keeps it; undefined where it is gone. Throws what is no refusal. */
async function refusedDeletion(connection: Connection, msgnum: number): Promise<AppError | undefined> {
  try {
    await removeReplaced(connection, [msgnum]);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.backendCode !== undefined) return error;
    throw error;
  }
}
