// Rules of a room for a posted message: the euid, subject and time that its default view sets for events, tasks, cards,
// notes and pages (protocol section 17), and the member that the message may replace, checked in the transaction that
// stores it. Stored text is never rewritten.

import { randomUUID } from 'node:crypto';
import { MAX_EUID_BYTES } from '../../limits/backend.ts';
import { parseHeaders } from '../../mime/headers.ts';
import { parseDateTime } from '../../mime/objects/calendar-time.ts';
import { type Component, type ContentLine, parseComponents, unescapeText } from '../../mime/objects/content-lines.ts';
import { propertiesIn, propertyValue } from '../../mime/objects/properties.ts';
import { contentParts } from '../../mime/part.ts';
import { CONTENT_FIELDS, nameFrom } from '../../mime/stored-content.ts';
import type { MimePart } from '../../mime/walk.ts';
import { REPLACING_VIEWS, VIEW } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { euidsOf, isMemberName, isOwnName } from '../../protocol/member-names.ts';
import type { BodyWriter } from '../store/bodies.ts';
import { headerBlock } from '../store/message-facts.ts';
import { objectPartText } from '../store/message-part.ts';
import { messageInRoom } from '../store/messages.ts';
import { FORMAT, hasMemberNames, type StoredRoom } from '../store/records.ts';
import { messageByEuid, messageByName, nameInRoom } from '../store/references.ts';
import type { Store } from '../store/store.ts';

/** longer summaries of notes are cut to SHORT_SUMMARY_LENGTH and three points */
const MAX_SUMMARY_LENGTH = 72;
const SHORT_SUMMARY_LENGTH = 68;

/** A rule of the room forbids the message: -3 in the confirmation. */
export class RejectedByRoom extends Error {}

/** The fields of ENT0 that a view may replace. */
export interface PostedFields {
  format: number;
  /** field 9 of ENT0 */
  euid: string;
  subject: string;
}

/** The fields set by the view of the room. */
export interface RoomFields {
  euid: string;
  subject: string;
  /** Unix time; undefined: the time of posting */
  time?: number | undefined;
}

/** Call inside the transaction that stores the message: links the body to read it. Throws RejectedByRoom. */
export function fieldsForRoom(store: Store, room: StoredRoom, posted: PostedFields, body: BodyWriter): RoomFields {
  const fields = byView(store, room, posted, body);
  if (Buffer.byteLength(fields.euid) > MAX_EUID_BYTES) throw new RejectedByRoom();
  return fields;
}

function byView(store: Store, room: StoredRoom, posted: PostedFields, body: BodyWriter): RoomFields {
  const { subject } = posted;
  switch (room.view) {
    case VIEW.calendar:
    case VIEW.tasks:
      if (posted.format !== FORMAT.mime) throw new RejectedByRoom();
      return calendarFields(store, subject, body);
    case VIEW.addressBook:
      return cardFields(store, subject, body);
    case VIEW.notes:
      return noteFields(store, posted, body);
    case VIEW.wiki:
      return pageFields(store, room, posted, body);
    case VIEW.blog:
      return { euid: randomUUID(), subject };
    default:
      return { euid: '', subject };
  }
}

function calendarFields(store: Store, subject: string, body: BodyWriter): RoomFields {
  const components = componentsIn(store, body, ['text/calendar', 'application/ics']);
  const event = propertiesIn(components, 'VEVENT');
  const properties = event.length > 0 ? event : propertiesIn(components, 'VTODO');
  if (properties.length === 0) return { euid: '', subject };
  return {
    euid: propertyValue(properties, 'UID') || randomUUID(),
    subject: summaryOf(properties) || subject,
    time: parseDateTime(propertyValue(properties, 'DTSTART'))?.seconds,
  };
}

function cardFields(store: Store, subject: string, body: BodyWriter): RoomFields {
  const properties = propertiesIn(componentsIn(store, body, ['text/vcard', 'text/x-vcard']), 'VCARD');
  if (properties.length === 0) return { euid: '', subject };
  const name = unescapeText(propertyValue(properties, 'FN') || propertyValue(properties, 'N'));
  return { euid: propertyValue(properties, 'UID') || randomUUID(), subject: name || subject };
}

function noteFields(store: Store, posted: PostedFields, body: BodyWriter): RoomFields {
  const properties = propertiesIn(componentsIn(store, body, ['text/vnote']), 'VNOTE');
  const summary = summaryOf(properties);
  const short = summary.length > MAX_SUMMARY_LENGTH ? `${summary.slice(0, SHORT_SUMMARY_LENGTH)}...` : summary;
  return { euid: propertyValue(properties, 'UID') || posted.euid, subject: short || posted.subject };
}

