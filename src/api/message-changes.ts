// Changes of messages that are there: read marks of one (PATCH r/:room/:name), marks, moves and deletion of many
// (PATCH r/:room/mailbox), the answer to an invitation that came as mail (RFC 6047, RFC 6638).

import { AppError, unlessGone } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { withNumber } from '../gateway/message/open-message.ts';
import { moveNumbers } from '../gateway/message/reposting.ts';
import { roomLocks } from '../gateway/preconditions.ts';
import { roomContext, userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { answerInvitation, type InvitationAnswer } from '../gateway/scheduling/invitation.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import { MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { MAX_CHANGED_MESSAGES } from '../limits/http.ts';
import { type EnteredRoom, VIEW } from '../model.ts';
import { accountName, nameKey } from '../protocol/names.ts';
import { serverOf } from '../room-server/driver.ts';
import { deleteMany } from '../room-server/posting.ts';
import { type Check, flag, line, readJsonFields, required } from './request-body.ts';

/** Rooms of plain messages. Members of other rooms may be locked, be invitations or folders. */
const PLAIN_VIEWS: ReadonlySet<number> = new Set([VIEW.board, VIEW.mailbox, VIEW.blog]);

const numberList: Check<number[]> = (value, name) => {
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= MAX_CHANGED_MESSAGES;
  if (isList && value.every((each) => Number.isSafeInteger(each) && each > 0)) return [...new Set<number>(value)];
  throw new AppError('bad_request', `${name} takes 1 to ${MAX_CHANGED_MESSAGES} message numbers.`);
};

/**
 * `{"msgnums":[1,2]}` with one of `"seen":true|false`, `"move_to":"Trash"`, `"delete":true` → 204. Messages that are no
 * longer in the room are skipped. Throws not_found if none is there, conflict, forbidden.
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
    if (!PLAIN_VIEWS.has(entered.defaultView)) {
      throw new AppError('conflict', 'In this room, change messages one by one.');
    }
    await requireUnlocked(context, entered, target);
    if (target === undefined) await deleteMany(connection, numbers);
  });
  if (target !== undefined) await moveNumbers(context, numbers, target);
  await sendEmpty(exchange, 204);
}

/** Throws conflict if anything is locked in the room or in the target room. */
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
      throw new AppError('conflict', 'Something in this room is locked. Change its messages one by one.');
  }
}

/** `{"seen":true}` or `{"seen":false}` → 204 */
export async function patchMessage(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const isSeen = seenIn(await readJson(exchange));
  const context = await roomContext(exchange, app, caller);
  const { messages } = await serverOf(app.pool, caller.identity);
  await marksInTurn(context, () =>
    withNumber(context, exchange.params.name!, ({ room, msgnum }) =>
      messages.setSeen(app.pool, caller.identity, room, msgnum, isSeen),
    ),
  );
  await sendEmpty(exchange, 204);
}

/**
 * Sets marks of one user in one room in the order of the requests: a page that is being left repeats what may still be
 * in flight, on another connection, and the last request counts.
 */
export function marksInTurn<T>({ app, caller, room }: RoomContext, set: () => Promise<T>): Promise<T> {
  return app.serialQueue.run(`marks ${accountName(caller.identity.user)}\n${nameKey(room.name)}`, set);
}

function seenIn(body: unknown): boolean {
  const { seen, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (typeof seen !== 'boolean' || Object.keys(rest).length > 0) {
    throw new AppError('bad_request', 'Send {"seen":true} or {"seen":false}.');
  }
  return seen;
}

const ANSWERS: Readonly<Record<string, InvitationAnswer>> = {
  accepted: 'ACCEPTED',
  tentative: 'TENTATIVE',
  declined: 'DECLINED',
};

/** of RECURRENCE-ID (RFC 5545 section 3.8.4.4) */
const RECURRENCE_ID = /^\d{8}(T\d{6}Z?)?$/;

/**
 * `{"answer":"accepted"}`, `tentative` or `declined`, with `"recurrence_id":"20260603T080000Z"` to one of a series;
 * `{}` for a cancellation or a guest's answer → 200 `{"room":"Calendar","msgnum":12,"schedule_status":"1.2"}`. Throws
 * bad_request, conflict, as withNumber.
 */
export async function postInvitation(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { answer, recurrenceId } = answerIn(await readJson(exchange));
  const answered = await withNumber(context, exchange.params.name!, ({ msgnum }) =>
    answerInvitation({ ...context, msgnum }, answer, recurrenceId),
  );
  const { room, msgnum, status } = answered;
  await send(exchange, 200, asJson({ room, msgnum, ...(status === undefined ? {} : { schedule_status: status }) }));
}

function answerIn(body: unknown): { answer: InvitationAnswer | undefined; recurrenceId: string | undefined } {
  const { answer, recurrence_id: id, ...rest } = (body ?? {}) as Record<string, unknown>;
  const known = typeof answer === 'string' && Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined;
  if (Object.keys(rest).length > 0 || (answer !== undefined && known === undefined)) {
    throw new AppError('bad_request', 'Send {"answer":"accepted"}, or "tentative" or "declined".');
  }
  const isId = typeof id === 'string' && RECURRENCE_ID.test(id);
  if (id !== undefined && (!isId || known === undefined)) {
    throw new AppError(
      'bad_request',
      'recurrence_id needs an answer, and takes a RECURRENCE-ID such as 20260603T080000Z.',
    );
  }
  return { answer: known, recurrenceId: isId ? id : undefined };
}
