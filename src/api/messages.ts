// One message of a room: its content, its parts, deleting it.

import { type MessageHead, readHead, readSmallPart, withPart, withRfc822 } from '../client/messages.ts';
import { remove } from '../client/posting.ts';
import { AppError } from '../errors.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Headers, type Representation, sendEmpty, sendRepresentation } from '../http/respond.ts';
import { SPOOL_MEMORY_BYTES } from '../limits.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import {
  formatContentDisposition,
  type HeaderField,
  headerValue,
  isMediaType,
  parseHeaders,
  parseParameters,
} from '../mime/headers.ts';
import { isFieldSafe, toInt } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { type Caller, callerOf, userOf } from './caller.ts';
import { bodyOfRfc822 } from './message-text.ts';
import { messageNumberOf, roomOf } from './paths.ts';
import { storedContent } from './stored-type.ts';

/** A message is foreign content: it must never run in the gateway's origin. It never changes, so it may be kept. */
export const FOREIGN_CONTENT: Headers = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, max-age=31536000, immutable',
  Vary: 'Accept, Authorization, Cookie',
};

type Facts = Pick<Representation, 'etag' | 'lastModified' | 'headers' | 'contentType' | 'size'>;

export function messageEtag(msgnum: number): string {
  return `"${msgnum}"`;
}

/** GET r/:room/:name, a message by number or UID: its content, or with its headers for message/rfc822. */
export async function getMessage(x: Exchange, app: App): Promise<void> {
  const caller = await callerOf(x, app);
  const { room, msgnum, head } = await headOf(x, app, caller);
  const facts = { etag: messageEtag(msgnum), lastModified: timeOf(head), headers: FOREIGN_CONTENT };
  if (wantsRfc822(x)) {
    const whole = { ...facts, etag: `"${msgnum}-rfc822"`, contentType: 'message/rfc822' };
    if (isAnsweredByHead(x, whole)) return sendRepresentation(x, { ...whole, open: () => Buffer.alloc(0) });
    return withRfc822(app.pool, caller.identity, room, msgnum, (bytes) =>
      sendRepresentation(x, { ...whole, open: () => bytes }),
    );
  }
  const headers = headersOf(head);
  const stored = storedContent(headers, head.fields.get('type') ?? '');
  const content = { ...facts, contentType: sendableType(stored.contentType) };
  const lines = stored.lines ?? (hasPartOne(head, headers) ? undefined : AS_STORED);
  if (!lines) return sendPart(x, app, caller, { ...head, room, msgnum, partnum: '1' }, () => content);
  const text = { ...content, size: lines.length };
  if (isAnsweredByHead(x, text)) return sendRepresentation(x, { ...text, open: () => Buffer.alloc(0) });
  return withRfc822(app.pool, caller.identity, room, msgnum, (bytes) =>
    sendRepresentation(x, { ...text, open: (start, end) => slice(bodyOfRfc822(bytes, lines), start, end) }),
  );
}

/** Mail from elsewhere may hold anything in its Content-Type, an answer's header only ASCII. */
function sendableType(stored: string): string {
  if (!/[^\t -~]/.test(stored)) return stored || 'text/plain';
  const { value, params } = parseParameters(stored);
  const charset = params.get('charset') ?? '';
  return withCharset(isMediaType(value) ? value : 'application/octet-stream', charset);
}

function withCharset(type: string, charset: string): string {
  return /^[\w.:+-]+$/.test(charset) ? `${type}; charset=${charset}` : type;
}

const AS_STORED = { ending: 'lf', length: undefined } as const;

/** A real server makes no part of fewer than three bytes, and none that it cannot decode (quirk Q38, spec section 12). */
function hasPartOne({ parts }: MessageHead, headers: HeaderField[]): boolean {
  const encoding = headerValue(headers, 'content-transfer-encoding')?.trim() || '7bit';
  const isKnown = /^(7bit|8bit|binary|base64|quoted-printable)$/i.test(encoding);
  return isKnown && parts.some((part) => part.partnum === '1');
}

