// A change of a calendar object on its way to the room server: what of it other people have to hear
// (RFC 6638 section 3). A room server of ours delivers it with the change itself, in one transaction; with any other it
// goes as mail, behind the change (RFC 6047).

import { AppError } from '../../errors.ts';
import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
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
import { now } from '../../system/clock.ts';
import { PLAIN_POSTING, type ReceivedMessage } from '../message/post-body.ts';
import { postReplacing } from '../message/replacement.ts';
import { messageEtag } from '../message/representation.ts';
import { messagePath } from '../paths.ts';
import type { MessageContext, RoomContext } from '../room-context.ts';
import { requireMatch, requireScheduleTag, schedulingRefusal } from './conditions.ts';
import { mailMessages, mailStatuses } from './mail.ts';
import { isOwnCalendar, ownAddressKeys, storedObject } from './own-calendar.ts';

/** What a change sends, and what is stored. */
interface Plan {
  uid: string;
  /** the message that it takes the place of, or removes; 0: none */
  expected: number;
  /** undefined: it is removed */
  calendar: Component | undefined;
  /** what came, as it would be written */
  original: string;
  isSchedulingObject: boolean;
  messages: readonly SchedulingMessage[];
}

/** Does `use` on a connection in the room, with what was prepared for it. */
type Within<M> = <T>(connection: Connection, use: (message: M) => Promise<T>) => Promise<T>;

/** The same for a change that stores nothing. */
export type WithinChange = <T>(connection: Connection, use: () => Promise<T>) => Promise<T>;

/** How a PUT went that may be scheduling. */
export interface ScheduledPut<T> {
  result: T;
  /** of the answer, where the object is message `msgnum` now: Schedule-Tag, and no ETag where it is not what came */
  headers(msgnum: number): Record<string, string | undefined>;
}

/** A room, and the message in it that a change concerns. */
export interface ObjectAt {
  entered: EnteredRoom;
  msgnum: number | undefined;
}

/** how often a change is planned anew because an answer to the invitation came in between */
const MAX_PLANS = 3;

/**
 * Stores a calendar object with `post`, and lets those know whom it concerns. In rooms that are no calendars of the
 * caller, and for what invites nobody, it only does `post`. `place`: the room, and the message it takes the place of;
 * undefined for what is no calendar object. Throws forbidden (RFC 6638 section 3.2.4), precondition_failed, and as
 * `post`.
 */
export async function putScheduled<T>(
  context: RoomContext,
  place: ObjectAt | undefined,
  message: ReceivedMessage,
  post: (within: Within<ReceivedMessage>) => Promise<T>,
): Promise<ScheduledPut<T>> {
  await requireScheduleTag(context, place?.msgnum);
  for (let turn = 1; ; turn++) {
    const plan = place && (await planOfPut(context, place, message));
    if (!plan) {
      const result = await post((_, use) => use(message));
      return { result, headers: () => ({}) };
    }
    const sender = await senderFor(context, plan);
    let isRewritten = false;
    try {
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
    } catch (error) {
      const isOutrun = error instanceof AppError && error.code === 'conflict' && sender.isChecked;
      if (!isOutrun || turn === MAX_PLANS) throw error;
    }
  }
}

/** How a change was stored. */
export interface StoredChange {
  msgnum: number;
  /** of the one message that it sent; undefined where it sent none */
  status: string | undefined;
}

/**
 * Stores an object of the room of the context that is to be `after`; what is new to others since `before` is sent.
 * `msgnum`: the message it is now. Throws conflict where that is another one by now, and as postReplacing.
 */
