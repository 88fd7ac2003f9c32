// Enters rooms (verb GOTO, protocol section 18.4).

import { AppError } from '../../errors.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { isDeletedRoom } from '../../protocol/room-facts.ts';
import { REPLY } from '../../protocol/status.ts';
import type { Connection } from './connection.ts';
import { expectClass, unexpectedAnswer } from './server-errors.ts';

export interface RoomRef {
  name: string;
  /** for a password-protected room; otherwise empty */
  password: string;
  /** Entering a room for which this is true throws OtherKind before anything else happens there. */
  guard?: ((entered: EnteredRoom) => boolean) | undefined;
}

/** The address means something else in a room of this kind. */
export class OtherKind extends Error {}

/** `isTransient`: enters the room without being recorded as a member. */
export function enterRoomCommand(room: RoomRef, isTransient: boolean): string {
  return command('GOTO', room.name, room.password, isTransient ? 1 : 0);
}

/** the last answer for each reference */
const enteredBy = new WeakMap<RoomRef, EnteredRoom>();

/** Records the answer. Throws OtherKind. */
export function noteEntered(room: RoomRef, entered: EnteredRoom): EnteredRoom {
  if (room.guard?.(entered)) throw new OtherKind();
  enteredBy.set(room, entered);
  return entered;
}

/** The room that was last entered with this reference. */
export function lastEntered(room: RoomRef): EnteredRoom | undefined {
  return enteredBy.get(room);
}

/** The 17 fields of a successful GOTO. Throws not_found (572, and a deleted room), forbidden (540), not_logged_in (520). */
export function parseEnteredRoom(answer: Answer): EnteredRoom {
  const fields = splitFields(expectClass(answer, REPLY.done).text);
  if (fields.length < 13) throw unexpectedAnswer(answer);
  if (isDeletedRoom(fields[0]!)) throw new AppError('not_found', 'The room has been deleted.');
  const int = (i: number) => toInt(fields[i]);
  return {
    name: fields[0]!,
    newMessages: int(1),
    totalMessages: int(2),
    infoChanged: int(3) !== 0,
    flags: int(4),
    highest: int(5),
    lastSeen: int(6),
    isPersonal: int(7) !== 0,
    isAdmin: int(8) !== 0,
    floor: int(10),
    currentView: int(11),
    defaultView: int(12),
    isTrash: int(13) !== 0,
    flags2: int(14),
    mtime: int(15),
  };
}

/** Enters a room on a connection. Throws as parseEnteredRoom. */
export async function enterRoom(connection: Connection, room: RoomRef, isTransient = false): Promise<EnteredRoom> {
  return parseEnteredRoom(await connection.ask(enterRoomCommand(room, isTransient)));
}
