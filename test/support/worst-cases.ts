// Inputs made to cost a parser as much as they can: pieces of its grammar over and over, nests, constructs that never
// end, ends that nearly match. Repeatable. By kind of what they are given to; `make(n)` has about n characters.

import { repeats, type WorstBytes, type WorstCase } from './worst-pieces.ts';

export { HTML } from './worst-html.ts';
export { ADDRESSES, DATES, HEADER, MIME, PARAMETERS, WORDS } from './worst-mail.ts';
export { STYLED, STYLES } from './worst-styles.ts';
export { CALENDAR, CARD, FLOWED, TEXT } from './worst-texts.ts';
export type { WorstBytes, WorstCase };

const bytes = (name: string, make: (n: number) => Buffer): WorstBytes => ({ name, make });
const repeatedBytes = (name: string, piece: readonly number[], before: readonly number[] = []): WorstBytes =>
  bytes(name, (n) => {
    const result = Buffer.alloc(Math.max(n, before.length), Buffer.from(piece));
    result.set(before);
    return result;
  });

/** What is no text in the charset that it claims, or hardly. */
export const OCTETS: readonly WorstBytes[] = [
  repeatedBytes('0xFF behind one character of UTF-8', [0xff], [0xc3, 0xa9]),
  bytes('0xFF behind one character of UTF-8, then text', (n) => {
    const result = Buffer.alloc(n, 'x');
    result.fill(0xff, 2, Math.max(Math.floor(n / 2), 2));
    result.set([0xc3, 0xa9].slice(0, n));
    return result;
  }),
  repeatedBytes('0xFF', [0xff]),
  repeatedBytes('0xFF and letters in turn, behind one character of UTF-8', [0xff, 0x61], [0xc3, 0xa9]),
  repeatedBytes('0xFF and line ends in turn, behind one character of UTF-8', [0xff, 0x0a], [0xc3, 0xa9]),
  repeatedBytes('beginnings of long sequences', [0xf0], [0xc3, 0xa9]),
  repeatedBytes('sequences without their last byte', [0xe2, 0x82], [0xc3, 0xa9]),
  repeatedBytes('continuations', [0x80]),
  repeatedBytes('NUL', [0]),
  repeatedBytes('UTF-16 line ends behind a mark', [0x0a, 0], [0xff, 0xfe]),
  repeatedBytes('UTF-16 surrogates behind a mark', [0, 0xd8], [0xff, 0xfe]),
  repeatedBytes('control characters', [1, 2, 3, 0x1b]),
  repeatedBytes('escape sequences of ISO-2022-JP', [0x1b, 0x24, 0x42]),
];
/** Quoted-printable text. */
export const QUOTED_PRINTABLE: readonly WorstCase[] = [
  ...repeats(
    '=',
    '==',
    '=\n',
    '=\r\n',
    '=3',
    '=3D',
    '= ',
    `=${' '.repeat(75)}`,
    `=${' '.repeat(76)}`,
    `=${' '.repeat(75)}\n`,
    ' ',
    ' \n',
    '=\r',
    '=\t',
  ),
  ...repeats('000\n', '0', '\n', '\r', 'x', '\0', ' 0\n'),
];

/** Base64 text. */
export const BASE64: readonly WorstCase[] = repeats('A', '=', 'A=', 'A\n', '\n', '-', ' A', 'AAA=', '\0', 'A\r\n');

/** Words to look for and texts to index. */
export const SEARCH: readonly WorstCase[] = repeats(
  ...[
    '東',
    '東 ',
    '東京',
    '東\u0301',
    '\u0301',
    'a\u0301',
    'ก',
    'กำ',
    '한',
    'ᄀ',
    'x',
    'x ',
    '"',
    '" ',
    '*',
    '\ufdfa',
    'ﬁ',
    '\ud800',
    '\u0344',
  ],
);
