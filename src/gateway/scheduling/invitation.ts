// A scheduling message that has come as mail (RFC 6047), answered or taken over: the event goes into a calendar of the
// caller, and his answer to the organizer, as if he had answered in the calendar.

import { AppError } from '../../errors.ts';
import { MAX_INVITATION_BYTES } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { type Component, textOf } from '../../mime/objects/content-lines.ts';
import { isCalendar } from '../../mime/objects/properties.ts';
import { contentParts } from '../../mime/part.ts';
import { decodedPartText } from '../../mime/readable.ts';
import { answeredBy, applyMessage, withInstance } from '../../mime/scheduling/incoming.ts';
import { addressKey } from '../../mime/scheduling/lines.ts';
import { type SchedulingObject, schedulingObject } from '../../mime/scheduling/object.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { serverOf } from '../../room-server/driver.ts';
import { withRfc822 } from '../../room-server/message-content.ts';
import type { MessageContext, RoomContext } from '../room-context.ts';
import { ownAddressKeys, storedObject } from './own-calendar.ts';
import { type StoredChange, storeChange } from './plan.ts';

export type InvitationAnswer = 'ACCEPTED' | 'TENTATIVE' | 'DECLINED';

/** Where the object is then, and what became of the reply (RFC 6638 section 3.2.9); undefined where none was sent. */
export interface AnsweredInvitation extends StoredChange {
  room: string;
}

/**
 * Takes over what the message says into the caller's calendar, with this answer, to the one of a series that
 * `recurrenceId` names or to all that the message is about; a cancellation and the answer of a guest take none. Throws
 * conflict where the message is none of them, or changes nothing; bad_request for an answer that is missing or too
 * much, and where there is no such instance.
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
  if (!ANSWERED.has(method)) throw new AppError('conflict', UNANSWERED[method] ?? 'This message asks for nothing.');
  if ((method === 'REQUEST') !== (answer !== undefined)) {
    throw new AppError('bad_request', 'A request takes an answer, and nothing else does.');
  }
  const own = await ownAddressKeys(context);
  const place = await placeFor(context, object);
  const inCalendar: RoomContext = { ...context, room: { name: place.room, password: '' } };
  const stored = place.msgnum === undefined ? undefined : await storedObject(inCalendar, place.msgnum);
  const sender = method === 'REPLY' ? guestsOf(object) : new Set([object.organizer]);
  const applied = applyMessage(stored, message, own, sender, { steps: MAX_RECURRENCE_STEPS })?.calendar;
  // one that was taken over before may be answered again
  const before = applied ?? (answer === undefined ? undefined : stored);
  const one =
    recurrenceId === undefined
      ? undefined
      : before && withInstance(before, recurrenceId, { steps: MAX_RECURRENCE_STEPS });
  if (before && recurrenceId !== undefined && !one) {
    throw new AppError('bad_request', `The series has no occurrence at ${recurrenceId}.`);
  }
  const asked = one ? new Set([one.id]) : new Set(object.parts.keys());
  const after = before && (answer === undefined ? before : answeredBy(one?.copy ?? before, asked, own, answer));
  if (!before || !after)
    throw new AppError('conflict', 'This message says nothing new about an event of this account.');
  const change = { msgnum: place.msgnum, before: answer === undefined ? after : before, after };
  return { room: place.room, ...(await storeChange(inCalendar, change, own)) };
}

const ANSWERED: ReadonlySet<string> = new Set(['REQUEST', 'ADD', 'CANCEL', 'REPLY']);
/** RFC 5546 sections 3.2.6 to 3.2.8: what a person has to decide */
const UNANSWERED: Readonly<Record<string, string>> = {
  COUNTER: 'A guest asks for another time: who agrees changes the event, and all are told.',
  DECLINECOUNTER: 'The organizer does not want the other time: the event stays as it is.',
  REFRESH: 'A guest asks for the event once more: to store it with SCHEDULE-FORCE-SEND=REQUEST on his line sends it.',
};

/** The caller's calendar that has the object, or the one for new objects of its kind. */
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
  return new Set(guests.map(({ value }) => addressKey(value)));
}

/** The iCalendar object of a mail, wherever it stands in it; undefined where there is none, or it has no METHOD. */
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
