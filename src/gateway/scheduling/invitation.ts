// Answering a scheduling message that came as mail (RFC 6047): the event goes into the caller's calendar, and the reply
// to the organizer, as if answered in the calendar.

import { AppError } from '../../errors.ts';
import { MAX_INVITATION_BYTES } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { type Component, textOf } from '../../mime/objects/content-lines.ts';
import { isCalendar } from '../../mime/objects/properties.ts';
import { contentParts } from '../../mime/part.ts';
import { decodedPartText } from '../../mime/readable.ts';
import { answeredBy, applyMessage, withInstance } from '../../mime/scheduling/incoming.ts';
import { personKey } from '../../mime/scheduling/lines.ts';
import { type SchedulingObject, schedulingObject } from '../../mime/scheduling/object.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { serverOf } from '../../room-server/driver.ts';
import { withRfc822 } from '../../room-server/message-content.ts';
import type { MessageContext, RoomContext } from '../room-context.ts';
import { ownAddressKeys, storedObject } from './conditions.ts';
import { type StoredChange, storeChange, unlessOutrun } from './plan.ts';

export type InvitationAnswer = 'ACCEPTED' | 'TENTATIVE' | 'DECLINED';

/**
 * The room of the object, and the delivery status of the reply (RFC 6638 section 3.2.9); undefined if none was sent.
 */
export interface AnsweredInvitation extends StoredChange {
  room: string;
}

/**
 * Applies the message to the caller's calendar, with this answer for the instance of `recurrenceId`, or for all
 * instances in the message; cancellations and replies of guests take no answer. Throws conflict if the message is none
 * of these or changes nothing, bad_request for a missing or superfluous answer and an unknown instance.
 */
export async function answerInvitation(
  context: MessageContext,
  answer: InvitationAnswer | undefined,
  recurrenceId: string | undefined,
): Promise<AnsweredInvitation> {
  const message = await schedulingMessageIn(context);
  const object = message && schedulingObject(message);
  if (!message || !object || !isFieldSafe(object.uid)) throw new AppError('conflict', 'This message is no invitation.');
  const method = textOf(message, 'METHOD').toUpperCase();
  if (!ANSWERED.has(method)) throw new AppError('conflict', UNANSWERED[method] ?? 'This message needs no answer.');
  if ((method === 'REQUEST') !== (answer !== undefined)) {
    throw new AppError('bad_request', 'A request needs an answer; other messages take none.');
  }
  const ownKeys = await ownAddressKeys(context);
  return unlessOutrun(() => applyAnswer(context, message, object, ownKeys, answer, recurrenceId));
}

async function applyAnswer(
  context: MessageContext,
  message: Component,
  object: SchedulingObject,
  ownKeys: ReadonlySet<string>,
  answer: InvitationAnswer | undefined,
  recurrenceId: string | undefined,
): Promise<AnsweredInvitation> {
  const method = textOf(message, 'METHOD').toUpperCase();
  const target = await placeFor(context, object);
  const inCalendar: RoomContext = { ...context, room: { name: target.room, password: '' } };
  const stored = target.msgnum === undefined ? undefined : await storedObject(inCalendar, target.msgnum);
  const sender = method === 'REPLY' ? guestsOf(object) : new Set([object.organizer]);
  const applied = applyMessage(stored, message, ownKeys, sender, { steps: MAX_RECURRENCE_STEPS })?.calendar;
  // one that was applied before may be answered again
  const before = applied ?? (answer === undefined ? undefined : stored);
  const one =
    recurrenceId === undefined
      ? undefined
      : before && withInstance(before, recurrenceId, { steps: MAX_RECURRENCE_STEPS });
  if (before && recurrenceId !== undefined && !one) {
    throw new AppError('bad_request', `The series has no occurrence at ${recurrenceId}.`);
  }
  const asked = one ? new Set([one.id]) : new Set(object.parts.keys());
  const after = before && (answer === undefined ? before : answeredBy(one?.copy ?? before, asked, ownKeys, answer));
  if (!before || !after) throw new AppError('conflict', 'This message contains no changes for events of this account.');
  const change = { msgnum: target.msgnum, before: answer === undefined ? after : before, after };
  return { room: target.room, ...(await storeChange(inCalendar, change, ownKeys)) };
}

const ANSWERED: ReadonlySet<string> = new Set(['REQUEST', 'ADD', 'CANCEL', 'REPLY']);
/** RFC 5546 sections 3.2.6 to 3.2.8: for a person to decide */
const UNANSWERED: Readonly<Record<string, string>> = {
  COUNTER: 'A guest proposes another time. To accept it, change the event: all guests are notified.',
  DECLINECOUNTER: 'The organizer declined the other time: the event is unchanged.',
  REFRESH: 'A guest requests the event again. To send it, store it with SCHEDULE-FORCE-SEND=REQUEST on the guest.',
};

/** The caller's calendar with the object, or the one for new objects of its kind. */
async function placeFor(
  { app, caller }: RoomContext,
  { uid, parts }: SchedulingObject,
): Promise<{ room: string; msgnum: number | undefined }> {
  const [first] = parts.values();
  const { scheduling } = await serverOf(app.pool, caller.identity);
  return scheduling.placeFor(app.pool, caller.identity, uid, first?.name === 'VTODO');
}

function guestsOf({ parts }: SchedulingObject): Set<string> {
  const guests = [...parts.values()].flatMap(({ lines }) => lines.filter(({ name }) => name === 'ATTENDEE'));
  return new Set(guests.map(personKey));
}

/** The iCalendar object in a mail, anywhere in it; undefined without one or without METHOD. */
async function schedulingMessageIn({ app, caller, room, msgnum }: MessageContext): Promise<Component | undefined> {
  const source = await withRfc822(app.pool, caller.identity, room, msgnum, async (bytes) => {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of bytes) {
      size += piece.length;
      if (size > MAX_INVITATION_BYTES) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
  if (!source) return undefined;
  const walker = new MimeWalker();
  walker.push(source);
  const part = [...contentParts(walker.end())].find(({ type }) => isCalendar(type));
  if (!part) return undefined;
  const { object } = parseObject(decodedPartText(source, part));
  return object && textOf(object, 'METHOD') !== '' ? object : undefined;
}
