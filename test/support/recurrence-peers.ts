// Random recurrences beside the same in other programs (recurrence-peers.py).

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { CalendarTimes } from '../../src/mime/objects/calendar-times.ts';
import { parseObject } from '../../src/mime/objects/components.ts';
import { componentSets, instancesIn } from '../../src/mime/objects/instances.ts';
import { UTC } from '../../src/mime/objects/offsets.ts';
import { randomFrom } from './random.ts';
import { type RandomSeries, randomSeries, type WrittenDate } from './recurrence-random.ts';

export const PYTHON = '/usr/bin/python3';
export const PEER_PROBE =
  'import dateutil, gi; gi.require_version("ICalGLib", "3.0"); from gi.repository import ICalGLib';
export const PEER_PACKAGES = 'python3-dateutil python3-gi gir1.2-ical-3.0';

type Peer = 'dateutil' | 'libical';
type Answer = number[] | string;

export interface Comparison {
  compared: number;
  /** of these, those that libical alone answers */
  byLibical: number;
  /** why a program differs → how often */
  explained: Map<string, number>;
  /** what a reader needs to see of each */
  unexplained: string[];
}

/** What a program is known to do otherwise than RFC 5545 says, and the rules that it does so with. */
interface Fault {
  peer: Peer;
  why: string;
  holds(parts: ReadonlyMap<string, string>): boolean;
}

const isFast = (parts: ReadonlyMap<string, string>) => /^(?:SECOND|MINUTE|HOUR)LY$/.test(parts.get('FREQ')!);

const FAULTS: readonly Fault[] = [
  {
    peer: 'dateutil',
    why: 'BYDAY with weekdays and numbered ones: it wants a day to be both, and the list is of alternatives',
    holds: (parts) => {
      const days = parts.get('BYDAY')?.split(',') ?? [];
      return days.some((day) => day.length === 2) && days.some((day) => day.length > 2);
    },
  },
  {
    peer: 'dateutil',
    why: 'BYWEEKNO without a day: it gives all days of the week, and the day that a rule leaves out is that of DTSTART',
    holds: (parts) => parts.has('BYWEEKNO') && !['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name)),
  },
  {
    peer: 'dateutil',
    why: 'BYSETPOS in the week of DTSTART: it does not count the days before that, which are of the set all the same',
    holds: (parts) => parts.has('BYSETPOS') && parts.get('FREQ') === 'WEEKLY',
  },
  {
    peer: 'libical',
    why: 'INTERVAL with a list of the same unit: it takes each of the list and forgets the interval',
    holds: (parts) =>
      isFast(parts) && parts.has('INTERVAL') && /BY(?:HOUR|MINUTE|SECOND)/.test([...parts.keys()].join()),
  },
  {
    peer: 'libical',
    why: 'BYSETPOS counts days, not times, and nothing in rules below the month',
    holds: (parts) =>
      parts.has('BYSETPOS') &&
      (!/^(?:MONTH|YEAR)LY$/.test(parts.get('FREQ')!) || /BY(?:HOUR|MINUTE|SECOND)/.test([...parts.keys()].join())),
  },
];

/** With dateutil, and with libical where that differs or does not answer. */
export async function compareRecurrences(count: number, seed: number): Promise<Comparison> {
  const random = randomFrom(seed);
  const found: Comparison = { compared: 0, byLibical: 0, explained: new Map(), unexplained: [] };
  while (found.compared < count) {
    const all = Array.from({ length: count - found.compared }, () => randomSeries(random));
    const own = all.map(startsOf);
    const first = await answersOf('dateutil', all);
    const isOpen = all.map((_, i) => String(first[i]) !== String(own[i]));
    const second = await answersOf(
      'libical',
      all.filter((_, i) => isOpen[i]),
    );
    for (const [i, series] of all.entries()) {
      const libical = isOpen[i] ? second.shift()! : undefined;
      const isSilent = !Array.isArray(first[i]);
      if (isSilent && !Array.isArray(libical)) continue;
      found.compared++;
      if (isSilent) found.byLibical++;
      if (isSilent ? String(libical) !== String(own[i]) : isOpen[i]) {
        explain(
          series,
          own[i]!,
          isSilent ? 'libical' : 'dateutil',
          (isSilent ? libical : first[i]) as number[],
          libical!,
          found,
        );
      }
    }
  }
  return found;
}

/** In order. A program that ends, since it takes too long for one, is started again with the next. */
async function answersOf(peer: Peer, all: readonly RandomSeries[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < all.length) {
    const [before, script] = [answers.length, fileURLToPath(new URL('recurrence-peers.py', import.meta.url))];
    const child = spawn(PYTHON, [script, peer], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.on('error', () => {});
    child.stdin.end(
      all
        .slice(before)
        .map((series) => `${JSON.stringify(series)}\n`)
        .join(''),
    );
    for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line) as Answer);
    if (child.exitCode !== null && child.exitCode > 0) throw new Error(`${peer} cannot be run`);
    if (answers.length < all.length) answers.push('no answer');
  }
  return answers;
}

function explain(
  series: RandomSeries,
  own: number[],
  peer: Peer,
  theirs: number[],
  libical: Answer,
  { explained, unexplained }: Comparison,
): void {
  const parts = new Map(series.rule.split(';').map((part) => part.split('=') as [string, string]));
  const fault = FAULTS.find((one) => one.peer === peer && one.holds(parts));
  if (fault) explained.set(`${peer}, ${fault.why}`, (explained.get(`${peer}, ${fault.why}`) ?? 0) + 1);
  else unexplained.push(told(series, peer, own, theirs, peer === 'dateutil' && String(libical) === String(own)));
}

const shown = (instant: number) => new Date(instant * 1000).toISOString().slice(0, 19);

function told(series: RandomSeries, peer: Peer, own: number[], theirs: number[], isAlone: boolean): string {
  const missing = theirs.filter((one) => !own.includes(one)).map(shown);
  const more = own.filter((one, i) => !theirs.includes(one) || own.indexOf(one) < i).map(shown);
  return [
    `${peer}${isAlone ? ' alone' : ''}: ${textOf(series).join(' | ')}`,
    `  ${shown(series.from)} to ${shown(series.to)}; ours ${own.length}, theirs ${theirs.length}`,
    `  only there: ${missing.slice(0, 5).join(' ')}`,
    `  only here: ${more.slice(0, 5).join(' ')}`,
  ].join('\n');
}

function textOf({ start, zone, rule, rdates, exdates }: RandomSeries): string[] {
  const dated = (name: string, [digits, of]: WrittenDate) => {
    if (!digits.includes('T')) return `${name};VALUE=DATE:${digits}`;
    return of === 'UTC' ? `${name}:${digits}Z` : of === '' ? `${name}:${digits}` : `${name};TZID=${of}:${digits}`;
  };
  return [
    dated('DTSTART', [start, zone]),
    `RRULE:${rule}`,
    ...rdates.map((date) => dated('RDATE', date)),
    ...exdates.map((date) => dated('EXDATE', date)),
  ];
}

function startsOf(series: RandomSeries): number[] {
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', ...textOf(series), 'END:VEVENT', 'END:VCALENDAR', ''];
  const calendar = parseObject(text.join('\r\n')).object!;
  const times = new CalendarTimes(calendar, UTC);
  const range = { start: series.from, end: series.to + 1 };
  const budget = { steps: 10 * MAX_RECURRENCE_STEPS };
  const [set] = componentSets(calendar, 'VEVENT');
  return [...instancesIn(set!, times, range, budget)]
    .map(({ start }) => start!.instant)
    .filter((instant) => instant >= series.from && instant <= series.to);
}
