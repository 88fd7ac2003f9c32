// A folder with all that lies below it: deleting it, copying it. Without members of its own a folder is one message.

import { removeFolder } from '../../client/collection/placing.ts';
import { hasMembers } from '../../client/server.ts';
import { listMembers } from '../collection/collection.ts';
import { isFolder, type Member } from '../collection/member.ts';
import { removeReplaced } from '../message/replacement.ts';
import type { RoomContext } from '../room-context.ts';

/** All members below a folder, or of the whole room for '', in batches. */
export async function* membersBelow(context: RoomContext, folder: string): AsyncGenerator<readonly Member[]> {
  const { members } = await listMembers(context, { folder, isDeep: true });
  // our own room server lists the folder, too
  for await (const batch of members) yield batch.filter(({ name }) => name !== folder);
}

/**
 * Deletes a folder: on the embedded room server as a whole or not at all; on any other first the files below it, then
 * the folders, itself last, so that what is left when it fails can still be reached. Throws as deleteFromRoom, and
 * forbidden where there is too much in it.
 */
export async function removeTree(context: RoomContext, folder: Pick<Member, 'name' | 'msgnum'>): Promise<void> {
  const { app, caller, room } = context;
  if (await hasMembers(app.pool, caller.identity)) {
    await app.pool.withRoom(caller.identity, room, (connection) => removeFolder(connection, folder.name));
    return;
  }
  const folders: number[] = [];
  const remove = (numbers: readonly number[]) =>
    app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, numbers));
  for await (const batch of membersBelow(context, folder.name)) {
    const files = batch.filter((member) => !isFolder(member)).map(({ msgnum }) => msgnum);
    for (const member of batch) if (isFolder(member)) folders.push(member.msgnum);
    if (files.length > 0) await remove(files);
  }
  await remove([...folders.reverse(), folder.msgnum]);
}
