// Making, changing and deleting rooms and floors; banners; who belongs to a room.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf, userOf } from '../gateway/caller.ts';
import { acceptedRoomName, roomPath } from '../gateway/paths.ts';
import { removeLocks, requireRoomUnlocked } from '../gateway/preconditions.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { removeInvitations } from '../gateway/scheduling/plan.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import {
  MAX_FLOOR_NAME_BYTES,
  MAX_FLOORS,
  MAX_ROOM_NAME_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  MAX_USER_NAME_BYTES,
} from '../limits/backend.ts';
import { ROOM_FLAG, ROOM_FLAG2, VIEW } from '../model.ts';
import { foldName, nameFault } from '../protocol/name-rules.ts';
import { serverOf } from '../room-server/driver.ts';
import { createFloor, deleteFloor, renameFloor } from '../room-server/floors.ts';
import {
  createRoom,
  deleteRoom,
  editRoom,
  type FlagChange,
  ROOM_KINDS,
  type RoomChange,
  setInfo,
} from '../room-server/room-admin.ts';
import { inviteMember, listFloors, listRoomMembers, readInfo, removeMember } from '../room-server/rooms.ts';
import { requireKept } from './accounts/passwords.ts';
import { userNameOf } from './accounts/users.ts';
import {
  type Check,
  type Fields,
  flag,
  line,
  lineOrNone,
  oneOf,
  readJsonFields,
  readText,
  required,
  viewNumber,
  wholeNumber,
} from './request-body.ts';

const roomName: Check<string> = (value, field) => acceptedRoomName(line(MAX_ROOM_NAME_BYTES)(value, field));

const NEW_ROOM = {
  name: roomName,
  kind: oneOf(...ROOM_KINDS),
  password: line(MAX_ROOM_PASSWORD_BYTES),
  floor: wholeNumber(0, MAX_FLOORS - 1),
  view: viewNumber,
};

/** POST r/ → 201 */
export async function postRoom(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const fields = await readJsonFields(exchange, NEW_ROOM);
  const { kind = 'public', password = '', floor = 0, view = VIEW.board } = fields;
  const name = required(fields.name, 'name');
  if (kind === 'password') required(fields.password, 'password');
  else if (password !== '') throw new AppError('bad_request', 'Only a room of kind "password" can have a password.');
  await requireKept(app, caller, password, 'room');
  await createRoom(app.pool, caller.identity, { name, kind, password, floor, view });
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

const CHANGE = {
  // checked by patchRoom only if it changes: it may be older than the rules
  name: line(MAX_ROOM_NAME_BYTES),
  kind: oneOf(...ROOM_KINDS),
  password: line(MAX_ROOM_PASSWORD_BYTES),
  floor: wholeNumber(0, MAX_FLOORS - 1),
  rorder: wholeNumber(1, 127),
  default_view: viewNumber,
  current_view: viewNumber,
  room_aide: lineOrNone(MAX_USER_NAME_BYTES),
  is_read_only: flag,
  is_anonymous_only: flag,
  is_anonymous_optional: flag,
  is_preferred_only: flag,
  is_collaborative: flag,
  is_subject_required: flag,
  is_mail_accepted: flag,
  is_zapped: flag,
};

/** PATCH r/:room/ → 204, with a Location when the room has a new name */
export async function patchRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const fields = await readJsonFields(exchange, CHANGE);
  if (fields.is_zapped !== undefined) {
    // forgetting a room leaves it: other changes of the request could not be undone
    if (Object.keys(fields).length > 1) throw new AppError('bad_request', 'Change is_zapped in a request of its own.');
    const { rooms } = await serverOf(app.pool, caller.identity);
    await rooms.setForgotten(app.pool, caller.identity, room, fields.is_zapped);
    await sendEmpty(exchange, 204);
    return;
  }
  await requireKept(app, caller, fields.password ?? '', 'room');
  if (fields.name !== undefined && fields.name !== room.name) fields.name = acceptedRoomName(fields.name);
  // with another name it is another collection, as after a MOVE
  const moved = fields.name === undefined ? undefined : await requireRoomUnlocked(context, true);
  const name = await editRoom(app.pool, caller.identity, room, changeOf(fields));
  if (moved) await removeLocks(context, moved, '');
  await sendEmpty(exchange, 204, { Location: fields.name === undefined ? undefined : roomPath(app, name) });
}

