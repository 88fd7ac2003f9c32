// Rooms and floors: lists, banner, status (verbs LFLR, LRMS, LZRM, RINF, STAT, protocol sections 18.3 and 18.4), and the
// people who know a room (WHOK, INVT, KICK, protocol section 18.5).

import { ACCESS, type EnteredRoom, type Floor, type RoomRow } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields, toInt } from '../protocol/fields.ts';
import { isDeletedRoom } from '../protocol/room-facts.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { memoised } from '../system/attached.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals, ROOM_ADMINS_ONLY } from './connection/server-errors.ts';
import type { ReadRoom } from './server.ts';

export const LIST_FLOORS = command('LFLR');
/** one scan of the rooms, where LKRA and LZRM are two, which cost a real server 8 ms each */
const LIST_ROOMS = command('LRMS', -1);
const LIST_FORGOTTEN = command('LZRM', -1);
const READ_INFO = command('RINF');
const ROOM_STATUS = command('STAT');
const ROOM_ADMIN = command('GETA');

export async function listFloors(pool: Pool, identity: Identity): Promise<Floor[]> {
  const [answer] = await pool.read(identity, [LIST_FLOORS]);
  return floorsFrom(answer!);
}

/** Rows `number|name|rooms` of LFLR. */
export function floorsFrom(answer: Answer): Floor[] {
  return expectClass(answer, REPLY.listing).lines.map((line) => {
    const fields = splitFields(line);
    const count = (i: number) => Math.max(toInt(fields[i]), 0);
    return { num: count(0), name: fields[1] ?? '', refcount: count(2) };
  });
}

/** The rooms that the identity knows, then those it has forgotten (access bit 16), in the room server's order. */
export async function listRooms(pool: Pool, identity: Identity): Promise<RoomRow[]> {
  return parseRooms(await pool.read(identity, [LIST_ROOMS]));
}

/** A room and its row in the room list; undefined if the identity does not know the room. */
export async function readRoomRow(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
): Promise<{ entered: EnteredRoom; row: RoomRow | undefined }> {
  const { entered, answers } = await pool.readInRoom(identity, room, [LIST_ROOMS]);
  return { entered, row: parseRooms(answers).find(({ name }) => name === entered.name) };
}

const ZAPPED = ACCESS.forgotten | ACCESS.enter;

const parseRooms = memoised((answers: readonly Answer[]) => {
  const rows = answers.flatMap(roomsFrom);
  const known = rows.filter(({ access }) => (access & ACCESS.known) !== 0);
  return [...known, ...rows.filter(({ access }) => (access & (ACCESS.known | ZAPPED)) === ZAPPED)];
});

/** The rows of a room list. */
export function roomsFrom(answer: Answer): RoomRow[] {
  const rows = expectClass(answer, REPLY.listing).lines.map(parseRoomRow);
  return rows.filter(({ name }) => !isDeletedRoom(name));
}

/** `'Lobby|2|0|0|0|302|0|0|1795221150|'` */
export function parseRoomRow(line: string): RoomRow {
  const fields = splitFields(line);
  const int = (i: number) => toInt(fields[i]);
  return {
    name: fields[0]!,
    flags: int(1),
    floor: int(2),
    order: int(3),
    flags2: int(4),
    access: int(5),
    currentView: int(6),
    defaultView: int(7),
    mtime: int(8),
  };
}

/** The banner of a room; undefined if there is none: 571, or an empty text if it was removed. */
export async function readInfo(pool: Pool, identity: Identity, room: RoomRef): Promise<string | undefined> {
  const { answers } = await pool.readInRoom(identity, room, [READ_INFO]);
  return infoFrom(answers[0]!);
}

function infoFrom(answer: Answer): string | undefined {
  if (answer.code === STATUS.noSuchFile) return undefined;
  const text = expectClass(answer, REPLY.listing)
    .lines.map((line) => `${line}\n`)
    .join('');
  return text.trim() === '' ? undefined : text;
}

/** Names of the rooms that the identity has forgotten. */
export async function forgottenRooms(pool: Pool, identity: Identity): Promise<ReadonlySet<string>> {
  const [answer] = await pool.read(identity, [LIST_FORGOTTEN]);
  return new Set(answer!.lines.map((line) => splitFields(line)[0]!));
}

