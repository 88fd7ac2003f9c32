// PUT r/:room/:name: a new message. The body is received completely before it is sent to the room server, so that a
// broken upload leaves nothing behind (quirk Q8: a started post cannot be taken back). The draft of a message is deleted
// in the same request, so that a page that is being left keeps neither two drafts nor the draft of a sent message.

import { AppError } from '../errors.ts';
import type { UploadRecord } from '../fleet/uploads.ts';
import type { App } from '../gateway/app.ts';
import { ownerOf } from '../gateway/caller.ts';
import { withNamed } from '../gateway/message/open-message.ts';
import { CURL_DEFAULT_TYPE, fitting, type ReceivedMessage, typeOfBody } from '../gateway/message/posting.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { addressableName, messagePath, nameInRoomKey } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import { isPosted, segmentOf, writeMember } from '../gateway/write-plan.ts';
import type { AnswerHeaders } from '../http/answer-head.ts';
import { bodyStream } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied, prefers } from '../http/prefer.ts';
import { sendEmpty } from '../http/respond.ts';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { MAX_MESSAGE_ATTACHMENTS } from '../limits/sessions.ts';
import { encodeAll } from '../mime/coding/encoded-words.ts';
import { EncodingScanner } from '../mime/encoding-facts.ts';
import { fileNameOf, filesAmong } from '../mime/message-facts.ts';
import { isMultipart, isObjectType, storedContent } from '../mime/stored-content.ts';
import { hasNames, holdsFiles } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { isPlainNumber, isWordOfRooms, numberSegment, parseMessageNumber } from '../protocol/member-names.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';
import { OtherKind, type RoomRef } from '../room-server/connection/goto.ts';
import { serverOf } from '../room-server/driver.ts';
import { deleteFromRoom, type Posting, probePost } from '../room-server/posting.ts';
import { sendPut } from './messages.ts';
import { partsOfMessage } from './rendered-message.ts';
import { cleanFileName } from './uploads.ts';

/**
 * PUT r/:room/:name → 201, or 204 if a message was replaced; with return=representation 201 or 200 with what is stored
 * now. Throws bad_request, forbidden, conflict, precondition_failed, too_large, and as postReplacing.
 */
export async function putMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const posting = postingOf(exchange);
  const draft = draftOf(exchange);
  const name = await nameOf(context);
  // a name only in some rooms
  const maybeName = name === '' && !isPosted(exchange) ? exchange.params.name! : '';
  const guard = maybeName === 'new' ? holdsFiles : hasNames;
  const attachments = await attachmentsOf(context);
  if (isLarge(exchange)) {
    // only a multipart can get smaller: its line ends may lose CR
    const isKept = !isMultipart(exchange.header('content-type') ?? '');
    if (isKept) app.messageLimit.require(Number(exchange.header('content-length') ?? 0));
    const probe = app.pool.withRoom(caller.identity, room, (connection, entered) =>
      probePost(connection, fitting(posting, entered)),
    );
    await probe.catch(withoutParent(name));
  }
  const scan = new EncodingScanner();
  const account = await app.pool.accountOf(caller.identity);
  await using body = await app.spools.take(account, bodyStream(exchange, app.maxBodyBytes), (piece) =>
    scan.push(piece),
  );
  // a named message may be empty
  const isNamed = name !== '' || (maybeName !== '' && body.size === 0 && guard(await enteredRoom(context)));
  if (body.size === 0 && !isNamed) throw new AppError('bad_request', 'The message is empty.');
  const facts = scan.end();
  const given = exchange.header('content-type');
  const isUnsaid = given === undefined || given === '' || given === CURL_DEFAULT_TYPE;
  const start = isUnsaid ? await Array.fromAsync(body.open(0, Math.min(body.size, TYPE_START_BYTES))) : [];
  const contentType = typeOfBody(given, facts, Buffer.concat(start).toString('latin1'));
  const received = { contentType, body, facts, posting, attachments };
  const putNamed = (own: string) => {
    const put = () => putSpooled(context, { ...received, name: own }, draft);
    return app.serialQueue.run(nameInRoomKey(room.name, own), put, exchange.gone).catch(withoutParent(own));
  };
  // awaited, since the body is released on return
  if (name !== '') return await putNamed(name);
  const guarded = { ...context, room: { ...room, guard: maybeName === '' ? undefined : guard } };
  try {
    await putSpooled(guarded, { ...received, name: '' }, draft);
  } catch (error) {
    if (!(error instanceof OtherKind)) throw error;
    await putNamed(maybeName);
  }
}

