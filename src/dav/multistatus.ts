// 207 Multi-Status (RFC 4918 section 13): its responses, and sending it. A long one is made and sent piece by piece.

import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../http/exchange.ts';
import { sendBytes, sendStream } from '../http/respond.ts';
import { MAX_COLLECTED_XML_CHARACTERS, STREAM_CHUNK_BYTES } from '../limits.ts';
import { document, documentStart, element, type Markup } from './xml-write.ts';

const XML_TYPE = 'application/xml; charset=utf-8';

export interface PropStat {
  status: number;
  /** elements of the properties */
  properties: readonly Markup[];
  /** what says more than the status, e.g. D:cannot-modify-protected-property */
  error?: Markup | undefined;
}

/** A response with properties. Groups without any are left out, unless nothing would be left. */
export function propertiesResponse(href: string, propstats: readonly PropStat[]): Markup {
  const told = propstats.filter(({ properties }) => properties.length > 0);
  return element(
    'D:response',
    element('D:href', href),
    ...(told.length > 0 ? told : [{ status: 200, properties: [] }]).map(({ status, properties, error }) =>
      element(
        'D:propstat',
        element('D:prop', ...properties),
        statusOf(status),
        ...(error ? [element('D:error', error)] : []),
      ),
    ),
  );
}

const STATUSES = new Map<number, Markup>();

function statusOf(status: number): Markup {
  let known = STATUSES.get(status);
  if (!known) STATUSES.set(status, (known = element('D:status', `HTTP/1.1 ${status} ${STATUS_CODES[status]}`)));
  return known;
}

/** Sends a 207 of these responses, one a line. `headers` as in respond.ts. */
export async function sendMultistatus(
  x: Exchange,
  responses: AsyncIterable<Markup>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const pieces = multistatusText(responses);
  const all = { 'Cache-Control': 'no-store', ...headers };
  let text = '';
  for (;;) {
    const next = await pieces.next();
    if (next.done) return sendBytes(x, 207, XML_TYPE, text, all);
    text += next.value;
    if (text.length > MAX_COLLECTED_XML_CHARACTERS) break;
  }
  return sendStream(x, { status: 207, contentType: XML_TYPE, headers: all, body: asBuffers(text, pieces) });
}

/** 403 or the like with the precondition that does not hold (RFC 4918 section 16). */
export function sendCondition(x: Exchange, status: number, condition: Markup) {
  return sendBytes(x, status, XML_TYPE, document('D:error', condition), { 'Cache-Control': 'no-store' });
}

async function* multistatusText(responses: AsyncIterable<Markup>): AsyncGenerator<string, void> {
  let text = documentStart('D:multistatus');
  for await (const response of responses) {
    text += `\n${response.text}`;
    if (text.length < STREAM_CHUNK_BYTES) continue;
    yield text;
    text = '';
  }
  yield `${text}\n</D:multistatus>\n`;
}

async function* asBuffers(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  for await (const text of rest) yield Buffer.from(text);
}
