// What DAV lists of a message and finds it by. It depends on the message alone, so it is computed once: when the
// message is stored or, if that is expensive or an older release has stored it, when it is first listed.

import { BACKEND_MEASURED_BYTES } from '../../limits/backend.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { parseHeaders, parseParameters } from '../../mime/headers.ts';
import { parseObject } from '../../mime/objects/components.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { isCalendar, isCard, type ObjectFacts, wholeObjectFacts } from '../../mime/objects/properties.ts';
import { CONTENT_FIELDS, nameFrom, originalTimeFrom, type SentForm, sentForm } from '../../mime/stored-content.ts';
import type { MimePart } from '../../mime/walk.ts';
import { packField } from '../../protocol/fields.ts';
import { atOnce } from '../../system/steps.ts';
import { readBlob } from './bodies.ts';
import { findPart, objectPartText, type StoredBody, structureIn } from './message-part.ts';
import { FORMAT } from './records.ts';
import type { Store } from './store.ts';

/** A row of message_fact. */
export interface MessageFacts {
  /** name that it was PUT under, or empty */
  name: string;
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY, VCARD or SEVERAL; empty for other messages */
  component: string;
  /** extent of a calendar object; NO_BOUND stands for infinity */
  starts: number | null;
  ends: number | null;
  /** `time|type|size|component|starts|ends|title`, packed; null while its size is unknown */
  line: string | null;
}

/** The part of a stored message that facts are computed from. */
export interface FactSource extends StoredBody {
  /** of the body */
  size: number;
  format: number;
  structure: MimePart | undefined;
  /** as it is stored */
  subject: string;
  time: number;
}

/** component of an object with several, or with one that no client asks for */
export const SEVERAL = '*';

/** An extent without beginning or end; the largest integer of SQLite that JavaScript can read. */
export const NO_BOUND = Number.MAX_SAFE_INTEGER;

const LF = 10;

/** The text that MSG2 sends of a message that is not MIME. */
export type TextOf = (store: Store, source: FactSource) => Iterable<Buffer>;

/** `read`: allows reading the whole content if its size is not known otherwise. */
export function factsFrom(store: Store, source: FactSource, read?: TextOf): MessageFacts {
  const { format, structure, subject } = source;
  const isMime = format === FORMAT.mime && structure !== undefined;
  const headers = isMime ? parseHeaders(headerBlock(store, source, structure), CONTENT_FIELDS) : [];
  const first = isMime ? findPart(structure, '1') : undefined;
  const form = sentForm(headers, String(format), first !== undefined);
  const part = form.part === '1' ? first : findPart(structure!, form.part);
  const { component, extent } = objectIn(store, source, part, form);
  const size = isMime ? sentSize(store, source, structure, part, form, read) : plainSize(store, source, read);
  const starts = extent ? bounded(extent.start) : null;
  const ends = extent ? bounded(extent.end) : null;
  const time = originalTimeFrom(headers) ?? source.time;
  const facts = [time, packField(form.contentType), size, component, starts ?? '', ends ?? ''];
  return {
    name: nameFrom(headers) ?? '',
    component,
    starts,
    ends,
    line: size === undefined ? null : `${facts.join('|')}|${packField(decodeWords(subject))}`,
  };
}

/** The header lines before the content of a MIME message. */
export function headerBlock(store: Store, { blob, chunks }: StoredBody, structure: MimePart): Buffer {
  return Buffer.concat([...readBlob(store, blob, 0, structure.start, chunks)]);
}

function bounded(instant: number): number {
  return Math.trunc(Math.max(-NO_BOUND, Math.min(instant, NO_BOUND)));
}

/** The size that GET sends; '' if the store cannot know it, undefined if it would have to read the content. */
function sentSize(
  store: Store,
  { blob, size }: FactSource,
  structure: MimePart,
  part: MimePart | undefined,
  { lines }: SentForm,
  read: TextOf | undefined,
): number | '' | undefined {
  if (!lines) return part && part.decodedLength >= 0 ? part.decodedLength : '';
  if (lines.length !== undefined) return lines.length;
  if (!read) return undefined;
  if (size > BACKEND_MEASURED_BYTES) return '';
  let count = 0;
  let lineEnds = 0;
  let last = LF;
  for (const piece of readBlob(store, blob, structure.start, size)) {
    count += piece.length;
    last = piece.at(-1)!;
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) lineEnds++;
  }
  // MSG2 ends the last line, and each with CR LF
  const missing = last === LF ? 0 : 1;
  return lines.ending === 'crlf' ? count + lineEnds + missing * 2 : count + missing;
}

/** With LF line ends, the last one too. */
function plainSize(store: Store, source: FactSource, read: TextOf | undefined): number | '' | undefined {
  if (!read) return undefined;
  if (source.size > BACKEND_MEASURED_BYTES) return '';
  let count = 0;
  let last = LF;
  for (const piece of read(store, source)) {
    if (piece.length === 0) continue;
    count += piece.length;
    last = piece.at(-1)!;
  }
  return last === LF ? count : count + 1;
}

/** Of a message that consists of one calendar object or card. */
function objectIn(
  store: Store,
  body: StoredBody,
  part: MimePart | undefined,
  { contentType, lines }: SentForm,
): { component: string; extent?: TimeRange } {
  const type = parseParameters(contentType).value.toLowerCase();
  if (!part || lines || !(isCalendar(type) || isCard(type))) return { component: '' };
  const facts = body.object?.part === part ? body.object.facts : factsIn(objectPartText(store, body, part) ?? '');
  if (!facts) return { component: '' };
  const { component = SEVERAL, extent } = facts;
  return extent ? { component, extent } : { component };
}

function factsIn(text: string): ObjectFacts | undefined {
  return atOnce(wholeObjectFacts(parseObject(text).object));
}

/** Stores the facts of a message that has none yet. Inside a transaction only. */
export function storeFacts(store: Store, msgnum: number, { name, component, starts, ends, line }: MessageFacts): void {
  store.run`INSERT INTO message_fact (message, name, component, starts, ends, line)
    VALUES (${msgnum}, ${name}, ${component}, ${starts}, ${ends}, ${line})`;
}

/** The stored facts. */
export function storedFacts(store: Store, msgnum: number): MessageFacts | undefined {
  return store.get<MessageFacts>`SELECT name, component, starts, ends, line FROM message_fact 
    WHERE message = ${msgnum}`;
}

/** Computes the facts of a stored message without storing them; `read` as above. Undefined if there is no message. */
export function factsOf(store: Store, msgnum: number, read?: TextOf): MessageFacts | undefined {
  const row = store.get<Omit<FactSource, 'structure'> & { parts: string }>`SELECT m.blob, b.size, m.format, m.subject,
    m.time, m.parts FROM message m JOIN blob b ON b.id = m.blob WHERE m.id = ${msgnum}`;
  if (!row) return undefined;
  return factsFrom(store, { ...row, structure: structureIn(row) }, read);
}
