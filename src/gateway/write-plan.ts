// Writing one member of a room by PUT: what its address means (a name, a UID or a number), conditions and locks, what
// is replaced, and whom scheduling notifies; then one post. MOVE and COPY use the same checks.

import { AppError } from '../errors.ts';
import { isConditional } from '../http/conditional.ts';
import type { Exchange } from '../http/exchange.ts';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { isObjectType, nameFrom, uidOf } from '../mime/stored-content.ts';
import {
  collectionKind,
  componentsIn,
  type EnteredRoom,
  EUID_VIEWS,
  hasNames,
  holdsFiles,
  holdsObjects,
  VIEW,
} from '../model.ts';
import { isFieldSafe, wholeLineCommand } from '../protocol/fields.ts';
import {
  euidsOf,
  isAddressable,
  isAmbiguous,
  isPlainNumber,
  ownNames,
  parseMessageNumber,
} from '../protocol/member-names.ts';
import { REPLY, replyClass } from '../protocol/status.ts';
import type { Member } from '../room-server/collections.ts';
import type { Connection } from '../room-server/connection/connection.ts';
import { serverOf } from '../room-server/driver.ts';
import { findByEuid, hasMessage, readStoredHeaders } from '../room-server/messages.ts';
import { type Posted, removeReplaced, UidTaken } from '../room-server/posting.ts';
import { CALDAV, CARDDAV, checkedBody, mendedBody, objectRefusal, requireObjectType } from './checked-object.ts';
import { findMembers, findNamed, findSettled } from './collection/collection.ts';
import { componentSetOf } from './collection/properties.ts';
import { requirePossibleFile } from './folder/location.ts';
import { postReplacing, type ReceivedMessage, requireReplaceable } from './message/posting.ts';
import { messageEtag } from './message/representation.ts';
import { addressableName, checkedName, checkedPageName, messagePath, uidInRoomKey } from './paths.ts';
import {
  type IfConditions,
  knownLockName,
  lockTarget,
  readIfConditions,
  requirePreconditions,
} from './preconditions.ts';
import type { RoomContext } from './room-context.ts';
import { putScheduled, type ScheduledPut, unlessOutrun } from './scheduling/plan.ts';

export interface Written {
  posted: Posted;
  /** where it is */
  room: string;
  isReplaced: boolean;
  /** a foreign room server keeps the bytes, too */
  isAsPut: boolean;
  /** the members of that room have names */
  hasNames: boolean;
  /** of the response */
  headers?: ScheduledPut<unknown>['headers'];
}

/** PUTs a member; writes of the same UID wait for each other, under whatever name. */
export async function writeMember(context: RoomContext, message: ReceivedMessage): Promise<Written> {
  const { app, room, exchange } = context;
  const uid = await uidIn(message);
  const write = () => unlessOutrun(() => writeObject(context, message, uid));
  try {
    if (!isObjectType(message.contentType)) return await writeNamed(context, message, uid);
    return await app.serialQueue.run(uidInRoomKey(room.name, uid), write, exchange.gone);
  } catch (error) {
    if (error instanceof AppError && error.condition?.isExplained) await requireConditions(context);
    throw error;
  }
}

/** Conditions come before the body (RFC 9110 section 13.2.1). Throws as requireWritable. */
async function requireConditions(context: RoomContext): Promise<void> {
  const { exchange, app, caller, room } = context;
  const segment = segmentOf(exchange);
  if (segment === undefined) return;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const [existing] = await findMembers(context, [segment]);
  const replaced = existing ? [existing.msgnum] : [];
  await requireWritable(context, await readIfConditions(context), entered, existing?.name ?? segment, replaced);
}

/**
 * The conditions of the request hold for what is replaced, and no lock is in the way. Throws precondition_failed,
 * locked.
 */
export async function requireWritable(
  context: RoomContext,
  conditions: IfConditions,
  entered: EnteredRoom,
  name: string,
  existing: readonly number[],
): Promise<void> {
  const etag = existing[0] === undefined ? undefined : messageEtag(existing[0]);
  const exists = etag !== undefined;
  const change = { context, entered, name, isMembership: !exists };
  await requirePreconditions(context, conditions, { entered, name, etag, exists }, [change]);
}

/**
 * The messages that a write replaces in the room of the connection: of the first UID that is there in a room whose
 * members are named by UID, else of the name; none without a name. `isSettled`: as findSettled.
 */
export async function findReplaced(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  { name, euids, isSettled = false }: { name: string; euids: readonly string[]; isSettled?: boolean },
): Promise<number[]> {
  if (!EUID_VIEWS.has(entered.defaultView)) {
    if (name === '') return [];
    return (isSettled ? findSettled : findNamed)(context, connection, entered, name);
  }
  for (const euid of euids) {
    const number = await findByEuid(connection, euid);
    if (number !== undefined) return [number];
  }
  return [];
}

