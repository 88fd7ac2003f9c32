// Creates, changes and deletes rooms, and changes a user's relation to a room (verbs CRE8, GETR, SETR, SETA, KILL, EINF,
// VIEW, FORG, protocol sections 18.4 and 18.5). A change never makes the caller a member.

import { AppError, type ErrorCode } from '../errors.ts';
import { type EnteredRoom, ROOM_FLAG } from '../model.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { type Connection, writeText } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals, ROOM_ADMINS_ONLY } from './connection/server-errors.ts';
import { serverOf } from './driver.ts';
import { requireFloor, requireRoomNameFits, requireRoomUnlike } from './floors.ts';
import { isBaseRoom } from './rooms.ts';

/** numbered as in CRE8 */
export const ROOM_KINDS = ['public', 'guessname', 'password', 'invitation', 'personal'] as const;
export type RoomKind = (typeof ROOM_KINDS)[number];

const KIND_FLAGS: Record<RoomKind, number> = {
  public: 0,
  guessname: ROOM_FLAG.private | ROOM_FLAG.guessName,
  password: ROOM_FLAG.private | ROOM_FLAG.password,
  invitation: ROOM_FLAG.private,
  personal: ROOM_FLAG.private | ROOM_FLAG.personal,
};
const ALL_KIND_FLAGS = ROOM_FLAG.private | ROOM_FLAG.guessName | ROOM_FLAG.password;

const NAMING: KnownRefusals = {
  [STATUS.alreadyExists]: ['conflict', 'A room with this name, or a similar one, already exists.'],
  [STATUS.illegalValue]: ['bad_request', 'Rooms cannot have this name or password.'],
};
/** when creating a room of any kind */
export const TOO_MANY_ROOMS: KnownRefusals = {
  [STATUS.tooBig]: ['insufficient_storage', 'This account has the maximum number of rooms.'],
};
const CREATING: KnownRefusals = {
  ...NAMING,
  ...TOO_MANY_ROOMS,
  [STATUS.higherAccess]: ['forbidden', 'This account may not create rooms.'],
};
const EDITING: KnownRefusals = {
  ...NAMING,
  [STATUS.notHere]: ['conflict', 'This room cannot be changed like that.'],
  [STATUS.higherAccess]: ROOM_ADMINS_ONLY,
};
const TELLING: KnownRefusals = { [STATUS.higherAccess]: ROOM_ADMINS_ONLY };
const NOT_DELETED: [ErrorCode, string] = ['conflict', 'This room cannot be deleted.'];

export interface NewRoom {
  name: string;
  kind: RoomKind;
  /** for kind password; otherwise empty */
  password: string;
  floor: number;
  /** default view */
  view: number;
  /** embedded room server only: deleted at its next start unless finished before */
  isUnfinished?: boolean;
}

/** Throws bad_request for a name or password that cannot be sent. */
export function createRoomCommand({ name, kind, password, floor, view, isUnfinished }: NewRoom): string {
  const fields = [1, name, ROOM_KINDS.indexOf(kind), password, floor, '', view];
  return command('CRE8', ...fields, ...(isUnfinished ? [1] : []));
}

/** Throws bad_request (512, no such floor), forbidden (550), conflict (574). */
export async function createRoom(pool: Pool, identity: Identity, room: NewRoom): Promise<void> {
  requireRoomNameFits(room.name, room.kind === 'personal');
  return pool.withConnection(identity, async (connection) => {
    await requireFloor(connection, room.floor, 'bad_request');
    if (room.kind !== 'personal') await requireRoomUnlike(pool, identity, room.name);
    expectClass(await connection.ask(createRoomCommand(room)), REPLY.done, CREATING);
  });
}

/** undefined: unchanged */
export interface RoomChange {
  name: string | undefined;
  kind: RoomKind | undefined;
  password: string | undefined;
  floor: number | undefined;
  order: number | undefined;
  /** default view */
  view: number | undefined;
  /** QRflags and QRflags2 */
  flags: FlagChange;
  flags2: FlagChange;
  /** name of the administrator, '' for none */
  admin: string | undefined;
  /** the caller's view */
  currentView: number | undefined;
}

