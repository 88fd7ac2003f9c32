// PATCH r/:room/mailbox: many messages of a room at once, read marks, the way to another room, deletion.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { roomLocks } from '../gateway/locking/room-locks.ts';
import { moveNumbers } from '../gateway/message/posted-anew.ts';
import { unlessGone } from '../gateway/message/unless-gone.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { MAX_CHANGED_MESSAGES } from '../limits/http.ts';
import { type EnteredRoom, VIEW } from '../model.ts';
import { serverOf } from '../room-server/driver.ts';
import { deleteMany } from '../room-server/posting.ts';
import { type Check, flag, line, readJsonFields, required } from './json-fields.ts';
import { marksInTurn } from './seen.ts';

/** Their messages are no more than that; a member of another room may be locked, invite people, be a folder. */
const PLAIN_VIEWS: ReadonlySet<number> = new Set([VIEW.board, VIEW.mailbox, VIEW.blog]);

const numberList: Check<number[]> = (value, name) => {
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= MAX_CHANGED_MESSAGES;
  if (isList && value.every((each) => Number.isSafeInteger(each) && each > 0)) return [...new Set<number>(value)];
  throw new AppError('bad_request', `${name} takes 1 to ${MAX_CHANGED_MESSAGES} message numbers.`);
};

/**
 * `{"msgnums":[1,2]}` with one of `"seen":true|false`, `"move_to":"Trash"`, `"delete":true` → 204. What is no longer in
 * the room is passed over. Throws not_found where none of them is there, conflict, forbidden.
 */
export async function patchMailbox(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const shape = { msgnums: numberList, seen: flag, move_to: line(MAX_ROOM_NAME_BYTES), delete: flag };
  const { msgnums, seen, move_to: target, delete: isDeleted } = await readJsonFields(exchange, shape);
  const numbers = required(msgnums, 'msgnums');
  if ([seen, target, isDeleted].filter((field) => field !== undefined).length !== 1 || isDeleted === false) {
    throw new AppError('bad_request', 'Send one of seen, move_to and "delete":true.');
  }
  const { caller, room } = context;
  if (seen !== undefined) {
    const { messages } = await serverOf(app.pool, caller.identity);
    await marksInTurn(context, () =>
      app.pool.withRoom(caller.identity, room, (connection) => messages.markMany(connection, numbers, seen)),
    );
    return sendEmpty(exchange, 204);
  }
  await app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    requirePlain(entered);
    await requireUnlocked(context, entered, target);
    if (target === undefined) await deleteMany(connection, numbers);
  });
  if (target !== undefined) await moveNumbers(context, numbers, target);
  await sendEmpty(exchange, 204);
}

/** Throws conflict where something is locked in the room, or in the one that messages go to. */
async function requireUnlocked(context: RoomContext, entered: EnteredRoom, target: string | undefined): Promise<void> {
  const { app, caller } = context;
  if (await app.fleet.locks.isEmpty()) return;
  const rooms = [entered];
  if (target !== undefined) {
    const there = await unlessGone(app.pool.readInRoom(caller.identity, { name: target, password: '' }, []));
    if (there) rooms.push(there.entered);
  }
  for (const room of rooms) {
    if (!(await roomLocks(context, room)).isEmpty)
      throw new AppError('conflict', 'Something in the room is locked: change its messages one by one.');
  }
}

function requirePlain({ defaultView }: EnteredRoom): void {
  if (PLAIN_VIEWS.has(defaultView)) return;
  throw new AppError('conflict', 'What is in this room is changed one by one.');
}
