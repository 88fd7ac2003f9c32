// Bodies that the line protocol, MIME or a careless client would hurt, by name.

import { type Random, randomFrom } from '../support/random.ts';

const MIB = 1024 * 1024;

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Fast enough for megabytes. */
export function noise(random: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(random(0x100000000), at);
  return bytes;
}

export function plainBodies(seed: number): Record<string, Buffer> {
  return {
    'empty lines at both ends': latin1('\n\n\nmiddle\n\n\n'),
    'a line 000': latin1('before\n000\nafter\n'),
    'just 000': latin1('000'),
    '000 with its line end': latin1('000\n'),
    '000 with CR LF': latin1('000\r\n'),
    'lines of one dot': latin1('.\n..\n.\n'),
    'CR only': latin1('one\rtwo\r\rthree\r'),
    'CR LF': latin1('one\r\ntwo\r\n\r\nthree\r\n'),
    'all line ends mixed': latin1('a\rb\nc\r\nd\n\re\r\r\nf'),
    'no final line end': latin1('one\ntwo'),
    'just a line feed': latin1('\n'),
    'just CR LF': latin1('\r\n'),
    'one byte': latin1('x'),
    'two bytes': latin1('xy'),
    'one NUL': latin1('\0'),
    'NUL bytes': latin1('a\0b\n\0\n000\n\0'),
    'all 256 byte values': Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    'invalid UTF-8': latin1('gr\xfc\xdfe \xc3 \xff\xfe\n'),
    'valid UTF-8': Buffer.from('grüße, 日本語, 🌱\n'),
    'blanks at line ends': latin1('a \nb\t\n \n'),
    'lines like mail headers': latin1('Subject: no\nContent-type: text/html\n\nFrom here\n>From there\n'),
    'a line like a boundary': latin1('--x\n--x--\n=3D=\n=\n'),
    'a line of 998 bytes and one of 999': latin1(`${'a'.repeat(998)}\n${'b'.repeat(999)}\n`),
    'a line of 1 MiB': Buffer.alloc(MIB, 'long '),
    'a line of 1 MiB of bytes': noise(randomFrom(seed), MIB),
  };
}

const BOUNDARY = 'gc0pJq0M08jU534c0p';
const PARTS = [
  'preamble',
  `--${BOUNDARY}`,
  'Content-Type: text/plain; charset=utf-8',
  '',
  'the text',
  '.',
  `--${BOUNDARY}`,
  'Content-Type: text/html',
  'Content-Disposition: attachment; filename="page.html"',
  '',
  '<p>a page</p>',
  `--${BOUNDARY}--`,
];

export const MULTIPART_TYPE = `multipart/mixed; boundary="${BOUNDARY}"`;

/** Bodies of MULTIPART_TYPE. */
export function multipartBodies(): Record<string, Buffer> {
  const lf = PARTS.join('\n');
  return {
    'a multipart with LF': latin1(`${lf}\n`),
    'a multipart with LF, no final one': latin1(lf),
    'a multipart with LF and empty lines at both ends': latin1(`\n\n${lf}\n\n\n`),
    'a multipart with CR LF': latin1(`${PARTS.join('\r\n')}\r\n`),
    'a multipart with CR LF, no final one': latin1(PARTS.join('\r\n')),
    'a multipart with CR LF that ends in a bare CR': latin1(`${PARTS.join('\r\n')}\r`),
    'a multipart with both line ends': latin1(`${lf}\r\n`),
    'a multipart with NUL': latin1(lf.replace('the text', 'the\0text')),
    'a multipart with a bare CR': latin1(lf.replace('the text', 'the\rtext')),
    'a multipart with a line 000': latin1(lf.replace('the text', '000')),
    'a multipart with 8-bit text': latin1(lf.replace('the text', 'gr\xfc\xdfe')),
    'a multipart with a line of 1 MiB': latin1(lf.replace('the text', 'x'.repeat(MIB))),
    'a multipart that is none': latin1('no boundary in here\n'),
    'a multipart that begins with 000': latin1(`000\n${lf}`),
  };
}
