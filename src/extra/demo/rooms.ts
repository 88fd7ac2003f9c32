// The messages of `--demo` in rooms other than the board: announcements, pages, diary, notes, cards, tasks, events.

import { calendar, card, type DemoEntry, html, note, plainText } from './bodies.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** `ago` makes a Unix time of days. */
export function rooms(ago: (days: number) => number): DemoEntry[] {
  return [
    {
      by: 'alice',
      room: 'Announcements',
      time: ago(28),
      subject: 'House rules',
      body: plainText('Only the room admin writes here.\n\n1. Close the gate.\n2. Water after sunset.\n3. Be kind.'),
    },
    {
      by: 'alice',
      room: 'Announcements',
      time: ago(3),
      subject: 'Water will be off on Thursday',
      body: plainText('From 9 to 12. Fill your cans on Wednesday.'),
    },
    {
      by: 'bob',
      room: 'Committee',
      time: ago(14),
      subject: 'Budget',
      body: plainText('We have 120 in the box. A new water butt costs 95.'),
    },
    { by: 'alice', room: 'Committee', time: ago(13), subject: 'Re: Budget', body: plainText('Buy it.') },
    {
      by: 'bob',
      room: 'Speakeasy',
      time: ago(11),
      subject: 'You found it',
      body: plainText('This room is in no list. Whoever knows its name may enter.'),
    },
    {
      by: 'bob',
      room: 'Birthday Plans',
      time: ago(5),
      subject: 'Cake?',
      body: plainText('Carrot or chocolate? Not a word outside of this room.'),
    },
    { by: 'alice', room: 'Birthday Plans', time: ago(4.5), subject: 'Re: Cake?', body: plainText('Both.') },
    {
      by: 'alice',
      room: 'Handbook',
      euid: 'home',
      time: ago(27),
      body: html('<h1>Handbook</h1>\n<p>Pages: <a href="compost">compost</a>, <a href="tools">tools</a>.</p>'),
    },
    {
      by: 'alice',
      room: 'Handbook',
      euid: 'compost',
      time: ago(26),
      body: html('<h1>Compost</h1>\n<p>Green and brown in turns. <strong>No</strong> cooked food.</p>'),
    },
    {
      by: 'bob',
      room: 'Handbook',
      euid: 'tools',
      time: ago(20),
      body: html(
        '<h1>Tools</h1>\n<table><tr><th>Tool</th><th>Where</th></tr><tr><td>Spade</td><td>Shed</td></tr>' +
          '<tr><td>Shears</td><td>Ask Alice</td></tr></table>',
      ),
    },
    {
      by: 'alice',
      room: 'Garden Diary',
      time: ago(24),
      key: 'diary',
      subject: 'Frost in May',
      body: html('<p>Three degrees below zero. The apple blossom was under fleece, the tomatoes were not.</p>'),
    },
    {
      by: 'bob',
      room: 'Garden Diary',
      time: ago(23.9),
      replyTo: ['diary'],
      subject: 'Re: Frost in May',
      body: plainText('So that is what happened to mine.'),
    },
    {
      by: 'alice',
      room: 'Garden Diary',
      time: ago(2),
      subject: 'Premières fraises',
      body: html('<p>Enfin&nbsp;! Les premières fraises sont mûres, et les merles le savent déjà…</p>'),
    },
    {
      by: 'alice',
      room: 'Pinboard',
      time: ago(19),
      body: note('demo-note-1', 'Key to the shed', 'Under the third flower pot.', '#FFFF00'),
    },
    {
      by: 'bob',
      room: 'Pinboard',
      time: ago(16),
      body: note('demo-note-2', 'Wanted: jam jars', 'Any size, with lids.', '#90EE90'),
    },
    {
      by: 'alice',
      room: 'Notes',
      time: ago(8),
      body: note('demo-note-3', 'Shopping', 'String, labels, coffee.', '#ADD8E6'),
    },
    {
      by: 'alice',
      room: 'Members',
      time: ago(27.5),
      body: card({
        UID: 'demo-card-1',
        FN: 'Alice Gardener',
        N: 'Gardener;Alice;;;',
        EMAIL: 'alice@example.org',
        'TEL;TYPE=cell': '+44 20 7946 0001',
        NOTE: 'Has the key.',
      }),
    },
    {
      by: 'bob',
      room: 'Members',
      time: ago(27.4),
      body: card({
        UID: 'demo-card-2',
        FN: 'Bob Öztürk',
        N: 'Öztürk;Bob;;;',
        EMAIL: 'bob@example.org',
        ORG: 'Bed 7',
        'ADR;TYPE=home': ';;Hauptstraße 1;Köln;;50667;Germany',
      }),
    },
    {
      by: 'alice',
      room: 'Members',
      time: ago(15),
      body: card({
        UID: 'demo-card-3',
        FN: 'Γεωργία Κήπου',
        N: 'Κήπου;Γεωργία;;;',
        EMAIL: 'georgia@example.org',
        BDAY: '1980-03-21',
      }),
    },
    {
      by: 'alice',
      room: 'Contacts',
      time: ago(10),
      body: card({ UID: 'demo-card-4', FN: 'Seed Shop', ORG: 'Seed Shop Ltd', EMAIL: 'orders@example.com' }),
    },
    {
      by: 'alice',
      room: 'To Do',
      time: ago(7),
      body: calendar('VTODO', {
        UID: 'demo-task-1',
        SUMMARY: 'Repair the water butt',
        PRIORITY: '1',
        STATUS: 'NEEDS-ACTION',
      }),
    },
    {
      by: 'bob',
      room: 'To Do',
      time: ago(6.9),
      body: calendar('VTODO', {
        UID: 'demo-task-2',
        SUMMARY: 'Paint the fence',
        STATUS: 'COMPLETED',
        'PERCENT-COMPLETE': '100',
      }),
    },
  ];
}

/** Events around `now`, Unix time. */
export function events(now: number): DemoEntry[] {
  const at = (days: number, hour: number) =>
    `${new Date((now - (now % DAY) + days * DAY + hour * HOUR) * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const event = (uid: string, days: number, hour: number, hours: number, more: Record<string, string>): string =>
    calendar('VEVENT', {
      UID: uid,
      DTSTAMP: at(0, 0),
      DTSTART: at(days, hour),
      DTEND: at(days, hour + hours),
      ...more,
    });
  return [
    {
      by: 'alice',
      room: 'Events',
      time: now - 8 * DAY,
      body: event('demo-event-1', -7, 18, 2, { SUMMARY: 'Meeting', LOCATION: 'Shed' }),
    },
    {
      by: 'alice',
      room: 'Events',
      time: now - 7 * DAY,
      body: event('demo-event-2', 1, 9, 3, { SUMMARY: 'Water is off', DESCRIPTION: 'Fill your cans.\\nOn Wednesday.' }),
    },
    {
      by: 'bob',
      room: 'Events',
      time: now - 6 * DAY,
      body: event('demo-event-3', 10, 15, 6, { SUMMARY: 'Harvest festival 🎃', LOCATION: 'Meadow\\, behind bed 9' }),
    },
    {
      by: 'bob',
      room: 'Events',
      time: now - 5 * DAY,
      body: event('demo-event-4', 2, 7, 1, { SUMMARY: 'Weeding', RRULE: 'FREQ=WEEKLY;COUNT=10' }),
    },
    {
      by: 'alice',
      room: 'Calendar',
      time: now - 4 * DAY,
      body: event('demo-event-5', 3, 12, 1, { SUMMARY: 'Lunch with Bob' }),
    },
  ];
}
