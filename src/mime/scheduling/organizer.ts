// An organizer's change of an event or task: the requests and cancellations for the attendees, each limited to what
// concerns that attendee (RFC 6638 section 3.2.1, RFC 5546 section 3.2).

import { MAX_ATTENDEES, MAX_MESSAGE_LINES } from '../../limits/mime.ts';
import { utcText } from '../objects/calendar-time.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import {
  attendeesOf,
  isCancelled,
  isServerScheduled,
  lineKey,
  NEEDS_ACTION,
  partstatOf,
  personAddress,
  personKey,
  scheduleStatusOf,
  sequenceOf,
  withLine,
  withoutScheduling,
  withParameter,
} from './lines.ts';
import { contentKey, isRescheduled, overrideAt, startsAmong } from './meaning.ts';
import {
  Amount,
  exceptionLine,
  type InstanceId,
  messageCalendar,
  type SchedulingMessage,
  type SchedulingObject,
  type SchedulingPrecondition,
  schedulingObject,
  withParts,
} from './object.ts';

/** The calendar to store (undefined: removed) and the messages to send, or the violated precondition. */
export type Scheduled =
  | { calendar: Component | undefined; messages: SchedulingMessage[]; fault?: undefined }
  | { fault: SchedulingPrecondition };

/** The components an attendee is invited to, and whether the organizer forces a message. */
interface Invited {
  address: string;
  ids: InstanceId[];
  isForced: boolean;
}

/** attendees who get the same messages */
interface Group {
  old: Invited | undefined;
  current: Invited | undefined;
  recipients: string[];
}

/** `before`: stored, undefined if new. `after`: undefined if removed. At least one is set. `now`: Unix seconds. */
export function scheduleAsOrganizer(
  before: SchedulingObject | undefined,
  after: SchedulingObject | undefined,
  now: number,
): Scheduled {
  const stored = after && schedulingObject(settled(before, after));
  const old = before ? invitedIn(before) : new Map<string, Invited>();
  const current = stored ? invitedIn(stored) : new Map<string, Invited>();
  if (Math.max(old.size, current.size) > MAX_ATTENDEES) return { fault: 'max-attendees-per-instance' };
  const groups = new Map<string, Group>();
  for (const key of new Set([...old.keys(), ...current.keys()])) {
    const [was, is] = [old.get(key), current.get(key)];
    const group = `${was?.ids.join()}/${is?.ids.join()}/${is?.isForced}`;
    const found = groups.getOrInsertComputed(group, () => ({ old: was, current: is, recipients: [] }));
    found.recipients.push((is ?? was)!.address);
  }
  const messages: SchedulingMessage[] = [];
  if (Math.max(exceptionsIn(groups, before), exceptionsIn(groups, stored)) > MAX_MESSAGE_LINES) {
    return { fault: 'max-attendees-per-instance' };
  }
  const contents = new Contents();
  const amount = new Amount();
  for (const { old: was, current: is, recipients } of groups.values()) {
    for (const message of messagesFor(contents, before, was, stored, is, now)) {
      messages.push({ ...message, recipients });
      if (!amount.holds(message.calendar)) return { fault: 'max-attendees-per-instance' };
    }
  }
  return { calendar: stored?.calendar, messages };
}

/** Number of EXDATE lines that exclude instances from the attendees' views of a series. */
function exceptionsIn(groups: ReadonlyMap<string, Group>, object: SchedulingObject | undefined): number {
  let count = 0;
  for (const { old, current } of groups.values()) {
    for (const one of [old, current])
      if (object && one?.ids.includes(undefined)) count += object.parts.size - one.ids.length;
  }
  return count;
}

/** A request to every attendee, as if the event were new, with the stored answers. Empty if too large. */
export function refreshMessages(object: SchedulingObject, now: number): SchedulingMessage[] {
  const groups = new Map<string, Group>();
  for (const invited of invitedIn(object).values()) {
    const group = groups.getOrInsertComputed(invited.ids.join(), () => ({
      old: undefined,
      current: invited,
      recipients: [],
    }));
    group.recipients.push(invited.address);
  }
  if (exceptionsIn(groups, object) > MAX_MESSAGE_LINES) return [];
  const contents = new Contents();
  const amount = new Amount();
  const messages: SchedulingMessage[] = [];
  for (const { current, recipients } of groups.values()) {
    for (const message of messagesFor(contents, undefined, undefined, object, current, now)) {
      if (!amount.holds(message.calendar)) return [];
      messages.push({ ...message, recipients });
    }
  }
  return messages;
}