export async function storeChange(
  context: RoomContext,
  { msgnum, before, after }: { msgnum: number | undefined; before: Component; after: Component },
  own: ReadonlySet<string>,
): Promise<StoredChange> {
  const { app, caller, room } = context;
  const scheduled = scheduleChange({ before, after, own, now: now() });
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

/** Removes a calendar object with `remove`, and lets those know whom it concerns. Throws as putScheduled. */
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
 * Brings an object into the calendar of the context, which is the caller's own, with `place`, as a new one
 * (RFC 6638 section 3.2.1.1). `source`: where it lies. Throws as putScheduled.
 */
export async function bringScheduled<T>(
  context: RoomContext,
  source: MessageContext,
  place: (within: WithinChange) => Promise<T>,
): Promise<T> {
  const after = await storedObject(source, source.msgnum);
  const plan = after && (await planOf(context, undefined, undefined, after, true));
  if (!plan) return place((_, use) => use());
  const sender = await senderFor(context, plan);
  const result = await place((connection, use) => sender.within(connection, plan, () => use()));
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
  const own = await ownAddressKeys(context);
  const scheduled = scheduleChange({ before, after, own, now: now(), isReplyWanted });
  if (!scheduled) return undefined;
  if (scheduled.fault) {
    // a client that has not seen the last change is told that, and not that its own is forbidden
    requireMatch(context.exchange, existing);
    throw schedulingRefusal(scheduled.fault);
  }
  const uid = schedulingObject((after ?? before)!)!.uid;
  if (!isFieldSafe(uid)) return undefined;
  if (!before && after) await requireUnique(context, uid);
  const { calendar, messages } = scheduled;
  const isNow = calendar !== undefined && isSchedulingObject(calendar, own);
  const original = after ? writeComponent(after) : '';
  return { uid, expected: existing ?? 0, calendar, original, isSchedulingObject: isNow, messages };
}

/** Throws forbidden where the object is in another calendar of the caller already (RFC 6638 section 3.2.4.1). */
async function requireUnique({ app, caller, room }: RoomContext, uid: string): Promise<void> {
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const found = await scheduling.find(app.pool, caller.identity, uid);
  if (!found || found.room.toLowerCase() === room.name.toLowerCase()) return;
  throw schedulingRefusal('unique-scheduling-object-resource', [messagePath(app, found.room, found.msgnum)]);
}

type Statuses = ReadonlyMap<string, string>;

/** The way that messages go. */
interface Sender {
  /** the room server refuses a change of an object that is another one by now: conflict */
  isChecked: boolean;
  /** On the connection that changes the object: `change` gets the status of each address. */
  within<T>(connection: Connection, plan: Plan, change: (statuses: Statuses) => Promise<T>): Promise<T>;
  /** When the object has been changed. */
  finish(): Promise<void>;
}

async function senderFor(context: RoomContext, { messages }: Plan): Promise<Sender> {
  const { app, caller } = context;
  const { lacks, scheduling } = await serverOf(app.pool, caller.identity);
  if (!lacks.scheduling) {
    return {
      isChecked: true,
      within: async (connection, { uid, isSchedulingObject, expected }, change) => {
        const addressed = messages.map(({ recipients, calendar }) => ({ recipients, text: writeComponent(calendar) }));
        const statuses = await scheduling.prepare(connection, uid, isSchedulingObject, expected, addressed);
        try {
          return await change(statuses);
        } catch (error) {
          // what was not changed is not to be told of with the next change
          await scheduling.drop(connection).catch(() => connection.close());
          throw error;
        }
      },
      finish: async () => {},
    };
  }
  // not while a connection is held: this takes another one
  const statuses = await mailStatuses(context, messages);
  return {
    isChecked: false,
    within: (_connection, _plan, change) => change(statuses),
    finish: () => mailMessages(context, messages),
  };
}

/** The text that is stored, with what the server has to say in it. */
function stampedText({ calendar }: Plan, statuses: Statuses): string {
  const byKey = new Map([...statuses].map(([address, status]) => [addressKey(address), status]));
  return writeComponent(withStatuses(calendar!, byKey));
}

/** An object that no client has sent. */
const FROM_HERE = { contentType: 'text/calendar; charset=utf-8', posting: PLAIN_POSTING, attachments: [], name: '' };

function spooledText(text: string): Pick<ReceivedMessage, 'body' | 'traits'> {
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
  return { body, traits: scan.end() };
}