/** in which an object without a Content-Type says what it is */
const TYPE_START_BYTES = 64;

/** RFC 4918 section 9.7.1: a missing parent is a conflict. */
function withoutParent(name: string): (error: unknown) => never {
  return (error) => {
    const isNoRoom = name !== '' && error instanceof AppError && error.code === 'not_found';
    throw isNoRoom ? new AppError('conflict', 'The room does not exist.') : error;
  };
}

async function putSpooled(context: RoomContext, message: ReceivedMessage, draft: number | undefined): Promise<void> {
  const { exchange, app, caller, room } = context;
  // anything else is stored unchanged
  const isWanted = isObjectType(message.contentType) && prefers(exchange, 'return=representation');
  const result = await writeMember(context, message).catch((error: unknown) => {
    if (isWanted && error instanceof AppError && error.code === 'precondition_failed') return error;
    throw error;
  });
  if (result instanceof AppError) {
    // RFC 8144 section 3.2: the current content
    if (await sendCurrent(context, exchange.params.name!, 412, {})) return;
    throw result;
  }
  const { posted, room: where, isReplaced, isAsPut } = result;
  const { recipients, cc, bcc } = message.posting;
  app.watches.posted(where, [recipients, cc, bcc]);
  if (draft !== undefined) await removeDraft(context, draft, { room: { ...room, name: where }, msgnum: posted.msgnum });
  const Location = messagePath(app, where, result.hasNames ? numberSegment(posted.msgnum) : posted.msgnum);
  const headers = { Location, ...result.headers?.(posted.msgnum) };
  if (isWanted && (await sendCurrent(context, numberSegment(posted.msgnum), isReplaced ? 200 : 201, headers))) return;
  await sendEmpty(exchange, isReplaced ? 204 : 201, {
    // a real server rewrites cards: the client has to fetch it
    ETag:
      isAsPut || (await serverOf(app.pool, caller.identity)).messages.keepsCards
        ? messageEtag(posted.msgnum)
        : undefined,
    ...headers,
  });
}

