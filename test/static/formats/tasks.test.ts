// Tasks, new events, answers to invitations and notes, as the web client writes them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCalendar } from '../../../src/mime/objects/check-calendar.ts';
// @ts-expect-error: the web client has no types
import { readEvents, readTasks } from '../../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { answerEvent, changeTask, newEvent, newTask, tickTask } from '../../../static/formats/calendar-new.js';
// @ts-expect-error: the web client has no types
import { changeNote, newNote, readNote } from '../../../static/formats/notes.js';

const ZONE = 'Europe/Berlin';
const WORLD = { zone: ZONE, now: Date.UTC(2026, 4, 1) / 1000, uid: 'one' };
const taskOf = (text: string) => readTasks(text, ZONE)[0];

describe('new objects', () => {
  it('are such as a server stores, with the zone that they name', () => {
    const from = { day: '2026-05-14', time: '10:30', zone: ZONE };
    const event = newEvent({ title: 'Boiler', from, to: { ...from, time: '12:00' }, rule: 'FREQ=YEARLY' }, WORLD);
    assert.equal(checkCalendar(event.text, ['VEVENT']).fault, undefined);
    assert.match(
      event.text,
      /BEGIN:DAYLIGHT\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200\r\nDTSTART:20250330T020000\r\n/,
    );
    assert.match(event.text, /RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n/);
    const [read] = readEvents(event.text, 0, 4e9, ZONE);
    assert.deepEqual([read.uid, read.title, read.firstDay, read.startTime], ['one', 'Boiler', '2026-05-14', '10:30']);
    const day = newEvent({ title: 'Away', from: { day: '2026-05-14' }, to: { day: '2026-05-16' } }, WORLD);
    assert.match(day.text, /DTSTART;VALUE=DATE:20260514\r\nDTEND;VALUE=DATE:20260517\r\n/);
    const task = newTask({ title: 'Buy paint', due: { day: '2026-05-20' }, priority: 1, notes: 'a\nb' }, WORLD);
    assert.equal(checkCalendar(task.text, ['VTODO']).fault, undefined);
    assert.deepEqual([taskOf(task.text).due, taskOf(task.text).notes], [{ day: '2026-05-20' }, 'a\nb']);
  });

  it('invite people, who keep their answers when somebody else is asked', () => {
    const from = { day: '2026-05-14', time: '10:30', zone: ZONE };
    const attendees = [{ address: 'bob@x.example', name: 'Bob, the "B"' }];
    const fields = { title: 'x', from, to: from, attendees, organizer: { address: 'alice@x.example', name: 'Alice' } };
    const { text } = newEvent(fields, WORLD);
    const answered = answerEvent(text.replace('VERSION', 'METHOD:REQUEST\r\nVERSION'), ['BOB@x.example'], 'ACCEPTED', {
      now: 0,
    });
    assert.doesNotMatch(answered, /METHOD|RSVP/);
    const [event] = readEvents(answered, 0, 4e9, ZONE);
    assert.deepEqual(event.attendees, [
      { address: 'bob@x.example', name: 'Bob, the "B"', answer: 'ACCEPTED', role: 'REQ-PARTICIPANT' },
    ]);
    assert.equal(event.organizer.name, 'Alice');
    assert.equal(answerEvent(text, ['eve@x.example'], 'ACCEPTED'), undefined);
  });

  it('are answered one by one, which leaves the series as it was', () => {
    const from = { day: '2026-05-14', time: '10:30', zone: ZONE };
    const fields = { title: 'x', from, to: { ...from, time: '11:30' }, rule: 'FREQ=DAILY;COUNT=3' };
    const people = { attendees: [{ address: 'bob@x.example' }], organizer: { address: 'alice@x.example' } };
    const { text } = newEvent({ ...fields, ...people }, WORLD);
    const events = readEvents(text, 0, 4e9, ZONE);
    const declined = answerEvent(text, ['bob@x.example'], 'DECLINED', { zone: ZONE, chosen: events[1] });
    const answers = (object: string) =>
      readEvents(object, 0, 4e9, ZONE).map(
        (event: { firstDay: string; startTime: string; attendees: { answer: string }[] }) => [
          `${event.firstDay} ${event.startTime}`,
          event.attendees[0]!.answer,
        ],
      );
    assert.deepEqual(answers(declined), [
      ['2026-05-14 10:30', 'NEEDS-ACTION'],
      ['2026-05-15 10:30', 'DECLINED'],
      ['2026-05-16 10:30', 'NEEDS-ACTION'],
    ]);
    const again = answerEvent(declined, ['bob@x.example'], 'ACCEPTED', {
      zone: ZONE,
      chosen: readEvents(declined, 0, 4e9, ZONE)[1],
    });
    assert.equal(again.match(/BEGIN:VEVENT/g).length, 2);
    assert.equal(answers(again)[1][1], 'ACCEPTED');
    assert.equal(answerEvent(text, ['eve@x.example'], 'ACCEPTED', { zone: ZONE, chosen: events[1] }), undefined);
  });
});

