// A change of a calendar object, and whom it notifies (RFC 6638 section 3). The embedded room server delivers the
// messages with the change, in one transaction; with any other they go as mail after it (RFC 6047).

import { AppError, unlessGone } from '../../errors.ts';
import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { MAX_REMOVED_INVITATIONS } from '../../limits/dav.ts';
import { EncodingScanner } from '../../mime/encoding-facts.ts';
import { parseObject, writeComponent } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { addressKey } from '../../mime/scheduling/lines.ts';
import { mayBeScheduled, type SchedulingMessage, schedulingObject } from '../../mime/scheduling/object.ts';
import { isSchedulingObject, scheduleChange, withStatuses } from '../../mime/scheduling/scheduling.ts';
import type { EnteredRoom } from '../../model.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { deleteFromRoom } from '../../room-server/posting.ts';
import { requireDeletable } from '../../room-server/room-admin.ts';
import { now } from '../../system/clock.ts';
import { PLAIN_POSTING, postReplacing, type ReceivedMessage } from '../message/posting.ts';
import { messageEtag } from '../message/representation.ts';
import { messagePath } from '../paths.ts';
import type { MessageContext } from '../room-context.ts';
import { accessTo, type RoomContext } from '../room-context.ts';
import {
  isOwnCalendar,
  ownAddressKeys,
  requireMatch,
  requireScheduleTag,
  schedulingRefusal,
  storedObject,
} from './conditions.ts';
import { mailMessages, mailStatuses } from './mail.ts';

/** What a change stores and sends. */
interface Plan {
  uid: string;
  /** the message that it replaces or removes; 0: none */
  expected: number;
  /** undefined: the object is removed */
  calendar: Component | undefined;
  /** the received object, serialised */
  original: string;
  isSchedulingObject: boolean;
  messages: readonly SchedulingMessage[];
}

/** Runs `use` on a connection in the room, with the prepared message. */
type Within<M> = <T>(connection: Connection, use: (message: M) => Promise<T>) => Promise<T>;

export type WithinChange = <T>(connection: Connection, use: () => Promise<T>) => Promise<T>;

/** The result of a PUT that may schedule. */
export interface ScheduledPut<T> {
  result: T;
  /**
   * response header fields for the new message: Schedule-Tag, and no ETag if the stored object differs from the
   * received one
   */
  headers(msgnum: number): Record<string, string | undefined>;
}

export interface ObjectAt {
  entered: EnteredRoom;
  msgnum: number | undefined;
}

/** how often a change is planned because answers to the invitation come meanwhile */
const MAX_PLANS = 8;

/** The cause of a conflict: the object has become another message since the change was planned. */
class Outrun extends Error {}

/** Plans and makes a change, again when it was outrun. */
export async function unlessOutrun<T>(change: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await change();
    } catch (error) {
      const isOutrun = error instanceof AppError && error.cause instanceof Outrun;
      if (!isOutrun || turn === MAX_PLANS) throw error;
    }
  }
}

/**
 * Stores a calendar object with `post`, and notifies those concerned. In rooms that are not the caller's own calendars,
 * and for objects without guests, it only calls `post`. `target`: the room and the message to replace; undefined for
 * anything but calendar objects. Throws forbidden (RFC 6638 section 3.2.4), precondition_failed, and as `post`.
 */
export async function putScheduled<T>(
  context: RoomContext,
  target: ObjectAt | undefined,
  message: ReceivedMessage,
  post: (within: Within<ReceivedMessage>) => Promise<T>,
): Promise<ScheduledPut<T>> {
  await requireScheduleTag(context, target?.msgnum);
  const plan = target && (await planOfPut(context, target, message));
  if (!plan) {
    const result = await post((_, use) => use(message));
    return { result, headers: () => ({}) };
  }
  const sender = await senderFor(context, plan);
  let isRewritten = false;
  const result = await post((connection, use) =>
    sender.within(connection, plan, (statuses) => {
      const text = stampedText(plan, statuses);
      isRewritten = text !== plan.original;
      return use(isRewritten ? { ...message, ...spooledText(text) } : message);
    }),
  );
  await sender.finish();
  const headers = (msgnum: number) => ({
    ...(plan.isSchedulingObject ? { 'Schedule-Tag': messageEtag(msgnum) } : {}),
    // RFC 4791 section 5.3.4
    ...(isRewritten ? { ETag: undefined } : {}),
  });
  return { result, headers };
}

