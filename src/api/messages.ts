// One message of a room: its content, its parts, deleting it.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { removeTree } from '../gateway/folder/location.ts';
import { hiddenFrom, type OpenedMessage, withNamed, withNumber } from '../gateway/message/open-message.ts';
import {
  contentHeaders,
  foreignType,
  lastModifiedOf,
  mayRunAnything,
  messageEtag,
} from '../gateway/message/representation.ts';
import { encodedPath, roomPath } from '../gateway/paths.ts';
import { lockTarget, readIfConditions, removeLocks, requirePreconditions } from '../gateway/preconditions.ts';
import { callerInRoom, userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { holdsCalendar, isInbox, scheduleTagHeader } from '../gateway/scheduling/conditions.ts';
import { removeScheduled } from '../gateway/scheduling/plan.ts';
import type { AnswerHeaders } from '../http/answer-head.ts';
import { evaluate } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { asStatuses, STATUS_OF } from '../http/problem.ts';
import { type Representation, sendRepresentation } from '../http/representation.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { MAX_OBJECT_BYTES } from '../limits/backend.ts';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { decodeName, formatContentDisposition, isMediaType } from '../mime/headers.ts';
import { isAttachment, isSetApart } from '../mime/message-facts.ts';
import { bytesWithoutMethod, CALENDAR_HEAD_BYTES } from '../mime/object-source.ts';
import { isCalendar, isCard } from '../mime/objects/properties.ts';
import { asVersion3, withCharset } from '../mime/stored-content.ts';
import { bodyOfRfc822, withMimeFields, withoutSender } from '../mime/stored-text.ts';
import { canDelete, hasNames, isFolder, UNTYPED } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { isPlainNumber, numberSegment } from '../protocol/member-names.ts';
import type { CachedMessage, Undeleted } from '../room-server/collections.ts';
import { serverOf } from '../room-server/driver.ts';
import { hasRoomFor } from '../room-server/heads.ts';
import { contentForm, type MessagePart, readSmallPart, withRfc822 } from '../room-server/message-content.ts';
import { deleteFromRoom } from '../room-server/posting.ts';
import { slice } from '../system/bytes.ts';
import { type OpenPart, withAnyPart } from './packed-parts.ts';
import { partsOfMessage } from './rendered-message.ts';

/** A representation without its bytes. */
type Description = Pick<
  Representation,
  'status' | 'etag' | 'lastModified' | 'isCoarse' | 'headers' | 'contentType' | 'size'
>;

/** GET r/:room/:name, a message by number or UID: its content, or with its headers for message/rfc822. */
export async function getMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await callerInRoom(exchange, app);
  const answer = () => withNamed(context, exchange.params.name!, (message) => sendContent(message));
  return app.replyCache.send(context, variantOf(exchange), answer);
}

/** What foreignType depends on. */
function variantOf(exchange: Exchange): string {
  return mayRunAnything(exchange) ? 'text' : '';
}

/** The content as the answer to a PUT (RFC 7240 section 4.2). Throws not_found. */
export function sendPut(context: RoomContext, segment: string, status: number, headers: AnswerHeaders): Promise<void> {
  return withNamed(context, segment, (message) => sendContent(message, { status, headers }));
}

async function sendContent(
  message: OpenedMessage,
  put: { status?: number; headers?: AnswerHeaders } = {},
): Promise<void> {
  const { exchange, app, caller, room, msgnum, head } = message;
  const common = {
    status: put.status,
    etag: messageEtag(msgnum),
    ...lastModifiedOf(message, spelt(message)),
    headers: {
      ...contentHeaders(spelt(message)),
      ...(await scheduleTagHeader(message, head)),
      ...put.headers,
    },
  };
  const { contentType, lines, part } = contentForm(head);
  if (put.status === undefined && wantsRfc822(exchange, contentType)) {
    const whole = { ...common, etag: `"${msgnum}-rfc822"`, contentType: 'message/rfc822' };
    if (isAnsweredByHead(exchange, whole))
      return sendRepresentation(exchange, { ...whole, open: () => Buffer.alloc(0) });
    return withFile(message, (file) => sendRepresentation(exchange, { ...whole, open: () => file }));
  }
  const content = { ...common, contentType: foreignType(exchange, contentType) };
  if (!lines) return sendPart(message, part, () => content);
  const text = { ...content, size: lines.length };
  if (isAnsweredByHead(exchange, text)) return sendRepresentation(exchange, { ...text, open: () => Buffer.alloc(0) });
  const { cached } = head;
  const { text: stored } = cached;
  if (stored) return sendRepresentation(exchange, { ...text, open: (start, end) => stored.subarray(start, end) });
  return withRfc822(app.pool, caller.identity, room, msgnum, async (bytes) => {
    const body = keepingText(bodyOfRfc822(bytes, lines), lines.length, cached);
    return sendRepresentation(exchange, { ...text, open: (start, end) => slice(body, start, end) });
  });
}

