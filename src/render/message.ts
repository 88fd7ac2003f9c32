// A message as JSON: its text as safe HTML or plain text, and its list of parts.

import { isMessageType } from '../mime/message-facts.ts';
import { isLeaf } from '../mime/part.ts';
import { listParts, type NumberedPart, numberParts } from '../mime/part-list.ts';
import { contentOf, formatText, type ReadingOptions, type RenderedMessage, readableText } from '../mime/readable.ts';
import { type MimePart, walk } from '../mime/walk.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { MessageJob, PartsJob, TextJob } from './job.ts';

/** Text and parts of a stored message. */
export function readMessage(job: MessageJob | TextJob): RenderedMessage {
  const { source, isWhole, format, path, pagesPath, isPlain, isRemoteLoaded } = job;
  const root = walk(source);
  if (isOwnFormat(format)) {
    return { ...formatText(source.subarray(root.start, root.end), format, isWhole, isPlain), parts: [] };
  }
  const pageUrl = (page: string) => (isFieldSafe(page) ? `${pagesPath}${encodeURIComponent(page)}` : undefined);
  const options = { isPlain, isRemoteLoaded, pageUrl: pagesPath === undefined ? undefined : pageUrl };
  const numbered = numberParts(root, job.rows);
  const parts = path === undefined ? [] : listParts(numbered, job.rows, isWhole);
  if (isOneFile(job, root)) return { ...readPacked(job, root, options), parts };
  const ids = contentIds(numbered);
  const partUrl = (id: string) => {
    const name = ids.has(id.toLowerCase()) ? ids.get(id.toLowerCase()) : isWhole || !isFieldSafe(id) ? undefined : id;
    return name === undefined || path === undefined ? undefined : `${path}/${encodeURIComponent(name)}`;
  };
  return { ...readableText(source, root, isWhole, { ...options, partUrl }), parts };
}

/** The list of parts; empty for the room server's own formats. */
export function readParts({ source, isWhole, format, rows }: PartsJob) {
  return isOwnFormat(format) ? [] : listParts(numberParts(walk(source), rows), rows, isWhole);
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
  for (const { number, part, isInMessage } of parts) {
    const id = part.contentId.toLowerCase();
    if (id === '' || isInMessage || names.has(id)) continue;
    const isPlain = seen.get(id) === 1 && isFieldSafe(id) && !/^(?:[\d.]*|json)$/.test(id);
    names.set(id, isPlain ? part.contentId : number);
  }
  return names;
}
