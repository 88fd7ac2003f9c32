// What is to be read of a message: its text, the best of its alternatives, as safe HTML or as plain text, and the list of
// its parts. Messages never change, so what was made ready once is kept for a while. Called by message-json.ts,
// inner-message.ts, messages.ts, page-history.ts and uploads.ts.

import type { RoomRef } from '../client/goto.ts';
import type { Identity } from '../client/identity.ts';
import { type MessageHead, withRfc822 } from '../client/messages.ts';
import type { App } from '../gateway/app.ts';
import { asLines } from '../gateway/message-text.ts';
import { messagePath } from '../gateway/paths.ts';
import { isMultipart, storedContent } from '../gateway/stored-type.ts';
import { MAX_KEPT_PARTS, MAX_KEPT_TEXT_CHARACTERS, MAX_RENDERED_SOURCE_BYTES } from '../limits/mime.ts';
import { isLeaf } from '../mime/choose.ts';
import { listParts, type NumberedPart, numberParts } from '../mime/part-list.ts';
import { contentOf, formatText, type Reading, type ReadingOptions, readableText } from '../mime/readable.ts';
import { type MimePart, MimeWalker } from '../mime/walk.ts';
import { VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { isMessageType } from './packed-parts.ts';

export interface Wanted {
  isPlain: boolean;
  isRemoteLoaded: boolean;
}

/** What a page shows unless something else is asked for. */
export const AS_PAGE: Wanted = { isPlain: false, isRemoteLoaded: false };

export async function readMessage(
  app: App,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  head: MessageHead,
  wanted: Wanted,
): Promise<Reading> {
  const isPage = head.entered.defaultView === VIEW.wiki;
  const view = `${wanted.isPlain ? 'plain' : 'html'}${wanted.isRemoteLoaded ? ' remote' : ''}${isPage ? ' page' : ''}`;
  // the id, because another room server may have given the number to another message
  const key = `${head.entered.name}\0${msgnum}\0${head.fields.get('msgn')}\0${view}`;
  const known = app.readings.get(key);
  if (known) return known;
  const source = await withRfc822(app.pool, identity, room, msgnum, (bytes) => firstBytes(asLines(bytes)));
  const reading = readSource(app, source, head, wanted, messagePath(app, head.entered.name, msgnum));
  if (reading.text.length <= MAX_KEPT_TEXT_CHARACTERS && reading.parts.length <= MAX_KEPT_PARTS) {
    app.readings.set(key, reading);
  }
  return reading;
}

/** The beginning of a message. */
export interface Source {
  bytes: Buffer;
  /** nothing is missing at its end */
  isWhole: boolean;
}

/** Text stands before attachments in practice: what lies behind the bound is not looked at. */
export async function firstBytes(content: AsyncIterable<Buffer>): Promise<Source> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_RENDERED_SOURCE_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, MAX_RENDERED_SOURCE_BYTES), isWhole: size <= MAX_RENDERED_SOURCE_BYTES };
}

export function walk(bytes: Buffer): MimePart {
  const walker = new MimeWalker();
  walker.push(bytes);
  return walker.end();
}

/** `path` of the message that its parts belong to; undefined where they cannot be fetched. */
export function readSource(
  app: App,
  { bytes, isWhole }: Source,
  head: MessageHead,
  wanted: Wanted,
  path: string | undefined,
): Reading {
  const root = walk(bytes);
  const format = head.fields.get('type') ?? '';
  if (format === '0' || format === '1') {
    const text = formatText(bytes.subarray(root.start, root.end), format, wanted.isPlain);
    return { text, hasBlockedRemote: false, isCut: !isWhole, parts: [] };
  }
  const { contentType, lines } = storedContent(head.headers, format);
  const { name: roomName, defaultView } = head.entered;
  const pageUrl = (page: string) => (isFieldSafe(page) ? messagePath(app, roomName, page) : undefined);
  const links = { pageUrl: defaultView === VIEW.wiki ? pageUrl : undefined };
  if ((isMultipart(contentType) && lines === undefined) || (isLeaf(root) && isMessageType(root.type))) {
    return readPacked(bytes, root, isWhole, contentType, head, { ...wanted, ...links });
  }
  const numbered = numberParts(root, head.parts);
  const ids = contentIds(numbered);
  const partUrl = (id: string) => {
    const name = ids.has(id.toLowerCase()) ? ids.get(id.toLowerCase()) : isWhole || !isFieldSafe(id) ? undefined : id;
    return name === undefined || path === undefined ? undefined : `${path}/${encodeURIComponent(name)}`;
  };
  const parts = listParts(numbered, head.parts, isWhole);
  return { ...readableText(bytes, root, isWhole, { ...wanted, ...links, partUrl }), parts };
}

/** A multipart or a message that travels packed whole: its text can be read, its pictures have no address. */
function readPacked(
  bytes: Buffer,
  root: MimePart,
  isWhole: boolean,
  contentType: string,
  head: MessageHead,
  wanted: Wanted & Pick<ReadingOptions, 'pageUrl'>,
): Reading {
  const header = Buffer.from(`Content-Type: ${contentType}\n\n`);
  const inner = Buffer.concat([header, contentOf(bytes, root)]);
  const text = readableText(inner, walk(inner), isWhole, { ...wanted, partUrl: () => undefined });
  return { ...text, parts: listParts(numberParts(root, head.parts), head.parts, isWhole) };
}

/**
 * By Content-ID in lower case, of the parts of a message but not of the messages inside it: the name by which the server
 * finds the part. That is its Content-ID, or its number where the id leads elsewhere as well: to a second part of that
 * id (quirk Q6), to a part of that number, to another path of ours.
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