type Unaddressed = Omit<SchedulingMessage, 'recipients'>;

function* messagesFor(
  contents: Contents,
  before: SchedulingObject | undefined,
  was: Invited | undefined,
  after: SchedulingObject | undefined,
  is: Invited | undefined,
  now: number,
): Generator<Unaddressed> {
  const old = before && was ? viewOf(before, was.ids) : undefined;
  const view = after && is ? viewOf(after, is.ids) : undefined;
  const isWhole = view?.has(undefined) ?? false;
  if (before && old) {
    // uninvited from a series: one CANCEL; from single instances: one for each
    const gone = old.has(undefined) ? (isWhole ? [] : [undefined]) : [...old.keys()].filter((id) => !view?.has(id));
    const isCancelled = isWhole && isCancelledIn(after!) && !isCancelledIn(before);
    const ids = isCancelled ? [undefined] : isWhole ? [] : gone;
    if (ids.length > 0) {
      // higher than any sequence number sent before
      const sequence = Math.max(contents.sequenceOf(before) + 1, after ? contents.sequenceOf(after) : 0);
      const parts = ids.map((id) => cancelled((isCancelled ? view : old)!.get(id)!, sequence, now));
      yield { method: 'CANCEL', calendar: messageCalendar(before.calendar, 'CANCEL', parts) };
    }
    if (isCancelled) return;
  }
  if (!after || !view || !is) return;
  const isNews = !before || !old || is.isForced || contents.keyOf(old, before) !== contents.keyOf(view, after);
  if (!isNews) return;
  const parts = [...view.values()].map((part) => shared(part, now));
  yield { method: 'REQUEST', calendar: messageCalendar(after.calendar, 'REQUEST', parts) };
}

function isCancelledIn({ parts }: SchedulingObject): boolean {
  const series = parts.get(undefined);
  return series !== undefined && isCancelled(series);
}

/** By address key, without those whom the server does not notify. Stops above MAX_ATTENDEES. */
function invitedIn({ parts, organizer }: SchedulingObject): Map<string, Invited> {
  const invited = new Map<string, Invited>();
  for (const [id, part] of parts) {
    for (const line of attendeesOf(part)) {
      const key = personKey(line);
      if (key === organizer || key === '' || !isServerScheduled(line)) continue;
      const one = invited.getOrInsertComputed(key, () => ({ address: personAddress(line), ids: [], isForced: false }));
      if (one.ids.at(-1) !== id || one.ids.length === 0) one.ids.push(id);
      one.isForced ||= isForced(line);
      if (invited.size > MAX_ATTENDEES) return invited;
    }
  }
  return invited;
}

function isForced(line: ContentLine): boolean {
  return line.params.get('SCHEDULE-FORCE-SEND')?.toUpperCase() === 'REQUEST';
}

/** The attendee's components. EXDATE excludes other instances of a series (RFC 6638 section 3.2.6). */
function viewOf({ parts }: SchedulingObject, ids: readonly InstanceId[]): Map<InstanceId, Component> {
  const view = new Map(ids.map((id) => [id, parts.get(id)!]));
  const series = view.get(undefined);
  if (!series || ids.length === parts.size) return view;
  const without: ContentLine[] = [];
  for (const [id, override] of parts) {
    if (!view.has(id)) without.push(exceptionLine(lineOf(override, 'RECURRENCE-ID')!));
  }
  return view.set(undefined, { ...series, lines: [...series.lines, ...without] });
}

/** Caches what is derived from objects and components. */
class Contents {
  readonly #sequences = new Map<SchedulingObject, number>();
  readonly #numbers = new Map<string, number>();
  readonly #numberOf = new Map<Component, number>();

  /** the highest of all components */
  sequenceOf(object: SchedulingObject): number {
    return this.#sequences.getOrInsertComputed(object, ({ parts }) =>
      Math.max(...Array.from(parts.values(), sequenceOf)),
    );
  }

  /** Equal for views with the same content. Numbers stand for the contents. */
  keyOf(view: ReadonlyMap<InstanceId, Component>, { parts, times }: SchedulingObject): string {
    const keys = [...view].map(([id, part]) => {
      const whole = parts.get(id)!;
      const number = this.#numberOf.getOrInsertComputed(whole, () => {
        const content = contentKey(whole, times);
        return this.#numbers.getOrInsertComputed(content, () => this.#numbers.size);
      });
      const without = part.lines.slice(whole.lines.length).map((line) => lineKey(line, times));
      return `${id}:${number}:${without.sort().join()}`;
    });
    return keys.sort().join();
  }
}

