// Responds with a representation (RFC 9110 section 3.2): conditional requests, byte ranges, HEAD.

import { AppError } from '../errors.ts';
import { MAX_KEPT_REPLY_BYTES, MAX_UNCOUNTED_ANSWER_BYTES } from '../limits/http.ts';
import { finish, unshared } from './answer-body.ts';
import { type AnswerHead, type AnswerHeaders, makeHead, sendHead, writeHead } from './answer-head.ts';
import { evaluate, formatLastModified, type LastModified, publishedLastModified, wantedRange } from './conditional.ts';
import type { Exchange } from './exchange.ts';
import { send, sendStream } from './respond.ts';

export interface Representation extends LastModified {
  /** set for the response to a change, to which conditions and ranges do not apply; default 200 */
  status?: number | undefined;
  contentType: string;
  /** in bytes; undefined: unknown, no ranges */
  size?: number | undefined;
  /** including quotes */
  etag?: string | undefined;
  headers?: AnswerHeaders | undefined;
  /** content from start (inclusive) to end (exclusive; undefined: all); called only if it is sent */
  open(
    start: number,
    end: number | undefined,
  ): AsyncIterable<Buffer> | Buffer | Promise<AsyncIterable<Buffer> | Buffer>;
  /** cache for a representation that is sent repeatedly with the same header fields */
  held?: Held | undefined;
}

/** Filled by the first responses. */
interface Held {
  body?: Buffer;
  /** heads of the 200 and 304 responses */
  whole?: AnswerHead;
  notModified?: AnswerHead;
}

/** Whether the head may be cached: a Last-Modified in the future is not sent yet. */
export function mayHold(modified: LastModified): boolean {
  const lastModified = publishedLastModified(modified);
  return lastModified === undefined || lastModified * 1000 <= Date.now();
}

/** Handles conditions, one range, and HEAD. Throws precondition_failed and range_not_satisfiable. */
export async function sendRepresentation(exchange: Exchange, representation: Representation): Promise<void> {
  const { contentType, size, held } = representation;
  const isRead = representation.status === undefined;
  const outcome = isRead ? evaluate(exchange, representation) : 'proceed';
  if (outcome === 'precondition_failed') throw new AppError('precondition_failed', 'The resource has changed.');
  if (outcome === 'not_modified') {
    const make = () => makeHead(304, undefined, undefined, fieldsOf(representation));
    sendHead(exchange, held ? (held.notModified ??= make()) : make());
    return finish(exchange);
  }
  const range = size === undefined || !isRead ? undefined : wantedRange(exchange, representation, size);
  if (held?.body !== undefined && !range) return sendHeld(exchange, representation, held, held.body);
  const headers = fieldsOf(representation);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end - 1}/${size}`;
  const status = representation.status ?? (range ? 206 : 200);
  const length = range ? range.end - range.start : size;
  if (exchange.method === 'HEAD') {
    writeHead(exchange, status, contentType, length, headers);
    return finish(exchange);
  }
  const answer = { status, length, headers };
  const body = await representation.open(range?.start ?? 0, range?.end ?? size);
  if (Buffer.isBuffer(body)) return sendBuffer(exchange, representation, answer, body);
  const isKept = status === 200 && exchange.keep !== undefined;
  const pieces = isKept ? keeping(exchange, representation, body) : body;
  return sendStream(exchange, { ...answer, contentType, body: pieces });
}

function fieldsOf(representation: Representation): Record<string, AnswerHeaders[string]> {
  const { headers, etag, size } = representation;
  const lastModified = publishedLastModified(representation);
  return {
    ...headers,
    ETag: etag,
    // sent once it is in the past: the previous version may have had the current second
    'Last-Modified':
      lastModified === undefined || !(representation.isCoarse || mayHold(representation))
        ? undefined
        : formatLastModified(lastModified),
    'Accept-Ranges': size === undefined ? undefined : 'bytes',
  };
}

function sendHeld(exchange: Exchange, representation: Representation, held: Held, body: Buffer): Promise<void> {
  const { contentType } = representation;
  held.whole ??= makeHead(200, contentType, body.length, fieldsOf(representation));
  sendHead(exchange, held.whole);
  return finish(exchange, body);
}

interface Answer {
  status: number;
  /** body length in bytes; undefined: unknown */
  length: number | undefined;
  headers: AnswerHeaders;
}

async function sendBuffer(
  exchange: Exchange,
  representation: Representation,
  { status, length, headers }: Answer,
  body: Buffer,
): Promise<void> {
  const { contentType, etag, held } = representation;
  if (length !== undefined && body.length !== length)
    throw new Error('representation has a different size than declared');
  if (body.length > MAX_UNCOUNTED_ANSWER_BYTES && etag !== undefined) {
    return send(exchange, status, { type: contentType, body }, { 'Cache-Control': undefined, ...headers });
  }
  if (status === 200) {
    if (held) held.body = unshared(body);
    else keepRepresentation(exchange, representation, body);
  }
  writeHead(exchange, status, contentType, body.length, headers);
  return finish(exchange, body);
}

function keepRepresentation({ keep }: Exchange, representation: Representation, sent: Buffer): void {
  if (!keep) return;
  const body = unshared(sent);
  const open = (start: number, end: number | undefined) => body.subarray(start, end);
  const held = mayHold(representation) ? { body } : undefined;
  const again = { ...representation, open, held };
  keep(body.length, (exchange) => sendRepresentation(exchange, again));
}

/** Passes a body on, and caches it if it is small. */
async function* keeping(
  exchange: Exchange,
  representation: Representation,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size <= MAX_KEPT_REPLY_BYTES) pieces.push(Buffer.from(piece));
    yield piece;
  }
  if (size <= MAX_KEPT_REPLY_BYTES && size === (representation.size ?? size)) {
    keepRepresentation(exchange, representation, Buffer.concat(pieces));
  }
}
