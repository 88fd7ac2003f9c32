// Answers (RFC 9110, RFC 9112), one function for each kind: `send` for whole ones, `sendEmpty`, `sendStream`. Those with
// conditions and ranges are in representation.ts, errors in problem.ts. answer-head.ts writes the header fields,
// answer-body.ts sends the body as fast as the client takes it.

import { MAX_UNCOUNTED_ANSWER_BYTES, REQUEST_TURN_MS } from '../limits/http.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { finish, unshared, WritingPace, writePieces } from './answer-body.ts';
import { type AnswerHead, type AnswerHeaders, makeHead, sendHead, writeHead } from './answer-head.ts';
import { chooseContentCoding, compress, compressStream, isCompressible } from './compress.ts';
import type { Exchange } from './exchange.ts';

/** entries of a list that become text together, a turn at most, and such texts that become bytes together */
const [LISTED_AT_ONCE, TEXTS_AT_ONCE] = [20, 25];
export const JSON_TYPE = 'application/json; charset=utf-8';

export interface StreamAnswer {
  /** 200 unless given */
  status?: number;
  contentType: string;
  /** bytes in all; a body that turns out longer or shorter breaks the connection off */
  length?: number | undefined;
  headers?: AnswerHeaders | undefined;
  /** a text of unknown length, which is packed as it is made where the client likes */
  isPackable?: boolean;
  /** with its next pull, `next(piece)`, it may get back the piece before, of which the system has all by then */
  body: AsyncIterable<Buffer>;
}

/** The content of a whole answer. A string goes out as UTF-8; of several pieces the last one may be shared. */
export interface AnswerContent {
  type: string;
  body: string | Buffer | readonly Buffer[];
}

export function asJson(value: unknown): AnswerContent {
  return { type: JSON_TYPE, body: JSON.stringify(value) };
}

export function asPlainText(text: string): AnswerContent {
  return { type: 'text/plain; charset=utf-8', body: text };
}

/** JSON that is made once for several answers. */
export function jsonOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/**
 * The same of `object` with a list behind its properties, `{ name: items }`, of what `make` makes of each: never all at
 * once as objects or as text, for lists may be long, and in turns with other requests, for so may what is in them.
 */