/** A calendar object or a card. Throws as objectTarget and requireUid. */
async function writeObject(context: RoomContext, message: ReceivedMessage, uid: string): Promise<Written> {
  const { exchange, app, caller, room } = context;
  const conditions = await readIfConditions(context);
  const segment = segmentOf(exchange);
  const target = await objectTarget(context, segment, message, uid);
  if (!target) return writeNamed(context, message, uid);
  const { existing, name, mended } = target;
  if (!existing && segment !== undefined) addressableName(segment, true);
  if (name !== '') checkedName(name, true);
  const replaced = existing ? [existing.msgnum] : [];
  await requireWritable(context, conditions, target.entered, name || existing?.name || target.uid, replaced);
  requireUid(context, target);
  const at = { entered: target.entered, msgnum: existing?.msgnum };
  const toPut = mended === undefined ? message : { ...message, ...mendedBody(target.entered, mended) };
  const { result, headers } = await putScheduled(context, at, toPut, (within) =>
    app.pool.withRoom(caller.identity, room, async (connection, entered) => {
      const done = await within(connection, (toStore) =>
        postReplacing(context, connection, entered, { ...toStore, name, isKnownByUid: true }, replaced, true),
      );
      // a member without a UID is not replaced by UID
      if (existing?.euid === '') await removeReplaced(connection, replaced);
      return done;
    }),
  ).catch((error: unknown) => uidConflict(context, segment, message, uid, error));
  return {
    ...result,
    // RFC 4791 section 5.3.4
    headers: mended === undefined ? headers : (msgnum) => ({ ...headers(msgnum), ETag: undefined }),
    isAsPut: target.entered.defaultView !== VIEW.addressBook,
    hasNames: true,
  };
}

/** Anything else, under its name if it has one. */
async function writeNamed(context: RoomContext, message: ReceivedMessage, uid: string): Promise<Written> {
  const conditions = await readIfConditions(context);
  const written = await writeInRoom(context, message, uid, conditions);
  if (written) return written;
  // finding the lock name takes another connection, so none may be held
  const { name } = await lockTarget(context, context.exchange.params.name!);
  return (await writeInRoom(context, message, uid, conditions, name))!;
}

/** `lockName`: of a message without a name; returns undefined if it has to be found first. */
async function writeInRoom(
  context: RoomContext,
  message: ReceivedMessage,
  uid: string,
  conditions: IfConditions,
  lockName?: string,
): Promise<Written | undefined> {
  const { exchange, app, caller, room } = context;
  const segment = exchange.params.name!;
  return app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    if (message.name !== '') requireObjectType(entered, message.contentType);
    const isNamedByEuid = EUID_VIEWS.has(entered.defaultView);
    const name = isNamedByEuid ? '' : message.name;
    const lockedName = name || lockName || (await lockNameOf(context, entered));
    if (lockedName === undefined) return undefined;
    const euid = isNamedByEuid ? euidFor(exchange, entered, uid) : '';
    const euids = euid === '' ? euidsOf(segment) : [euid];
    const isSettled = isConditional(exchange);
    const existing = await findReplaced(context, connection, entered, { name, euids, isSettled });
    if (name === '') requireFindable(exchange, entered, euid, existing.length > 0);
    if (isNamedByEuid && existing.length === 0) await requireFreeNumber(connection, message.name);
    await requireWritable(context, conditions, entered, lockedName, existing);
    if (name !== '') {
      if (holdsFiles(entered)) await requirePossibleFile(context, connection, entered, name);
      else checkedName(name);
    }
    if (!isNamedByEuid) requireReplaceable(entered, existing);
    const isNamed = entered.defaultView === VIEW.wiki || entered.defaultView === VIEW.notes;
    const posting = { ...message.posting, euid: isNamed ? euid : '' };
    const named = { ...message, name, posting };
    const result = await postReplacing(context, connection, entered, named, existing, isSettled);
    return { ...result, isAsPut: true, hasNames: hasNames(entered) };
  });
}

/** Of a message without a name; undefined if it has to be found first. */
async function lockNameOf(context: RoomContext, entered: EnteredRoom): Promise<string | undefined> {
  const segment = context.exchange.params.name!;
  const isPlaceholder = segmentOf(context.exchange) === undefined && !EUID_VIEWS.has(entered.defaultView);
  return isPlaceholder ? segment : knownLockName(context, entered, segment);
}

