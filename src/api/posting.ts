// PUT r/:room/:name: a new message. The body is received completely before it is sent to the room server, so that a
// client that breaks off leaves nothing behind (quirk Q8: a post that has begun cannot be taken back).

import { AppError } from '../errors.ts';
import type { UploadRecord } from '../fleet/upload-files.ts';
import type { App } from '../gateway/app.ts';
import { ownerOf } from '../gateway/caller.ts';
import { findNamed, findSettled } from '../gateway/collection/collection.ts';
import {
  isObjectType,
  placeOf,
  requireObjectType,
  requireUid,
  uidConflict,
  uidIn,
} from '../gateway/collection/object-place.ts';
import { requireFilePlace } from '../gateway/folder/located.ts';
import { type IfConditions, readIfConditions, requirePreconditions } from '../gateway/locking/preconditions.ts';
import { knownLockName, lockPlace } from '../gateway/locking/room-locks.ts';
import { addressableName, checkedName, checkedPageName, nameInRoomKey, uidInRoomKey } from '../gateway/message/name.ts';
import { fitting, type ReceivedMessage } from '../gateway/message/post-body.ts';
import { postReplacing, requireReplaceable } from '../gateway/message/replacement.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { typeOfBody } from '../gateway/message/stored-type.ts';
import { messagePath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import { putScheduled, type ScheduledPut } from '../gateway/scheduling/plan.ts';
import type { AnswerHeaders } from '../http/answer-head.ts';
import { bodyStream } from '../http/body.ts';
import { isConditional } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied, prefers } from '../http/prefer.ts';
import { sendEmpty } from '../http/respond.ts';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { MAX_MESSAGE_ATTACHMENTS } from '../limits/sessions.ts';
import { encodeAll } from '../mime/coding/encoded-words.ts';
import { EncodingScanner } from '../mime/encoding-facts.ts';
import { isMultipart } from '../mime/stored-content.ts';
import { type EnteredRoom, EUID_VIEWS, hasNames, holdsFiles, VIEW } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { euidsOf, isAddressable, isPlainNumber, isWordOfRooms, numberSegment } from '../protocol/member-names.ts';
import type { Connection } from '../room-server/connection/connection.ts';
import { OtherKind } from '../room-server/connection/goto.ts';
import { serverOf } from '../room-server/driver.ts';
import { findByEuid, hasMessage } from '../room-server/messages.ts';
import { type Posted, type Posting, probePost, removeReplaced } from '../room-server/posting.ts';
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
  const traits = scan.end();
  const contentType = typeOfBody(exchange.header('content-type'), traits);
  const received = { contentType, body, traits, posting, attachments };
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
  const uid = await uidIn(message);
  // anything else is kept as it came: who has PUT it knows it
  const isWanted = isObjectType(message.contentType) && prefers(exchange, 'return=representation');
  const result = await (isObjectType(message.contentType)
    ? // whoever comes with the same UID waits, under whatever name
      app.serialQueue.run(uidInRoomKey(room.name, uid), () => postObject(context, message, uid))
    : postNamed(context, message, uid)
  ).catch((error: unknown) => {
    if (isWanted && error instanceof AppError && error.code === 'precondition_failed') return error;
    throw error;
  });
  if (result instanceof AppError) {
    // RFC 8144 section 3.2: what is there instead
    if (await isTold(context, exchange.params.name!, 412, {})) return;
    throw result;
  }
  const { posted, room: where, isReplaced, isAsPut } = result;
  const { recipients, cc, bcc } = message.posting;
  app.watches.posted(where, [recipients, cc, bcc]);
  if (draft !== undefined) await removeDraft(context, draft, { room: { ...room, name: where }, msgnum: posted.msgnum });
  const Location = messagePath(app, where, result.hasNames ? numberSegment(posted.msgnum) : posted.msgnum);
  const headers = { Location, ...result.headers?.(posted.msgnum) };
  if (isWanted && (await isTold(context, numberSegment(posted.msgnum), isReplaced ? 200 : 201, headers))) return;
  await sendEmpty(exchange, isReplaced ? 204 : 201, {
    // a real server writes cards anew: whoever has PUT one has to fetch it
    ETag:
      isAsPut || (await serverOf(app.pool, caller.identity)).messages.keepsCards
        ? messageEtag(posted.msgnum)
        : undefined,
    ...headers,
  });
}

