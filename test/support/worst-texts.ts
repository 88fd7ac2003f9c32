// Plain text, format=flowed, calendars and contacts made to cost a parser as much as they can. See worst-cases.ts.

import { behind, numbered, repeats, type WorstCase } from './worst-pieces.ts';

const marks = (depth: number): string => '>'.repeat(depth);

const RISING = Array.from({ length: 16 }, (_, i) => `${marks(i < 8 ? 4 * i : 64 - 4 * i)}\n`).join('');

export const TEXT: readonly WorstCase[] = [
  ...repeats(
    '\n',
    '\r',
    '\r\n',
    '\t',
    ' ',
    'x\n',
    'x\t',
    ' x',
    '  x',
    ' \n',
    '\t\n',
    '\0',
    '\u0001',
    '\u00a0',
    '\ud800',
    'é',
    '😀',
  ),
  ...repeats('>', '> ', '>\n', '> \n', '>>\n\n', '>x\n', '> x\nx\n', '&', '<', '"', '&<>"', '<\n', '-- \n', ' -- \n'),
  ...repeats(
    `${marks(32)}\n\n`,
    `${marks(32)}x\nx\n`,
    `${marks(33)}\n`,
    `${marks(31)}x\n${marks(32)}x\n`,
    '> '.repeat(32),
  ),
  ...repeats(
    'http://',
    'http://x ',
    'https://x\n',
    'http://x.',
    'http://x)',
    'http:',
    'h',
    'ht',
    'mailto:',
    'mailto:x ',
    ':',
    'x:',
    '://',
  ),
  ...repeats('http://x.example/', 'http://[ ', 'http://( ', 'http://x:x@x ', 'http://é ', 'http://x/%', 'mailto:)'),
  ...behind('http://x', '(', ')', '()', '.', 'x', '[', '%', '/', '_', '[x]', '/..', 'é', '\t', '&', "'"),
  ...behind('http://x/', '(', ')', '()', ')(', '].)', '.!?', '/http://', 'mailto:'),
  ...behind('x', '\t', ' ', ' \t', '\n '),
  {
    name: 'quote depths that rise and fall',
    make: (n) => RISING.repeat(Math.ceil(n / RISING.length)).slice(0, n),
  },
  { name: 'one line of blanks, then one letter', make: (n) => `${' '.repeat(Math.max(n - 1, 0))}x` },
];

export const FLOWED: readonly WorstCase[] = [
  ...TEXT,
  ...repeats(
    ' \n',
    'x \n',
    '> \n',
    '>x \n',
    '> x \n>> x \n',
    '>\n',
    '-- \n',
    '>-- \n',
    `${marks(40)} x \n`,
    ' > \n',
    '> > \n',
  ),
  { name: 'flowed lines at ever deeper quotes', make: (n) => filledDeeper(n, ' x \n') },
  { name: 'one line of marks, flowed on', make: (n) => `${marks(Math.floor(n / 2))} x \n`.padEnd(n, 'x \n') },
];

/** Lines with one mark more each: n characters of them are about the square root of 2n lines. */
function filledDeeper(n: number, rest: string): string {
  const lines: string[] = [];
  for (let size = 0, depth = 0; size < n; depth++) {
    lines.push(marks(depth) + rest);
    size += depth + rest.length;
  }
  return lines.join('');
}

const EVENT = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\n';
const CARD_START = 'BEGIN:VCARD\n';

