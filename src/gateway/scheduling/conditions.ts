// Preconditions of scheduling (RFC 6638 section 3.2.4), and the condition of a request by Schedule-Tag (section 8.3 of
// RFC 6638).

import { readScheduleTags } from '../../client/scheduling.ts';
import { hasScheduling } from '../../client/server.ts';
import { AppError } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { messageEtag } from '../message/representation.ts';
import type { RoomContext } from '../room-context.ts';

const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/** `hrefs`: of the resources that are in the way. */
export function schedulingRefusal(name: string, hrefs: readonly string[] = []): AppError {
  return new AppError('forbidden', `This change of an invitation is not allowed: ${name}.`, {
    condition: { namespace: CALDAV, name, hrefs },
  });
}

/**
 * The Schedule-Tag of an object, in quotes; undefined for one that is no scheduling object. On a room server that keeps
 * none it is its ETag. Throws as pool.readInRoom.
 */
export async function scheduleTagOf({ app, caller, room }: RoomContext, msgnum: number): Promise<string | undefined> {
  if (!(await hasScheduling(app.pool, caller.identity))) return messageEtag(msgnum);
  return (await readScheduleTags(app.pool, caller.identity, room, msgnum, 1)).get(msgnum);
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
