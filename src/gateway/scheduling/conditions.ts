// Preconditions of scheduling (RFC 6638 section 3.2.4), and the condition of a request by Schedule-Tag
// (RFC 6638 section 8.3).

import { AppError } from '../../errors.ts';
import { evaluate } from '../../http/conditional.ts';
import type { Exchange } from '../../http/exchange.ts';
import { mayBeScheduled } from '../../mime/scheduling/object.ts';
import type { EnteredRoom } from '../../model.ts';
import type { CachedHead } from '../../room-server/collections.ts';
import { serverOf } from '../../room-server/driver.ts';
import { messageEtag } from '../message/representation.ts';
import { accessTo, type MessageContext, type RoomContext } from '../room-context.ts';
import { isOwnCalendar } from './own-calendar.ts';

const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/** `hrefs`: of the resources that are in the way. */
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

/** Of one message; undefined outside of the caller's own calendars. Throws as scheduleTagOf. */
export async function scheduleTagIn(context: RoomContext, msgnum: number): Promise<string | undefined> {
  const { entered } = await context.app.pool.readInRoom(context.caller.identity, context.room, []);
  return isOwnCalendar(entered) ? scheduleTagOf(context, msgnum) : undefined;
}

/** Those of a room by number; none outside of the caller's own calendars. Throws as pool.readInRoom. */
export async function scheduleTagsIn(context: RoomContext, entered: EnteredRoom): Promise<ReadonlyMap<number, string>> {
  if (!isOwnCalendar(entered)) return new Map();
  return (await serverOf(context.app.pool, context.caller.identity)).scheduling.tags(accessTo(context));
}

/** Schedule-Tag for the answer to a GET of an object in a calendar of the caller's own. Throws as scheduleTagOf. */
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

/** Throws precondition_failed where If-Schedule-Tag-Match names another tag than the object has. */
export async function requireScheduleTag(context: RoomContext, msgnum: number | undefined): Promise<void> {
  const wanted = scheduleTagWanted(context.exchange);
  if (wanted === undefined) return;
  const tag = msgnum === undefined ? undefined : await scheduleTagOf(context, msgnum);
  if (tag !== wanted) throw new AppError('precondition_failed', 'The invitation has changed since it was read.');
}

/** undefined: the request has no such condition */
export function scheduleTagWanted(exchange: Exchange): string | undefined {
  return exchange.header('if-schedule-tag-match')?.trim();
}

/** Throws precondition_failed where If-Match or If-None-Match do not hold for what is there now. */
export function requireMatch(exchange: Exchange, msgnum: number | undefined): void {
  const etag = msgnum === undefined ? undefined : messageEtag(msgnum);
  if (evaluate(exchange, { etag, exists: etag !== undefined }) === 'proceed') return;
  throw new AppError('precondition_failed', 'The message is another one than expected.');
}