export interface FlagChange {
  set: number;
  clear: number;
}

/**
 * Makes all changes or none; returns the room's name. Throws bad_request (512, unknown floor or user, a password for
 * another kind), forbidden (550), conflict (560, 574, an impossible kind).
 */
export function editRoom(pool: Pool, identity: Identity, room: RoomRef, change: RoomChange): Promise<string> {
  return pool.visitRoom(identity, room, async (connection, entered) => {
    const hasSettings = changesSettings(change);
    let { name } = entered;
    if (change.name !== undefined) requireRoomNameFits(change.name, entered.isPersonal || change.kind === 'personal');
    if (hasSettings || change.admin !== undefined) {
      const settings = await readSettings(connection, entered, change.admin !== undefined);
      if (closes(change) && (await isBaseRoom(pool, identity, entered))) {
        throw new AppError('conflict', 'The lobby must stay public.');
      }
      const next = changed(settings, change);
      const becomesPublic = (settings.flags & ~next.flags & ROOM_FLAG.private) !== 0;
      if (!entered.isPersonal && (becomesPublic || next.name !== settings.name)) {
        await requireRoomUnlike(pool, identity, next.name, settings.name);
      }
      if (change.floor !== undefined) await requireFloor(connection, change.floor, 'bad_request');
      if (change.admin) await requireUser(connection, change.admin);
      if (hasSettings) {
        expectClass(await connection.ask(setCommand(next, change)), REPLY.done, EDITING);
        if (change.name !== undefined) ({ name } = next);
      }
      if (change.admin !== undefined)
        expectClass(await connection.ask(wholeLineCommand('SETA', change.admin)), REPLY.done);
    }
    if (change.currentView !== undefined)
      expectClass(await connection.ask(command('VIEW', change.currentView)), REPLY.done);
    return name;
  });
}

/** Throws as editRoom. */
export async function renameRoom(pool: Pool, identity: Identity, room: RoomRef, name: string): Promise<void> {
  const unchanged = { set: 0, clear: 0 };
  await editRoom(pool, identity, room, {
    name,
    kind: undefined,
    password: undefined,
    floor: undefined,
    order: undefined,
    view: undefined,
    flags: unchanged,
    flags2: unchanged,
    admin: undefined,
    currentView: undefined,
  });
}

/** fields of GETR and SETR */
interface Settings {
  name: string;
  password: string;
  directory: string;
  flags: number;
  floor: number;
  order: number;
  view: number;
  flags2: number;
}

function changesSettings({ admin, currentView, flags, flags2, ...settings }: RoomChange): boolean {
  const hasFlags = [flags, flags2].some(({ set, clear }) => (set | clear) !== 0);
  return hasFlags || Object.values(settings).some((value) => value !== undefined);
}

function closes({ kind, flags }: RoomChange): boolean {
  return (kind !== undefined && kind !== 'public') || (flags.set & ROOM_FLAG.preferredOnly) !== 0;
}

async function readSettings(connection: Connection, entered: EnteredRoom, isAdminNeeded: boolean): Promise<Settings> {
  const answer = await connection.ask(command('GETR'));
  // the owner of a personal room may write its settings (SETR) but not read them; GOTO has returned most of them
  if (answer.code === STATUS.higherAccess && entered.isPersonal && !isAdminNeeded) {
    const { name, flags, floor, defaultView: view, flags2 } = entered;
    return { name, password: '', directory: '', flags, floor, order: 0, view, flags2 };
  }
  const fields = splitFields(expectClass(answer, REPLY.done, EDITING).text);
  const int = (i: number) => toInt(fields[i]);
  const settings = { flags: int(3), floor: int(4), order: int(5), view: int(6), flags2: int(7) };
  const [name, password, directory] = fields;
  if (!name || fields.length < 8) {
    throw new AppError('backend_protocol', 'The room server sent unexpected settings of a room.');
  }
  return { name, password: password!, directory: directory!, ...settings };
}