/** The answer has what the room holds now; false, and none was sent, where that is not there any more. */
async function isTold(context: RoomContext, segment: string, status: number, headers: AnswerHeaders): Promise<boolean> {
  const { exchange } = context;
  const where = addressOf(exchange) === undefined ? headers.Location : exchange.rawPath;
  const all = { ...headers, 'Content-Location': where, ...preferenceApplied(exchange, 'return=representation') };
  try {
    await sendPut(context, segment, status, all);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

interface PutResult {
  posted: Posted;
  room: string;
  isReplaced: boolean;
  /** an ordinary room server keeps the bytes, too */
  isAsPut: boolean;
  /** of the room where it is */
  hasNames?: boolean;
  /** further ones of the answer */
  headers?: ScheduledPut<unknown>['headers'];
}

/** A calendar object or a card; in rooms that keep them it has a place of its own. Throws as placeOf and requireUid. */
async function postObject(context: RoomContext, message: ReceivedMessage, uid: string): Promise<PutResult> {
  const { exchange, app, caller, room } = context;
  const conditions = await readIfConditions(context);
  const segment = addressOf(exchange);
  const place = await placeOf(context, segment, message, uid);
  if (!place) return postNamed(context, message, uid);
  const { existing, name } = place;
  if (!existing && segment !== undefined) addressableName(segment, true);
  if (name !== '') checkedName(name, true);
  const etag = existing && messageEtag(existing.msgnum);
  const own = name || existing?.name || place.uid;
  const changes = [{ context, entered: place.entered, name: own, isMembership: !existing }];
  await requirePreconditions(
    context,
    conditions,
    { entered: place.entered, name: own, etag, exists: !!existing },
    changes,
  );
  requireUid(context, place);
  const replaced = existing ? [existing.msgnum] : [];
  const at = { entered: place.entered, msgnum: existing?.msgnum };
  const { result, headers } = await putScheduled(context, at, message, (within) =>
    app.pool.withRoom(caller.identity, room, async (connection, entered) => {
      const done = await within(connection, (toStore) =>
        postReplacing(context, connection, entered, { ...toStore, name, isKnownByUid: true }, replaced, true),
      );
      // what the room knows by no UID is not replaced by one
      if (existing?.euid === '') await removeReplaced(connection, replaced);
      return done;
    }),
  ).catch((error: unknown) => uidConflict(context, segment, message, uid, error));
  return { ...result, headers, isAsPut: place.entered.defaultView !== VIEW.addressBook, hasNames: true };
}

/** Anything else, under its name where it has one. */
async function postNamed(context: RoomContext, message: ReceivedMessage, uid: string): Promise<PutResult> {
  const conditions = await readIfConditions(context);
  const result = await postInRoom(context, message, uid, conditions);
  if (result) return result;
  // for what it takes to look for it, no connection may be held
  const { name } = await lockPlace(context, context.exchange.params.name!);
  return (await postInRoom(context, message, uid, conditions, name))!;
}

/** `nameForLocks`: what has no name of its own; undefined is answered where it has to be looked for. */
async function postInRoom(
  context: RoomContext,
  message: ReceivedMessage,
  uid: string,
  conditions: IfConditions,
  nameForLocks?: string,
): Promise<PutResult | undefined> {
  const { exchange, app, caller, room } = context;
  return app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    if (message.name !== '') requireObjectType(entered, message.contentType);
    const isNamedByEuid = EUID_VIEWS.has(entered.defaultView);
    const name = isNamedByEuid ? '' : message.name;
    const own = name || nameForLocks || (await lockNameOf(context, entered));
    if (own === undefined) return undefined;
    const euid = isNamedByEuid ? euidOf(exchange, entered, uid) : '';
    const existing = isNamedByEuid
      ? await findExisting(connection, exchange.params.name!, euid)
      : name === ''
        ? []
        : await (isConditional(exchange) ? findSettled : findNamed)(context, connection, entered, name);
    if (name === '') requireFindable(exchange, entered, euid, existing.length > 0);
    if (isNamedByEuid && existing.length === 0) await requireFreeNumber(connection, message.name);
    const etag = existing.length > 0 ? messageEtag(existing[0]!) : undefined;
    const target = { entered, name: own, etag, exists: etag !== undefined };
    const change = { context, entered, name: own, isMembership: etag === undefined };
    await requirePreconditions(context, conditions, target, [change]);
    if (name !== '') {
      if (holdsFiles(entered)) await requireFilePlace(context, connection, entered, name);
      else checkedName(name);
    }
    if (!isNamedByEuid) requireReplaceable(entered, existing);
    const isNamed = entered.defaultView === VIEW.wiki || entered.defaultView === VIEW.notes;
    const posting = { ...message.posting, euid: isNamed ? euid : '' };
    const named = { ...message, name, posting };
    const result = await postReplacing(context, connection, entered, named, existing, isConditional(exchange));
    return { ...result, isAsPut: true, hasNames: hasNames(entered) };
  });
}

