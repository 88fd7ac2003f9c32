// Where a calendar object or card goes that is PUT into a room which keeps them (RFC 4791 section 5.3.2,
// RFC 6352 section 6.3.2): what it replaces, the name that it keeps, and the preconditions that forbid it.

import { AppError } from '../../errors.ts';
import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { SPOOL_MEMORY_BYTES } from '../../limits/http.ts';
import { MAX_CHECKED_IN_PLACE_BYTES } from '../../limits/render.ts';
import { parseParameters } from '../../mime/headers.ts';
import { isCalendar, isCard } from '../../mime/objects/properties.ts';
import { nameFrom } from '../../mime/stored-content.ts';
import { collectionKind, componentsIn, type EnteredRoom, holdsObjects } from '../../model.ts';
import { wholeLineCommand } from '../../protocol/fields.ts';
import { euidsOf, isAmbiguous, ownNames, parseMessageNumber } from '../../protocol/member-names.ts';
import { REPLY, replyClass } from '../../protocol/status.ts';
import { type CheckedObject, checkObject, type ObjectJob } from '../../render/job.ts';
import type { Member } from '../../room-server/collections.ts';
import { serverOf } from '../../room-server/driver.ts';
import { readStoredHeaders } from '../../room-server/messages.ts';
import { UidTaken } from '../../room-server/posting.ts';
import type { ReceivedMessage } from '../message/post-body.ts';
import { readingTurn } from '../message/reading-turn.ts';
import { uidOf } from '../message/uid.ts';
import { messagePath } from '../paths.ts';
import type { RoomContext } from '../room-context.ts';
import { findMembers } from './collection.ts';

const CALDAV = 'urn:ietf:params:xml:ns:caldav';
const CARDDAV = 'urn:ietf:params:xml:ns:carddav';

/** of which room servers read the UID (protocol sections 17.1 and 17.2) */
const CALENDAR_TYPES: ReadonlySet<string> = new Set(['text/calendar', 'application/ics']);
const CARD_TYPES: ReadonlySet<string> = new Set(['text/vcard', 'text/x-vcard']);

/** What a PUT means in a room that keeps calendar objects or cards. */
export interface ObjectPlace {
  entered: EnteredRoom;
  uid: string;
  /** what the address means now; of a placeholder what has the UID */
  existing: Found | undefined;
  /** under which it is to be kept; empty: only under a name of its own */
  name: string;
  /** the member that has the UID, where it is not the one that the address means */
  holder: Found | undefined;
}

type Found = Pick<Member, 'msgnum' | 'name' | 'euid'>;

/** `given`: the name that a client has chosen for it, or empty */
type Holder = Found & { given: string };

/** By its media type, with parameters: it may be a calendar object or a card. */
export function isObjectType(contentType: string): boolean {
  const type = parseParameters(contentType).value.toLowerCase();
  return isCalendar(type) || isCard(type);
}

/**
 * Of what isObjectType takes. `segment`: the last one of the path; undefined where it is a placeholder: then the object
 * is not checked, for it may be anything that programs post. `guess`: what uidIn has found. The place is undefined in
 * rooms of another kind. Throws as pool.readInRoom and checkedUid.
 */
export async function placeOf(
  context: RoomContext,
  segment: string | undefined,
  message: ReceivedMessage,
  guess: string,
): Promise<ObjectPlace | undefined> {
  const { entered, holder: guessed } = await findHolder(context, guess);
  if (!holdsObjects(collectionKind(entered))) return undefined;
  if (segment === undefined) return replacing(entered, guess, guessed);
  const isNumber = parseMessageNumber(segment) !== undefined;
  const [numbered] = isNumber ? await findMembers(context, [segment]) : [];
  if (isNumber && !numbered && guessed) return replacing(entered, guess, guessed);
  const uid = await checkedUid(context, entered, message);
  const holder = uid === guess ? guessed : (await findHolder(context, uid)).holder;
  // a number or a room resource is not looked for by UID
  const uids = isAmbiguous(segment) ? [] : euidsOf(segment);
  if (holder && (holder.name === segment || uids.includes(uid) || holder.msgnum === numbered?.msgnum)) {
    return replacing(entered, uid, holder);
  }
  // nobody else is meant by the UID of a new object, so nobody is looked for; but `12.ics` may be message 12
  const isNew = !holder && uids.includes(uid) && uids.every((each) => parseMessageNumber(each) === undefined);
  const [existing] = numbered || isNew ? [numbered] : await findMembers(context, [segment]);
  if (!existing && !holder && !uids.includes(uid) && (await isWrittenAnew(context, entered))) {
    throw new AppError('conflict', `This room server keeps no name of a contact but its UID: PUT it to ${uid}.vcf.`);
  }
  return { entered, uid, existing, name: numbered ? '' : (existing?.name ?? segment), holder };
}

function replacing(entered: EnteredRoom, uid: string, holder: Holder | undefined): ObjectPlace {
  return { entered, uid, existing: holder, name: holder?.given ?? '', holder: undefined };
}

const uids = new WeakMap<ReceivedMessage['body'], Promise<string>>();