/** The answer to GOTO; whether the room has a banner and is forgotten by the caller; its administrator. */
export async function readRoom(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  askForgotten = forgottenRooms,
): Promise<ReadRoom> {
  // reads of one turn go out in one write
  const [{ entered, answers }, forgotten] = await Promise.all([
    pool.readInRoom(identity, room, [READ_INFO, ROOM_ADMIN]),
    askForgotten(pool, identity),
  ]);
  const admin = answers[1]!.code === STATUS.done ? answers[1]!.text.trim() : ''; // guests are not told
  const hasInfo = infoFrom(answers[0]!) !== undefined;
  return { entered, hasInfo, isForgotten: forgotten.has(entered.name), admin };
}

const FORGETTING: KnownRefusals = { [STATUS.notHere]: ['conflict', 'An administrator cannot forget this room.'] };

/** Removes the room from the identity's list, or adds it: entering a room does. Throws conflict (560). */
export async function setForgotten(pool: Pool, identity: Identity, room: RoomRef, isForgotten: boolean): Promise<void> {
  if (!isForgotten) return pool.withRoom(identity, room, async () => undefined);
  return pool.visitRoom(identity, room, async (connection) => {
    expectClass(await connection.ask(command('FORG')), REPLY.done, FORGETTING);
  });
}

/** The lobby; a real server ignores a change that would close it. */
export async function isBaseRoom(pool: Pool, identity: Identity, { name }: EnteredRoom): Promise<boolean> {
  const { entered } = await pool.readInRoom(identity, { name: '_BASEROOM_', password: '' }, []);
  return entered.name === name;
}

/** STAT: when the room changed last. */
export async function readRoomStatus(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
): Promise<{ entered: EnteredRoom; mtime: number }> {
  const { entered, answers } = await pool.readInRoom(identity, room, [ROOM_STATUS]);
  return { entered, mtime: toInt(splitFields(expectClass(answers[0]!, REPLY.done).text)[1]) };
}

const WHO_KNOWS = command('WHOK');
const INVITING: KnownRefusals = {
  [STATUS.notHere]: ['conflict', 'Everybody is a member of this room.'],
  [STATUS.higherAccess]: ROOM_ADMINS_ONLY,
};

/** accounts of the room server itself (protocol section 7) */
export const SYSTEM_ACCOUNT = /^SYS_/;

/** Names of a room's members. */
export async function listRoomMembers(pool: Pool, identity: Identity, room: RoomRef): Promise<string[]> {
  const { answers } = await pool.readInRoom(identity, room, [WHO_KNOWS]);
  return expectClass(answers[0]!, REPLY.listing).lines.filter((name) => !SYSTEM_ACCOUNT.test(name));
}

/** Invites a user. Throws forbidden (550), not_found (570), conflict for the lobby (560). */
export function inviteMember(pool: Pool, identity: Identity, room: RoomRef, user: string): Promise<void> {
  return change(pool, identity, room, command('INVT', user));
}

/** Removes a user until invited again. Throws as inviteMember. */
export function removeMember(pool: Pool, identity: Identity, room: RoomRef, user: string): Promise<void> {
  return change(pool, identity, room, command('KICK', user));
}

function change(pool: Pool, identity: Identity, room: RoomRef, verb: string): Promise<void> {
  return pool.visitRoom(identity, room, async (connection) => {
    expectClass(await connection.ask(verb), REPLY.done, INVITING);
  });
}

export { MARK_PREFIX, originalTimeFrom } from '../mime/stored-content.ts';

export const BROUGHT_ROOM = 'Vestibule copy';
/** asks whether a room of this name could be created; also refused if a private one exists */
const IS_NAME_FREE = command('CRE8', 0, BROUGHT_ROOM);

/** Whether `vestibule copy` has written to this server; undefined if the caller may not create rooms. */
export async function isCopyTarget(pool: Pool, identity: Identity): Promise<boolean | undefined> {
  const [answer] = await pool.read(identity, [IS_NAME_FREE]);
  if (answer!.code === STATUS.alreadyExists) return true;
  return answer!.code === STATUS.done ? false : undefined;
}