/** The euid is the name of the page. A page needs one, and a text that differs from the one before. */
function pageFields(
  store: Store,
  room: StoredRoom,
  { format, euid, subject }: PostedFields,
  body: BodyWriter,
): RoomFields {
  if (euid === '') {
    if (format === FORMAT.mime) throw new RejectedByRoom();
    return { euid: '', subject };
  }
  const old = messageByEuid(store, room.id, euid);
  const oldRow = old === undefined ? undefined : messageInRoom(store, room.id, old);
  // The same bytes are always the same blob.
  if (oldRow && oldRow.size === body.size && oldRow.blob === body.link()) throw new RejectedByRoom();
  return { euid, subject: euid };
}

function summaryOf(properties: readonly ContentLine[]): string {
  return unescapeText(propertyValue(properties, 'SUMMARY')).trim();
}

/** Of the object in the first part of one of these types, if there is one that is not too large. */
function componentsIn(store: Store, body: BodyWriter, types: readonly string[]): readonly Component[] {
  if (!body.structure) return [];
  const part = [...contentParts(body.structure)].find((one: MimePart) => types.includes(one.type));
  if (!part) return [];
  if (body.object?.part === part) return body.object.components;
  return parseComponents(objectPartText(store, { blob: body.link(), chunks: body.chunks() }, part) ?? '');
}

/** The number of the member that it may replace: 0 none, `*` any, undefined: not stated. */
export type Expected = number | '*' | undefined;

/** Numbers of the confirmation of ENT0 for what is in the way (protocol section 15). */
const CONFLICT = { unexpected: -5, uidTaken: -6, forbidden: -7 } as const;

/** Another member is in the way, or a different one than expected. */
export class MemberConflict extends Error {
  readonly failure: number;
  /** the member in the way; 0: none */
  readonly msgnum: number;

  constructor(why: keyof typeof CONFLICT, msgnum: number) {
    super(why);
    this.failure = CONFLICT[why];
    this.msgnum = msgnum;
  }
}

/** `''` → undefined, `'*'`, `'12'` → 12 */
export function expectedFrom(field: string): Expected {
  if (field === '') return undefined;
  return field === '*' ? field : Math.max(toInt(field), 0);
}

/** The name that the message was PUT under; empty for most. The body must be linked. */
export function postedName(store: Store, body: BodyWriter): string {
  if (!body.structure) return '';
  const block = headerBlock(store, { blob: body.link(), chunks: body.chunks() }, body.structure);
  return nameFrom(parseHeaders(block, CONTENT_FIELDS)) ?? '';
}

/**
 * `name`: the name it was PUT under, or empty. Throws MemberConflict: `unexpected` if it would replace a different
 * member than expected, or none; `uidTaken` if a member with another name has its UID; `forbidden` if the member with
 * its name may not be deleted.
 */
export function requireReplacement(
  store: Store,
  room: StoredRoom,
  { name, euid }: { name: string; euid: string },
  expected: Expected,
  mayDelete: boolean,
): void {
  const given = isMemberName(name, hasMemberNames(room)) ? name : '';
  const holder = given === '' ? undefined : messageByName(store, room.id, given);
  const sameUid = euid !== '' && REPLACING_VIEWS.has(room.view) ? messageByEuid(store, room.id, euid) : undefined;
  // `<UID>.ics` means the member that has its UID for a name, and so does its number
  const isSame =
    sameUid !== undefined && (sameUid === expected || isNamedByUid(store, room, sameUid, euid, given || euid));
  const replaced = holder ?? (isSame || expected === undefined ? sameUid : undefined);
  if (expected !== undefined) {
    if (sameUid !== undefined && sameUid !== replaced) throw new MemberConflict('uidTaken', sameUid);
    const isMet = expected === '*' ? replaced !== undefined : expected === (replaced ?? 0);
    if (!isMet) throw new MemberConflict('unexpected', replaced ?? 0);
  }
  if (holder !== undefined && holder !== sameUid && !mayDelete) throw new MemberConflict('forbidden', holder);
}

function isNamedByUid(store: Store, room: StoredRoom, msgnum: number, euid: string, name: string): boolean {
  const present = nameInRoom(store, room.id, msgnum);
  const isOwn = present === '' || isOwnName(room.view, { msgnum, euid }, present);
  return isOwn && euidsOf(name).includes(euid);
}