/** The UID by which the room will know the message, or ''. */
function euidFor(exchange: Exchange, room: EnteredRoom, uid: string): string {
  const name = exchange.params.name!;
  // the room server trims spaces
  const isUid = isFieldSafe(name) && name === name.trim();
  if (room.defaultView === VIEW.wiki) return isUid ? checkedPageName(name) : '';
  if (uid !== '') return uid;
  return room.defaultView === VIEW.notes && isUid && isAddressable(name, true) ? name : '';
}

/** Throws conflict for a new message that the name in the path would not find. */
function requireFindable(exchange: Exchange, room: EnteredRoom, euid: string, isUpdate: boolean): void {
  // the segment names a page, whatever the parameters are
  const segment = room.defaultView === VIEW.wiki ? exchange.params.name! : segmentOf(exchange);
  if (segment === undefined || (euid !== '' && isUpdate)) return;
  if (euidsOf(addressableName(segment, hasNames(room))).includes(euid)) return;
  throw new AppError('conflict', 'This address would not find it: its name is its UID, without spaces around it.');
}

/** Throws conflict if a new name would hide a message that is addressed by its number. */
async function requireFreeNumber(connection: Connection, name: string): Promise<void> {
  if (isPlainNumber(name) && (await hasMessage(connection, Number(name)))) {
    throw new AppError('conflict', `${name} is the number of a message in this room. Choose another name.`);
  }
}

/** The name in the path; undefined for a placeholder. */
export function segmentOf(exchange: Exchange): string | undefined {
  const segment = exchange.params.name!;
  return segment === 'new' || isPosted(exchange) ? undefined : segment;
}

export function isPosted({ query }: Exchange): boolean {
  return POSTING_PARAMETERS.some((name) => query.get(name) !== undefined);
}

/** A PUT with one of these posts a message, and its path ends in a placeholder. */
const POSTING_PARAMETERS = ['subj', 'wefw', 'mailto', 'mailcc', 'mailbcc', 'att', 'draft'];

/** What a PUT means in a room of calendar objects or cards (RFC 4791 section 5.3.2, RFC 6352 section 6.3.2). */
interface ObjectTarget {
  entered: EnteredRoom;
  uid: string;
  /** what the address means now; for a placeholder, what has the UID */
  existing: Found | undefined;
  /** to store it under; '': its default name */
  name: string;
  /** the member that has the UID, if the address means another one */
  holder: Found | undefined;
  /** the text to store, if it is not the body */
  mended?: string | undefined;
}

type Found = Pick<Member, 'msgnum' | 'name' | 'euid'>;

/** `given`: the name that a client chose, or '' */
type Holder = Found & { given: string };

/**
 * Undefined in rooms of another kind. `segment`: the last one of the path; undefined for a placeholder: then the object
 * is not checked, because programs post anything. `guess`: from uidIn. Throws as pool.readInRoom and checkedBody.
 */
async function objectTarget(
  context: RoomContext,
  segment: string | undefined,
  message: ReceivedMessage,
  guess: string,
): Promise<ObjectTarget | undefined> {
  const { entered, holder: guessed } = await findHolder(context, guess);
  if (!holdsObjects(collectionKind(entered))) return undefined;
  if (segment === undefined) return replacing(entered, guess, guessed);
  const isNumber = parseMessageNumber(segment) !== undefined;
  const [numbered] = isNumber ? await findMembers(context, [segment]) : [];
  if (isNumber && !numbered && guessed) return replacing(entered, guess, guessed);
  const { uid, mended } = await checkedBody(context, entered, message);
  const holder = uid === guess ? guessed : (await findHolder(context, uid)).holder;
  // a number or a room resource is no UID
  const uids = isAmbiguous(segment) ? [] : euidsOf(segment);
  if (holder && (holder.name === segment || uids.includes(uid) || holder.msgnum === numbered?.msgnum)) {
    return { ...replacing(entered, uid, holder), mended };
  }
  // the UID of a new object names nothing else; but `12.ics` may be message 12
  const isNew = !holder && uids.includes(uid) && uids.every((each) => parseMessageNumber(each) === undefined);
  const [existing] = numbered || isNew ? [numbered] : await findMembers(context, [segment]);
  if (!existing && !holder && !uids.includes(uid) && (await isWrittenAnew(context, entered))) {
    throw new AppError('conflict', `This room server names a contact by its UID only: PUT it to ${uid}.vcf.`);
  }
  return { entered, uid, existing, name: numbered ? '' : (existing?.name ?? segment), holder, mended };
}

function replacing(entered: EnteredRoom, uid: string, holder: Holder | undefined): ObjectTarget {
  return { entered, uid, existing: holder, name: holder?.given ?? '', holder: undefined };
}

/** The UID of an object if its beginning holds one, else ''. */
function uidIn({ contentType, body }: ReceivedMessage): Promise<string> {
  return uidOf(contentType, body.open(0, Math.min(body.size, SPOOL_MEMORY_BYTES)));
}

