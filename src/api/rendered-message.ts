// Messages as JSON for display (rendered messages): GET r/:room/:name/json, and /:part/json for a message inside one,
// such as a forward, an entry of a digest or what a bounce returned. The source is fetched here;
// gateway/message/rendered-messages.ts renders and caches it.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { hiddenFrom, type OpenedMessage, withNamed } from '../gateway/message/open-message.ts';
import { timeOf } from '../gateway/message/representation.ts';
import { numberPath, roomPath } from '../gateway/paths.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, send } from '../http/respond.ts';
import { MAX_RENDERED_IN_PLACE_BYTES, REQUEST_TURN_MS } from '../limits/http.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../limits/mime.ts';
import { MAX_COLLECTED_BYTES } from '../limits/protocol.ts';
import { listAddresses, splitAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { decodeName, headerValue } from '../mime/headers.ts';
import { isMessageType } from '../mime/message-facts.ts';
import type { ListedPart } from '../mime/part-list.ts';
import { isMultipart, storedContent } from '../mime/stored-content.ts';
import { asLines } from '../mime/stored-text.ts';
import { type PartRow, UNTYPED, VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { MessageJob, RenderJob, Wanted } from '../render/job.ts';
import { collectContents, withRfc822 } from '../room-server/message-content.ts';
import type { MessageHead } from '../room-server/messages.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { type OpenPart, withAnyPart } from './packed-parts.ts';

/** Throws bad_request. */
export function wantedOf(exchange: Exchange): Wanted {
  return {
    isPlain: choice(exchange, 'text', 'plain', 'html') === 'plain',
    isRemoteLoaded: choice(exchange, 'remote', '1', '0') === '1',
  };
}

function choice(exchange: Exchange, name: string, ...allowed: string[]): string | undefined {
  const value = exchange.query.get(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw new AppError('bad_request', `${name} takes ${allowed.join(' or ')}.`);
}

/** Whether the source is small, by its list of parts. */
export function isSmall(rows: readonly PartRow[]): boolean {
  return rows.length > 0 && rows.reduce((sum, { length }) => sum + length, 0) <= MAX_RENDERED_IN_PLACE_BYTES;
}

/** Text and parts as the end of a JSON object: see MessageJob. Throws not_rendered, busy, not_found. */
export function readingOfMessage(message: OpenedMessage, wanted: Wanted): Promise<Buffer> {
  const { app, msgnum, head } = message;
  const path = numberPath(app, head.entered, msgnum);
  return read(message, viewOf(head, wanted), (source) => messageJob(app, source, head, wanted, path));
}

/** The text only; undefined if it is longer. Throws as readingOfMessage. */
export async function textOfMessage(
  message: OpenedMessage,
  wanted: Wanted,
  maxTextBytes: number,
): Promise<string | undefined> {
  const { app, msgnum, head } = message;
  const path = numberPath(app, head.entered, msgnum);
  const json = await read(message, `${viewOf(head, wanted)} text ${maxTextBytes}`, (source) => {
    const { fields: _, ...job } = messageJob(app, source, head, wanted, path);
    return { ...job, kind: 'text', maxTextBytes };
  });
  return (JSON.parse(json.toString()) as { text?: string }).text;
}

/** The parts only, at most MAX_MIME_PARTS, without rendering the text. Throws as readingOfMessage. */
export async function partsOfMessage(message: OpenedMessage): Promise<ListedPart[]> {
  const json = await read(message, 'parts', (source) => ({ kind: 'parts', ...storedJob(source, message.head) }));
  return JSON.parse(json.toString()) as ListedPart[];
}

async function read(message: OpenedMessage, view: string, jobOf: (source: MessageStart) => RenderJob): Promise<Buffer> {
  const { app, caller, room, msgnum, head } = message;
  const json = await app.rendered.get({
    key: readingKey(message, view),
    isSmall: isSmall(head.parts),
    fetch: async (maxBytes) => {
      if (maxBytes <= MAX_RENDERED_IN_PLACE_BYTES) return jobOf(await smallSource(message, maxBytes));
      const large = (bytes: AsyncIterable<Buffer>) => firstBytes(asLines(bytes), maxBytes);
      return jobOf(await withRfc822(app.pool, caller.identity, room, msgnum, large));
    },
  });
  return json!; // undefined for inner messages only
}

/** In one write with the GOTO. Empty if it is larger than its list of parts says. */
async function smallSource(message: OpenedMessage, maxBytes: number): Promise<MessageStart> {
  const { app, caller, room, msgnum } = message;
  const bounds = { maxEach: maxBytes, maxBytes: MAX_COLLECTED_BYTES };
  const [source] = await collectContents(app.pool, caller.identity, room, [{ msgnum, form: 'text' }], bounds);
  if (source === 'too large') return { bytes: Buffer.alloc(0), isWhole: false };
  if (!(source instanceof Buffer)) throw new AppError('not_found', 'No such message.');
  return firstBytes(asLines([source]), maxBytes);
}

/** With the message id, because another room server may use the number for another message. */
export function readingKey({ msgnum, head }: OpenedMessage, view: string): string {
  const { entered, fields } = head;
  return `${entered.name}\0${msgnum}\0${fields.get('msgn')}\0${view}`;
}

/** `'plain'`, `'html remote'` … */
export function viewOf({ entered }: MessageHead, { isPlain, isRemoteLoaded }: Wanted): string {
  const isPage = entered.defaultView === VIEW.wiki;
  return `${isPlain ? 'plain' : 'html'}${isRemoteLoaded ? ' remote' : ''}${isPage ? ' page' : ''}`;
}

/** The start of a message. */
export interface MessageStart {
  bytes: Buffer;
  /** it is complete */
  isWhole: boolean;
}

/** At most `maxBytes`: in practice the text comes before attachments. */
export async function firstBytes(
  content: AsyncIterable<Buffer>,
  maxBytes = MAX_RENDERED_SOURCE_BYTES,
): Promise<MessageStart> {
  const chunks: Buffer[] = [];
  let size = 0;
  const turn = requestTurns.begin(REQUEST_TURN_MS);
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
    if (turn.isOver) await turn.next();
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, maxBytes), isWhole: size <= maxBytes };
}

/** `path`: of the message to which the parts belong; undefined if they cannot be fetched. */
export function messageJob(
  app: App,
  source: MessageStart,
  head: MessageHead,
  wanted: Wanted,
  path: string | undefined,
): MessageJob {
  const { name, defaultView } = head.entered;
  const pagesPath = defaultView === VIEW.wiki ? roomPath(app, name) : undefined;
  return { kind: 'message', ...storedJob(source, head), ...wanted, path, pagesPath };
}

function storedJob({ bytes, isWhole }: MessageStart, head: MessageHead) {
  const format = head.fields.get('type') ?? '';
  const { contentType, lines } = storedContent(head.headers, format);
  const isPacked = isMultipart(contentType) && lines === undefined;
  return { source: bytes, isWhole, rows: head.parts, format, contentType, isPacked };
}

/** GET r/:room/:name/json */
export async function getMessageJson(exchange: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(exchange);
  const answer = async (message: OpenedMessage) => {
    const { msgnum, head } = message;
    const reading = await readingOfMessage(message, wanted);
    const hidden = hiddenFrom(message);
    const fields = {
      msgnum,
      ...headerFields(head, hidden),
      seen: head.seen,
      content_type: storedContent(head.headers, head.fields.get('type') ?? '').contentType || UNTYPED,
    };
    await send(exchange, 200, { type: JSON_TYPE, body: [Buffer.from(JSON.stringify(fields).slice(0, -1)), reading] });
  };
  const context = await callerInRoom(exchange, app);
  return app.replyCache.send(context, '', () => withNamed(context, exchange.params.name!, answer, true));
}

/** Fields that a message does not have are absent. */
function headerFields(head: MessageHead, hidden: string | undefined) {
  const { fields, headers, entered } = head;
  const text = (name: string) => fields.get(name);
  const words = (name: string) => (fields.has(name) ? decodeWords(fields.get(name)!) : undefined);
  // a draft has its recipients in its header, and ours keeps Reply-To there
  const list = (name: string, header: string) => {
    const value = fields.get(name) ?? headerValue(headers, header);
    return value === undefined ? undefined : splitAddresses(value);
  };
  return {
    msgn: text('msgn'),
    time: timeOf(head),
    from: hidden ?? (fields.has('from') ? decodeName(fields.get('from')!) : undefined),
    rfca: hidden === undefined ? text('rfca') : undefined,
    room: text('room'),
    subj: words('subj'),
    wefw: text('wefw'),
    exti: text('exti'),
    rcpt: list('rcpt', 'to'),
    cccc: list('cccc', 'cc'),
    bccc: entered.isPersonal ? list('bccc', 'bcc') : undefined,
    reply_to: hidden === undefined ? list('rep2', 'reply-to') : undefined,
    list_post: listAddresses(headerValue(headers, 'List-Post'))?.find((address) => /^mailto:/i.test(address)),
    unsubscribe: hidden === undefined ? listAddresses(headerValue(headers, 'List-Unsubscribe')) : undefined,
    locl: fields.get('locl') === 'yes' && hidden === undefined ? true : undefined,
  };
}

/** '' since a real server has no type for parts of a digest without one */
const mayBeMessage = (type: string) => type === '' || isMessageType(type.toLowerCase());

/** GET r/:room/:name/:part/json. Throws not_found for a part that is no message. */
export async function getInnerMessageJson(exchange: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(exchange);
  const partnum = exchange.params.part!;
  if (!isFieldSafe(partnum)) throw noSuchMessage();
  const context = await callerInRoom(exchange, app);
  return withNamed(context, exchange.params.name!, (message) => sendInner(message, partnum, wanted));
}

async function sendInner(message: OpenedMessage, partnum: string, wanted: Wanted): Promise<void> {
  const { app, msgnum, head } = message;
  const row = head.parts.find((part) => part.partnum === partnum);
  if (row && !mayBeMessage(row.contentType)) throw noSuchMessage();
  const path = numberPath(app, head.entered, msgnum);
  const jobOf = async (part: OpenPart, maxBytes: number): Promise<RenderJob> => {
    if (!mayBeMessage(part.contentType)) throw noSuchMessage();
    const { bytes: source, isWhole } = await firstBytes(part.bytes, maxBytes);
    const canLookInside = part.canLookInside && row?.contentType !== '';
    return { kind: 'inner', ...wanted, source, isWhole, rows: head.parts, msgnum, partnum, path, canLookInside };
  };
  const json = await app.rendered.get({
    key: readingKey(message, `inner ${partnum} ${viewOf(head, wanted)}`),
    isSmall: row ? isSmall([row]) : isSmall(head.parts),
    fetch: (maxBytes) => withAnyPart(message, partnum, (part) => jobOf(part, maxBytes)),
  });
  if (!json) throw noSuchMessage();
  await send(message.exchange, 200, { type: JSON_TYPE, body: json });
}

function noSuchMessage(): AppError {
  return new AppError('not_found', 'This part is not a message.');
}