export async function jsonWithList<T>(
  object: Readonly<Record<string, unknown>>,
  list: Readonly<Record<string, readonly T[]>>,
  make: (item: T) => unknown,
): Promise<Buffer> {
  const [[name, items]] = Object.entries(list) as [[string, readonly T[]]];
  const pieces: Buffer[] = [];
  let text = listStart(object, name);
  const turn = requestTurns.begin(REQUEST_TURN_MS);
  for (let at = 0; at < items.length; at += LISTED_AT_ONCE) {
    if (at > 0 && at % (LISTED_AT_ONCE * TEXTS_AT_ONCE) === 0) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    if (at > 0) text += ',';
    text += JSON.stringify(items.slice(at, at + LISTED_AT_ONCE).map(make)).slice(1, -1);
    if (turn.isOver) await turn.next();
  }
  text += ']}';
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

/**
 * A whole answer; `Cache-Control: no-store` unless the headers have a Cache-Control. Packed when type and size allow it
 * and there is neither ETag nor Content-Encoding. Throws busy where too much is waiting for slow clients.
 */
export async function send(
  exchange: Exchange,
  status: number,
  { type, body }: AnswerContent,
  headers: AnswerHeaders = {},
): Promise<void> {
  const all = 'Cache-Control' in headers ? headers : { 'Cache-Control': 'no-store', ...headers };
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : Buffer.isBuffer(body) ? [body] : body;
  const size = sizeOf(pieces);
  if (size > MAX_UNCOUNTED_ANSWER_BYTES) return sendLarge(exchange, status, type, pieces, all);
  const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  const bytes = exchange.keep ? unshared(whole) : whole;
  const isPackable = isCompressible(type, size) && all.ETag === undefined && !all['Content-Encoding'];
  const fields = isPackable ? { ...all, Vary: varyOn(all.Vary, 'Accept-Encoding') } : all;
  let plain: AnswerHead | undefined;
  const sendTo = async (to: Exchange) => {
    const encoding = isPackable ? chooseContentCoding(to) : undefined;
    if (encoding) {
      const packed = await compress(encoding, bytes);
      writeHead(to, status, type, packed.length, { ...fields, 'Content-Encoding': encoding });
      return finish(to, packed);
    }
    plain ??= makeHead(status, type, size, fields);
    sendHead(to, plain);
    return finish(to, bytes);
  };
  exchange.keep?.(size, sendTo);
  return sendTo(exchange);
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The last piece is what counts: it may be part of other answers, too. */
async function sendLarge(
  exchange: Exchange,
  status: number,
  contentType: string,
  pieces: readonly Buffer[],
  headers: AnswerHeaders,
): Promise<void> {
  const size = sizeOf(pieces);
  let answer: AnswerHeaders = headers;
  const held = await exchange.outgoing.enter(exchange.asker, pieces.at(-1)!, size);
  try {
    const isPackable = headers.ETag === undefined && !headers['Content-Encoding'] && isCompressible(contentType, size);
    const encoding = isPackable ? chooseContentCoding(exchange) : undefined;
    if (isPackable) answer = { ...answer, Vary: varyOn(headers.Vary, 'Accept-Encoding') };
    const packed = encoding && (await exchange.outgoing.pack(() => compress(encoding, Buffer.concat(pieces))));
    if (packed) {
      answer = { ...answer, 'Content-Encoding': encoding };
      await held.replace(packed);
    }
    if (exchange.gone.aborted) return;
    writeHead(exchange, status, contentType, packed?.length ?? size, answer);
    if (exchange.method !== 'HEAD') await writePieces(exchange, packed ? [packed] : pieces);
    if (!exchange.gone.aborted) await finish(exchange);
  } finally {
    held.leave();
  }
}

/** No content, a redirect by its `Location` included: 201 and redirects say `Content-Length: 0`, 204 and 304 have none. */
export function sendEmpty(exchange: Exchange, status: number, headers?: AnswerHeaders): Promise<void> {
  writeHead(exchange, status, undefined, status === 204 || status === 304 ? undefined : 0, headers);
  return finish(exchange);
}

/**
 * Pulls the body as fast as the client takes it. The first piece is pulled before the headers go out, so that a source
 * that fails at once still gets a proper error answer; one that fails later breaks the connection off, so that the
 * answer cannot look complete. When the client goes away the iterator's return() is called, also during a pull.
 */
export async function sendStream(exchange: Exchange, answer: StreamAnswer): Promise<void> {
  if (!answer.isPackable) return sendPieces(exchange, answer);
  const headers = { ...answer.headers, Vary: 'Accept-Encoding' };
  const encoding = exchange.method === 'HEAD' ? undefined : chooseContentCoding(exchange);
  const leave = encoding && exchange.outgoing.enterPackedStream();
  if (!leave) return sendPieces(exchange, { ...answer, headers });
  try {
    const packed = { ...headers, 'Content-Encoding': encoding };
    await sendPieces(exchange, { ...answer, headers: packed, body: compressStream(encoding, answer.body) });
  } finally {
    leave();
  }
}

async function sendPieces(exchange: Exchange, answer: StreamAnswer): Promise<void> {
  const { response } = exchange;
  const { length } = answer;
  const status = answer.status ?? 200;
  const iterator = answer.body[Symbol.asyncIterator]();
  const giveUp = () => {
    iterator.return?.().catch(() => {});
  };
  if (exchange.method === 'HEAD') {
    giveUp();
    writeHead(exchange, status, answer.contentType, length, answer.headers);
    return finish(exchange);
  }
  const onClose = () => {
    if (!response.writableFinished) giveUp();
  };
  response.on('close', onClose);
  try {
    let piece = await iterator.next();
    if (response.destroyed) return giveUp();
    writeHead(exchange, status, answer.contentType, length, answer.headers);
    let count = 0;
    const pace = new WritingPace(exchange);
    for (let isSpent = false; !piece.done; piece = await iterator.next(isSpent ? piece.value : undefined)) {
      if (response.destroyed) return giveUp();
      count += piece.value.length;
      if (length !== undefined && count > length) throw new Error(`body is longer than the ${length} bytes promised`);
      const wait = pace.write(piece.value);
      if (wait) await wait;
      isSpent = response.writableLength === 0; // the system has all of it
    }
    if (response.destroyed) return;
    if (length !== undefined && count < length) throw new Error(`body has ${count} of the ${length} bytes promised`);
    await finish(exchange);
  } catch (error) {
    giveUp();
    // after the client has gone a source may well fail: that is no news
    if (!response.destroyed) throw error;
  } finally {
    response.off('close', onClose);
  }
}

/**
 * The JSON of `object` with a list `name` behind its properties. `batches`: entries as JSON with commas between them,
 * empty where there are none. `Cache-Control: no-store`.
 */
export function jsonListStream(
  object: Readonly<Record<string, unknown>>,
  name: string,
  batches: AsyncIterable<string>,
): StreamAnswer {
  const body = listPieces(listStart(object, name), batches);
  return { contentType: JSON_TYPE, headers: { 'Cache-Control': 'no-store' }, isPackable: true, body };
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

/** The beginning of the JSON of an object with a list `name` behind its properties, up to the entries of that. */
function listStart(object: Readonly<Record<string, unknown>>, name: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:[`;
}

/** `varyOn('Accept', 'Accept-Encoding')` → `Accept, Accept-Encoding` */
function varyOn(vary: AnswerHeaders[string], field: string): string {
  return vary === undefined ? field : `${vary}, ${field}`;
}
