// Applies a received scheduling message to the recipient's copy (RFC 5546 sections 2.1.5 and 3.2, RFC 6638 sections 4.1
// and 4.2). Outdated messages and those from unauthorized senders change nothing.

import { MAX_STATUS_CODES } from '../../limits/mime.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf, textOf } from '../objects/content-lines.ts';
import { componentSets, instancesIn } from '../objects/instances.ts';
import type { Budget } from '../objects/offsets.ts';
import {
  attendeeLine,
  isCancelled,
  NEEDS_ACTION,
  partstatOf,
  personKey,
  sequenceOf,
  withLine,
  withoutScheduling,
  withParameter,
} from './lines.ts';
import { contentKey, datesOf, overrideAt } from './meaning.ts';
import {
  Amount,
  exceptionLine,
  type InstanceId,
  roleIn,
  type SchedulingObject,
  schedulingObject,
  withParts,
} from './object.ts';

/**
 * `stored`: the copy of the user with the address keys `own`, if there is one. Methods other than REQUEST, ADD, CANCEL
 * and REPLY change nothing. `sender`: the address keys of the sender.
 */
export function applyMessage(
  stored: Component | undefined,
  message: Component,
  own: ReadonlySet<string>,
  sender: ReadonlySet<string>,
  budget: Budget,
): Applied | undefined {
  const method = textOf(message, 'METHOD').toUpperCase();
  const copy = stored && schedulingObject(stored);
  const news = schedulingObject(message, copy);
  if (!news || (stored && !copy) || (copy && copy.uid !== news.uid)) return undefined;
  if (method === 'REPLY')
    return copy && roleIn(copy, own) === 'organizer' ? withReply(copy, news, sender, budget) : undefined;
  // Only the organizer may change an event, and nobody may change one that the user organizes.
  if (!sender.has(news.organizer) || own.has(news.organizer)) return undefined;
  if (copy && copy.organizer !== news.organizer) return undefined;
  if (!roleIn(news, own)) return undefined;
  if (method === 'CANCEL') return copy && cancelled(copy, news);
  if (method === 'ADD') return copy && added(copy, news, own);
  return method === 'REQUEST' ? requested(copy, news, own) : undefined;
}

/**
 * The copy with the user's answer to `asked`, the ids of the components in the message; undefined means the whole
 * series. Returns undefined if the user is not invited.
 */
export function answeredBy(
  copy: Component,
  asked: ReadonlySet<InstanceId>,
  own: ReadonlySet<string>,
  partstat: string,
): Component | undefined {
  const object = schedulingObject(copy);
  if (!object || roleIn(object, own) !== 'attendee') return undefined;
  let isAny = false;
  const parts = [...object.parts].map(([id, part]) => {
    if ((!asked.has(undefined) && !asked.has(id)) || !attendeeLine(part, own)) return part;
    isAny = true;
    const lines = part.lines.map((line) => {
      if (line.name !== 'ATTENDEE' || !own.has(personKey(line))) return line;
      return withParameter(withParameter(line, 'PARTSTAT', partstat), 'RSVP', undefined);
    });
    return { ...part, lines };
  });
  return isAny ? withParts(object.calendar, parts) : undefined;
}

/**
 * The copy with a component for one instance of the series, and the instance's id. `recurrenceId` is in the zone of the
 * series or in UTC. undefined: the series has no such instance.
 */
export function withInstance(
  copy: Component,
  recurrenceId: string,
  budget: Budget,
): { copy: Component; id: number } | undefined {
  const object = schedulingObject(copy);
  const start = object && lineOf(object.parts.get(undefined) ?? { ...copy, lines: [] }, 'DTSTART');
  const id = start && object.times.momentOf(start.withValue(recurrenceId))?.instant;
  if (!start || id === undefined) return undefined;
  if (object.parts.has(id)) return { copy, id };
  const part = instanceOf(object, id, budget);
  return part && { copy: withParts(copy, [...object.parts.values(), part]), id };
}

/**
 * Compares SEQUENCE, then DTSTAMP (RFC 5546 section 2.1.5). After a cancellation the organizer may start again at 0, with
 * the event made anew or the attendee invited again.
 */
