// What DAV lists of a message and finds it by: it follows from the message alone, so it is worked out once, when the
// message is stored or, where that is dear or an older release has stored it, when it is listed first.

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
import { readBlob } from './body-chunks.ts';
import { findPart, objectPartText, type StoredBody } from './message-part.ts';
import { FORMAT } from './records.ts';
import type { Store } from './store.ts';

/** A row of message_fact. */
export interface MessageFacts {
  /** under which it was PUT, or empty */
  name: string;
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY, VCARD or SEVERAL; empty where it is no such object */
  component: string;
  /** extent of a calendar object: no integer is infinite, NO_BOUND stands for it */
  starts: number | null;
  ends: number | null;
  /** `time|type|size|component|starts|ends|title`, packed; null where its size is not measured yet */
  line: string | null;
}

/** What of a stored message they are made from. */
export interface FactSource extends StoredBody {
  /** of the body */
  size: number;
  format: number;
  structure: MimePart | undefined;
  /** as it is stored */
  subject: string;
  time: number;
}

/** in place of the one component of an object that holds several, or one that nobody asks for */
export const SEVERAL = '*';

/** Of an extent without beginning or end, and SQLite's largest number that JavaScript reads. */
export const NO_BOUND = Number.MAX_SAFE_INTEGER;

const LF = 10;

/** Makes the text that MSG2 sends of a message that is no MIME message. */
export type TextOf = (store: Store, source: FactSource) => Iterable<Buffer>;

/** `read`: all of the content may be read to learn its size, where nothing else tells it. */
export function factsFrom(store: Store, source: FactSource, read?: TextOf): MessageFacts {
  const { format, structure, subject } = source;
  const isMime = format === FORMAT.mime && structure !== undefined;
  const headers = isMime ? parseHeaders(headerBlock(store, source, structure), CONTENT_FIELDS) : [];
  const part = isMime ? findPart(structure, '1') : undefined;
  const form = sentForm(headers, String(format), part !== undefined);
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

/** The header lines that stand before the content of a MIME message. */
export function headerBlock(store: Store, { blob, chunks }: StoredBody, structure: MimePart): Buffer {
  return Buffer.concat([...readBlob(store, blob, 0, structure.start, chunks)]);
}

function bounded(instant: number): number {
  return Math.trunc(Math.max(-NO_BOUND, Math.min(instant, NO_BOUND)));
}

/** Bytes that GET sends; '' where the store cannot tell, undefined where it would have to read them. */
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

/** Of what is one calendar object or card. */
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

/** Keeps them with the message, of which none are kept yet. Inside a transaction only. */
export function keepFacts(store: Store, msgnum: number, { name, component, starts, ends, line }: MessageFacts): void {
  store
    .prepare('INSERT INTO message_fact (message, name, component, starts, ends, line) VALUES (?, ?, ?, ?, ?, ?)')
    .run(msgnum, name, component, starts, ends, line);
}

/** Those that are kept. */
export function keptFacts(store: Store, msgnum: number): MessageFacts | undefined {
  return store
    .prepare('SELECT name, component, starts, ends, line FROM message_fact WHERE message = ?')
    .get(msgnum) as unknown as MessageFacts | undefined;
}

/** Those of a stored message; `read` as above. Keeps nothing; undefined where it is not there. */
export function factsOf(store: Store, msgnum: number, read?: TextOf): MessageFacts | undefined {
  const row = store
    .prepare(
      `SELECT m.blob, b.size, m.format, m.subject, m.time, m.parts FROM message m JOIN blob b ON b.id = m.blob
       WHERE m.id = ?`,
    )
    .get(msgnum) as (Omit<FactSource, 'structure'> & { parts: string }) | undefined;
  if (!row) return undefined;
  const { parts, ...rest } = row;
  const structure = parts === '' ? undefined : (JSON.parse(parts) as MimePart);
  return factsFrom(store, { ...rest, structure }, read);
}