function changed(settings: Settings, change: RoomChange): Settings {
  let flags = settings.flags;
  if (change.kind !== undefined) {
    const isPersonal = (flags & ROOM_FLAG.personal) !== 0;
    if (isPersonal !== (change.kind === 'personal')) {
      throw new AppError('conflict', 'A personal room must stay personal, and other rooms cannot become personal.');
    }
    flags = (flags & ~ALL_KIND_FLAGS) | KIND_FLAGS[change.kind];
  }
  flags = (flags & ~change.flags.clear) | change.flags.set;
  const hasPassword = (flags & ROOM_FLAG.password) !== 0;
  const password = change.password ?? settings.password;
  if (!hasPassword && change.password !== undefined) {
    throw new AppError('bad_request', 'Only a room of kind password can have a password.');
  }
  // an unreadable one (GETR of the embedded server) stays unless another is sent
  const isKept = (settings.flags & ROOM_FLAG.password) !== 0 && change.password === undefined;
  if (hasPassword && password === '' && !isKept)
    throw new AppError('bad_request', 'A room of kind password needs a password.');
  return {
    name: change.name ?? settings.name,
    password: hasPassword ? password : '',
    directory: settings.directory,
    flags,
    floor: change.floor ?? settings.floor,
    order: change.order ?? settings.order,
    view: change.view ?? settings.view,
    flags2: (settings.flags2 & ~change.flags2.clear) | change.flags2.set,
  };
}

/** SETR replaces all fields it is sent: those after the floor are omitted if none of them changes. */
function setCommand(next: Settings, { floor, order, view, flags2 }: RoomChange): string {
  const { name, password, directory, flags } = next;
  const fields = [name, password, directory, flags, 0, floor ?? -1];
  const hasMore = order !== undefined || view !== undefined || (flags2.set | flags2.clear) !== 0;
  return command('SETR', ...fields, ...(hasMore ? [next.order, next.view, next.flags2] : []));
}

async function requireUser(connection: Connection, name: string): Promise<void> {
  expectClass(await connection.ask(wholeLineCommand('QUSR', name)), REPLY.done, {
    [STATUS.noSuchUser]: ['bad_request', 'The user who should administer the room does not exist.'],
  });
}

/** Throws forbidden if the caller may not, conflict for a room that cannot be deleted (both 560). */
export function deleteRoom(pool: Pool, identity: Identity, room: RoomRef): Promise<void> {
  return kill(pool, identity, room, true);
}

/** Throws what deleteRoom would. */
export function requireDeletable(pool: Pool, identity: Identity, room: RoomRef): Promise<void> {
  return kill(pool, identity, room, false);
}

function kill(pool: Pool, identity: Identity, room: RoomRef, isMeant: boolean): Promise<void> {
  return pool.visitRoom(identity, room, async (connection, entered) => {
    const { isAdmin, isPersonal } = entered;
    const { rooms } = await serverOf(pool, connection);
    if (await rooms.isNeeded(pool, identity, entered)) throw new AppError(...NOT_DELETED);
    expectClass(await connection.ask(command('KILL', isMeant ? 1 : 0)), REPLY.done, {
      [STATUS.notHere]: isAdmin || isPersonal ? NOT_DELETED : ROOM_ADMINS_ONLY,
    });
  });
}

/** Replaces the banner; an empty text removes it. Throws forbidden (550), bad_request for a line `000`. */
export function setInfo(pool: Pool, identity: Identity, room: RoomRef, text: string): Promise<void> {
  return pool.visitRoom(identity, room, (connection) => writeText(connection, command('EINF', 1), text, TELLING));
}

const FIRST_FLOOR = 0;

/**
 * Creates a room of one's own on the first floor. `view`: one of VIEW; `isUnfinished`: RoomServer.rooms.finish follows
 * when it has been filled (capability `unfinishedRooms`). Throws forbidden (access level), bad_request (name), conflict
 * (name taken), insufficient_storage (too many rooms).
 */
export async function createPersonalRoom(
  pool: Pool,
  identity: Identity,
  name: string,
  view: number,
  isUnfinished = false,
): Promise<void> {
  requireRoomNameFits(name, true);
  return pool.withConnection(identity, async (connection) => {
    const create = createRoomCommand({ name, kind: 'personal', password: '', floor: FIRST_FLOOR, view, isUnfinished });
    expectClass(await connection.ask(create), REPLY.done, TOO_MANY_ROOMS);
  });
}