function isOlder(part: Component, than: Component | undefined): boolean {
  if (!than) return false;
  const [sequence, known] = [sequenceOf(part), sequenceOf(than)];
  if (sequence !== known && !isCancelled(than)) return sequence < known;
  return textOf(part, 'DTSTAMP') < textOf(than, 'DTSTAMP');
}

/** Whether the user has declined all of it. */
export function isAllDeclined({ parts }: SchedulingObject, own: ReadonlySet<string>): boolean {
  return [...parts.values()].every((part) => isDeclined(part, own));
}

function isDeclined(part: Component, own: ReadonlySet<string>): boolean {
  const line = attendeeLine(part, own);
  return line !== undefined && partstatOf(line) === 'DECLINED';
}

function requested(
  copy: SchedulingObject | undefined,
  news: SchedulingObject,
  own: ReadonlySet<string>,
): Applied | undefined {
  if (!copy) {
    const lines = news.calendar.lines.filter(({ name }) => name !== 'METHOD');
    const parts = [...news.parts.values()].map((part) => ({ ...part, lines: part.lines.map(withoutScheduling) }));
    return { calendar: withParts({ ...news.calendar, lines }, parts), isConsequential: true };
  }
  const isWhole = news.parts.has(undefined);
  const series = copy.parts.get(undefined);
  if (isWhole && isOlder(news.parts.get(undefined)!, series)) return undefined;
  const parts = new Map<InstanceId, Component>(isWhole ? [] : copy.parts);
  const gone = series ? datesOf(series, 'EXDATE', copy.times) : new Set<number>();
  const personal = new PersonalLines(copy, own);
  const declined: ContentLine[] = [];
  const invited: number[] = [];
  const amount = new Amount();
  for (const [id, part] of news.parts) {
    const old = copy.parts.get(id);
    if (!isWhole && isOlder(part, old)) continue;
    // an instance that the user removed stays removed
    if (id !== undefined && !old && (gone.has(id) || !series) && isDeclined(part, own)) {
      if (isWhole) declined.push(exceptionLine(lineOf(part, 'RECURRENCE-ID')!));
      continue;
    }
    if (!isWhole && id !== undefined && gone.has(id)) invited.push(id);
    const made = personal.addedTo(part, id);
    if (!amount.holds(made)) return undefined;
    parts.set(id, made);
  }
  const whole = parts.get(undefined);
  if (whole && declined.length > 0) parts.set(undefined, { ...whole, lines: [...whole.lines, ...declined] });
  if (whole && invited.length > 0) parts.set(undefined, withoutDates(whole, 'EXDATE', new Set(invited), copy));
  return merged(copy, news, parts);
}

/** What users add to their copies, carried over to later versions. */
class PersonalLines {
  readonly #copy: SchedulingObject;
  readonly #own: ReadonlySet<string>;
  readonly #cache = new Map<Component, ReturnType<PersonalLines['of']>>();

  constructor(copy: SchedulingObject, own: ReadonlySet<string>) {
    this.#copy = copy;
    this.#own = own;
  }

  addedTo(part: Component, id: InstanceId): Component {
    const plain = part.lines.map(withoutScheduling);
    const old = this.#copy.parts.get(id) ?? this.#copy.parts.get(undefined);
    if (!old) return { ...part, lines: plain };
    const { answer, sequence, lines, hasTransp } = this.#cache.getOrInsertComputed(old, () => this.of(old));
    const names = new Set(part.lines.map(({ name }) => name));
    // the user's answer is preserved until the organizer asks again
    const isNewer = sequenceOf(part) > sequence;
    const answered = plain.map((line) => {
      const isOwn = line.name === 'ATTENDEE' && this.#own.has(personKey(line));
      const isAsked = isNewer && partstatOf(line) === NEEDS_ACTION;
      if (!isOwn || isAsked || answer === NEEDS_ACTION || partstatOf(line) === answer) return line;
      return withParameter(line, 'PARTSTAT', answer);
    });
    const rest = hasTransp ? answered.filter(({ name }) => name !== 'TRANSP') : answered;
    const added = lines.filter(({ name }) => name === 'TRANSP' || !names.has(name));
    return { ...part, lines: [...rest, ...added], components: old.components };
  }