/** The UID of an object, as far as it can be seen without reading all of it; empty where it has none. Read once. */
export function uidIn({ contentType, body }: ReceivedMessage): Promise<string> {
  return uids.getOrInsertComputed(body, () =>
    uidOf(contentType, body.open(0, Math.min(body.size, SPOOL_MEMORY_BYTES))),
  );
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

/** A server that is not ours writes contacts anew, and the names that clients have given are lost. */
async function isWrittenAnew({ app, caller }: RoomContext, entered: EnteredRoom): Promise<boolean> {
  const { messages } = await serverOf(app.pool, caller.identity);
  return collectionKind(entered) === 'addressbook' && !messages.keepsCards;
}

/** Throws conflict with no-uid-conflict, where the UID or the address is that of another object. */
export function requireUid(context: RoomContext, { entered, uid, existing, holder }: ObjectPlace): void {
  const isOther = existing !== undefined && existing.euid !== '' && existing.euid !== uid;
  const other = holder ?? (isOther ? existing : undefined);
  if (other) throw uidRefusal(context, entered, context.exchange.params.room!, other);
}

/** `room`: as the client spells it; the last one has the UID there, or the address. */
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
 * COPY and MOVE have the same preconditions as PUT (RFC 4791 section 5.3.2.1, RFC 6352 section 6.3.2.1): whether a
 * member of some room may be in this one, in the place of `existing`. Throws forbidden, conflict.
 */
export function requireObjectPlace(
  context: RoomContext,
  entered: EnteredRoom,
  member: Member,
  existing?: Member,
): void {
  const kind = collectionKind(entered);
  const isBook = kind === 'addressbook';
  const { component = '', euid } = member;
  const isObject = euid !== '' && component !== '';
  if (isBook && !(isObject && component === 'VCARD')) throw refusal(true, 'supported-address-data', 'it is no contact');
  if (!isBook && component === 'VCARD') throw refusal(false, 'supported-calendar-data', 'it is a contact');
  if (!isBook && !isObject) throw refusal(false, 'valid-calendar-object-resource', 'it is no calendar object');
  if (!isBook && !componentsIn(kind).includes(component)) {
    throw refusal(false, 'supported-calendar-component', `no place for ${component}`);
  }
  if (existing && existing.euid !== '' && existing.euid !== euid) {
    throw uidRefusal(context, entered, context.room.name, existing);
  }
}

/** What placing a member has failed with: where another one has its UID, the conflict that requireUid throws. */
export async function placeConflict(context: RoomContext, entered: EnteredRoom, error: unknown): Promise<never> {
  const taken = error instanceof AppError && error.cause instanceof UidTaken ? error.cause : undefined;
  const [other] = taken ? await findMembers(context, [String(taken.msgnum)]) : [];
  throw other ? uidRefusal(context, entered, context.room.name, other) : error;
}

/**
 * What posting an object has failed with: where another gateway was first with its UID, the conflict that requireUid
 * throws.
 */
export async function uidConflict(
  context: RoomContext,
  segment: string | undefined,
  message: ReceivedMessage,
  guess: string,
  error: unknown,
): Promise<never> {
  const isTaken = error instanceof AppError && error.cause instanceof UidTaken;
  const place = isTaken ? await placeOf(context, segment, message, guess) : undefined;
  if (place) requireUid(context, place);
  throw error;
}

/**
 * The UID of a body that may be stored in a room which keeps objects. Throws forbidden with the precondition of
 * RFC 4791 section 5.3.2.1 or RFC 6352 section 6.3.2.1.
 */
async function checkedUid(
  context: RoomContext,
  entered: EnteredRoom,
  { contentType, body, traits }: Pick<ReceivedMessage, 'contentType' | 'body' | 'traits'>,
): Promise<string> {
  requireObjectType(entered, contentType);
  const kind = collectionKind(entered);
  const isBook = kind === 'addressbook';
  if (body.size > MAX_OBJECT_BYTES) throw refusal(isBook, 'max-resource-size', 'it is too large');
  if (!traits.isUtf8) throw refusal(isBook, isBook ? 'valid-address-data' : 'valid-calendar-data', 'it is no UTF-8');
  const checked = await checkedObject(context, body, isBook ? undefined : componentsIn(kind));
  if ('fault' in checked) throw refusal(isBook, checked.fault.precondition, checked.fault.reason);
  return checked.uid;
}

/** A large one is checked in a thread. Throws as readings.makeOwn. */
async function checkedObject(
  context: RoomContext,
  body: ReceivedMessage['body'],
  components: ObjectJob['components'],
): Promise<CheckedObject> {
  if (body.size <= MAX_CHECKED_IN_PLACE_BYTES) return checkObject({ source: await bytesOf(body), components });
  const fetch = async (): Promise<ObjectJob> => {
    return { kind: 'object', source: await bytesOf(body), isWhole: true, components };
  };
  const json = await context.app.readings.makeOwn(await readingTurn(context), fetch);
  return JSON.parse(json.toString()) as CheckedObject;
}

async function bytesOf(body: ReceivedMessage['body']): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(body.size);
  let at = 0;
  for await (const piece of body.open()) at += piece.copy(bytes, at);
  return bytes.subarray(0, at);
}

/** Throws as checkedUid for a type that the room does not take under a name. */
export function requireObjectType(entered: EnteredRoom, contentType: string): void {
  const kind = collectionKind(entered);
  if (!holdsObjects(kind)) return;
  const type = parseParameters(contentType).value.toLowerCase();
  const isBook = kind === 'addressbook';
  if ((isBook ? CARD_TYPES : CALENDAR_TYPES).has(type)) return;
  throw refusal(isBook, isBook ? 'supported-address-data' : 'supported-calendar-data', `not ${type}`);
}

function refusal(isBook: boolean, name: string, reason: string): AppError {
  return new AppError('forbidden', `This cannot be stored here: ${reason}.`, {
    condition: { namespace: isBook ? CARDDAV : CALDAV, name, hrefs: [] },
  });
}
