// Invitations and answers of strangers, applied to a calendar, and what a change of a calendar sends. Both stay what
// can be read and stored; who has no say in an event changes nothing of it; a message is a mail whose fields are its
// own.

import assert from 'node:assert/strict';
import { checkCalendar } from '../../../src/mime/objects/check-calendar.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { type Component, textOf } from '../../../src/mime/objects/content-lines.ts';
import { schedulingMail } from '../../../src/mime/scheduling/imip.ts';
import { answeredBy, applyMessage } from '../../../src/mime/scheduling/incoming.ts';
import { schedulingObject } from '../../../src/mime/scheduling/object.ts';
import { scheduleChange, withStatuses } from '../../../src/mime/scheduling/scheduling.ts';
import { ANNA, BEN, CORA, calendarOf, NOW, ONCE, PEOPLE, WEEKLY } from '../../mime/scheduling/objects.ts';
import type { Target } from '../engine.ts';
import { calendar, varied } from './objects.ts';

const MALLORY = new Set(['mailto:mallory@vm']);
const NEWER = ['SEQUENCE:1', 'DTSTAMP:20260102T000000Z'];
const OVERRIDE = ['RECURRENCE-ID:20260112T100000Z', 'DTSTART:20260112T120000Z', ...NEWER, ...PEOPLE];
const STORED = [calendarOf([...ONCE, ...PEOPLE]), calendarOf([...WEEKLY, ...PEOPLE], OVERRIDE)].map(
  (text) => parseObject(text).object!,
);
const withMethod = (method: string, text: string): string =>
  text.replace('VERSION:2.0', `VERSION:2.0\r\nMETHOD:${method}`);
const ACCEPTED = PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED'));
const MESSAGES = ['REQUEST', 'ADD', 'CANCEL', 'REPLY', 'COUNTER', 'REFRESH'].flatMap((method) =>
  [[[...ONCE, ...NEWER, ...ACCEPTED]], [[...WEEKLY, ...NEWER, ...ACCEPTED], OVERRIDE], [OVERRIDE]].map((events) =>
    withMethod(method, calendarOf(...events)),
  ),
);

const forged = (text: string): string =>
  text.replaceAll('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:mallory').replaceAll(':mailto:cora', ':mailto:mallory');

/** It can be written, and read again. */
function checkWritten(made: Component | undefined): void {
  if (made) assert.equal(parseObject(writeComponent(made)).fault, undefined, writeComponent(made));
}

function checkMail(message: Parameters<typeof schedulingMail>[0]): void {
  const { subject, body } = schedulingMail(message);
  assert.match(subject, /^[ -{}~]*$/);
  assert.match(body.toString('latin1'), /^[\n -~]*$/);
  checkWritten(message.calendar);
}

export const scheduling: Target = {
  name: 'scheduling',
  seeds: [...MESSAGES, ...MESSAGES.map(forged)].map((text) => Buffer.from(text)),
  words: [
    ...calendar.words,
    ...(
      'METHOD:CANCEL ORGANIZER:mailto:anna@vm ORGANIZER:mailto:mallory@vm ATTENDEE:mailto:mallory@vm SEQUENCE:99999 ' +
      'ATTENDEE;PARTSTAT=DECLINED:mailto:ben@vm ;SCHEDULE-AGENT=CLIENT ;SCHEDULE-FORCE-SEND=REQUEST mailto: |x ' +
      '\\n000 UID:meeting-1 RECURRENCE-ID:20260112T100000Z REQUEST-STATUS:3.7;x SUMMARY:\\n\\n000\\nBcc: ;CN="a^nb"'
    ).split(' '),
  ],
  vary: varied,
  run(input) {
    const { object: message, fault } = parseObject(input.toString());
    if (!message) return `refused: ${fault?.replace(/[^ a-z].*/s, '')}`;
    const news = schedulingObject(message);
    const words = new Set<string>();
    for (const stored of [undefined, ...STORED]) {
      for (const own of [ANNA, BEN, CORA]) {
        for (const sender of [ANNA, BEN, MALLORY]) {
          const applied = applyMessage(stored, message, own, sender, { steps: 2000 });
          if (!applied) continue;
          words.add(`${own === ANNA} ${sender === ANNA} ${applied.isConsequential}`);
          checkWritten(applied.calendar);
          // he is no guest and no organizer of what is stored: only an event of his own could be new
          if (sender === MALLORY) assert.equal(stored, undefined, 'who has no say has changed it');
          checkWritten(answeredBy(applied.calendar, new Set(news?.parts.keys()), own, 'ACCEPTED'));
        }
        const changes: (Component | undefined)[][] = [
          [stored, message],
          [message, stored],
        ];
        for (const [before, after] of changes) {
          const scheduled = scheduleChange({ before, after, own, now: NOW });
          if (!scheduled || scheduled.fault !== undefined) continue;
          // what a guest sends does not change what the organizer says, unless the server is to keep out of it
          if (
            before &&
            after &&
            before !== message &&
            own === BEN &&
            !/SCHEDULE-AGENT/i.test(writeComponent(message))
          ) {
            const events = (one: Component) => one.components.filter(({ name }) => name === 'VEVENT');
            const texts = (one: Component): string[] => events(one).map((part) => textOf(part, 'SUMMARY'));
            const known: ReadonlySet<string> = new Set(texts(before));
            for (const text of texts(scheduled.calendar!)) assert.ok(known.has(text), text);
          }
          words.add(`${scheduled.messages.map(({ method }) => method)}`.slice(0, 20));
          for (const each of scheduled.messages) checkMail(each);
          if (scheduled.calendar)
            checkWritten(withStatuses(scheduled.calendar, new Map([['mailto:ben@vm', '1.2']]), 'ATTENDEE'));
        }
      }
    }
    checkCalendar(writeComponent(message), ['VEVENT', 'VTODO']);
    return words.size === 0 ? 'refused: schedules nothing' : [...words].sort().join(', ');
  },
};
