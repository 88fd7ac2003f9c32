// free-busy-query (RFC 4791 section 7.10): when somebody who has the events of this calendar is busy, as one VFREEBUSY.

import { listMembers } from '../../gateway/collection/collection.ts';
import { objectsOf } from '../../gateway/collection/objects.ts';
import { type AnswerContent, send } from '../../http/respond.ts';
import { MAX_BUSY_PERIODS } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { writeComponent } from '../../mime/objects/components.ts';
import { type BusyPeriod, busyPeriods, freeBusyCalendar, mergedPeriods } from '../../mime/objects/free-busy.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { inTurns } from '../../system/turn-queue.ts';
import { FailedCondition } from './condition.ts';
import { floatingZone } from './floating-zone.ts';
import { readFreeBusyQuery } from './query-body.ts';
import type { Question } from './question.ts';

/** Throws bad_request, and FailedCondition where there are more periods than MAX_BUSY_PERIODS. */
export async function answerFreeBusy(question: Question): Promise<void> {
  const range = readFreeBusyQuery(question.root);
  return send(question.context.exchange, 200, asFreeBusy(range, await busyIn(question, range, [])));
}

export function asFreeBusy(range: TimeRange, busy: readonly BusyPeriod[]): AnswerContent {
  const calendar = freeBusyCalendar(busy, range, Math.floor(Date.now() / 1000));
  return { type: 'text/calendar; charset=utf-8', body: writeComponent(calendar) };
}

/** `before`, and when the events of this calendar take place. Throws FailedCondition. */
export async function busyIn(
  question: Question,
  range: TimeRange,
  before: readonly BusyPeriod[],
): Promise<readonly BusyPeriod[]> {
  const zone = await floatingZone(question, undefined);
  const perObject = inTurns(
    events(question, range),
    ({ kept: { object } }) => (object ? busyPeriods(object, range, zone, { steps: MAX_RECURRENCE_STEPS }) : undefined),
    { gone: question.context.exchange.gone },
  );
  let busy = [...before];
  for await (const made of perObject) {
    for (const periods of made) busy.push(...periods);
    if (busy.length <= MAX_BUSY_PERIODS) continue;
    busy = mergedPeriods(busy);
    if (busy.length > MAX_BUSY_PERIODS) throw FailedCondition.dav('number-of-matches-within-limits');
  }
  return busy;
}

async function* events({ context }: Question, range: TimeRange) {
  const { members } = await listMembers(context, { range });
  for await (const batch of members) yield* objectsOf(context, batch);
}
