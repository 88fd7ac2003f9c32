// PUT r/:room/:name: a new message. The body is received completely before it is sent to the room server, so that a
// client that breaks off leaves nothing behind (quirk Q8: a post that has begun cannot be taken back).

import { AppError } from '../errors.ts';
import type { UploadRecord } from '../fleet/uploads.ts';
import type { App } from '../gateway/app.ts';
import { ownerOf } from '../gateway/caller.ts';
import { fitting, type ReceivedMessage, typeOfBody } from '../gateway/message/posting.ts';
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
import { isMultipart, isObjectType } from '../mime/stored-content.ts';
import { hasNames, holdsFiles } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { isPlainNumber, isWordOfRooms, numberSegment } from '../protocol/member-names.ts';
import { OtherKind } from '../room-server/connection/goto.ts';
import { serverOf } from '../room-server/driver.ts';
import { type Posting, probePost } from '../room-server/posting.ts';
import { draftOf, removeDraft } from './drafts.ts';
import { sendPut } from './messages.ts';

/**
 * PUT r/:room/:name → 201, or 204 where a message was replaced; with what is kept now, 201 or 200, to who prefers that.
 * Throws bad_request, forbidden, conflict,
 * precondition_failed, too_large, and as postReplacing.
 */
export async function putMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const posting = postingOf(exchange);
  const draft = draftOf(exchange);
  const name = await nameOf(context);
  // where it depends on the room whether it is one
  const maybeName = name === '' && !isPosted(exchange) ? exchange.params.name! : '';
  const guard = maybeName === 'new' ? holdsFiles : hasNames;
  const attachments = await attachmentsOf(context);
  if (isLarge(exchange)) {
    // a multipart may lose the CR of its line ends, nothing else gets smaller
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
  // what has a name may be empty
  const isNamed = name !== '' || (maybeName !== '' && body.size === 0 && guard(await enteredRoom(context)));
  if (body.size === 0 && !isNamed) throw new AppError('bad_request', 'The message is empty.');
  const facts = scan.end();
  const contentType = typeOfBody(exchange.header('content-type'), facts);
  const received = { contentType, body, facts, posting, attachments };
  const putNamed = (own: string) => {
    const put = () => putSpooled(context, { ...received, name: own }, draft);
    return app.serialQueue.run(nameInRoomKey(room.name, own), put).catch(withoutParent(own));
  };
  // not before the body is used may it go
  if (name !== '') return await putNamed(name);
  const guarded = { ...context, room: { ...room, guard: maybeName === '' ? undefined : guard } };
  try {
    await putSpooled(guarded, { ...received, name: '' }, draft);
  } catch (error) {
    if (!(error instanceof OtherKind)) throw error;
    await putNamed(maybeName);
  }
}

/** RFC 4918 section 9.7.1: where a file cannot be, because its folder is not there, is a conflict. */
function withoutParent(name: string): (error: unknown) => never {
  return (error) => {
    const isNoRoom = name !== '' && error instanceof AppError && error.code === 'not_found';
    throw isNoRoom ? new AppError('conflict', 'There is no such room to put the message into.') : error;
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
    // RFC 8144 section 3.2: what is there instead
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
 * The name that a PUT gives to its message; empty where it gives none, or the room decides: to a number, to `new`, with
 * a subject or the like. Throws conflict for what cannot be a name in the room.
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

/** A bar ends a field of a command line: a subject that holds one travels in encoded words (RFC 2047). */
function subjectOf(exchange: Exchange): string {
  const text = exchange.query.get('subj') ?? '';
  if (!text.includes('|') || !isFieldSafe(text.replaceAll('|', ''))) return parameter(exchange, 'subj');
  return encodeAll(text);
}

function parameter(exchange: Exchange, name: string): string {
  const value = exchange.query.get(name) ?? '';
  if (!isFieldSafe(value)) throw new AppError('bad_request', `${name} holds a character that cannot be sent.`);
  return value;
}

/** The uploads that `att` names, refs parted by `!`. Throws bad_request for one that is not the caller's. */
async function attachmentsOf({ exchange, app, caller }: RoomContext): Promise<UploadRecord[]> {
  const refs = (exchange.query.get('att') ?? '').split('!').filter((ref) => ref !== '');
  if (refs.length === 0) return [];
  if (refs.length > MAX_MESSAGE_ATTACHMENTS) throw new AppError('bad_request', 'Too many attachments.');
  const owner = await ownerOf(app, caller);
  const records: UploadRecord[] = [];
  for (const ref of refs) {
    const record = await app.fleet.uploads.get(owner, ref);
    if (!record) throw new AppError('bad_request', 'An attachment is not among your uploads.');
    records.push(record);
  }
  return records;
}

/** Worth asking the room server first whether the caller may post at all. */
function isLarge(exchange: Exchange): boolean {
  const length = exchange.header('content-length');
  return length === undefined || Number(length) > SPOOL_MEMORY_BYTES;
}
