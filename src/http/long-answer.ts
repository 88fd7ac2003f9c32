// Answers of unknown length that are sent as they are made: packed piece by piece where the client likes (a content
// coding, RFC 9110 section 8.4.1), and JSON that ends with a long list. respond.ts sends them as fast as the client
// takes them.

import { chooseContentCoding, compressStream } from './compress.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE, listStart, type StreamAnswer, sendStream } from './respond.ts';

/** A text that is too long to be made as a whole. What fails on its way breaks the connection off. */
export async function sendLongText(exchange: Exchange, answer: Omit<StreamAnswer, 'length'>): Promise<void> {
  const headers = { ...answer.headers, Vary: 'Accept-Encoding' };
  const encoding = exchange.method === 'HEAD' ? undefined : chooseContentCoding(exchange);
  const leave = encoding && exchange.outgoing.enterPackedStream();
  if (!leave) return sendStream(exchange, { ...answer, headers });
  try {
    const packed = { ...headers, 'Content-Encoding': encoding };
    await sendStream(exchange, { ...answer, headers: packed, body: compressStream(encoding, answer.body) });
  } finally {
    leave();
  }
}

/**
 * The JSON of `object` with a list `name` behind its properties. `batches`: entries as JSON with commas between them,
 * empty where there are none. `Cache-Control: no-store`.
 */
export function sendJsonList(
  exchange: Exchange,
  object: Readonly<Record<string, unknown>>,
  name: string,
  batches: AsyncIterable<string>,
): Promise<void> {
  return sendLongText(exchange, {
    contentType: JSON_TYPE,
    headers: { 'Cache-Control': 'no-store' },
    body: listPieces(listStart(object, name), batches),
  });
}

async function* listPieces(start: string, batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let before = start;
  for await (const entries of batches) {
    if (entries === '') continue;
    yield Buffer.from(before + entries);
    before = ',';
  }
  yield Buffer.from(before === start ? `${start}]}` : ']}');
}
