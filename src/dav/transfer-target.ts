// The Destination of a MOVE or COPY: what is there, and removing what will be replaced (RFC 4918 section 9.8.4).

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
  /** of the room of the Destination */
  context: RoomContext;
  entered: EnteredRoom;
  isFiles: boolean;
  /** '' if the client names only the room; in a files room without the slash of a folder */
  name: string;
  /** what a files room has under the name */
  file: Member | undefined;
  folder: Member | undefined;
  /** `Overwrite: F` was not sent */
  mayOverwrite: boolean;
}

/** Throws as parseDestination, and conflict if the room does not exist or cannot hold the folders of a path. */
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
    throw new AppError('conflict', 'The room does not exist.', { backendCode });
  });
}

/** The target with this name, and what has the name now. */
export async function placeAt(room: TransferTarget, path: string): Promise<TransferTarget> {
  const name = withoutSlash(path);
  const { member } = await locate(room.context, name);
  if (member && isFolder(member)) return { ...room, name, file: undefined, folder: member };
  return { ...room, name, file: member, folder: undefined };
}

/** The changes there, for the locks: `name` is added, and what has its place is removed, be it a file or a folder. */
export function changesAt({ context, entered, file, folder }: TransferTarget, name: string): LockedChange[] {
  const coming = { context, entered, name, isMembership: file?.name !== name };
  const going = file ?? folder;
  // a folder is removed with everything below it, even for another folder
  return going && coming.isMembership ? [coming, { ...coming, name: going.name }] : [coming];
}

/**
 * Checks that something can be stored there in a files room, and that its folder exists. Throws precondition_failed for
 * `Overwrite: F` if something is there, forbidden, conflict.
 */
export async function requireRoomFor(target: TransferTarget, name: string): Promise<void> {
  const { context, entered, file, folder } = target;
  if (file || folder) {
    if (!target.mayOverwrite) throw new AppError('precondition_failed', 'The Destination exists already.');
    if (!canDelete(entered)) throw new AppError('forbidden', 'You may not replace anything in this room.');
  }
  const { app, caller, room } = context;
  await app.pool.visitRoom(caller.identity, room, (connection) =>
    requirePossiblePath(context, connection, entered, name),
  );
}

/** Deletes the folder of that name, and with `isFileToGo` the file. Throws as removeTree. */
export async function clearPlace({ context, file, folder }: TransferTarget, isFileToGo: boolean): Promise<void> {
  const [left] = folder ? await removeTree(context, folder) : [];
  if (left) throw left.error;
  if (!file || !isFileToGo) return;
  const { app, caller, room } = context;
  await app.pool.withRoom(caller.identity, room, (connection) => removeReplaced(connection, [file.msgnum]));
}