export interface StoredChange {
  msgnum: number;
  /** of the message that it sent; undefined if none */
  status: string | undefined;
}

/**
 * Stores `after` in the room of the context, and sends what is new for others since `before`. `msgnum`: the current
 * message. Throws conflict if it was replaced meanwhile, and as postReplacing.
 */
export async function storeChange(
  context: RoomContext,
  { msgnum, before, after }: { msgnum: number | undefined; before: Component; after: Component },
  ownKeys: ReadonlySet<string>,
): Promise<StoredChange> {
  const { app, caller, room } = context;
  const scheduled = scheduleChange({ before, after, own: ownKeys, now: now() });
  if (scheduled?.fault) throw schedulingRefusal(scheduled.fault);
  const { calendar = after, messages = [] } = scheduled ?? {};
  const uid = schedulingObject(after)!.uid;
  const plan: Plan = {
    uid,
    expected: msgnum ?? 0,
    calendar,
    original: '',
    isSchedulingObject: scheduled !== undefined,
    messages,
  };
  const sender = await senderFor(context, plan);
  let status: string | undefined;
  const existing = msgnum === undefined ? [] : [msgnum];
  const { posted } = await app.pool.withRoom(caller.identity, room, (connection, entered) =>
    sender.within(connection, plan, (statuses) => {
      [status] = statuses.values();
      const message = { ...FROM_HERE, ...spooledText(stampedText(plan, statuses)) };
      return postReplacing(context, connection, entered, message, existing, false);
    }),
  );
  await sender.finish();
  return { msgnum: posted.msgnum, status };
}

/** Removes a calendar object with `remove`, and notifies those concerned. Throws as putScheduled. */
export async function removeScheduled<T>(
  context: RoomContext,
  msgnum: number,
  remove: (within: WithinChange) => Promise<T>,
): Promise<T> {
  await requireScheduleTag(context, msgnum);
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const before = isOwnCalendar(entered) ? await storedObject(context, msgnum) : undefined;
  const isReplyWanted = context.exchange.header('schedule-reply')?.trim().toUpperCase() !== 'F';
  const plan = before && (await planOf(context, msgnum, before, undefined, isReplyWanted));
  if (!plan) return remove((_, use) => use());
  const sender = await senderFor(context, plan);
  const result = await remove((connection, use) => sender.within(connection, plan, () => use()));
  await sender.finish();
  return result;
}

/**
 * Adds an object to the calendar of the context, the caller's own, with `add` (RFC 6638 section 3.2.1.1). `source`:
 * its present message. Throws as putScheduled.
 */
export async function bringScheduled<T>(
  context: RoomContext,
  source: MessageContext,
  add: (within: WithinChange) => Promise<T>,
): Promise<T> {
  const after = await storedObject(source, source.msgnum);
  const plan = after && (await planOf(context, undefined, undefined, after, true));
  if (!plan) return add((_, use) => use());
  const sender = await senderFor(context, plan);
  const result = await add((connection, use) => sender.within(connection, plan, () => use()));
  await sender.finish();
  return result;
}

async function planOfPut(
  context: RoomContext,
  { entered, msgnum: existing }: ObjectAt,
  { body }: ReceivedMessage,
): Promise<Plan | undefined> {
  if (!isOwnCalendar(entered) || body.size > MAX_OBJECT_BYTES) return undefined;
  const text = Buffer.concat(await Array.fromAsync(body.open())).toString('utf8');
  if (existing === undefined && !mayBeScheduled(text)) return undefined;
  const { object: after } = parseObject(text);
  const before = existing === undefined ? undefined : await storedObject(context, existing);
  return after && planOf(context, existing, before, after, true);
}

async function planOf(
  context: RoomContext,
  existing: number | undefined,
  before: Component | undefined,
  after: Component | undefined,
  isReplyWanted: boolean,
): Promise<Plan | undefined> {
  const isAny = [before, after].some((one) => one && schedulingObject(one)?.organizer);
  if (!isAny) return undefined;
  const ownKeys = await ownAddressKeys(context);
  const scheduled = scheduleChange({ before, after, own: ownKeys, now: now(), isReplyWanted });
  if (!scheduled) return undefined;
  if (scheduled.fault) {
    // a client with an old version gets precondition_failed instead
    requireMatch(context.exchange, existing);
    throw schedulingRefusal(scheduled.fault);
  }
  const uid = schedulingObject((after ?? before)!)!.uid;
  if (!isFieldSafe(uid)) return undefined;
  if (!before && after) await requireUnique(context, uid);
  const { calendar, messages } = scheduled;
  const isNow = calendar !== undefined && isSchedulingObject(calendar, ownKeys);
  const original = after ? writeComponent(after) : '';
  return { uid, expected: existing ?? 0, calendar, original, isSchedulingObject: isNow, messages };
}

