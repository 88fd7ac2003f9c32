// Something with identity as the answer to a read (RFC 9110 section 3.2): conditions, one range, HEAD.

import { AppError } from '../errors.ts';
import { MAX_KEPT_REPLY_BYTES, MAX_UNCOUNTED_ANSWER_BYTES } from '../limits/http.ts';
import { finish, heldBody } from './answer-body.ts';
import { type AnswerHead, type AnswerHeaders, makeHead, sendHead, writeHead } from './answer-head.ts';
import { evaluate, formatLastModified, type LastModified, toldLastModified } from './conditional.ts';
import type { Exchange } from './exchange.ts';
import { wantedRange } from './range.ts';
import { send, sendStream } from './respond.ts';

export interface Representation extends LastModified {
  /** of the answer to a change, to which conditions and ranges do not apply; else 200, or what these make of it */
  status?: number | undefined;
  contentType: string;
  /** bytes; unknown: no ranges */
  size?: number | undefined;
  /** with its quotes */
  etag?: string | undefined;
  headers?: AnswerHeaders | undefined;
  /** bytes from start (inclusive) to end (exclusive; undefined: all), called only when they are sent */
  open(
    start: number,
    end: number | undefined,
  ): AsyncIterable<Buffer> | Buffer | Promise<AsyncIterable<Buffer> | Buffer>;
  /** of one that is sent more than once, all with the same header fields: what its answers have in common */
  held?: Held | undefined;
}

/** Filled by the first of them. */
interface Held {
  /** all of it, as heldBody makes it */
  body?: string | Buffer;
  /** of the answer 200, and of 304 */
  whole?: AnswerHead;
  notModified?: AnswerHead;
}

/** A Last-Modified that lies ahead is not said yet. */
export function mayHold(modified: LastModified): boolean {
  const lastModified = toldLastModified(modified);
  return lastModified === undefined || lastModified * 1000 <= Date.now();
}

/**
 * GET and HEAD of something with identity: conditional headers, one range, HEAD. Throws precondition_failed and
 * range_not_satisfiable.
 */
export async function sendRepresentation(exchange: Exchange, representation: Representation): Promise<void> {
  const { contentType, size, held } = representation;
  const isRead = representation.status === undefined;
  const outcome = isRead ? evaluate(exchange, representation) : 'proceed';
  if (outcome === 'precondition_failed') throw new AppError('precondition_failed', 'The resource has changed');
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
  const lastModified = toldLastModified(representation);
  return {
    ...headers,
    ETag: etag,
    // one that lies ahead is told when it has come: what was there before may have had the time it is now
    'Last-Modified':
      lastModified === undefined || !(representation.isCoarse || mayHold(representation))
        ? undefined
        : formatLastModified(lastModified),
    'Accept-Ranges': size === undefined ? undefined : 'bytes',
  };
}

function sendHeld(
  exchange: Exchange,
  representation: Representation,
  held: Held,
  body: string | Buffer,
): Promise<void> {
  const { contentType } = representation;
  held.whole ??= makeHead(200, contentType, body.length, fieldsOf(representation));
  sendHead(exchange, held.whole);
  return finish(exchange, body, body.length);
}

interface Answer {
  status: number;
  /** bytes of the body; undefined: not known */
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
  if (length !== undefined && body.length !== length) throw new Error('representation has not the size promised');
  if (body.length > MAX_UNCOUNTED_ANSWER_BYTES && etag !== undefined) {
    return send(exchange, status, { type: contentType, body }, { 'Cache-Control': undefined, ...headers });
  }
  if (status === 200) {
    if (held) held.body = heldBody(body, body.length);
    else keepRepresentation(exchange, representation, body);
  }
  writeHead(exchange, status, contentType, body.length, headers);
  return finish(exchange, body, body.length);
}

function keepRepresentation({ keep }: Exchange, representation: Representation, body: Buffer): void {
  if (!keep) return;
  const kept = heldBody(body, body.length);
  const open = (start: number, end: number | undefined) =>
    typeof kept === 'string' ? Buffer.from(kept.slice(start, end), 'latin1') : kept.subarray(start, end);
  const held = mayHold(representation) ? { body: kept } : undefined;
  const again = { ...representation, open, held };
  keep(body.length, (exchange) => sendRepresentation(exchange, again));
}

/** The same bytes, which are kept where they are few. */
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
