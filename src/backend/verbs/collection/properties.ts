// PROP, our own verb: dead properties (RFC 4918 section 4) of rooms and of their members (protocol section 21.7). A
// name is a namespace, a blank and a local name; values are XML; both are packed.

import {
  MAX_MEMBER_PROPERTIES,
  MAX_PROPERTIES_AT_ONCE,
  MAX_PROPERTIES_TEXT_BYTES,
  MAX_PROPERTY_BYTES,
  MAX_PROPERTY_NAME_BYTES,
} from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { packField, splitFields, unpackField } from '../../../protocol/fields.ts';
import type { Steps } from '../../../system/steps.ts';
import { learnMembers } from '../../content/learning.ts';
import { mayAdminister, readableRoom, requireUser, sessionAccess } from '../../session/access.ts';
import { answerText, inPieces, LISTING_END, listingStart, type Reply, type TextReply } from '../../session/reply.ts';
import { knownRooms } from '../../session/rooms.ts';
import { type Session, type Verb, withTurns } from '../../session/session.ts';
import { type DeadProperty, propertiesInRoom, propertiesOfMember, setProperty } from '../../store/dead-properties.ts';
import { findMember } from '../../store/members.ts';
import type { StoredRoom } from '../../store/records.ts';
import { nameInRoom } from '../../store/references.ts';
import { Refusal } from '../../store/refusal.ts';
import { roomById, shownName } from '../../store/rooms.ts';

/** Failures of `set`: nothing was changed. */
const NOT_SET = { invalid: -3, tooMuch: -4 } as const;

/** `PROP of|…`, `all|…`, `rooms`, `set|…`; 512, 550, 575 */
export const prop: Verb = (session, args) => {
  const [what, ...fields] = splitFields(args);
  switch (what) {
    case 'of':
      return inPieces('', ofMember(session, fields[0] ?? ''));
    case 'all':
      return all(session, fields);
    case 'rooms':
      return inPieces('', ofRooms(session));
    case 'set':
      return set(session, fields[0] ?? '');
    default:
      throw new Refusal('illegalValue', 'There is no such question.');
  }
};

/** `of|member` → rows `name|value`; an empty member is the room; 575 */
function* ofMember(session: Session, segment: string): Generator<string> {
  for (const _ of learnMembers(session.store, readableRoom(session))) yield '';
  const room = readableRoom(session);
  const member = memberOf(session, room, segment);
  yield listingStart('Properties:');
  yield propertiesOfMember(session.store, room.id, member).map(row).join('');
}

/** `all|member|name` → `100 cursor of the next page`, rows `member|name|value` after it; the room’s own first */
function all(session: Session, [member = '', name = '']: readonly string[]): Reply {
  const room = readableRoom(session);
  const after = { member, name: unpackField(name) };
  const rows = propertiesInRoom(session.store, room.id, after, MAX_PROPERTIES_AT_ONCE);
  const last = rows.length === MAX_PROPERTIES_AT_ONCE ? rows.at(-1)! : undefined;
  const lines = rows.map((property) => `${property.member}|${row(property)}`);
  const next = last ? `${last.member}|${packField(last.name)}` : '|';
  return inPieces(listingStart(next), lines.values());
}

/** → rows `room|room id|sequence` of the rooms that the user knows, each followed by rows `|name|value` */
function* ofRooms(session: Session): Generator<string> {
  const { store, user } = session;
  const rooms = knownRooms(session);
  yield listingStart('Rooms:');
  for (const room of rooms) {
    if (roomById(store, room.id) !== room) continue;
    const own = propertiesOfMember(store, room.id, '').map((property) => `|${row(property)}`);
    yield `${shownName(room, user)}|${room.id}|${room.sequence}\n${own.join('')}`;
  }
}

function row({ name, value }: DeadProperty): string {
  return `${packField(name)}|${packField(value)}\n`;
}

/** The name that properties are stored under. Throws Refusal 575. */
function memberOf({ store }: Session, room: StoredRoom, segment: string): string {
  if (segment === '') return '';
  const found = findMember(store, room.id, segment) ?? findMember(store, room.id, `/${segment}`);
  if (!found) throw new Refusal('noSuchMessage', 'There is no such member.');
  return nameInRoom(store, room.id, found.id) || String(found.id);
}

/**
 * `set|member` → 800; lines come: `name|value` sets a property, `name` removes it; then a row: 0 all was done, or
 * nothing: the number of a Refusal, -3 no name, -4 too much. 550, 575.
 */
function set(session: Session, segment: string): TextReply {
  requireUser(session);
  requireMayChange(session, readableRoom(session), segment);
  const work = function* (text: string | undefined): Steps<string> {
    try {
      yield* learnMembers(session.store, readableRoom(session));
      const room = readableRoom(session);
      requireMayChange(session, room, segment);
      const member = memberOf(session, room, segment);
      return `${changed(session, room, member, text)}\n${LISTING_END}`;
    } catch (error) {
      if (error instanceof Refusal) return `${error.failure}\n${LISTING_END}`;
      throw error;
    }
  };
  return answerText('send properties', MAX_PROPERTIES_TEXT_BYTES, (text) => withTurns(session, work(text)));
}

/** Members: users who may replace them. The room: users who may administer it, and its owner. */
function requireMayChange(session: Session, room: StoredRoom, segment: string): void {
  const isOwner = room.owner !== null && room.owner === session.user?.id;
  const mayChange =
    segment === '' ? isOwner || mayAdminister(session, room) : (sessionAccess(session, room) & ACCESS.delete) !== 0;
  if (!mayChange) throw new Refusal('higherAccess', 'Higher access required.');
}

function changed({ store }: Session, room: StoredRoom, member: string, text: string | undefined): number {
  if (text === undefined) return NOT_SET.tooMuch;
  const lines = text.split('\n').filter((line) => line !== '');
  const changes = lines.map((line) => {
    const [name = '', value] = splitFields(line);
    return { name: unpackField(name), value: value === undefined ? undefined : unpackField(value) };
  });
  for (const { name, value } of changes) {
    if (name === '' || Buffer.byteLength(name) > MAX_PROPERTY_NAME_BYTES) return NOT_SET.invalid;
    if (value !== undefined && Buffer.byteLength(value) > MAX_PROPERTY_BYTES) return NOT_SET.tooMuch;
  }
  const names = new Set(propertiesOfMember(store, room.id, member).map(({ name }) => name));
  for (const { name, value } of changes) {
    if (value === undefined) names.delete(name);
    else names.add(name);
  }
  if (names.size > MAX_MEMBER_PROPERTIES) return NOT_SET.tooMuch;
  store.transaction(() => {
    for (const { name, value } of changes) setProperty(store, room.id, { member, name }, value);
  });
  return 0;
}
