// New answers of a room server out of old ones: fields, lines, status and length changed as a hostile one would. Bytes
// as Latin-1.

import type { Random } from '../support/random.ts';
import { mutated } from './mutate.ts';

/** numbers that are none, bytes that end or hide something, words of other formats */
export const EVIL: readonly string[] = [
  ...['', '0', '-1', '1', '7', '99999999999999999999', '9007199254740993', '999999999999999', '8640000000001'],
  ...[
    '-99999999999',
    '1e999',
    'Infinity',
    '-Infinity',
    'NaN',
    '0x10',
    '1.5',
    ' 1',
    '1 ',
    'null',
    '1:*',
    '1:9999999999',
  ],
  ...['\r', 'a\rX-Evil: 1', 'a\r\rb', '\0', '\x1b[31m', '\x7f', '\xff\xfe', '\xed\xa0\x80', '\xc3', '\xef\xbf\xbe'],
  ...['\xe2\x80\xa8', '\xc2\x85', '\xf0\x9f\x98\x80', '\xe2\x80\xae', '\t', '\x0b', '\x0c'],
  ...[
    '<script>',
    ']]>',
    '&#0;',
    '&amp',
    '"',
    "'",
    '\\',
    '%',
    '%0d%0aX-Evil: 1',
    '%00',
    '..',
    '../..',
    '/',
    '.',
    '#',
    '?',
  ],
  ...[
    '=?utf-8?q?a=0D=0AX-Evil:=201?=',
    '=?utf-8?b?//8=?=',
    '=?x?q?a?=',
    '000',
    '100 x',
    '600 9',
    '902 x',
    '|',
    '||||||||||',
  ],
  ...['text/html', 'text/html; charset="a', 'multipart/mixed', 'message/rfc822', 'image/svg+xml', 'a b/c', '*/*'],
  ...[
    '"a" <b@c>',
    '@',
    'a@b@c',
    '<a@b>',
    'a,b;c',
    'BEGIN:VCALENDAR',
    'END:VEVENT',
    'Vestibule ',
    'constructor',
    '__proto__',
  ],
  ...['x'.repeat(300), 'x'.repeat(5000), '9'.repeat(400), '\xc3\xa9'.repeat(700), '1,'.repeat(2000), '('.repeat(3000)],
];
const CODES = ['100', '200', '300', '400', '500', '510', '520', '530', '540', '550', '560', '570', '571', '572', '574'];
const OTHER_CODES = ['575', '576', '600', '700', '800', '902', '903', '199', '200*', '999', '000', '2', 'xyz'];

/** One answer becomes another one: a field, a line, the status, the length, or bytes of it. */
export function changedAnswer(answer: string, other: string, random: Random): string {
  const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const lines = answer.split('\n');
  // the last one is empty, the one before it ends a listing
  const at = random(Math.max(1, lines.length - 1 - random(2)));
  switch (random(10)) {
    case 0:
    case 1:
    case 2:
      lines[at] = withField(lines[at]!, () => one(EVIL), random);
      break;
    case 3:
      lines[at] = withField(lines[at]!, (field) => `${field}|${one(EVIL)}`, random);
      break;
    case 4: {
      const fields = lines[at]!.split('|');
      fields.splice(random(fields.length), 1 + random(3));
      lines[at] = fields.join('|');
      break;
    }
    case 5:
      lines.splice(at, random(2), ...Array.from({ length: 1 + random(4) }, () => one([...lines, one(EVIL)])));
      break;
    case 6:
      lines.splice(at, 1 + random(3));
      break;
    case 7:
      lines[0] = `${one([...CODES, ...OTHER_CODES])}${lines[0]!.slice(3)}`;
      break;
    case 8:
      return other;
    default:
      return mutated(Buffer.from(answer, 'latin1'), Buffer.from(other, 'latin1'), EVIL, random).toString('latin1');
  }
  return lines.join('\n');
}

/** Fields end at bars, and at what parts name and value. */
function withField(line: string, change: (field: string) => string, random: Random): string {
  const pieces = line.split(/([|=]|: |,)/);
  const at = 2 * random((pieces.length + 1) >> 1);
  const start = at === 0 && /^\d{3} /.test(line) ? line.slice(0, 4) : '';
  pieces[at] = start + change(pieces[at]!.slice(start.length));
  return pieces.join('');
}
