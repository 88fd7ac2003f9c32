// What is at the Destination of a MOVE or COPY, and making room for what shall be there (RFC 4918 section 9.8.4).

import { AppError } from '../errors.ts';
import { locate, removeTree, requirePossiblePath } from '../gateway/folder/location.ts';
import { withoutSlash } from '../gateway/paths.ts';
import type { LockedChange } from '../gateway/preconditions.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import { canDelete, collectionKind, type EnteredRoom, isFolder } from '../model.ts';
import { isPlainNumber, parseMessageNumber } from '../protocol/member-names.ts';
import type { Member } from '../room-server/collections.ts';
import { removeReplaced } from '../room-server/posting.ts';
import { mayOverwrite, parseDestination } from './href.ts';

export interface TransferTarget {
  /** of the room that the Destination leads to */
  context: RoomContext;
  entered: EnteredRoom;
  isFiles: boolean;
  /** '' where the client names the room only; in a files room without the slash of a folder */
  name: string;
  /** what a files room has under the name */
  file: Member | undefined;
  folder: Member | undefined;
  /** `Overwrite: F` was not sent */
  mayOverwrite: boolean;
}

/** Throws as parseDestination, and conflict where there is no such room, or a path into folders of one without. */
export async function transferTarget(context: RoomContext): Promise<TransferTarget> {
  const { exchange, app, room } = context;
  const { room: name, name: path, isDeep } = parseDestination(exchange, app);
  const there = name === room.name ? context : { ...context, room: { name, password: '' } };
  const entered = await enteredTarget(there);
  const isFiles = collectionKind(entered) === 'files';
  if (!isFiles && isDeep) throw new AppError('conflict', 'This room cannot hold folders.');
  const target: TransferTarget = {
    context: there,
    entered,
    isFiles,
    name: path,
    file: undefined,
    folder: undefined,
    mayOverwrite: mayOverwrite(exchange),
  };
  const isNumber = path === '' || (parseMessageNumber(path) !== undefined && !(isFiles && isPlainNumber(path)));
  return isNumber || !isFiles ? target : placeAt(target, path);
}

/** Throws conflict. */
export async function enteredTarget(there: RoomContext): Promise<EnteredRoom> {
  return enteredRoom(there).catch((error: unknown) => {
    const isNoRoom = error instanceof AppError && error.code === 'not_found';
    if (!isNoRoom) throw error;
    const { backendCode } = error;
    throw new AppError('conflict', 'There is no such room to put the message into.', { backendCode });
  });
}

/** The same place under a name, with what has it now. */
export async function placeAt(room: TransferTarget, path: string): Promise<TransferTarget> {
  const name = withoutSlash(path);
  const { member } = await locate(room.context, name);
  if (member && isFolder(member)) return { ...room, name, file: undefined, folder: member };
  return { ...room, name, file: member, folder: undefined };
}

/** What happens there, for the locks: `name` comes, and what is in its place goes, a file for a folder, too. */
export function changesAt({ context, entered, file, folder }: TransferTarget, name: string): LockedChange[] {
  const coming = { context, entered, name, isMembership: file?.name !== name };
  const going = file ?? folder;
  // a folder goes with all below it, be it for another folder
  return going && coming.isMembership ? [coming, { ...coming, name: going.name }] : [coming];
}

/**
 * Of a files room: something may be put there, and its folder is there. Throws precondition_failed where something is
 * in the way that `Overwrite: F` protects, forbidden, conflict.
 */
export async function requireRoomFor(target: TransferTarget, name: string): Promise<void> {
  const { context, entered, file, folder } = target;
  if (file || folder) {
    if (!target.mayOverwrite) throw new AppError('precondition_failed', 'The Destination exists already.');
    if (!canDelete(entered)) throw new AppError('forbidden', 'This account may not replace anything in this room.');
  }
  const { app, caller, room } = context;
  await app.pool.visitRoom(caller.identity, room, (connection) =>
    requirePossiblePath(context, connection, entered, name),
  );
}

/** Deletes the folder that has the name, and with `isFileToGo` the file. Throws as removeTree. */
export async function clearPlace({ context, file, folder }: TransferTarget, isFileToGo: boolean): Promise<void> {
  const [left] = folder ? await removeTree(context, folder) : [];
  if (left) throw left.error;
  if (!file || !isFileToGo) return;
  const { app, caller, room } = context;
  await app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, [file.msgnum]));
}
