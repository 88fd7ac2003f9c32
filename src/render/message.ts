// A message as JSON: its text as safe HTML or plain text, and its list of parts.

import { parseDate, senderOf, splitAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { type HeaderField, headerValue, parseHeaders } from '../mime/headers.ts';
import { isMessageType } from '../mime/message-facts.ts';
import { contentOf, isLeaf, isMessage } from '../mime/part.ts';
import { listParts, type NumberedPart, numberParts } from '../mime/part-list.ts';
import { formatText, type ReadingOptions, type RenderedMessage, readableText } from '../mime/readable.ts';
import { unpackParts } from '../mime/unpack.ts';
import { type MimePart, walk } from '../mime/walk.ts';
import type { PartRow } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { InnerJob, MessageJob, PartsJob, TextJob } from './job.ts';

/** Text and parts of a stored message. */
export function readMessage(job: MessageJob | TextJob): RenderedMessage {
  const { isWhole, format, path, pagesPath, isPlain, isRemoteLoaded } = job;
  const root = walk(job.source);
  if (isOwnFormat(format)) {
    return { ...formatText(job.source.subarray(root.start, root.end), format, isWhole, isPlain), parts: [] };
  }
  const pageUrl = (page: string) => (isFieldSafe(page) ? `${pagesPath}${encodeURIComponent(page)}` : undefined);
  const options = { isPlain, isRemoteLoaded, pageUrl: pagesPath === undefined ? undefined : pageUrl };
  const source = isOneFile(job, root) ? job.source : unpackParts(job.source, root);
  const numbered = numberParts(root, job.rows);
  const parts = path === undefined ? [] : listParts(numbered, job.rows, isWhole);
  if (isOneFile(job, root)) return { ...readPacked(job, root, options), parts };
  const ids = contentIds(numbered);
  const partUrl = (id: string) => {
    const name = ids.has(id.toLowerCase()) ? ids.get(id.toLowerCase()) : isWhole || !isFieldSafe(id) ? undefined : id;
    return name === undefined || path === undefined ? undefined : `${path}/${encodeURIComponent(name)}`;
  };
  const locations = imageLocations(numbered);
  const locationUrl = (address: string) => {
    const number = locations.get(address);
    return number === undefined || path === undefined ? undefined : `${path}/${number}`;
  };
  return { ...readableText(source, root, isWhole, { ...options, partUrl, locationUrl }), parts };
}

/** The list of parts; empty for the room server's own formats. */
export function readParts({ source, isWhole, format, rows }: PartsJob) {
  if (isOwnFormat(format)) return [];
  const root = walk(source);
  unpackParts(source, root);
  return listParts(numberParts(root, rows), rows, isWhole);
}

function isOwnFormat(format: string): boolean {
  return format === '0' || format === '1';
}

/** A multipart or message encoded as a whole: its text is readable, but its images have no URL. */
function isOneFile({ isPacked }: MessageJob | TextJob, root: MimePart): boolean {
  return isPacked || (isLeaf(root) && isMessageType(root.type));
}

function readPacked(
  { source, isWhole, contentType }: MessageJob | TextJob,
  root: MimePart,
  options: Omit<ReadingOptions, 'partUrl'>,
) {
  const header = Buffer.from(`Content-Type: ${contentType}\n\n`);
  const inner = Buffer.concat([header, contentOf(source, root)]);
  return readableText(inner, walk(inner), isWhole, { ...options, partUrl: () => undefined });
}

/** Numbers of the images by Content-Location, by Content-ID and by name, which some programs write as their address. */
function imageLocations(parts: readonly NumberedPart[]): Map<string, string> {
  const images = parts.filter(({ part, isInMessage }) => part.type.startsWith('image/') && !isInMessage);
  const numbers = new Map<string, string>();
  for (const keyOf of [
    ({ contentLocation }: MimePart) => contentLocation,
    ({ contentId }: MimePart) => contentId,
    ({ filename, name }: MimePart) => filename || name,
  ]) {
    for (const { number, part } of images) {
      const key = keyOf(part);
      if (key && !numbers.has(key)) numbers.set(key, number);
    }
  }
  return numbers;
}

/**
 * By lower-case Content-ID, without embedded messages: the name by which the server finds the part. That is the
 * Content-ID, or the number if the id is ambiguous: used twice (quirk Q6), a part number, or a path of ours.
 */
export function contentIds(parts: readonly NumberedPart[]): Map<string, string> {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const { part } of parts) {
    const id = part.contentId.toLowerCase();
    seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  for (const { number, part, isInMessage, isInUnpacked } of parts) {
    const id = part.contentId.toLowerCase();
    if (id === '' || isInMessage || names.has(id)) continue;
    const isPlain = seen.get(id) === 1 && isFieldSafe(id) && !/^(?:[\d.]*|json)$/.test(id);
    names.set(id, isPlain && !isInUnpacked ? part.contentId : number);
  }
  return names;
}

/** undefined: it has no header, so it is not a message. */
export function readInner({ isWhole, rows, partnum, path, canLookInside, ...wanted }: InnerJob) {
  const root = walk(wanted.source);
  const fields = parseHeaders(wanted.source.subarray(0, root.start));
  if (fields.length === 0) return undefined;
  const source = unpackParts(wanted.source, root);
  const prefix = innerPrefix(partnum, root);
  const innerRows = withoutPrefix(rows, prefix);
  const numbered = numberParts(root, innerRows);
  const images = canLookInside ? numbered.filter(({ part, isInMessage }) => part.contentId !== '' && !isInMessage) : [];
  // the first of several parts with one id, as in browsers
  const numbers = new Map(images.reverse().map(({ part, number }) => [part.contentId.toLowerCase(), number]));
  const partUrl = (id: string) => {
    const number = numbers.get(id.toLowerCase());
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const locations = canLookInside ? imageLocations(numbered) : new Map<string, string>();
  const locationUrl = (address: string) => {
    const number = locations.get(address);
    return number === undefined ? undefined : `${path}/${prefix}${number}`;
  };
  const text = readableText(source, root, isWhole, { ...wanted, partUrl, locationUrl });
  const listed = canLookInside
    ? listParts(numbered, innerRows.length > 0 ? innerRows : partRowsOf(numbered), isWhole)
    : [];
  const parts = listed.map((part) => ({ ...part, number: prefix + part.number }));
  return { fields, rendered: { ...text, parts } };
}

/** The server's rows for the embedded message, renumbered. */
function withoutPrefix(rows: readonly PartRow[], prefix: string): PartRow[] {
  return rows
    .filter(({ partnum }) => partnum.startsWith(prefix))
    .map((row) => ({ ...row, partnum: row.partnum.slice(prefix.length) }));
}

/** Uses the JSON names of a stored message; missing fields are absent. */
export function innerFields(fields: readonly HeaderField[]) {
  const list = (name: string) => {
    const value = headerValue(fields, name);
    return value === undefined ? undefined : splitAddresses(value);
  };
  const { name, address } = senderOf(headerValue(fields, 'From') ?? '');
  const subject = headerValue(fields, 'Subject');
  return {
    msgn: headerValue(fields, 'Message-ID')?.replace(/^<|>$/g, ''),
    time: parseDate(headerValue(fields, 'Date') ?? ''),
    from: name || address,
    rfca: address,
    subj: subject === undefined ? undefined : decodeWords(subject),
    rcpt: list('To'),
    cccc: list('Cc'),
  };
}

/** `'2'` → `'2.1.'` if the message in part 2 is a multipart (part 2.1), else `'2.'`. */
export function innerPrefix(partnum: string, root: MimePart): string {
  return root.number === '' ? `${partnum}.1.` : `${partnum}.`;
}

/** The part list that a room server would give. */
export function partRowsOf(parts: readonly NumberedPart[]): PartRow[] {
  return parts
    .filter(
      ({ number, part, isInAlternative }) => number !== '' && !isInAlternative && (isLeaf(part) || isMessage(part)),
    )
    .map(({ number, part }) => ({
      name: part.name,
      filename: part.filename,
      partnum: number,
      disposition: part.disposition,
      contentType: part.type,
      length: part.encodedLength,
      contentId: part.contentId,
      charset: part.charset,
    }));
}