/** Responds with what the room has now; returns false, and sends nothing, if it is gone. */
async function sendCurrent(
  context: RoomContext,
  segment: string,
  status: number,
  headers: AnswerHeaders,
): Promise<boolean> {
  const { exchange } = context;
  const where = segmentOf(exchange) === undefined ? headers.Location : exchange.rawPath;
  const all = { ...headers, 'Content-Location': where, ...preferenceApplied(exchange, 'return=representation') };
  try {
    await sendPut(context, segment, status, all);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

/**
 * The name that a PUT gives to its message; empty if it gives none or the room decides: to a number, to `new`, with a
 * subject or the like. Throws conflict for an impossible name.
 */
async function nameOf(context: RoomContext): Promise<string> {
  const { exchange } = context;
  const segment = exchange.params.name!;
  if (segment === 'new' || isPlainNumber(segment) || isPosted(exchange)) return '';
  return addressableName(segment, isWordOfRooms(segment) && hasNames(await enteredRoom(context)));
}

/** The parameters of a PUT: references, subject, recipients. */
function postingOf(exchange: Exchange): Posting {
  const posting = {
    references: parameter(exchange, 'wefw'),
    subject: subjectOf(exchange),
    recipients: parameter(exchange, 'mailto'),
    cc: parameter(exchange, 'mailcc'),
    bcc: parameter(exchange, 'mailbcc'),
    euid: '',
  };
  return posting;
}

/** A subject with a bar, which would end a field of a command line, is sent in encoded words (RFC 2047). */
function subjectOf(exchange: Exchange): string {
  const text = exchange.query.get('subj') ?? '';
  if (!text.includes('|') || !isFieldSafe(text.replaceAll('|', ''))) return parameter(exchange, 'subj');
  return encodeAll(text);
}

function parameter(exchange: Exchange, name: string): string {
  const value = exchange.query.get(name) ?? '';
  if (!isFieldSafe(value)) throw new AppError('bad_request', `${name} contains a character that cannot be sent.`);
  return value;
}

/** The uploads that `att` names, refs separated by `!`. Throws bad_request for one that is not the caller's. */
async function attachmentsOf({ exchange, app, caller }: RoomContext): Promise<UploadRecord[]> {
  const refs = (exchange.query.get('att') ?? '').split('!').filter((ref) => ref !== '');
  if (refs.length === 0) return [];
  if (refs.length > MAX_MESSAGE_ATTACHMENTS)
    throw new AppError('bad_request', `A message takes at most ${MAX_MESSAGE_ATTACHMENTS} attachments.`);
  const owner = await ownerOf(app, caller);
  const records: UploadRecord[] = [];
  for (const ref of refs) {
    const record = await app.fleet.uploads.get(owner, ref);
    if (!record) throw new AppError('bad_request', `The attachment ${ref} is not among your uploads.`);
    records.push(record);
  }
  return records;
}

/** Whether to ask the room server first if the caller may post. */
function isLarge(exchange: Exchange): boolean {
  const length = exchange.header('content-length');
  return length === undefined || Number(length) > SPOOL_MEMORY_BYTES;
}

/** The message that replaces a draft. */
interface Posted {
  room: RoomRef;
  msgnum: number;
}

const DRAFTS = { name: ROOM_MACRO.drafts, password: '' };

/** The number in `draft=N` of a PUT, if sent. Throws bad_request. */
function draftOf({ query }: Exchange): number | undefined {
  const text = query.get('draft');
  if (text === undefined) return undefined;
  const msgnum = parseMessageNumber(text);
  if (msgnum === undefined) throw new AppError('bad_request', 'draft takes the number of a message.');
  return msgnum;
}

/**
 * Deletes the caller's draft if `posted` has all of its files, or if `dropped=1` says that the writer removed some. A
 * draft that is gone or cannot be deleted does not undo the post.
 */
async function removeDraft(context: RoomContext, msgnum: number, posted: Posted): Promise<void> {
  const { exchange, app, caller } = context;
  try {
    if (exchange.query.get('dropped') !== '1' && !(await hasAllFiles(context, msgnum, posted))) return;
    await app.pool.withRoom(caller.identity, DRAFTS, (connection) => deleteFromRoom(connection, msgnum));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function hasAllFiles(context: RoomContext, draft: number, { room, msgnum }: Posted): Promise<boolean> {
  const wanted = await filesIn(context, DRAFTS, draft);
  const left = wanted.length === 0 ? [] : await filesIn(context, room, msgnum);
  return wanted.every(({ size, name }) => {
    const found = left.findIndex((file) => (size !== undefined && file.size === size) || file.name === name);
    return found >= 0 && left.splice(found, 1).length > 0;
  });
}

/** Sizes of the files of a message, and their names as uploads. */
function filesIn(context: RoomContext, room: RoomRef, msgnum: number) {
  return withNamed({ ...context, room }, numberSegment(msgnum), async (message) => {
    const { headers, fields } = message.head;
    if (/^(?:text\/|$)/i.test(storedContent(headers, fields.get('type') ?? '').contentType)) return [];
    const files = filesAmong(await partsOfMessage(message), () => false);
    return files.map((part) => ({ size: part.size, name: cleanFileName(fileNameOf(part)) }));
  });
}