  private of(old: Component) {
    const line = attendeeLine(old, this.#own);
    const isOwn = ({ name }: ContentLine) =>
      name.startsWith('X-') || ['TRANSP', 'PERCENT-COMPLETE', 'COMPLETED', 'CATEGORIES'].includes(name);
    return {
      answer: line && !isCancelled(old) ? partstatOf(line) : NEEDS_ACTION,
      sequence: sequenceOf(old),
      lines: old.lines.filter(isOwn),
      hasTransp: lineOf(old, 'TRANSP') !== undefined,
    };
  }
}

/** The copy with these components, and the time zones of both versions; newer ones win. */
function merged(copy: SchedulingObject, news: SchedulingObject, parts: ReadonlyMap<InstanceId, Component>): Applied {
  const zoneName = (zone: Component) => textOf(zone, 'TZID');
  const zones = news.calendar.components.filter(({ name }) => name === 'VTIMEZONE');
  const names = new Set(zones.map(zoneName));
  const old = copy.calendar.components.filter((one) => one.name !== 'VTIMEZONE' || !names.has(zoneName(one)));
  const calendar = withParts({ ...copy.calendar, components: [...zones, ...old] }, parts.values());
  const after = schedulingObject(calendar);
  const amount = new Amount();
  // an override may only hold an answer to one instance
  const keyIn = (object: SchedulingObject, id: InstanceId) => {
    const part = object.parts.get(id) ?? (id === undefined ? undefined : overrideAt(object, id));
    return part && (amount.holds(part) ? contentKey(part, object.times) : Symbol());
  };
  const ids = new Set([...copy.parts.keys(), ...(after?.parts.keys() ?? [])]);
  const isSame = after !== undefined && [...ids].every((id) => keyIn(after, id) === keyIn(copy, id));
  return { calendar, isConsequential: !isSame };
}

function cancelled(copy: SchedulingObject, news: SchedulingObject): Applied | undefined {
  const parts = new Map(copy.parts);
  const series = parts.get(undefined);
  const gone: ContentLine[] = [];
  let isAny = false;
  for (const [id, part] of news.parts) {
    if (id === undefined) {
      if (isOlder(part, series)) continue;
      const mark = cancellationOf(part);
      const amount = new Amount();
      for (const [each, old] of parts) {
        const made = marked(old, mark);
        if (!amount.holds(made)) return undefined;
        parts.set(each, made);
      }
      isAny = true;
    } else if (parts.has(id) && !series) {
      if (isOlder(part, parts.get(id))) continue;
      parts.set(id, marked(parts.get(id)!, cancellationOf(part)));
      isAny = true;
    } else if (series) {
      if (isOlder(part, parts.get(id))) continue;
      parts.delete(id);
      gone.push(exceptionLine(lineOf(part, 'RECURRENCE-ID')!));
      isAny = true;
    }
  }
  if (series && gone.length > 0) {
    const now = parts.get(undefined)!;
    parts.set(undefined, { ...now, lines: [...now.lines, ...gone] });
  }
  return isAny ? merged(copy, news, parts) : undefined;
}

function cancellationOf(part: Component) {
  return { sequence: sequenceOf(part), stamp: lineOf(part, 'DTSTAMP') };
}

function marked(old: Component, { sequence, stamp }: ReturnType<typeof cancellationOf>): Component {
  const counted = makeLine('SEQUENCE', String(Math.max(sequenceOf(old), sequence)));
  const withStamp = withLine(withLine(old, 'SEQUENCE', counted), 'DTSTAMP', stamp ?? lineOf(old, 'DTSTAMP'));
  return withLine(withStamp, 'STATUS', makeLine('STATUS', 'CANCELLED'));
}

/** ADD: a new instance becomes an RDATE of the series and an override (RFC 5546 section 3.2.4). */
function added(copy: SchedulingObject, news: SchedulingObject, own: ReadonlySet<string>): Applied | undefined {
  const series = copy.parts.get(undefined);
  const part = news.parts.get(undefined);
  const start = part && lineOf(part, 'DTSTART');
  const id = news.times.momentOf(start)?.instant;
  if (!series || !part || !start || id === undefined || copy.parts.has(id) || isOlder(part, series)) return undefined;
  const date = exceptionLine(start);
  const idLine = makeLine('RECURRENCE-ID', date.value, Object.fromEntries(date.params));
  const override = withLine(part, 'RECURRENCE-ID', idLine);
  const parts = new Map(copy.parts);
  parts.set(undefined, {
    ...series,
    lines: [...series.lines, makeLine('RDATE', date.value, Object.fromEntries(date.params))],
  });
  parts.set(id, new PersonalLines(copy, own).addedTo(override, id));
  return merged(copy, news, parts);
}

/** Removes these dates from the lines with this name. */
function withoutDates(
  part: Component,
  name: string,
  dates: ReadonlySet<number>,
  { times }: SchedulingObject,
): Component {
  const lines = part.lines.flatMap((line) => {
    if (line.name !== name) return [line];
    const values = line.value.split(',');
    const left = values.filter((value) => !dates.has(times.dateIn(value, line)?.instant ?? Number.NaN));
    if (left.length === values.length) return [line];
    return left.length === 0 ? [] : [line.withValue(left.join(','))];
  });
  return { ...part, lines };
}

/** The changed copy. */
interface Applied {
  calendar: Component;
  /** more than an attendee's answer changed, so the Schedule-Tag changes (RFC 6638 section 3.2.10) */
  isConsequential: boolean;
}

/** Applies an attendee's reply to the organizer's copy (RFC 5546 section 3.2.3, RFC 6638 section 4.2). */
function withReply(
  copy: SchedulingObject,
  news: SchedulingObject,
  sender: ReadonlySet<string>,
  budget: Budget,
): Applied | undefined {
  const parts = new Map(copy.parts);
  const amount = new Amount();
  let isAny = false;
  for (const [id, part] of news.parts) {
    const answer = attendeeLine(part, sender);
    if (!answer) continue;
    const known = parts.get(id);
    const made = known ?? (id === undefined ? undefined : instanceOf(copy, id, budget));
    // ignores replies to an outdated version and from people who are not invited
    if (!made || sequenceOf(part) < sequenceOf(made) || !attendeeLine(made, sender)) continue;
    if (!known && !amount.holds(made)) return undefined;
    parts.set(id, withAnswer(made, sender, answer, statusOf(part)));
    isAny = true;
  }
  return isAny ? { calendar: withParts(copy.calendar, parts.values()), isConsequential: false } : undefined;
}

/** `2.0`, or the codes of all REQUEST-STATUS lines (RFC 6638 section 4.2) */
function statusOf(part: Component): string {
  const codes = part.lines
    .filter(({ name }) => name === 'REQUEST-STATUS')
    .map(({ value }) => value.split(';', 1)[0]!.trim())
    .filter((code) => /^\d(\.\d{1,3}){1,2}$/.test(code));
  return codes.slice(0, MAX_STATUS_CODES).join(',') || '2.0';
}

function withAnswer(part: Component, sender: ReadonlySet<string>, answer: ContentLine, status: string): Component {
  const lines = part.lines.map((line) => {
    if (line.name !== 'ATTENDEE' || !sender.has(personKey(line))) return line;
    const answered = withParameter(line, 'PARTSTAT', partstatOf(answer));
    return withParameter(withParameter(answered, 'SCHEDULE-STATUS', status), 'RSVP', undefined);
  });
  return { ...part, lines };
}

/** A new override that equals the series; undefined if the series has no such instance. */
function instanceOf(copy: SchedulingObject, id: number, budget: Budget): Component | undefined {
  const series = copy.parts.get(undefined);
  if (!series) return undefined;
  const [set] = componentSets({ ...copy.calendar, components: [series] }, series.name);
  const range = { start: id, end: id + 1 };
  const found = set && [...instancesIn(set, copy.times, range, budget)].find((one) => one.start?.instant === id);
  return found?.recurrenceId === undefined ? undefined : overrideAt(copy, id, found.end);
}
