// Rooms and floors: lists, room information, banner, status, lists of message numbers, last-read pointer.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import { callerInRoom, userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, asPlainText, JSON_TYPE, jsonOf, send, sendEmpty } from '../http/respond.ts';
import { ACCESS, canDelete, type EnteredRoom, ROOM_FLAG, ROOM_FLAG2, type RoomRow, VIEW } from '../model.ts';
import { serverOf } from '../room-server/driver.ts';
import { type Selector, setLastRead } from '../room-server/messages.ts';
import { listFloors, listRooms, readInfo, readRoomStatus } from '../room-server/rooms.ts';
import { memoised } from '../system/attached.ts';
import { searchedField } from './search.ts';

/** GET f/ */
export async function getFloors(exchange: Exchange, app: App): Promise<void> {
  const caller = await callerOf(exchange, app);
  return app.replyCache.send({ exchange, caller }, '', async () =>
    send(exchange, 200, { type: JSON_TYPE, body: jsonOf(await listFloors(app.pool, caller.identity)) }),
  );
}

/** GET r/ */
export async function getRooms(exchange: Exchange, app: App): Promise<void> {
  const caller = await callerOf(exchange, app);
  return app.replyCache.send({ exchange, caller }, '', async () => {
    const server = await serverOf(app.pool, caller.identity);
    const rooms = await listRooms(app.pool, caller.identity);
    await send(exchange, 200, {
      type: JSON_TYPE,
      body: roomListJson(await server.rooms.withNews(app.pool, caller.identity, rooms)),
    });
  });
}

const roomListJson = memoised((rooms: readonly RoomRow[]) => jsonOf(rooms.map(roomListEntry)));

/** An entry of r/. */
export function roomListEntry(room: RoomRow) {
  return {
    name: room.name,
    floor: room.floor,
    rorder: room.order,
    known: (room.access & ACCESS.known) !== 0,
    hasnewmsgs: (room.access & ACCESS.hasNew) !== 0,
    current_view: shownView(room.currentView),
    default_view: shownView(room.defaultView),
    mtime: room.mtime,
    ...flagBooleans(room.flags),
    is_zapped: (room.access & ACCESS.forgotten) !== 0,
    is_room_aide: (room.access & ACCESS.admin) !== 0,
  };
}

function flagBooleans(flags: number) {
  return {
    is_mailbox: (flags & ROOM_FLAG.personal) !== 0,
    is_private: (flags & ROOM_FLAG.private) !== 0,
    is_password_protected: (flags & ROOM_FLAG.password) !== 0,
    is_guessname: (flags & ROOM_FLAG.guessName) !== 0,
    is_read_only: (flags & ROOM_FLAG.readOnly) !== 0,
    is_directory: (flags & ROOM_FLAG.directory) !== 0,
  };
}

/** An unknown view is shown as a board, which can show any message. */
export function shownView(view: number): number {
  return VIEWS.has(view) ? view : VIEW.board;
}

const VIEWS: ReadonlySet<number> = new Set(Object.values(VIEW));

/** GET r/:room/ */
export async function getRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  return app.replyCache.send(context, '', () => sendRoom(context));
}

async function sendRoom({ exchange, app, caller, room }: RoomContext): Promise<void> {
  const { rooms } = await serverOf(app.pool, caller.identity);
  const { entered, hasInfo, isForgotten, admin } = await rooms.read(app.pool, caller.identity, room);
  await send(
    exchange,
    200,
    asJson({
      name: entered.name,
      current_view: shownView(entered.currentView),
      default_view: shownView(entered.defaultView),
      new_messages: entered.newMessages,
      total_messages: entered.totalMessages,
      last_seen: entered.lastSeen,
      is_room_aide: entered.isAdmin,
      is_trash_folder: entered.isTrash,
      can_delete_messages: canDelete(entered),
      room_mtime: entered.mtime,
      ...flagBooleans(entered.flags),
      ...settingBooleans(entered),
      is_zapped: isForgotten,
      room_aide: admin,
      floor: entered.floor,
      highest_msgnum: entered.highest,
      has_info: hasInfo,
    }),
  );
}

