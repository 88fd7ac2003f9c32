// The text of a message as MSG0 and MSG4 show it (protocol section 13): formats 0 and 1 folded, format 4 with its text
// parts decoded and a line for every other part; and the guard that keeps a line `000` of a text from ending the
// listing (protocol section 20). Streaming, bytes in and bytes out.

import { CUT_NOTE, OutputBound } from '../../html/output-bound.ts';
import { htmlToText } from '../../html/to-text.ts';
import { FIXED_LINE_BYTES, UNBROKEN_LINE_BYTES, WRAP_AFTER_BYTES } from '../../limits/backend.ts';
import { MAX_RENDERED_TEXT_BYTES } from '../../limits/mime.ts';
import { unescapeText } from '../../mime/objects/content-lines.ts';
import { propertiesOf } from '../../mime/objects/properties.ts';
import { isLeaf, isMessage } from '../../mime/part.ts';
import type { MimePart } from '../../mime/walk.ts';
import { findEndMark, openEndMark } from '../../protocol/lines.ts';
import { appended } from '../../system/bytes.ts';
import { BodyChunks, readBlob } from '../store/bodies.ts';
import { decodedPart, partText, type StoredBody } from '../store/message-part.ts';
import type { StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const HTML_COLUMNS = 80;

/** The text in full, safe inside a listing. Formats other than 0, 1 and 4 have none. */
export function textForListing(
  store: Store,
  row: Pick<StoredMessage, 'blob' | 'size' | 'format'>,
  structure: MimePart | undefined,
): Iterable<Buffer> {
  const body = () => readBlob(store, row.blob, 0, row.size);
  if (row.format === FORMAT.variable) return guardListing(wrapVariable(body()));
  if (row.format === FORMAT.fixed) return guardListing(wrapFixed(body()));
  if (!structure) return [];
  return partsText(store, { blob: row.blob, chunks: new BodyChunks(store, row.blob) }, structure);
}

/** The texts in order; of an alternative the first text. */
export function* partsText(store: Store, body: StoredBody, part: MimePart): Generator<Buffer> {
  if (isMessage(part)) yield describe(part);
  const children = part.type === 'multipart/alternative' ? part.children.slice(0, 1) : part.children;
  for (const child of children) yield* partsText(store, body, child);
  if (isLeaf(part)) yield* guardListing(leafText(store, body, part));
}

function leafText(store: Store, body: StoredBody, part: MimePart): Iterable<Buffer> {
  if (part.type === 'text/plain' || part.type === '') return decodedPart(store, body, part);
  const render = RENDERERS.get(part.type);
  if (!render || part.decodedLength > MAX_RENDERED_TEXT_BYTES) return [describe(part)];
  return [Buffer.from(render(partText(store, body, part, MAX_RENDERED_TEXT_BYTES)))];
}

function describe(part: MimePart): Buffer {
  const length = part.decodedLength < 0 ? part.encodedLength : part.decodedLength;
  const name = (part.filename || part.name).replace(/[\r\n]/g, ' ');
  return Buffer.from(`Part ${part.number}: ${name} (${part.type}) (${length} bytes)\r\n`);
}

const RENDERERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['text/html', htmlText],
  ['text/vcard', cardText],
  ['text/x-vcard', cardText],
  ['text/calendar', calendarText],
  ['application/ics', calendarText],
]);

function htmlText(html: string): string {
  const bound = new OutputBound();
  const text = htmlToText(html, HTML_COLUMNS, bound);
  return bound.isCut ? `${text}${CUT_NOTE}\n` : text;
}

/** The bare values, one a line. */
function cardText(text: string): string {
  return propertiesOf(text, 'VCARD')
    .map(({ value }) => `${value}\n`)
    .join('');
}

/** Summary, location, description and attendees of the first event, else of the first task. */
function calendarText(text: string): string {
  const event = propertiesOf(text, 'VEVENT');
  const properties = event.length > 0 ? event : propertiesOf(text, 'VTODO');
  return ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'ATTENDEE']
    .flatMap((name) => properties.filter((property) => property.name === name))
    .map(({ value }) => `${unescapeText(value)}\n`)
    .join('');
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const EMPTY: Buffer = Buffer.alloc(0);
const LINE_END = Buffer.from('\n');

/** `'a\n000'` → `'a\n 000\n'`: no line is `000`, with or without a CR after it, and the last line has its end. */
export function* guardListing(source: Iterable<Buffer>): Generator<Buffer> {
  let isLineStart = true;
  // the start of a line that may still become the end mark
  let held = EMPTY;
  for (const chunk of source) {
    if (chunk.length === 0) continue;
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const open = openEndMark(bytes, isLineStart);
    const ready = bytes.subarray(0, bytes.length - (open ?? 0));
    held = Buffer.from(bytes.subarray(ready.length));
    if (ready.length > 0) yield guarded(bytes, ready.length, isLineStart);
    isLineStart = open !== undefined;
  }
  if (held.length > 0) yield guarded(Buffer.concat([held, LINE_END]), held.length + 1, true);
  else if (!isLineStart) yield LINE_END;
}