function changeOf(fields: Fields<typeof CHANGE>): RoomChange {
  return {
    name: fields.name,
    kind: fields.kind,
    password: fields.password,
    floor: fields.floor,
    order: fields.rorder,
    view: fields.default_view,
    flags: flagChange([
      [ROOM_FLAG.readOnly, fields.is_read_only],
      [ROOM_FLAG.anonymousOnly, fields.is_anonymous_only],
      [ROOM_FLAG.anonymousOption, fields.is_anonymous_optional],
      [ROOM_FLAG.preferredOnly, fields.is_preferred_only],
    ]),
    flags2: flagChange([
      [ROOM_FLAG2.collaborativeDelete, fields.is_collaborative],
      [ROOM_FLAG2.subjectRequired, fields.is_subject_required],
      [ROOM_FLAG2.acceptsMail, fields.is_mail_accepted],
    ]),
    admin: fields.room_aide,
    currentView: fields.current_view,
  };
}

function flagChange(wanted: [number, boolean | undefined][]): FlagChange {
  const sum = (isSet: boolean) => wanted.reduce((bits, [bit, value]) => (value === isSet ? bits | bit : bits), 0);
  return { set: sum(true), clear: sum(false) };
}

/** DELETE r/:room/ → 204 */
export async function removeRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const entered = await requireRoomUnlocked(context, true);
  await removeInvitations(context, entered);
  await deleteRoom(app.pool, context.caller.identity, context.room);
  await removeLocks(context, entered, '');
  await sendEmpty(exchange, 204);
}

/** PUT r/:room/info.txt; an empty text removes the banner. */
export async function putInfoText(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await setInfo(app.pool, caller.identity, room, await readText(exchange));
  await sendEmpty(exchange, 204);
}

/** DELETE r/:room/info.txt */
export async function removeInfoText(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  if ((await readInfo(app.pool, caller.identity, room)) === undefined) {
    throw new AppError('not_found', 'The room has no banner.');
  }
  await setInfo(app.pool, caller.identity, room, '');
  await sendEmpty(exchange, 204);
}

const floorName: Check<string> = (value, field) => {
  const name = foldName(line(MAX_FLOOR_NAME_BYTES)(value, field));
  const fault = nameFault(name) ?? (name === '' ? 'A floor needs a name.' : undefined);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return line(MAX_FLOOR_NAME_BYTES)(name, field); // composed, some letters are longer
};

const FLOOR = { name: floorName };

/** GET f/:num */
export async function getFloor(exchange: Exchange, app: App): Promise<void> {
  const num = numberOf(exchange);
  const { identity } = await callerOf(exchange, app);
  const floor = (await listFloors(app.pool, identity)).find((one) => one.num === num);
  if (!floor) throw noSuchFloor();
  await send(exchange, 200, asJson(floor));
}

/** POST f/ → 201 */
export async function postFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const name = required((await readJsonFields(exchange, FLOOR)).name, 'name');
  const num = await createFloor(app.pool, identity, name);
  await sendEmpty(exchange, 201, { Location: `${app.prefix}f/${num}` });
}

/** PATCH f/:num → 204 */
export async function patchFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const num = numberOf(exchange);
  const name = required((await readJsonFields(exchange, FLOOR)).name, 'name');
  await renameFloor(app.pool, identity, num, name);
  await sendEmpty(exchange, 204);
}

/** DELETE f/:num → 204 */
export async function removeFloor(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  await deleteFloor(app.pool, identity, numberOf(exchange));
  await sendEmpty(exchange, 204);
}

function numberOf(exchange: Exchange): number {
  const text = exchange.params.num!;
  if (!/^(0|[1-9]\d{0,3})$/.test(text)) throw noSuchFloor();
  return Number(text);
}

function noSuchFloor(): AppError {
  return new AppError('not_found', 'There is no such floor.');
}

/** GET r/:room/members */
export async function getMembers(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  const names = await listRoomMembers(app.pool, caller.identity, room);
  await send(exchange, 200, asJson(names.map((name) => ({ name }))));
}

/** PUT r/:room/members/:user → 204 */
export async function putMember(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await inviteMember(app.pool, caller.identity, room, userNameOf(exchange));
  await sendEmpty(exchange, 204);
}

/** DELETE r/:room/members/:user → 204; the user stays out until invited again. */
export async function removeMemberOf(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await removeMember(app.pool, caller.identity, room, userNameOf(exchange));
  await sendEmpty(exchange, 204);
}
