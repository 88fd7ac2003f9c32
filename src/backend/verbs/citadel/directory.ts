// Directory rooms: files beside the messages. RDIR OPEN UOPN WRIT UCLS DELF MOVF (protocol section 18.7); READ and
// CLOS are those of message parts. Unlike a real server this one enforces the upload and download flags (quirk
// Q43) and drops aborted uploads (quirk Q19).

import {
  BACKEND_MAX_MESSAGE_BYTES,
  MAX_DIRECTORY_BYTES,
  MAX_FILE_FIELD_BYTES,
  MAX_ROOM_FILES,
  MAX_WRITE_BYTES,
} from '../../../limits/backend.ts';
import { ACCESS, ROOM_FLAG, ROOM_FLAG2 } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { mayAdminister, readableRoom, roomToAdminister, sessionAccess } from '../../session/access.ts';
import { collected, inPieces, listingStart, ok, piecesOf, type Reply } from '../../session/reply.ts';
import type { Session, Upload } from '../../session/session.ts';
import { finishedBody } from '../../store/bodies.ts';
import { saveMessage } from '../../store/messages.ts';
import { FORMAT, type StoredRoom, type StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import {
  bytesOfFiles,
  countFiles,
  FileWriter,
  fileNamed,
  filesOf,
  moveFile,
  type RoomFile,
  readFile,
  removeFile,
} from '../../store/room-files.ts';
import { findRoom, fullName, roomById } from '../../store/rooms.ts';
import { nodeName } from '../../store/store.ts';
import { authorFields } from '../../store/users.ts';

/** files that are listed in one turn */
const ROWS_OF_A_PIECE = 100;

/** → `100 HOST|PATH`, rows `name|size|type| comment`; 550, 560 */
export function rdir(session: Session): Reply {
  const room = readableRoom(session);
  if (!(room.flags & ROOM_FLAG.directory)) throw new Refusal('notHere', 'not here.');
  if (!mayInDirectory(session, room, ROOM_FLAG.visibleDirectory)) throw new Refusal('higherAccess', 'not here.');
  const row = ({ name, size, type, comment }: RoomFile) => `${name}|${size}|${type}| ${comment}\n`;
  return inPieces(
    listingStart(`${nodeName(session.store)}|${pathOf(room)}`),
    piecesOf(filesOf(session.store, room.id), row, ROWS_OF_A_PIECE),
  );
}

/** `OPEN name` → `200 size|time|name|application/octet-stream`; 510, 512, 550, 552, 560, 571 */
export function open(session: Session, args: string): Reply {
  const room = directoryRoom(session);
  const name = splitFields(args)[0]!;
  if (name === '') throw new Refusal('noSuchFile', 'You must specify a file name.');
  if (name.includes('../../')) throw new Refusal('illegalValue', 'syntax error.');
  if (session.openDownload) throw new Refusal('busy', 'You already have a download file open.');
  requireInDirectory(session, room, ROOM_FLAG.download);
  const file = fileNamed(session.store, room.id, name);
  if (!file) throw new Refusal('internal', `cannot open ${pathOf(room)}/${name}: No such file or directory`);
  session.openDownload = {
    room,
    length: file.size,
    read: (offset, count) => readFile(session.store, file.id, offset, count),
  };
  return ok(`${file.size}|${file.time}|${file.name}|application/octet-stream`);
}

/** `UOPN name|type|comment`: begins an upload → 200; 512, 550, 552, 560, 571, 574 */
export function uopn(session: Session, args: string): Reply {
  const room = directoryRoom(session);
  const [typed = '', type = '', comment = ''] = splitFields(args);
  if (typed.trim() === '') throw new Refusal('noSuchFile', 'You must specify a file name.');
  if (session.openUpload) throw new Refusal('busy', 'You already have an upload file open.');
  requireInDirectory(session, room, ROOM_FLAG.upload);
  const name = typed.replace(/[/\\]/g, '_').replace(/\p{Cc}/gu, '');
  for (const field of [name, type, comment]) {
    if (Buffer.byteLength(field) > MAX_FILE_FIELD_BYTES)
      throw new Refusal('illegalValue', 'Name, type or comment is too long.');
  }
  refuseTaken(session, room, name);
  refuseFull(session, room);
  refuseTooMuch(session);
  const writer = new FileWriter(session.store, { room: room.id, name, type, comment });
  session.openUpload = { room, name, type, comment, writer };
  return ok('Ok');
}

/** `WRIT bytes` → `700 N`, N bytes at most MAX_WRITE_BYTES; 511, 512, 553 */
export function writ(session: Session, args: string): Reply {
  const { writer, room } = requireUpload(session);
  const length = Math.min(toInt(args), MAX_WRITE_BYTES);
  if (length <= 0) throw new Refusal('illegalValue', 'you have to specify a value > 0.');
  if (writer.size + length > BACKEND_MAX_MESSAGE_BYTES) throw new Refusal('tooBig', 'The file is too large.');
  return collected(length, (bytes) => {
    // The room, and with it the start of the file, may have been deleted meanwhile.
    if (roomById(session.store, room.id) === room) writer.append(bytes);
  });
}

/** `UCLS 1` stores the file and posts a notice in the room, anything else drops it → 200; 550, 553, 572, 574 */
export function ucls(session: Session, args: string): Reply {
  const { room, name, type, comment, writer } = requireUpload(session);
  session.openUpload = undefined;
  const { store, user } = session;
  const path = `${pathOf(room)}/${name}`;
  if (roomById(store, room.id) !== room) throw new Refusal('noSuchRoom', 'The room was deleted meanwhile.');
  if (toInt(args) !== 1) {
    writer.abort();
    return ok(`File '${path}' aborted.`);
  }
  try {
    requireInDirectory(session, room, ROOM_FLAG.upload);
    refuseTaken(session, room, name);
  } catch (error) {
    writer.abort();
    throw error;
  }
  const msgnum = store.transaction(() => {
    writer.finish();
    return user && !(room.flags2 & ROOM_FLAG2.noUploadNotice)
      ? postUploadNotice(session, user, room, `NEW UPLOAD: '${name}'\n ${comment}\n${type}\n`)
      : undefined;
  });
  if (msgnum !== undefined) session.server.noteNewMessage([room.id], msgnum);
  return ok(`File '${path}' saved.`);
}

function postUploadNotice({ store }: Session, user: StoredUser, room: StoredRoom, text: string): number {
  return saveMessage(store, {
    format: FORMAT.variable,
    ...authorFields(store, user),
    address: '',
    room: fullName(room),
    subject: '',
    body: finishedBody(store, FORMAT.variable, Buffer.from(text)),
    rooms: [room.id],
  });
}

/** `DELF name`, the whole line → 200; 550, 560, 571 */
export function delf(session: Session, args: string): Reply {
  const { room, file, path } = fileToAdminister(session, args);
  if (!file) throw new Refusal('noSuchFile', `File '${path}' not found.`);
  removeFile(session.store, file.id, file.size);
  return ok(`File '${pathOf(room)}/${file.name}' deleted.`);
}

/** `MOVF name|room` → 200; 511, 550, 560, 571, 572, 574 */
export function movf(session: Session, args: string): Reply {
  const [name = '', roomName = ''] = splitFields(args);
  const { file, path } = fileToAdminister(session, name);
  const target = findRoom(session.store, session.user, roomName);
  if (!file) throw new Refusal('noSuchFile', `File './${path}' not found.`);
  if (!target || !(sessionAccess(session, target) & ACCESS.known)) {
    throw new Refusal('noSuchRoom', `'${roomName}' does not exist.`);
  }
  if (!(target.flags & ROOM_FLAG.directory)) throw new Refusal('notHere', `'${target.name}' is not a directory room.`);
  requireInDirectory(session, target, ROOM_FLAG.upload);
  refuseTaken(session, target, file.name);
  refuseFull(session, target);
  moveFile(session.store, file.id, target.id);
  return ok(`File '${file.name}' has been moved.`);
}

function fileToAdminister(session: Session, name: string) {
  const room = roomToAdminister(session);
  if (!(room.flags & ROOM_FLAG.directory)) throw new Refusal('notHere', 'No directory in this room.');
  if (name.trim() === '') throw new Refusal('noSuchFile', 'You must specify a file name.');
  return { room, file: fileNamed(session.store, room.id, name), path: `${pathOf(room)}/${name}` };
}

function directoryRoom(session: Session): StoredRoom {
  const room = readableRoom(session);
  if (!(room.flags & ROOM_FLAG.directory)) throw new Refusal('notHere', 'No directory in this room.');
  return room;
}

function requireUpload(session: Session): Upload {
  if (!session.openUpload) throw new Refusal('notOpen', "You don't have an upload file open.");
  return session.openUpload;
}

function requireInDirectory(session: Session, room: StoredRoom, flag: number): void {
  if (!mayInDirectory(session, room, flag)) throw new Refusal('higherAccess', 'This room does not allow it.');
}

/**
 * The flag allows it to everybody in the room, uploads only to those who may post. Administrators may do everything.
 */
function mayInDirectory(session: Session, room: StoredRoom, flag: number): boolean {
  if (mayAdminister(session, room)) return true;
  if (!(room.flags & flag)) return false;
  return flag !== ROOM_FLAG.upload || (sessionAccess(session, room) & ACCESS.post) !== 0;
}

function refuseTaken(session: Session, room: StoredRoom, name: string): void {
  if (fileNamed(session.store, room.id, name))
    throw new Refusal('alreadyExists', `'${pathOf(room)}/${name}' already exists`);
}

function refuseFull(session: Session, room: StoredRoom): void {
  if (countFiles(session.store, room.id) >= MAX_ROOM_FILES) throw new Refusal('tooBig', 'This directory is full.');
}

function refuseTooMuch({ store }: Session): void {
  if (bytesOfFiles(store) >= MAX_DIRECTORY_BYTES)
    throw new Refusal('tooBig', 'The directories of this server are full.');
}

function pathOf(room: StoredRoom): string {
  return `files/${room.directory}`;
}