export const CALENDAR: readonly WorstCase[] = [
  ...repeats(
    'BEGIN:VEVENT\n',
    'BEGIN:VEVENT\nEND:VEVENT\n',
    'END:VEVENT\n',
    'BEGIN:\n',
    'END:\n',
    'BEGIN:A\nEND:A\n',
    'A:\n',
    ':\n',
    ';\n',
    '\n',
  ),
  ...repeats(
    'BEGIN:VCALENDAR\nEND:VCALENDAR\n',
    'a.b:\n',
    'a.',
    'a-',
    'A;',
    'A;A',
    '"',
    ' \n',
    ' ',
    '\t\n',
    '\r\n',
    'A\r',
    '\r',
  ),
  ...behind(
    EVENT,
    'ATTENDEE:x\n',
    'ORGANIZER:x\n',
    'RRULE:FREQ=DAILY\n',
    'EXDATE:20260101\n',
    'RRULE:\n',
    'DTSTART:20260101\n',
    'A:\n',
  ),
  ...behind(
    EVENT,
    'ATTENDEE;PARTSTAT=ACCEPTED;CN=x:y\n',
    'BEGIN:VALARM\nEND:VALARM\n',
    'RRULE:FREQ=DAILY;BYDAY=-1MO\n',
    '\nA:x',
  ),
  ...behind(`${EVENT}RRULE:`, ';', '=', ',', 'FREQ=DAILY;', 'A=B;', 'FREQ=', 'BYDAY=', 'BYDAY=MO;', '9', ' '),
  ...behind(`${EVENT}RRULE:FREQ=WEEKLY;BYDAY=`, 'MO,', ',', 'MO', '-1FR,', '+', '99', 'x,', '5SU,'),
  ...behind(`${EVENT}RRULE:FREQ=DAILY;COUNT=`, '9', '0', '1,', '-', 'e'),
  ...behind(`${EVENT}RRULE:FREQ=DAILY;INTERVAL=`, '9', '0', '.', 'x'),
  ...behind(`${EVENT}RRULE:FREQ=DAILY;UNTIL=`, '2', ' ', '20260101', 'T'),
  ...behind(`${EVENT}EXDATE:`, ',', '20260101,', '20260101T000000Z,', 'x,', '2', ' '),
  ...behind(`${EVENT}DTSTART:`, '2', ' ', 'T', '20260101'),
  ...behind(`${EVENT}DTSTART:20260101\nDURATION:`, 'P', '1', 'P1D', ' ', 'T'),
  ...behind(`${EVENT}DTSTART;TZID=`, '/', 'x', ' ', '"', ';', ';TZID=', '^n', '^'),
  ...behind(`${EVENT}SUMMARY:`, '\\', '\\n', '\\,', 'x', '\n ', '\n x', '\r\n ', ' ', '\t', '\u0001', '=\n'),
  ...behind(`${EVENT}DESCRIPTION:`, '\\n', '\\n>', '\\nhttp://x', '\\N\\N', '\n \\n', '\n\t>'),
  ...behind(`${EVENT}LOCATION:`, '\\n', 'x', ' '),
  ...behind(`${EVENT}ATTENDEE;`, ';', 'A;', 'A=', 'CN=x;', 'CN="', '"', '=', 'X=^n;', ',', ' '),
  ...behind(
    `${EVENT}DESCRIPTION;ENCODING=QUOTED-PRINTABLE:`,
    '=',
    '=\n',
    '=\n=',
    '=3D',
    '=0A',
    ' =\n',
    '=A',
    '=\r\n',
    '\n=',
  ),
  ...behind(`${EVENT}URL;QUOTED-PRINTABLE;CHARSET=utf-16:`, '=00=\n', '=', ' '),
  numbered('parameters with names of their own', (i) => `;P${i}=x`, `${EVENT}ATTENDEE`, ':x\n'),
  numbered('properties with names of their own', (i) => `X-${i}:x\n`, EVENT),
];

export const CARD: readonly WorstCase[] = [
  ...repeats(
    `${CARD_START}END:VCARD\n`,
    CARD_START,
    `${CARD_START}TEL:1\n`,
    'BEGIN:VNOTE\nEND:VNOTE\n',
    'BEGIN:VNOTE\n',
    'TEL:1\n',
  ),
  ...behind(
    CARD_START,
    'TEL:1\n',
    'TEL;TYPE=WORK:1\n',
    'TEL;WORK;HOME:1\n',
    'ADR:;;;\n',
    'ORG:;\n',
    'N:;;\n',
    'NICKNAME:x\n',
    'BDAY:1\n',
    'item1.URL:x\n',
  ),
  ...behind(`${CARD_START}N:`, ';', '\\', '\\;', 'x;', 'x', '\\\\', ' ', ' ;', '\n ;', '\\n;'),
  ...behind(`${CARD_START}ADR:`, ';', '\\;', 'x;', ';;x', ' ', '\\n'),
  ...behind(`${CARD_START}FN:`, ' ', '\\n', 'x', '\\', '\n  '),
  ...behind(`${CARD_START}TEL;TYPE=`, ',', 'WORK,', '"', 'WORK;TYPE=', 'x,', ' '),
  ...behind(`${CARD_START}TEL;`, 'WORK;', 'TYPE=;', 'x;', ';'),
  ...behind(`${CARD_START}BDAY:`, '1', '-', '1980-', ' '),
  ...behind('BEGIN:VNOTE\nSUMMARY:x\nBODY;ENCODING=QUOTED-PRINTABLE:', '=\n', '=0D=0A=\n', '=', 'x=\n'),
  ...behind('BEGIN:VNOTE\nBODY:', '\\n', 'x', ' ', '\n '),
];
