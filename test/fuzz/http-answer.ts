// The one answer to a request that ends its connection, read as strictly as any client may: for targets that drive a
// whole gateway.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { readXml } from '../../src/dav/xml-read.ts';

/** an answer that has begun and goes on for ever, or one that nothing comes of */
const PATIENCE_MS = 20_000;
const HEAD =
  /^(?:HTTP\/1\.1 100[^\r\n]*\r\n\r\n)*HTTP\/1\.1 (\d{3}) [\t -~]*\r\n((?:[!-9;-~]+: [\t -~\x80-\xff]*\r\n)*)\r\n/;
const CHUNK = /^([\da-f]{1,8})\r\n/;

export interface StrictAnswer {
  status: string;
  /** names in lower case */
  headers: [name: string, value: string][];
  content: Buffer;
  /** false: it was broken off, and says so itself */
  isWhole: boolean;
}

/**
 * What comes back in Latin-1 until the gateway has ended the connection; of a stream of events its beginning.
 * `endsAfterMs`: of a request that may not be whole. Who ends his side before the answer gets none, or a part of it.
 */
export async function receivedFrom(
  port: number,
  request: Buffer,
  endsAfterMs?: number,
): Promise<{ received: string; hasLeft: boolean }> {
  const socket = connect(port, '127.0.0.1');
  const ended = Promise.withResolvers<void>();
  const late = setTimeout(() => ended.reject(new Error('no end of the answer')), PATIENCE_MS);
  let received = '';
  let hasLeft = false;
  const leave = () => {
    hasLeft = true;
    socket.end();
  };
  const end = endsAfterMs === undefined ? undefined : setTimeout(leave, endsAfterMs);
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
    if (/^content-type: text\/event-stream/im.test(received)) ended.resolve();
  });
  socket.on('close', () => ended.resolve()).on('error', () => {});
  socket.write(request);
  try {
    await ended.promise;
  } finally {
    clearTimeout(late);
    clearTimeout(end);
    socket.destroy();
  }
  return { received, hasLeft };
}

/** Throws for what is no answer, one with more bytes than it announces, and content that is not what it says. */
export function strictAnswer(received: string, isHead: boolean): StrictAnswer {
  const [head, status = '', fields = ''] = HEAD.exec(received) ?? [];
  assert.ok(head !== undefined, `no answer: ${JSON.stringify(received.slice(0, 300))}`);
  const headers = [...fields.matchAll(/([^:\r\n]+): ([^\r\n]*)\r\n/g)].map(([, name, value]): [string, string] => {
    return [name!.toLowerCase(), value!];
  });
  const answer = { status, headers, ...contentOf(received.slice(head.length), headers, isHead) };
  if (answer.isWhole) assertContent(answer);
  return answer;
}

export function headerOf({ headers }: Pick<StrictAnswer, 'headers'>, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}

function contentOf(body: string, headers: StrictAnswer['headers'], isHead: boolean) {
  const length = headerOf({ headers }, 'content-length');
  const isChunked = headerOf({ headers }, 'transfer-encoding') === 'chunked';
  assert.ok(!(isChunked && length !== undefined), 'two lengths');
  const isStream = /^text\/event-stream/.test(headerOf({ headers }, 'content-type') ?? '');
  const isBounded = length !== undefined || isChunked;
  if (isHead || isStream || !isBounded) return { content: Buffer.from(body, 'latin1'), isWhole: true };
  if (isChunked) return unchunked(body);
  assert.match(length!, /^\d+$/);
  assert.ok(body.length <= Number(length), `${body.length} bytes of ${length}`);
  return { content: Buffer.from(body, 'latin1'), isWhole: body.length === Number(length) };
}

function unchunked(body: string): Pick<StrictAnswer, 'content' | 'isWhole'> {
  let content = '';
  for (let at = 0; ; ) {
    const [line, digits = ''] = CHUNK.exec(body.slice(at, at + 12)) ?? [];
    const size = Number.parseInt(digits, 16);
    const end = at + (line?.length ?? 0) + size;
    if (line === undefined || end + 2 > body.length) return { content: Buffer.from(content, 'latin1'), isWhole: false };
    assert.equal(body.slice(end, end + 2), '\r\n', 'a chunk has another length');
    content += body.slice(end - size, end);
    at = end + 2;
    if (size > 0) continue;
    assert.equal(at, body.length, 'something behind the answer');
    return { content: Buffer.from(content, 'latin1'), isWhole: true };
  }
}

function assertContent(answer: StrictAnswer): void {
  const { content } = answer;
  const type = headerOf(answer, 'content-type') ?? '';
  if (content.length === 0 || headerOf(answer, 'content-encoding') !== undefined) return;
  // what somebody has posted is as he has posted it
  if (/^sandbox/.test(headerOf(answer, 'content-security-policy') ?? '') && !/atom/.test(type)) return;
  if (/json/.test(type)) JSON.parse(content.toString());
  else if (/xml/.test(type)) readXml(content);
}