/** The whole message with its headers (RFC 5322) to `use`, which must consume it. Throws not_found. */
export function withFile<T>(message: OpenedMessage, use: (bytes: AsyncIterable<Buffer>) => Promise<T>): Promise<T> {
  const { app, caller, room, msgnum, head } = message;
  const isHidden = hiddenFrom(message) !== undefined;
  return withRfc822(app.pool, caller.identity, room, msgnum, (bytes) =>
    use(withMimeFields(isHidden ? withoutSender(bytes) : bytes, head.headers, head.fields.get('type') ?? '')),
  );
}

/** GET r/:room/:name/:part: a MIME part, decoded, by the room server's part number or by Content-ID. */
export async function getPart(exchange: Exchange, app: App): Promise<void> {
  const partnum = exchange.params.part!;
  if (!isFieldSafe(partnum)) throw new AppError('not_found', 'No such part.');
  const context = await callerInRoom(exchange, app);
  const answer = () => withNamed(context, exchange.params.name!, (message) => sendNumberedPart(message, partnum));
  return app.replyCache.send(context, variantOf(exchange), answer);
}

async function sendNumberedPart(message: OpenedMessage, partnum: string): Promise<void> {
  const { exchange, msgnum, head } = message;
  const row = head.parts.find((candidate) => candidate.partnum === partnum);
  // a real server does not read RFC 2231 names (quirk Q38), and none reports a name that is only in the type
  const { disposition = '' } = row ?? {};
  const isFile = isAttachment({ disposition }) || !/^(?:text|image)\//.test(row?.contentType ?? 'text/');
  const isNameless = row?.filename === '' && isFile;
  const parts = isNameless ? await partsOfMessage(message) : [];
  const name = parts.find(({ number }) => number === partnum)?.name;
  return sendPart(message, partnum, (part) => {
    const stated = part.contentType || UNTYPED;
    const type = isMediaType(stated) ? stated : 'application/octet-stream';
    const filename = decodeName(part.filename) || name || '';
    const form = isSetApart({ disposition, name: filename }) ? 'attachment' : 'inline';
    return {
      etag: `"${msgnum}-${Buffer.from(partnum).toString('base64url')}"`,
      ...lastModifiedOf(message, spelt(message)),
      contentType: foreignType(exchange, withCharset(type, part.charset)),
      headers: {
        ...contentHeaders(spelt(message)),
        'Content-Disposition': formatContentDisposition(form, filename),
      },
    };
  });
}

/**
 * DELETE r/:room/:name, and deeper: a message, a file, a folder with all below it. Throws not_found, forbidden,
 * precondition_failed, locked.
 */
export async function deleteMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const segment = exchange.params.name!;
  const conditions = await readIfConditions(context);
  const folder = await withNumber(context, segment, async (message) => {
    const { caller, room, msgnum } = message;
    // by number, in case another member takes the name meanwhile
    const { entered, isFiles, name } = await lockTarget(message, numberSegment(msgnum));
    const change = { context, entered, name, isMembership: true };
    await requirePreconditions(context, conditions, { entered, name, etag: messageEtag(msgnum) }, [change]);
    if (isFiles && isFolder({ name })) {
      if (!canDelete(entered)) throw new AppError('forbidden', 'You may not delete anything in this room.');
      return { name, msgnum, entered };
    }
    await removeScheduled(context, msgnum, (within) =>
      app.pool.withRoom(caller.identity, room, (connection) =>
        within(connection, async () => {
          const { messages } = await serverOf(app.pool, connection);
          await messages.requireShown(connection, entered, msgnum);
          await deleteFromRoom(connection, msgnum);
        }),
      ),
    );
    await removeLocks(context, entered, name);
    return undefined;
  });
  if (folder) {
    const left = await removeTree(context, folder);
    if (left.length > 0) return sendUndeleted(context, left);
    await removeLocks(context, folder.entered, folder.name);
  }
  await sendEmpty(exchange, 204);
}

/** The members that could not be deleted (RFC 4918 section 9.6.1); the folders around them also stay. */
async function sendUndeleted({ exchange, app }: RoomContext, left: readonly Undeleted[]): Promise<void> {
  const room = roomPath(app, exchange.params.room!);
  const statuses = left.map(({ name, error }) => ({
    href: `${room}${encodedPath(name)}`,
    status: STATUS_OF[error.code],
  }));
  await send(exchange, 207, asStatuses(statuses));
}