/** The first `end` of the bytes, with a blank before each line `000`. */
function guarded(bytes: Buffer, end: number, beginsLine: boolean): Buffer {
  const ready = bytes.subarray(0, end);
  let mark = findEndMark(ready, 0, beginsLine);
  if (!mark) return ready;
  const result = Buffer.allocUnsafe(end + Math.ceil(end / 4));
  let length = 0;
  let from = 0;
  for (; mark; mark = findEndMark(ready, mark.next, true)) {
    for (; from < mark.start; from++) result[length++] = ready[from]!;
    result[length++] = SPACE;
  }
  length += ready.copy(result, length, from);
  return result.subarray(0, length);
}

/**
 * Format 0: a line is broken at the first blank after WRAP_AFTER_BYTES, or after UNBROKEN_LINE_BYTES. CR is removed.
 */
export function wrapVariable(source: Iterable<Buffer>): Generator<Buffer> {
  return wrap(source, undefined, (bytes, start, end) => {
    const last = Math.min(end - 1, start + UNBROKEN_LINE_BYTES);
    for (let at = start + WRAP_AFTER_BYTES; at <= last; at++) if (bytes[at] === SPACE) return [at, at + 1];
    return end - start > UNBROKEN_LINE_BYTES ? hardBreak(bytes, start + UNBROKEN_LINE_BYTES) : undefined;
  });
}

/**
 * Format 1: lines over FIXED_LINE_BYTES are broken at a blank, or at the limit where there is none. CR breaks a line.
 */
export function wrapFixed(source: Iterable<Buffer>): Generator<Buffer> {
  return wrap(source, LF, (bytes, start, end) => {
    if (end - start <= FIXED_LINE_BYTES) return undefined;
    for (let at = start + FIXED_LINE_BYTES; at > start; at--) if (bytes[at] === SPACE) return [at, at + 1];
    return hardBreak(bytes, start + FIXED_LINE_BYTES);
  });
}

/** End of the first piece and start of the rest; undefined when the line is short enough as it is. */
type Break = [number, number] | undefined;
/** of the line from `start` to, not including, `end` */
type BreakAt = (bytes: Buffer, start: number, end: number) => Break;

function* wrap(source: Iterable<Buffer>, crBecomes: number | undefined, breakAt: BreakAt): Generator<Buffer> {
  let rest = EMPTY;
  let scanned = 0;
  for (const chunk of source) {
    rest = appended(rest, withoutCr(chunk, crBecomes));
    // an unfinished line is scanned again only when it may have reached its full length
    if (rest.length - scanned < UNBROKEN_LINE_BYTES) continue;
    const [folded, taken] = fold(rest, breakAt);
    rest = rest.subarray(taken);
    scanned = rest.length;
    if (folded.length > 0) yield folded;
  }
  if (rest.length > 0) yield fold(rest.at(-1) === LF ? rest : Buffer.concat([rest, LINE_END]), breakAt)[0];
}

function withoutCr(bytes: Buffer, becomes: number | undefined): Buffer {
  if (!bytes.includes(CR)) return bytes;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] === CR ? becomes : bytes[at];
    if (byte !== undefined) result[length++] = byte;
  }
  return result.subarray(0, length);
}

/** The broken lines, and the number of consumed bytes; an unfinished line waits. */
function fold(bytes: Buffer, breakAt: BreakAt): [Buffer, number] {
  const pieces: Buffer[] = [];
  let copied = 0;
  let start = 0;
  for (;;) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF) end++;
    const isEnded = end < bytes.length;
    // an unfinished line holds enough for breaks that do not depend on chunks
    while (isEnded || end - start > UNBROKEN_LINE_BYTES) {
      const cut = breakAt(bytes, start, end);
      if (!cut) break;
      pieces.push(bytes.subarray(copied, cut[0]), LINE_END);
      start = copied = cut[1];
    }
    if (!isEnded) break;
    start = end + 1;
  }
  pieces.push(bytes.subarray(copied, start));
  return [Buffer.concat(pieces), start];
}

/** `limit`, or less if that would split a UTF-8 sequence. */
function hardBreak(bytes: Buffer, limit: number): [number, number] {
  let at = limit;
  while (at > limit - 4 && (bytes[at]! & 0xc0) === 0x80) at--;
  return [at, at];
}

/**
 * Stored text as lines of a listing, the last one ended; a line `000` gets a blank in front, for nothing escapes it.
 */
export function listingText(text: string): string {
  return Buffer.concat([...guardListing([Buffer.from(text)])]).toString();
}
