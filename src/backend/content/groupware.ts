// The fields that the default view of a room gives to a posted message: euid, subject and time of events, tasks, cards,
// notes and pages (protocol section 17). Stored text is never rewritten.

import { randomUUID } from 'node:crypto';
import { MAX_EUID_BYTES } from '../../limits/backend.ts';
import { parseDateTime } from '../../mime/objects/calendar-time.ts';
import { type Component, type ContentLine, parseComponents, unescapeText } from '../../mime/objects/content-lines.ts';
import { propertiesIn, propertyValue } from '../../mime/objects/properties.ts';
import { contentParts } from '../../mime/part.ts';
import type { MimePart } from '../../mime/walk.ts';
import { VIEW } from '../../model.ts';
import type { BodyWriter } from '../store/bodies.ts';
import { objectPartText } from '../store/message-part.ts';
import { messageInRoom } from '../store/messages.ts';
import { FORMAT, type StoredRoom } from '../store/records.ts';
import { messageByEuid } from '../store/references.ts';
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
