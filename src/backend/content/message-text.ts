// The text of a message as MSG0 and MSG4 show it (protocol section 13): formats 0 and 1 folded, format 4 with its text
// parts decoded and a line for every other part. Streaming.

import { CUT_NOTE, OutputBound } from '../../html/output-bound.ts';
import { htmlToText } from '../../html/to-text.ts';
import { MAX_RENDERED_TEXT_BYTES } from '../../limits/mime.ts';
import { unescapeText } from '../../mime/objects/content-lines.ts';
import { propertiesOf } from '../../mime/objects/properties.ts';
import { isLeaf, isMessage } from '../../mime/part.ts';
import type { MimePart } from '../../mime/walk.ts';
import { BodyChunks, readBlob } from '../store/body-chunks.ts';
import { decodedPart, partText, type StoredBody } from '../store/message-part.ts';
import type { StoredMessage } from '../store/messages.ts';
import { FORMAT } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { guardListing, wrapFixed, wrapVariable } from './listing-text.ts';

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
  if (part.type === 'text/plain' || part.type === '') return decodedPart(store, body, part) ?? [];
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