/** Throws forbidden if another calendar of the caller has the object (RFC 6638 section 3.2.4.1). */
async function requireUnique({ app, caller, room }: RoomContext, uid: string): Promise<void> {
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const found = await scheduling.find(app.pool, caller.identity, uid);
  if (!found || found.room.toLowerCase() === room.name.toLowerCase()) return;
  throw schedulingRefusal('unique-scheduling-object-resource', [messagePath(app, found.room, found.msgnum)]);
}

type Statuses = ReadonlyMap<string, string>;

/** How messages are sent. */
interface Sender {
  /** On the connection of the change: `change` gets the status of each address. Throws as unlessOutrun understands. */
  within<T>(connection: Connection, plan: Plan, change: (statuses: Statuses) => Promise<T>): Promise<T>;
  /** After the change. */
  finish(): Promise<void>;
}

async function senderFor(context: RoomContext, { messages }: Plan): Promise<Sender> {
  const { app, caller } = context;
  const { lacks, scheduling } = await serverOf(app.pool, caller.identity);
  if (!lacks.scheduling) {
    return {
      within: async (connection, { uid, isSchedulingObject, expected }, change) => {
        const addressed = messages.map(({ recipients, calendar }) => ({ recipients, text: writeComponent(calendar) }));
        const statuses = await scheduling.prepare(connection, uid, isSchedulingObject, expected, addressed);
        try {
          return await change(statuses);
        } catch (error) {
          // nobody must be notified of a change that failed
          await scheduling.drop(connection).catch(() => connection.close());
          // the room server refuses a change of an outdated object like this
          if (!(error instanceof AppError) || error.code !== 'conflict' || error.cause) throw error;
          throw new AppError(error.code, error.message, { cause: new Outrun() });
        }
      },
      finish: async () => {},
    };
  }
  // this takes another connection, so none may be held
  const statuses = await mailStatuses(context, messages);
  return {
    within: (_connection, _plan, change) => change(statuses),
    finish: () => mailMessages(context, messages),
  };
}

/** The text to store, with delivery statuses. */
function stampedText({ calendar, messages }: Plan, statuses: Statuses): string {
  const byKey = new Map([...statuses].map(([address, status]) => [addressKey(address), status]));
  const addressed = messages[0]?.method === 'REPLY' ? 'ORGANIZER' : 'ATTENDEE';
  return writeComponent(withStatuses(calendar!, byKey, addressed));
}

/** An object made here. */
const FROM_HERE = { contentType: 'text/calendar; charset=utf-8', posting: PLAIN_POSTING, attachments: [], name: '' };

export function spooledText(text: string): Pick<ReceivedMessage, 'body' | 'facts'> {
  const bytes = Buffer.from(text);
  const scan = new EncodingScanner();
  scan.push(bytes);
  const body = {
    size: bytes.length,
    async *open(start = 0, end = bytes.length) {
      if (end > start) yield bytes.subarray(start, end);
    },
    async [Symbol.asyncDispose]() {},
  };
  return { body, facts: scan.end() };
}

/**
 * Before a room is deleted: cancels or declines the invitations in it, one after the other (RFC 6638 sections 3.2.1.3
 * and 3.2.2.3), if it is the caller's own calendar. Throws as requireDeletable, forbidden for too many of them.
 */
export async function removeInvitations(context: RoomContext, entered: EnteredRoom): Promise<void> {
  if (!isOwnCalendar(entered)) return;
  const { app, caller, room } = context;
  await requireDeletable(app.pool, caller.identity, room);
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const invitations = await scheduling.invitations(accessTo(context), MAX_REMOVED_INVITATIONS + 1);
  if (invitations.length > MAX_REMOVED_INVITATIONS) {
    const most = `more than ${MAX_REMOVED_INVITATIONS} invitations, whose guests have to be notified`;
    throw new AppError('forbidden', `This calendar has ${most}: delete or move some of them first.`);
  }
  for (const msgnum of invitations) {
    const remove = removeScheduled(context, msgnum, (within) =>
      app.pool.withRoom(caller.identity, room, (connection) =>
        within(connection, () => deleteFromRoom(connection, msgnum)),
      ),
    );
    await unlessGone(remove);
  }
}
