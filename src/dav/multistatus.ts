// 207 Multi-Status (RFC 4918 section 13): its responses, and sending it. A long one is made and sent piece by piece.

import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../http/exchange.ts';
import { sendBytes, sendStream } from '../http/respond.ts';
import { MAX_COLLECTED_XML_BYTES } from '../limits/dav.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';
import { document, documentStart, element, type Markup } from './xml-write.ts';

export const XML_TYPE = 'application/xml; charset=utf-8';

export interface PropStat {
  status: number;
  /** elements of the properties */
  properties: readonly Markup[];
  /** what says more than the status, e.g. D:cannot-modify-protected-property */
  error?: Markup | undefined;
}

/** A response with properties. Groups without any are left out, unless nothing would be left. */
export function propertiesResponse(href: string, propstats: readonly PropStat[]): Markup {
  const groups: Markup[] = [];
  for (const propstat of propstats) if (propstat.properties.length > 0) groups.push(groupOf(propstat));
  if (groups.length === 0) groups.push(groupOf({ status: 200, properties: [] }));
  return element('D:response', element('D:href', href), ...groups);
}

/** A document that is one set of properties, such as D:mkcol-response (RFC 5689 section 5.2). */
export function sendPropstats(exchange: Exchange, status: number, name: string, propstats: readonly PropStat[]) {
  return sendBytes(exchange, status, XML_TYPE, document(name, ...propstats.map(groupOf)), {
    'Cache-Control': 'no-store',
  });
}

/** A response without properties: what became of a resource (RFC 4918 section 14.24). */
export function statusResponse(href: string, status: number, error?: Markup): Markup {
  const told = error ? [element('D:error', error)] : [];
  return element('D:response', element('D:href', href), statusOf(status), ...told);
}

function groupOf({ status, properties, error }: PropStat): Markup {
  const prop = element('D:prop', ...properties);
  if (error) return element('D:propstat', prop, statusOf(status), element('D:error', error));
  return element('D:propstat', prop, statusOf(status));
}

const STATUSES = new Map<number, Markup>();

function statusOf(status: number): Markup {
  return STATUSES.getOrInsertComputed(status, () => element('D:status', `HTTP/1.1 ${status} ${STATUS_CODES[status]}`));
}

/**
 * Sends a 207 of these responses, one a line; they come in batches, each made as it is taken. A short answer is sent as
 * a whole, a longer one as a stream. `headers` as in answer-head.ts.
 */
export async function sendMultistatus(
  exchange: Exchange,
  batches: AsyncIterable<Iterable<Markup>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const chunks = documentChunks(batches);
  const all = { 'Cache-Control': 'no-store', ...headers };
  const collected: Buffer[] = [];
  let size = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return sendBytes(exchange, 207, XML_TYPE, Buffer.concat(collected), all);
    collected.push(next.value);
    size += next.value.length;
    if (size > MAX_COLLECTED_XML_BYTES) break;
  }
  return sendStream(exchange, { status: 207, contentType: XML_TYPE, headers: all, body: following(collected, chunks) });
}

async function* documentChunks(batches: AsyncIterable<Iterable<Markup>>): AsyncGenerator<Buffer, void> {
  // joined at last: a text that grows piece by piece is slow to encode
  let pieces = [documentStart('D:multistatus')];
  let length = 0;
  for await (const batch of batches) {
    let lines: string[] = [];
    for (const { text } of batch) {
      lines.push(text);
      length += text.length;
      if (length < STREAM_CHUNK_BYTES) continue;
      pieces.push(lines.join('\n'));
      yield Buffer.from(pieces.join('\n'));
      pieces = ['']; // the next begins with a line end
      lines = [];
      length = 0;
    }
    // not while the next batch is waited for: texts that are not joined are many small objects
    if (lines.length > 0) pieces.push(lines.join('\n'));
  }
  pieces.push('</D:multistatus>\n');
  yield Buffer.from(pieces.join('\n'));
}

async function* following(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

/** What is all there to be sent. */
export async function* batchOf<T>(batch: T): AsyncGenerator<T> {
  yield batch;
}

/** 403 or the like with the precondition that does not hold (RFC 4918 section 16). */
export function sendCondition(exchange: Exchange, status: number, condition: Markup) {
  return sendBytes(exchange, status, XML_TYPE, document('D:error', condition), { 'Cache-Control': 'no-store' });
}
