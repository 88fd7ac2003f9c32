// What scheduling asks of an event and of its change costs steps in proportion to their length, whoever is invited to
// whatever of it.

import './growth.ts';
import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { deliverSome, queueDelivery } from '../../src/backend/content/scheduling.ts';
import type { StoredUser } from '../../src/backend/store/records.ts';
import { personalRoom } from '../../src/backend/store/users.ts';
import { schd } from '../../src/backend/verbs/scheduling.ts';
import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import type { Component } from '../../src/mime/objects/content-lines.ts';
import { applyMessage } from '../../src/mime/scheduling/incoming.ts';
import { scheduleChange, withStatuses } from '../../src/mime/scheduling/scheduling.ts';
import { messageWorld } from '../support/message-session.ts';
import { between, numbered } from '../support/worst-pieces.ts';
import { grows } from './growth.ts';

const HEAD = 'BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\n';
const PEOPLE = 'ORGANIZER:mailto:anna@vm\nATTENDEE:mailto:ben@vm\n';
const EVENT = `BEGIN:VEVENT\nUID:1\nDTSTART:20260101T090000Z\nRRULE:FREQ=DAILY\n${PEOPLE}`;
const END = 'END:VEVENT\nEND:VCALENDAR\n';
const [ANNA, BEN] = [new Set(['mailto:anna@vm']), new Set(['mailto:ben@vm'])];

/** each on a day of its own */
const day = (i: number): string =>
  `20${String(26 + (Math.floor(i / 336) % 70))}${two(Math.floor(i / 28) % 12)}${two(i % 28)}`;
const two = (i: number): string => String(i + 1).padStart(2, '0');
const instance = (i: number, people: string): string =>
  `BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:${day(i)}T090000Z\nDTSTART:${day(i)}T090000Z\n${people}END:VEVENT\n`;

const CHANGES = [
  numbered('guests', (i) => `ATTENDEE;CN="a;b":mailto:guest${i}@vm\n`, HEAD + EVENT, END),
  numbered(
    'instances with the same guests',
    (i) => instance(i, PEOPLE),
    `${HEAD}${EVENT}END:VEVENT\n`,
    'END:VCALENDAR\n',
  ),
  numbered(
    'instances with a guest each',
    (i) => instance(i, `ORGANIZER:mailto:anna@vm\nATTENDEE:mailto:guest${i}@vm\n`),
    `${HEAD}${EVENT}END:VEVENT\n`,
    'END:VCALENDAR\n',
  ),
  numbered('exceptions', (i) => `EXDATE:${day(i)}T090000Z\n`, HEAD + EVENT, END),
  ...['RDATE:20260105T090000Z\n', 'ATTENDEE;CN="a', ';X=1', 'X-A:1\n', 'BEGIN:VALARM\nEND:VALARM\n'].map((piece) =>
    between(HEAD + EVENT, piece, END),
  ),
];

function read(source: string): Component | undefined {
  return parseObject(source).object;
}

describe('steps of scheduling', () => {
  const schedule = (source: string): void => {
    const before = read(source);
    if (!before) return;
    const moved = read(source.replaceAll(/^(DTSTART.*)T09/gm, '$1T10'));
    const answered = read(source.replaceAll('ATTENDEE:mailto:ben', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben'));
    for (const own of [ANNA, BEN]) {
      for (const after of [undefined, before, moved, answered]) {
        const result = scheduleChange({ before, after, own, now: 0 });
        for (const { calendar } of (!result?.fault && result?.messages) || []) writeComponent(calendar);
        scheduleChange({ before: undefined, after, own, now: 0 });
      }
    }
    withStatuses(before, new Map([['mailto:ben@vm', '1.2']]), 'ATTENDEE');
  };
  grows('changes of organizers and attendees', CHANGES, schedule, { perUnit: 2000, size: 2000 });

  const apply = (source: string): void => {
    const stored = read(source);
    if (!stored) return;
    for (const method of ['REQUEST', 'CANCEL', 'ADD', 'REPLY']) {
      const message = read(source.replace('METHOD:REQUEST', `METHOD:${method}`))!;
      const [own, sender] = method === 'REPLY' ? [ANNA, BEN] : [BEN, ANNA];
      for (const copy of [undefined, stored, read(HEAD + EVENT + END)]) {
        applyMessage(copy, message, own, sender, { steps: MAX_RECURRENCE_STEPS });
      }
    }
  };
  grows('messages that come in', CHANGES, apply, { perUnit: 2000, size: 2000 });

  // as many of one line as of another, which a copy or a change of it has, and another has not
  const series = (lines: string) => HEAD + EVENT + lines + END;
  const half = (lines: string, n: number) => lines.repeat(Math.floor(n / 2 / lines.length));
  const dates = (n: number) => Array.from({ length: Math.floor(n / 2 / 17) }, (_, i) => `${day(i)}T090000Z`);
  const OPPOSED = [
    numbered(
      'instances with a guest each',
      (i) => instance(i, `SEQUENCE:1\nORGANIZER:mailto:anna@vm\nATTENDEE:mailto:guest${i}@vm\n`),
      HEAD,
      'END:VCALENDAR\n',
    ),
    { name: 'exceptions and texts', make: (n: number) => series(`${half('X-A:1\n', n)}EXDATE:${dates(n).join()}\n`) },
    { name: 'busy or free and texts', make: (n: number) => series(half('X-A:1\n', n) + half('TRANSP:OPAQUE\n', n)) },
  ];
  const oppose = (source: string): void => {
    const without = (lines: RegExp) => read(source.replaceAll(lines, ''));
    const [all, undated, busy, own] = [
      read(source),
      without(/^EXDATE.*\n/gm),
      without(/^X-A.*\n/gm),
      without(/^TRANSP.*\n/gm),
    ];
    scheduleChange({ before: all, after: undefined, own: ANNA, now: 0 });
    scheduleChange({ before: undated, after: all, own: BEN, now: 0 });
    applyMessage(own, busy!, BEN, ANNA, { steps: MAX_RECURRENCE_STEPS });
  };
  grows('what has much of two kinds', OPPOSED, oppose, { perUnit: 2000, size: 12_000 });
});

describe('steps of the room server', () => {
  const w = messageWorld({ after });
  const [anna, ben] = ['anna', 'ben'].map((name) => w.user(name)) as [StoredUser, StoredUser];
  const session = w.session(anna, personalRoom(w.store, anna, 'Calendar'));
  const send = async (source: string): Promise<void> => {
    const reply = schd(session, 'send|1|1');
    assert.ok(typeof reply !== 'string' && 'text' in reply);
    reply.text.write(Buffer.from(`to|mailto:ben@vm\n${source}`));
    assert.match(String(await reply.text.end()), /^mailto:ben@vm\|/);
    queueDelivery(w.store, { sender: anna.id, recipients: [ben.id], text: source, isRefresh: false });
    while (!deliverSome(w.store, () => true));
  };
  grows('SCHD send, and what it sends', CHANGES, send, { perUnit: 400, size: 2000 });
});