/** The name in the request; empty for a plain number where members have names, since it may become a name. */
function spelt({ exchange, head }: OpenedMessage): string {
  const segment = exchange.params.name!;
  return isPlainNumber(segment) && hasNames(head.entered) ? '' : segment;
}

/** What the client prefers; the content if it prefers neither. */
function wantsRfc822(exchange: Exchange, contentType: string): boolean {
  if (asksForRfc822(exchange)) return true;
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  return exchange.accepts(type, 'message/rfc822') === 'message/rfc822' && type !== 'message/rfc822';
}

/** By `format`. Throws bad_request. */
export function asksForRfc822({ query }: Exchange): boolean {
  const format = query.get('format');
  if (format !== undefined && format !== 'rfc822') throw new AppError('bad_request', 'format takes rfc822.');
  return format === 'rfc822';
}

/** HEAD, 304 and 412 need no content, so none is fetched. */
function isAnsweredByHead(exchange: Exchange, description: Description): boolean {
  if (description.status !== undefined) return false;
  return exchange.method === 'HEAD' || evaluate(exchange, description) !== 'proceed';
}

/**
 * A small part is read with other reads; a larger one is streamed on a connection of its own. So is one of several
 * parts: its number may be the Content-ID of another, and then two replies come (quirk Q6).
 */
async function sendPart(
  message: OpenedMessage,
  partnum: string,
  describe: (part: MessagePart) => Description,
): Promise<void> {
  const { exchange, app, caller, room, msgnum, head } = message;
  const stored = head.cached.parts.get(partnum);
  const row = head.parts.find((part) => part.partnum === partnum);
  const isOnly = head.parts.length === 1 && !/^(multipart|message)\//.test(head.multipart || row?.contentType || '');
  // reports hold whole contacts as well
  const type = row?.contentType.toLowerCase() ?? '';
  const most = isCard(type) ? MAX_OBJECT_BYTES : SPOOL_MEMORY_BYTES;
  const isObject = isCalendar(type) && holdsCalendar(head.entered) && !isInbox(head.entered);
  const sent = isObject ? bytesWithoutMethod : asVersion3;
  if (row && isOnly && row.length <= most) {
    const part = head.content ?? stored ?? (await readSmallPart(app.pool, caller.identity, room, msgnum, partnum));
    if (!stored && hasRoomFor(head.cached, part.length)) head.cached.parts.set(partnum, part);
    return sendRead(exchange, describe(part), sent(part.bytes));
  }
  if (stored) return sendRead(exchange, describe(stored), sent(stored.bytes));
  return withAnyPart(message, partnum, async (part) => {
    const { length, filename, contentType, charset } = part;
    if (hasRoomFor(head.cached, length)) {
      const read = { length, filename, contentType, charset, bytes: await whole(part.bytes) };
      if (read.bytes.length === length) head.cached.parts.set(partnum, read);
      return sendRead(exchange, describe(part), sent(read.bytes));
    }
    const { bytes, size } = isObject ? await streamWithoutMethod(part) : { bytes: part.bytes, size: length };
    const open = (start: number, end: number | undefined) => slice(bytes, start, end);
    return sendRepresentation(exchange, { ...describe(part), size, open });
  });
}

function sendRead(exchange: Exchange, description: Description, bytes: Buffer): Promise<void> {
  const open = (start: number, end: number | undefined) => bytes.subarray(start, end);
  return sendRepresentation(exchange, { ...description, size: bytes.length, open });
}

async function streamWithoutMethod({
  bytes,
  length,
}: OpenPart): Promise<{ bytes: AsyncIterable<Buffer>; size: number }> {
  const pieces = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < Math.min(CALENDAR_HEAD_BYTES, length)) {
    const { done, value } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const kept = bytesWithoutMethod(head);
  async function* all(): AsyncGenerator<Buffer> {
    yield kept;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  return { bytes: all(), size: length - (head.length - kept.length) };
}

/** The same bytes; a small text is cached once all have passed. */
async function* keepingText(
  bytes: AsyncIterable<Buffer>,
  length: number | undefined,
  cached: CachedMessage,
): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    const isSmall = hasRoomFor(cached, size);
    if (isSmall) pieces.push(Buffer.from(piece));
    // after the last byte the consumer may not ask again
    if (isSmall && size === length) cached.text = Buffer.concat(pieces);
    yield piece;
  }
  if (length === undefined && hasRoomFor(cached, size)) cached.text = Buffer.concat(pieces);
}

async function whole(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes));
}