/** The message of this UID. */
async function findHolder(
  context: RoomContext,
  uid: string,
): Promise<{ entered: EnteredRoom; holder: Holder | undefined }> {
  const { app, caller, room } = context;
  const asked = uid === '' ? [] : [wholeLineCommand('EUID', uid)];
  const { entered, answers } = await app.pool.readInRoom(caller.identity, room, asked);
  const [found] = answers;
  const msgnum = found && replyClass(found.code) === REPLY.done ? Number(found.text.trim()) : 0;
  if (!Number.isSafeInteger(msgnum) || msgnum < 1) return { entered, holder: undefined };
  const holderOf = (given: string): Holder => {
    const message = { msgnum, euid: uid };
    return { ...message, given, name: given || (ownNames(entered.defaultView, message)[0] ?? String(msgnum)) };
  };
  if (await isWrittenAnew(context, entered)) return { entered, holder: holderOf('') };
  const [headers] = await readStoredHeaders(app.pool, caller.identity, room, [msgnum]);
  return { entered, holder: headers && holderOf(nameFrom(headers) ?? '') };
}

/** A foreign server rewrites contacts, and loses the names that clients gave. */
async function isWrittenAnew({ app, caller }: RoomContext, entered: EnteredRoom): Promise<boolean> {
  const { messages } = await serverOf(app.pool, caller.identity);
  return collectionKind(entered) === 'addressbook' && !messages.keepsCards;
}

/** Throws conflict with no-uid-conflict if the UID or the address belongs to another object. */
function requireUid(context: RoomContext, { entered, uid, existing, holder }: ObjectTarget): void {
  const isOther = existing !== undefined && existing.euid !== '' && existing.euid !== uid;
  const other = holder ?? (isOther ? existing : undefined);
  if (other) throw uidRefusal(context, entered, context.exchange.params.room!, other);
}

/** `room`: as the client spells it; the last argument has the UID or the address. */
function uidRefusal({ app }: RoomContext, entered: EnteredRoom, room: string, { name }: Found): AppError {
  return new AppError('conflict', 'Another object has this UID, or this address.', {
    condition: {
      namespace: collectionKind(entered) === 'addressbook' ? CARDDAV : CALDAV,
      name: 'no-uid-conflict',
      hrefs: [messagePath(app, room, name)],
    },
  });
}

/**
 * COPY and MOVE have the same preconditions as PUT (RFC 4791 section 5.3.2.1, RFC 6352 section 6.3.2.1): a member of
 * some room may be in this one, instead of `existing`. Throws forbidden, conflict.
 */
export async function requireObjectFits(
  context: RoomContext,
  entered: EnteredRoom,
  member: Member,
  existing?: Member,
): Promise<void> {
  const kind = collectionKind(entered);
  const isBook = kind === 'addressbook';
  const { component = '', euid } = member;
  const isObject = euid !== '' && component !== '';
  if (isBook && !(isObject && component === 'VCARD'))
    throw objectRefusal(true, 'supported-address-data', 'it is no contact');
  if (!isBook && component === 'VCARD') throw objectRefusal(false, 'supported-calendar-data', 'it is a contact');
  if (!isBook && !isObject) throw objectRefusal(false, 'valid-calendar-object-resource', 'it is no calendar object');
  const isUsual = isBook || componentsIn(kind).includes(component);
  if (!isUsual && !componentsIn(kind, await componentSetOf(context)).includes(component)) {
    throw objectRefusal(false, 'supported-calendar-component', `it does not accept ${component}`);
  }
  if (existing && existing.euid !== '' && existing.euid !== euid) {
    throw uidRefusal(context, entered, context.room.name, existing);
  }
}

/** The error of placing a member; if another one has its UID, the conflict that requireUid throws. */
export async function placeConflict(context: RoomContext, entered: EnteredRoom, error: unknown): Promise<never> {
  const taken = error instanceof AppError && error.cause instanceof UidTaken ? error.cause : undefined;
  const [other] = taken ? await findMembers(context, [String(taken.msgnum)]) : [];
  throw other ? uidRefusal(context, entered, context.room.name, other) : error;
}

/** The error of posting an object; if another gateway was first with its UID, the conflict that requireUid throws. */
async function uidConflict(
  context: RoomContext,
  segment: string | undefined,
  message: ReceivedMessage,
  guess: string,
  error: unknown,
): Promise<never> {
  const isTaken = error instanceof AppError && error.cause instanceof UidTaken;
  const target = isTaken ? await objectTarget(context, segment, message, guess) : undefined;
  if (target) requireUid(context, target);
  throw error;
}
