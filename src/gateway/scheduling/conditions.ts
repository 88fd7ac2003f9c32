// Preconditions of scheduling (RFC 6638 section 3.2.4), Schedule-Tags (RFC 6638 section 8.3), and which calendars and
// addresses are the caller's own.

import { AppError } from '../../errors.ts';
import { evaluate } from '../../http/conditional.ts';
import type { Exchange } from '../../http/exchange.ts';
import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { objectSource } from '../../mime/object-source.ts';
import { parseObject } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { addressKey } from '../../mime/scheduling/lines.ts';
import { mayBeScheduled } from '../../mime/scheduling/object.ts';
import { collectionKind, type EnteredRoom, ROOM_FLAG2 } from '../../model.ts';
import { personalName } from '../../protocol/room-facts.ts';
import type { CachedHead } from '../../room-server/collections.ts';
import { serverOf } from '../../room-server/driver.ts';
import { collectContents } from '../../room-server/message-content.ts';
import { ownAddresses } from '../../room-server/users.ts';
import { messageEtag } from '../message/representation.ts';
import { userPath } from '../paths.ts';
import type { RoomContext } from '../room-context.ts';
import { accessTo, type MessageContext } from '../room-context.ts';

const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/** `hrefs`: of the conflicting resources. */
export function schedulingRefusal(name: string, hrefs: readonly string[] = []): AppError {
  return new AppError('forbidden', `This change of an invitation is not allowed: ${name}.`, {
    condition: { namespace: CALDAV, name, hrefs },
  });
}

/** The Schedule-Tag of an object, as SchedulingMethods.tagOf. */
export async function scheduleTagOf(context: RoomContext, msgnum: number): Promise<string | undefined> {
  const { scheduling } = await serverOf(context.app.pool, context.caller.identity);
  return scheduling.tagOf(accessTo(context), msgnum);
}

/** Of one message; undefined in rooms that are not the caller's own calendars. Throws as scheduleTagOf. */
export async function scheduleTagIn(context: RoomContext, msgnum: number): Promise<string | undefined> {
  const { entered } = await context.app.pool.readInRoom(context.caller.identity, context.room, []);
  return isOwnCalendar(entered) ? scheduleTagOf(context, msgnum) : undefined;
}

/** Of a room by number; none in rooms that are not the caller's own calendars. Throws as pool.readInRoom. */
export async function scheduleTagsIn(context: RoomContext, entered: EnteredRoom): Promise<ReadonlyMap<number, string>> {
  if (!isOwnCalendar(entered)) return new Map();
  return (await serverOf(context.app.pool, context.caller.identity)).scheduling.tags(accessTo(context));
}

/** Schedule-Tag for the response to a GET of an object in the caller's own calendar. Throws as scheduleTagOf. */
export async function scheduleTagHeader(context: MessageContext, head: CachedHead): Promise<Record<string, string>> {
  if (!isOwnCalendar(head.entered)) return {};
  const tag = head.scheduleTag ?? (await askedTag(context, head));
  return tag ? { 'Schedule-Tag': tag } : {};
}

async function askedTag(context: MessageContext, { parts, cached }: CachedHead): Promise<string | undefined> {
  const only = parts.length === 1 ? cached.parts.get(parts[0]!.partnum) : undefined;
  const isPlain = only && !mayBeScheduled(only.bytes.toString('latin1'));
  return isPlain ? undefined : scheduleTagOf(context, context.msgnum);
}

/** Throws precondition_failed if If-Schedule-Tag-Match does not match the object. */
export async function requireScheduleTag(context: RoomContext, msgnum: number | undefined): Promise<void> {
  const wanted = scheduleTagWanted(context.exchange);
  if (wanted === undefined) return;
  const tag = msgnum === undefined ? undefined : await scheduleTagOf(context, msgnum);
  if (tag !== wanted) throw new AppError('precondition_failed', 'The invitation has changed since it was read.');
}

/** Undefined without the condition. */
export function scheduleTagWanted(exchange: Exchange): string | undefined {
  return exchange.header('if-schedule-tag-match')?.trim();
}

/** Throws precondition_failed if If-Match or If-None-Match fail for the current message. */
export function requireMatch(exchange: Exchange, msgnum: number | undefined): void {
  const etag = msgnum === undefined ? undefined : messageEtag(msgnum);
  if (evaluate(exchange, { etag, exists: etag !== undefined }) === 'proceed') return;
  throw new AppError('precondition_failed', 'The message has changed.');
}

/** Whether a room is a calendar or a task list, of any owner. */
export function holdsCalendar(entered: Pick<EnteredRoom, 'defaultView' | 'flags'>): boolean {
  const kind = collectionKind(entered);
  return kind === 'calendar' || kind === 'tasks';
}

/** Whether a room holds scheduling messages. */
export function isInbox({ flags2 }: Pick<EnteredRoom, 'flags2'>): boolean {
  return (flags2 & ROOM_FLAG2.system) !== 0;
}

/** Whether a room is a personal calendar or task list of the caller; the inbox is none. */
export function isOwnCalendar(entered: EnteredRoom): boolean {
  // administrators see rooms of others with the owner's number
  return (
    holdsCalendar(entered) && !isInbox(entered) && entered.isPersonal && personalName(entered.name).owner === undefined
  );
}

/** The keys of the caller's calendar addresses: mail addresses and principal (RFC 6638 section 2.4.1). */
export async function ownAddressKeys({ app, caller }: Pick<RoomContext, 'app' | 'caller'>): Promise<Set<string>> {
  const addresses = await ownAddresses(app.pool, caller.identity);
  const { name } = await app.pool.identify(caller.identity);
  return new Set([...addresses.map((address) => `mailto:${address}`), userPath(app, name)].map(addressKey));
}

/** The calendar object in a message; undefined if it is gone or has none. Throws as pool.readInRoom. */
export async function storedObject(context: RoomContext, msgnum: number): Promise<Component | undefined> {
  const { app, caller, room } = context;
  const bounds = { maxEach: MAX_OBJECT_BYTES, maxBytes: MAX_OBJECT_BYTES };
  const [content] = await collectContents(app.pool, caller.identity, room, [{ msgnum, form: 'part' }], bounds);
  return Buffer.isBuffer(content) ? parseObject(objectSource(content)).object : undefined;
}