/** GET r/:room/:name/:part: a MIME part, decoded, by the room server's part number or by Content-ID. */
export async function getPart(x: Exchange, app: App): Promise<void> {
  const partnum = x.params.part!;
  if (!isFieldSafe(partnum)) throw new AppError('not_found', 'No such part.');
  const caller = await callerOf(x, app);
  const { room, msgnum, head } = await headOf(x, app, caller);
  return sendPart(x, app, caller, { ...head, room, msgnum, partnum }, (part) => {
    const type = isMediaType(part.contentType) ? part.contentType : 'application/octet-stream';
    const filename = decodeWords(part.filename);
    const row = head.parts.find((candidate) => candidate.partnum === partnum);
    const isAttachment = row?.disposition === 'attachment' || (filename !== '' && row?.disposition !== 'inline');
    return {
      etag: `"${msgnum}-${Buffer.from(partnum).toString('base64url')}"`,
      lastModified: timeOf(head),
      contentType: withCharset(type, part.charset),
      headers: {
        ...FOREIGN_CONTENT,
        'Content-Disposition': formatContentDisposition(isAttachment ? 'attachment' : 'inline', filename),
      },
    };
  });
}

/** DELETE r/:room/:name */
export async function deleteMessage(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const room = roomOf(x);
  const msgnum = await messageNumberOf(app, caller, room, x.params.name!);
  if (evaluate(x, { etag: messageEtag(msgnum) }) === 'precondition_failed') {
    throw new AppError('precondition_failed', 'The message is another one.');
  }
  await app.pool.withRoom(caller.identity, room, (connection) => remove(connection, msgnum));
  await sendEmpty(x, 204);
}

async function headOf(x: Exchange, app: App, caller: Caller) {
  const room = roomOf(x);
  const msgnum = await messageNumberOf(app, caller, room, x.params.name!);
  return { room, msgnum, head: await readHead(app.pool, caller.identity, room, msgnum) };
}

/** Unix seconds */
export function timeOf(head: MessageHead): number {
  return toInt(head.fields.get('time'));
}

export function headersOf(head: MessageHead) {
  return parseHeaders(Buffer.from(head.headerLines.join('\n')));
}

function wantsRfc822(x: Exchange): boolean {
  const format = x.query.get('format');
  if (format !== undefined && format !== 'rfc822') throw new AppError('bad_request', 'format takes rfc822.');
  return format === 'rfc822' || x.header('accept')?.includes('message/rfc822') === true;
}

/** HEAD, 304 and 412 need no content, so none is fetched. */
function isAnsweredByHead(x: Exchange, facts: Facts): boolean {
  return x.method === 'HEAD' || evaluate(x, facts) !== 'proceed';
}

interface PartRef extends MessageHead {
  room: ReturnType<typeof roomOf>;
  msgnum: number;
  partnum: string;
}

/**
 * A small part comes in one batch of reads; a larger one is streamed on a connection of its own. So is one of several:
 * its number may be the Content-ID of another, and then two answers come (quirk Q6).
 */
async function sendPart(
  x: Exchange,
  app: App,
  { identity }: Caller,
  ref: PartRef,
  factsOf: (part: { filename: string; contentType: string; charset: string }) => Facts,
): Promise<void> {
  const { room, msgnum, partnum } = ref;
  const row = ref.parts.find((part) => part.partnum === partnum);
  const isOnly = ref.parts.length === 1 && !/^(multipart|message)\//.test(ref.multipart || row?.contentType || '');
  if (row && isOnly && row.length <= SPOOL_MEMORY_BYTES) {
    const part = await readSmallPart(app.pool, identity, room, msgnum, partnum);
    const open = (start: number, end: number | undefined) => part.bytes.subarray(start, end);
    return sendRepresentation(x, { ...factsOf(part), size: part.length, open });
  }
  return withPart(app.pool, identity, room, msgnum, partnum, (part) => {
    const open = (start: number, end: number | undefined) => slice(part.bytes, start, end);
    return sendRepresentation(x, { ...factsOf(part), size: part.length, open });
  });
}

/** The bytes from `start` to before `end`. */
async function* slice(source: AsyncIterable<Buffer>, start: number, end = Number.POSITIVE_INFINITY) {
  let position = 0;
  for await (const chunk of source) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end - position, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position >= end) return;
  }
}
