// When somebody is busy, from his calendars: times and nothing else (RFC 6638 section 5).

import { MAX_OCCURRENCES } from '../../limits/mime.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { type BusyPeriod, busyPeriods, mergedPeriods } from '../../mime/objects/free-busy.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { type Budget, UTC } from '../../mime/objects/offsets.ts';
import { VIEW } from '../../model.ts';
import type { Stretch } from '../../system/turn-queue.ts';
import { propertiesOfMember } from '../store/dead-properties.ts';
import type { StoredRoom } from '../store/records.ts';
import { messagesMeeting } from '../store/room-messages.ts';
import type { Store } from '../store/store.ts';
import { calendarTextOf } from './calendars.ts';

const PAGE_ROWS = 50;

/**
 * Of the events in these rooms, merged, in order; at most MAX_OCCURRENCES. Others go on when `turn` is over. `budget`: of
 * each event.
 */
export async function busyTimes(
  store: Store,
  rooms: readonly StoredRoom[],
  range: TimeRange,
  budget: Budget,
  turn: Stretch,
): Promise<BusyPeriod[]> {
  let periods: BusyPeriod[] = [];
  for (const { id, view } of rooms) {
    if (view !== VIEW.calendar) continue;
    // one may have very many calendars that are empty
    if (turn.isOver) await turn.next();
    // the server has ended meanwhile
    if (!store.db.isOpen) return [];
    if (isTransparent(store, id)) continue;
    for (let low = 1; ; ) {
      const rows = messagesMeeting(store, id, range, low, PAGE_ROWS);
      for (const row of rows) {
        const { object } = parseObject(calendarTextOf(store, row) ?? '');
        if (object) {
          const work = busyPeriods(object, range, UTC, { ...budget });
          let step = work.next();
          for (; !step.done; step = work.next()) if (turn.isOver) await turn.next();
          periods.push(...step.value);
          if (periods.length > MAX_OCCURRENCES) periods = mergedPeriods(periods).slice(0, MAX_OCCURRENCES);
        }
        if (turn.isOver) await turn.next();
        if (!store.db.isOpen) return [];
      }
      if (rows.length < PAGE_ROWS) break;
      low = rows.at(-1)!.id + 1;
    }
  }
  return mergedPeriods(periods).slice(0, MAX_OCCURRENCES);
}

const TRANSPARENCY = 'urn:ietf:params:xml:ns:caldav schedule-calendar-transp';

/** A calendar that its owner does not count among his busy times (RFC 6638 section 9.1). */
function isTransparent(store: Store, roomId: number): boolean {
  const set = propertiesOfMember(store, roomId, '').find(({ name }) => name === TRANSPARENCY);
  return set !== undefined && /<(?:\w+:)?transparent\b/.test(set.value);
}