/** What attendees may see: no alarms, no private parameters. */
function shared(part: Component, now: number): Component {
  const plain = { ...part, lines: part.lines.map(withoutScheduling), components: [] };
  return withLine(plain, 'DTSTAMP', makeLine('DTSTAMP', utcText(now)));
}

function cancelled(part: Component, sequence: number, now: number): Component {
  const marked = withLine(shared(part, now), 'STATUS', makeLine('STATUS', 'CANCELLED'));
  return withLine(marked, 'SEQUENCE', makeLine('SEQUENCE', String(sequence)));
}

/**
 * The version to store. The organizer cannot change others' answers; moving an instance resets them. SEQUENCE never
 * decreases, and increases when the time changes (RFC 6638 sections 3.2.5, 3.2.8 and 3.2.10.1).
 */
function settled(before: SchedulingObject | undefined, after: SchedulingObject): Component {
  const answers = new Map<Component, Map<string, ContentLine>>();
  const given = before ? [...after.parts, ...answeredInstances(before, after)] : after.parts;
  const parts = Array.from(given, ([id, part]) => {
    const old = before?.parts.get(id) ?? before?.parts.get(undefined);
    const isMoved = before !== undefined && isRescheduled(before, after, id);
    const stored = old && answers.getOrInsertComputed(old, () => linesByAddress(old));
    const lines = part.lines.map((line) => {
      if (line.name !== 'ATTENDEE' || personKey(line) === after.organizer || !isServerScheduled(line)) return line;
      const was = stored?.get(personKey(line));
      const isAsked = !was || isMoved || (isForced(line) && partstatOf(line) === NEEDS_ACTION);
      const answered = isAsked ? askedAgain(line, was) : withAnswer(line, was);
      return withParameter(answered, 'SCHEDULE-STATUS', scheduleStatusOf(was));
    });
    const settledPart = { ...part, lines };
    const least = old ? sequenceOf(old) + (isMoved ? 1 : 0) : 0;
    if (sequenceOf(part) >= least) return settledPart;
    return withLine(settledPart, 'SEQUENCE', makeLine('SEQUENCE', String(least)));
  });
  return withParts(after.calendar, parts);
}

/**
 * Overrides that a client does not know yet, since they only hold an answer to one instance: the instance as it is in
 * the new version.
 */
function* answeredInstances(before: SchedulingObject, after: SchedulingObject): Generator<[InstanceId, Component]> {
  const series = after.parts.get(undefined);
  const missing = [...before.parts.keys()].filter((id) => id !== undefined && !after.parts.has(id)) as number[];
  if (!series || missing.length === 0 || isRescheduled(before, after, undefined)) return;
  const there = startsAmong(after, missing);
  const amount = new Amount();
  for (const id of missing) {
    const [plain, made] = [overrideAt(before, id), overrideAt(after, id)];
    if (!plain || !made || !amount.holds(made)) return;
    const isPlain = contentKey(before.parts.get(id)!, before.times) === contentKey(plain, before.times);
    if (isPlain && there.has(id)) yield [id, made];
  }
}

function linesByAddress(part: Component): Map<string, ContentLine> {
  return new Map(attendeesOf(part).map((line) => [personKey(line), line]));
}

function askedAgain(line: ContentLine, was: ContentLine | undefined): ContentLine {
  const open = partstatOf(line) === NEEDS_ACTION ? line : withParameter(line, 'PARTSTAT', NEEDS_ACTION);
  // the answer has removed it
  const isAnswered = was !== undefined && partstatOf(was) !== NEEDS_ACTION;
  return isAnswered && !open.params.has('RSVP') ? withParameter(open, 'RSVP', 'TRUE') : open;
}

function withAnswer(line: ContentLine, was: ContentLine): ContentLine {
  const answered = partstatOf(line) === partstatOf(was) ? line : withParameter(line, 'PARTSTAT', partstatOf(was));
  return was.params.has('RSVP') ? answered : withParameter(answered, 'RSVP', undefined);
}
