// What the web client makes of texts that others have written takes steps in proportion to their length.

import './growth.ts';
import { describe } from 'node:test';
// @ts-expect-error: the web client has no types
import { isRecipient, parseRecipient, splitRecipients } from '../../static/formats/addresses.js';
// @ts-expect-error: the web client has no types
import { readEvents, readTasks } from '../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { changeEvent } from '../../static/formats/calendar-change.js';
// @ts-expect-error: the web client has no types
import { splitCalendar } from '../../static/formats/calendar-file.js';
// @ts-expect-error: the web client has no types
import { changeContact, readContacts } from '../../static/formats/contacts.js';
// @ts-expect-error: the web client has no types
import { previewOf, splitForwarded } from '../../static/formats/forwarded.js';
// @ts-expect-error: the web client has no types
import { parseHtml } from '../../static/formats/html-tree.js';
// @ts-expect-error: the web client has no types
import { withContentIds } from '../../static/formats/mail-body.js';
// @ts-expect-error: the web client has no types
import * as mail from '../../static/formats/mail-text.js';
// @ts-expect-error: the web client has no types
import { parseMarkdown } from '../../static/formats/markdown.js';
// @ts-expect-error: the web client has no types
import { writeMarkdown } from '../../static/formats/markdown-write.js';
// @ts-expect-error: the web client has no types
import { readNote } from '../../static/formats/notes.js';
// @ts-expect-error: the web client has no types
import { readRepeat } from '../../static/formats/repeat.js';
// @ts-expect-error: the web client has no types
import { richToHtml, richToText } from '../../static/formats/rich-output.js';
// @ts-expect-error: the web client has no types
import { readRich } from '../../static/formats/rich-text.js';
import { CALENDAR, CARD, HTML } from '../support/worst-cases.ts';
import { grows, mixtures, someOf } from './growth.ts';

const ZONE = 'Europe/Berlin';

describe('steps of the formats of the web client', () => {
  const zone = (i: number) => `BEGIN:VTIMEZONE\nTZID:z${i}\nEND:VTIMEZONE\n`;
  const event = (i: number) => `BEGIN:VEVENT\nUID:u${i}\nDTSTART;TZID=z${i}:20260101T000000\nEND:VEVENT\n`;
  const file = (lines: (i: number) => string) => (n: number) => {
    const count = Math.ceil(n / lines(1).length);
    return `BEGIN:VCALENDAR\n${Array.from({ length: count }, (_, i) => lines(i)).join('')}END:VCALENDAR\n`;
  };
  grows(
    'a file of events and zones',
    [
      { name: 'as many zones', make: file((i) => zone(i) + event(i)) },
      { name: 'zones of one name', make: file((i) => zone(1) + event(i)) },
    ],
    splitCalendar,
    { perUnit: 200, size: 4000 },
  );
  const signs = [
    '*',
    '**',
    '_',
    '`',
    '``',
    '~~',
    '[',
    '](',
    '![',
    '[[',
    ']]',
    '|',
    '<',
    'https://',
    '\\',
    '(',
    ')',
    'a',
    ' ',
  ];
  grows('Markdown within a line', mixtures(signs, ['[', '](x)']), parseMarkdown, { perUnit: 100 });
  const blocks = [
    '> ',
    '- ',
    '1. ',
    '# ',
    '```\n',
    '\n',
    '  ',
    '| a ',
    '|-',
    '---\n',
    '===\n',
    'a\n',
    '- a\n',
    '> a\n',
    '  - a\n',
  ];
  grows('blocks of Markdown', mixtures(blocks), parseMarkdown, { perUnit: 300 });
  grows('Markdown written again', mixtures([...signs, '\n', '- a\n']), (text) => writeMarkdown(parseMarkdown(text)), {
    perUnit: 300,
  });

  const tags = [
    '<p>',
    '</p>',
    '<b>',
    '<ul>',
    '<li>',
    '<td>',
    '<table>',
    '<a href="',
    '<!--',
    '<',
    '&#1',
    '<script>',
    'a ',
  ];
  const pasted = (html: string) => {
    const tree = readRich(parseHtml(html));
    return [richToHtml(tree), richToText(tree)];
  };
  grows('pasted HTML', [...someOf(HTML), ...mixtures(tags)], pasted, { perUnit: 600, size: 1500 });

  const text = mixtures(['>', '> ', '\n', 'a', ':', 'http://', 'www.', '.', '(', ')', 'Re: ', ' ', 'Re[1]:']);
  const block = [
    '<img src="',
    'cid:a@x"',
    '/svc/r/Mail/7/1"',
    '>',
    "url('",
    "//x'",
    ')',
    ' alt="',
    '<div id="m-forwarded">',
    'a',
  ];
  const parts = [{ partnum: '1', content_id: 'a@x' }];
  const forwarding = (html: string) => [
    withContentIds(html, parts),
    previewOf(html, () => 'blob:1'),
    splitForwarded(html, html),
  ];
  grows('a forwarded message', mixtures(block), forwarding, { perUnit: 400 });
  grows('quotes', text, (one) => [mail.splitQuotes(one), mail.quotedTail(one), mail.quoteText(one)], { perUnit: 60 });
  grows('links', text, mail.linkify, { perUnit: 80 });
  grows('subjects', text, mail.replySubject, { perUnit: 60 });
  const lists = mixtures(['"', ',', ';', '<', '>', '@', 'a', '\\', ' ', '\n', '.']);
  grows(
    'recipients',
    lists,
    (one) => splitRecipients(one).map((piece: string) => [parseRecipient(piece), isRecipient(piece)]),
    {
      perUnit: 150,
    },
  );

  const rows = [1, 2, 3].map((kind) => ({
    name: ['a chain', 'a fan', 'all of one subject'][kind - 1]!,
    make: (n: number) =>
      Array.from({ length: n }, (_, i) => ({
        number: i + 1,
        id: `m${i}`,
        references: kind === 1 ? [`m${i - 1}`] : kind === 2 ? ['m0', `x${i}`] : [],
        subject: kind === 3 ? 'Re: same' : 'x',
      })),
  }));
  grows('conversations', rows, mail.conversations, { perUnit: 300 });

  const events = (one: string) => [readEvents(one, 0, 4e9, ZONE), readTasks(one, ZONE)];
  grows('calendars', CALENDAR, events, { perUnit: 400 });
  const chosen = { uid: '', recurrenceId: undefined, from: { day: '2026-05-14' } };
  grows(
    'changed calendars',
    CALENDAR,
    (one) => changeEvent(one, { title: 'x' }, 'all', chosen, { zone: ZONE, now: 0 }),
    {
      perUnit: 400,
    },
  );
  grows('contacts', CARD, (one) => [readContacts(one), changeContact(one, { title: 'x' }), readNote(one)], {
    perUnit: 600,
  });
  grows('repeat rules', mixtures(['FREQ=', 'DAILY;', 'BYDAY=', 'MO,', '1', ';', '=', ',']), readRepeat, {
    perUnit: 60,
  });
});
