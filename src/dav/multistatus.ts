// 207 Multi-Status (RFC 4918 section 13): its responses, and sending it, a long one piece by piece.

import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied } from '../http/prefer.ts';
import { type AnswerContent, send, sendStream } from '../http/respond.ts';
import { MAX_COLLECTED_XML_BYTES, MAX_COLLECTING_XML_MS } from '../limits/dav.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';
import { document, documentStart, element, type Markup } from './xml-write.ts';

export const XML_TYPE = 'application/xml; charset=utf-8';

export interface PropStat {
  status: number;
  /** elements of the properties */
  properties: readonly Markup[];
  /** a precondition, such as D:cannot-modify-protected-property */
  error?: Markup | undefined;
}

/** A response with properties. Empty groups are left out, unless nothing would be left. */
export function propertiesResponse(href: string, propstats: readonly PropStat[]): Markup {
  const groups: Markup[] = [];
  for (const propstat of propstats) if (propstat.properties.length > 0) groups.push(groupOf(propstat));
  if (groups.length === 0) groups.push(groupOf({ status: 200, properties: [] }));
  return element('D:response', element('D:href', href), ...groups);
}

/** The content of a document about one resource, such as D:mkcol-response (RFC 5689 section 5.2). */
export function propstatElements(propstats: readonly PropStat[]): Markup[] {
  return propstats.map(groupOf);
}

/** A response with a status only (RFC 4918 section 14.24). */
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

/** Responses that are made as they are taken. */
type Batches = AsyncIterable<Iterable<Markup>> | Iterable<Iterable<Markup>>;

/** The answer to a report that follows `Prefer: return=minimal`. */
export function sendReport(exchange: Exchange, batches: Batches): Promise<void> {
  return sendMultistatus(exchange, batches, preferenceApplied(exchange, 'return=minimal'));
}

/**
 * Sends a 207 of these responses, one on each line: as a whole if it is short and made within MAX_COLLECTING_XML_MS,
 * otherwise as a stream. A failure after the head was sent breaks the connection. `headers` as in answer-head.ts.
 */
export async function sendMultistatus(
  exchange: Exchange,
  batches: Batches,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const written = new WrittenDocument(batches);
  const all = { 'Cache-Control': 'no-store', ...headers };
  const stream = { status: 207, contentType: XML_TYPE, headers: all, isPackable: true };
  const collected: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, MAX_COLLECTING_XML_MS, 'late');
  });
  try {
    for (;;) {
      const pending = written.chunks.next();
      const next = await Promise.race([pending, late]);
      if (next === 'late') {
        const body = following([...collected, written.take()], pending, written.chunks);
        return await sendStream(exchange, { ...stream, body });
      }
      if (next.done) return await send(exchange, 207, { type: XML_TYPE, body: Buffer.concat(collected) }, all);
      collected.push(next.value);
      size += next.value.length;
      if (size <= MAX_COLLECTED_XML_BYTES) continue;
      const body = following(collected, written.chunks.next(), written.chunks);
      return await sendStream(exchange, { ...stream, body });
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a document of responses in chunks. */
class WrittenDocument {
  readonly chunks: AsyncGenerator<Buffer, void>;
  // joined at the end: a text that grows piece by piece is slow to encode
  #pieces = [documentStart('D:multistatus')];
  #length = 0;
  #isHurried = false;

  constructor(batches: Batches) {
    this.chunks = this.#write(batches);
  }

  /** What was written since the last chunk, while the next one is pending. From now on each batch is a chunk. */
  take(): Buffer {
    this.#isHurried = true;
    return this.#chunk();
  }

  async *#write(batches: Batches): AsyncGenerator<Buffer, void> {
    for await (const batch of batches) {
      let lines: string[] = [];
      for (const { text } of batch) {
        lines.push(text);
        this.#length += text.length;
        if (this.#length < STREAM_CHUNK_BYTES) continue;
        this.#pieces.push(lines.join('\n'));
        lines = [];
        yield this.#chunk();
      }
      // before waiting for the next batch, since unjoined texts are many small objects
      if (lines.length > 0) this.#pieces.push(lines.join('\n'));
      if (this.#isHurried && lines.length > 0) yield this.#chunk();
    }
    this.#pieces.push('</D:multistatus>\n');
    yield this.#chunk();
  }

  #chunk(): Buffer {
    const bytes = Buffer.from(this.#pieces.join('\n'));
    this.#pieces = ['']; // the next begins with a line end
    this.#length = 0;
    return bytes;
  }
}

async function* following(
  first: readonly Buffer[],
  next: Promise<IteratorResult<Buffer, void>>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer> {
  next.catch(() => undefined); // awaited below, unless the client is gone
  try {
    yield* first;
    const { done, value } = await next;
    if (!done) yield value;
    yield* rest;
  } finally {
    rest.return().catch(() => undefined); // it may not have started
  }
}

/** A document as the content of an answer. */
export function asXml(name: string, ...content: Markup[]): AnswerContent {
  return { type: XML_TYPE, body: document(name, ...content) };
}