/** further flags that PATCH r/:room/ changes */
function settingBooleans({ flags, flags2 }: EnteredRoom) {
  return {
    is_anonymous_only: (flags & ROOM_FLAG.anonymousOnly) !== 0,
    is_anonymous_optional: (flags & ROOM_FLAG.anonymousOption) !== 0,
    is_preferred_only: (flags & ROOM_FLAG.preferredOnly) !== 0,
    is_collaborative: (flags2 & ROOM_FLAG2.collaborativeDelete) !== 0,
    is_subject_required: (flags2 & ROOM_FLAG2.subjectRequired) !== 0,
    is_mail_accepted: (flags2 & ROOM_FLAG2.acceptsMail) !== 0,
  };
}

/** GET r/:room/info.txt */
export async function getInfoText(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await callerInRoom(exchange, app);
  const info = await readInfo(app.pool, caller.identity, room);
  if (info === undefined) throw new AppError('not_found', 'The room has no banner.');
  await send(exchange, 200, asPlainText(info));
}

/** GET r/:room/stat */
export async function getStat(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  return app.replyCache.send(context, '', async () => {
    const { entered, mtime } = await readRoomStatus(app.pool, context.caller.identity, context.room);
    await send(exchange, 200, asJson({ name: entered.name, room_mtime: mtime }));
  });
}

/** GET r/:room/msgs.all and its sisters; `:name` begins with `msgs.` */
export async function getMessageList(exchange: Exchange, app: App): Promise<void> {
  const selector = parseSelector(exchange.params.name!.slice('msgs.'.length));
  if (!selector)
    throw new AppError(
      'bad_request',
      'Unknown selection. Use msgs.all, new, old, first|N, last|N, gt|N, lt|N or search|words.',
    );
  const context = await callerInRoom(exchange, app);
  if (selector.kind === 'search') return sendHits(context, selector.words);
  return app.replyCache.send(context, '', async () => {
    const { identity } = context.caller;
    const { messages } = await serverOf(app.pool, identity);
    const numbers = await messages.numbers(app.pool, identity, context.room, selector);
    await send(exchange, 200, asJson(numbers));
  });
}

async function sendHits({ exchange, app, caller, room }: RoomContext, words: string): Promise<void> {
  const { search } = await serverOf(app.pool, caller.identity);
  const { numbers, from } = await search.inRoom(app.pool, caller.identity, room, words);
  await send(exchange, 200, asJson(numbers), searchedField(from));
}

/** `'all'`, `'last|20'`, `'search|words'`; undefined for anything else. */
function parseSelector(text: string): Selector | { kind: 'search'; words: string } | undefined {
  const match = /^(?:(all|new|old)|(first|last|gt|lt)\|(\d{1,15})|search\|(.+))$/s.exec(text);
  if (!match) return undefined;
  const [, group, bound, number, words] = match;
  if (group !== undefined) return { kind: group as 'all' | 'new' | 'old' };
  if (bound !== undefined) return { kind: bound as 'first' | 'last' | 'gt' | 'lt', number: Number(number) };
  return words?.trim() ? { kind: 'search', words: words.trim() } : undefined;
}

/** GET r/:room/slrp?last=N|HIGHEST */
export async function setLastReadPointer(exchange: Exchange, app: App): Promise<void> {
  const text = exchange.query.get('last') ?? '';
  const isHighest = text === 'HIGHEST';
  if (!isHighest && !/^[1-9]\d{0,14}$/.test(text)) {
    throw new AppError('bad_request', 'last takes the number of the last message read, or HIGHEST.');
  }
  const { caller, room } = await userInRoom(exchange, app);
  await setLastRead(app.pool, caller.identity, room, isHighest ? 'HIGHEST' : Number(text));
  await sendEmpty(exchange, 204);
}

/** `f`, `r` and `u` redirect to the form with a slash. */
export function redirectToSlash(exchange: Exchange): Promise<void> {
  return sendEmpty(exchange, 308, {
    Location: `${exchange.rawPath}/${exchange.rawQuery === '' ? '' : `?${exchange.rawQuery}`}`,
  });
}