/** Of a message without a name; undefined where it has to be looked for. */
async function lockNameOf(context: RoomContext, entered: EnteredRoom): Promise<string | undefined> {
  const segment = context.exchange.params.name!;
  const isPlaceholder = addressOf(context.exchange) === undefined && !EUID_VIEWS.has(entered.defaultView);
  return isPlaceholder ? segment : knownLockName(context, entered, segment);
}

/** The UID under which the room will know the message; empty where it will not. */
function euidOf(exchange: Exchange, room: EnteredRoom, uid: string): string {
  const name = exchange.params.name!;
  // the room server cuts spaces off
  const isUid = isFieldSafe(name) && name === name.trim();
  if (room.defaultView === VIEW.wiki) return isUid ? checkedPageName(name) : '';
  if (uid !== '') return uid;
  return room.defaultView === VIEW.notes && isUid && isAddressable(name, true) ? name : '';
}

/** Throws conflict for a new message that would not be found under the name in the path. */
function requireFindable(exchange: Exchange, room: EnteredRoom, euid: string, isUpdate: boolean): void {
  // a page goes by it whatever the parameters are
  const segment = room.defaultView === VIEW.wiki ? exchange.params.name! : addressOf(exchange);
  if (segment === undefined || (euid !== '' && isUpdate)) return;
  if (euidsOf(addressableName(segment, hasNames(room))).includes(euid)) return;
  throw new AppError('conflict', 'Nothing would be found here: it goes by its UID, without spaces around it.');
}

/** Throws conflict where a new name would hide a message of the room that is addressed by its number. */
async function requireFreeNumber(connection: Connection, name: string): Promise<void> {
  if (isPlainNumber(name) && (await hasMessage(connection, Number(name)))) {
    throw new AppError('conflict', `${name} is the number of a message in this room. Choose another name.`);
  }
}

async function findExisting(connection: Connection, name: string, euid: string): Promise<number[]> {
  for (const candidate of new Set(euid === '' ? euidsOf(name) : [euid])) {
    const number = await findByEuid(connection, candidate);
    if (number !== undefined) return [number];
  }
  return [];
}

/** The name in the path; undefined where it is any placeholder. */
function addressOf(exchange: Exchange): string | undefined {
  const segment = exchange.params.name!;
  return segment === 'new' || isPosted(exchange) ? undefined : segment;
}

function isPosted({ query }: Exchange): boolean {
  return POSTING_PARAMETERS.some((name) => query.get(name) !== undefined);
}

/** A PUT with one of these posts a message; what stands in the path then is any placeholder. */
const POSTING_PARAMETERS = ['subj', 'wefw', 'mailto', 'mailcc', 'mailbcc', 'att', 'draft'];

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