describe('tasks', () => {
  const { text } = newTask({ title: 'Water', due: { day: '2026-05-20', time: '18:00', zone: ZONE } }, WORLD);

  it('are ticked off and taken up again', () => {
    const done = tickTask(text, true, 'one', WORLD)!;
    assert.deepEqual([taskOf(done).isDone, taskOf(done).percent, taskOf(done).completedAt], [true, 100, WORLD.now]);
    const again = tickTask(done, false, 'one', WORLD)!;
    assert.deepEqual([taskOf(again).isDone, taskOf(again).completedAt], [false, undefined]);
    assert.equal(tickTask(text, true, 'other', WORLD), undefined);
  });

  it('of a series lead to the next one, and the last is done', () => {
    const weekly = changeTask(text, { rule: 'FREQ=WEEKLY;COUNT=2' }, 'one', WORLD)!;
    const next = tickTask(weekly, true, 'one', WORLD)!;
    assert.deepEqual(taskOf(next).due, { day: '2026-05-27', time: '18:00', zone: ZONE });
    assert.deepEqual([taskOf(next).isDone, taskOf(next).rule], [false, 'FREQ=WEEKLY;COUNT=1']);
    assert.equal(taskOf(tickTask(next, true, 'one', WORLD)!).isDone, true);
  });

  it('lose their time and keep what is not understood', () => {
    const odd = text.replace('END:VTODO', 'X-ODD:1\r\nEND:VTODO');
    const changed = changeTask(odd, { due: null, percent: 50 }, 'one', WORLD)!;
    assert.deepEqual([taskOf(changed).due, taskOf(changed).percent], [undefined, 50]);
    assert.match(changed, /X-ODD:1\r\n/);
  });
});

describe('notes', () => {
  it('are written so that programs of vNote read them, and read again', () => {
    const content = {
      title: 'Schlüssel',
      text: 'eins = 1\nzwei\n\n  drei äöü — a;b,c',
      colour: '#fff000',
      isPinned: false,
    };
    const { text } = newNote(content, { uid: 'n1' });
    assert.match(text, /BODY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:eins/);
    for (const line of text.split('\r\n')) assert.ok(line.length <= 76, line);
    assert.deepEqual(readNote(text), { uid: 'n1', ...content });
    const odd = text.replace('END:VNOTE', 'X-ODD:1\r\nEND:VNOTE');
    const changed = changeNote(odd, { text: 'plain' })!;
    assert.match(changed, /\r\nBODY:plain\r\n.*X-ODD:1\r\n/s);
    assert.deepEqual(readNote(changed), { uid: 'n1', ...content, text: 'plain' });
    assert.equal(changeNote('x', { text: '' }), undefined);
  });

  it('may be journal entries', () => {
    const journal =
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VJOURNAL\r\nUID:j\r\n' +
      'DESCRIPTION:a\\nb\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n';
    assert.deepEqual(readNote(journal), { uid: 'j', title: 'a', text: 'a\nb', colour: '', isPinned: false });
    assert.equal(readNote(changeNote(journal, { title: 'T', text: 'c\nd' }, 0)!).text, 'c\nd');
  });
});
