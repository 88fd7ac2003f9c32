// What is read of a message costs steps in proportion to its length: its structure, its HTML, its text, and what
// becomes of them, in the gateway and in the room server's search.

import './growth.ts';
import { describe } from 'node:test';
import { textToHtml, unflow, variformatToText } from '../../src/html/from-text.ts';
import { sanitise } from '../../src/html/sanitise.ts';
import { htmlToText } from '../../src/html/to-text.ts';
import { objectText } from '../../src/mime/objects/properties.ts';
import { listParts, numberParts } from '../../src/mime/part-list.ts';
import { readableText } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import { indexedText } from '../../src/protocol/search-words.ts';
import { CALENDAR, CARD, FLOWED, HTML, MIME, OCTETS, STYLED, STYLES, TEXT } from '../support/worst-cases.ts';
import { repeats } from '../support/worst-pieces.ts';
import { asBytes, cut, grows, mixtures, someOf } from './growth.ts';

const walk = (bytes: Buffer) => {
  const walker = new MimeWalker();
  walker.push(bytes);
  return walker.end();
};

/** All of it, or the beginning of a longer message, whose end may have cut a character. */
const read = (head: string, isPlain: boolean, isWhole: boolean) => (bytes: Buffer) => {
  const source = Buffer.concat([Buffer.from(head), bytes]);
  const root = walk(source);
  listParts(numberParts(root, []), [], isWhole);
  readableText(source, root, isWhole, { isPlain, isRemoteLoaded: false, partUrl: () => undefined });
};

describe('steps of what makes a message readable', () => {
  const safe = (html: string) => sanitise(html, { remote: false });
  grows('HTML made safe', HTML, safe, { perUnit: 60, size: 1000 });
  grows('style elements', STYLES, (css) => safe(`<style>${css}</style><p class=a id=b>x`), {
    // each part of a selector is written again below the root of the message
    perUnit: 200,
    size: 1000,
  });
  grows('elements of many rules', STYLED, safe, { perUnit: 150, size: 2000 });
  grows('HTML as text', someOf(HTML), (html) => htmlToText(html, 78), { perUnit: 60, size: 1000 });
  // a tab becomes eight blanks, each looked at again
  grows('text as HTML', TEXT, (text) => textToHtml(text), { perUnit: 160 });
  grows('format 0', TEXT, variformatToText, { perUnit: 40 });
  grows('flowed text', FLOWED, (text) => textToHtml(unflow(text, true)), { perUnit: 160 });
  grows('calendars in words', CALENDAR, (text) => textToHtml(objectText('text/calendar', text)), { perUnit: 120 });
  // a short line becomes a row with the label of its kind
  grows('contacts in words', CARD, (text) => textToHtml(objectText('text/vcard', text)), { perUnit: 130 });
  grows('MIME structure, its parts and their text', asBytes(MIME), read('', false, true), { perUnit: 120 });
  grows(
    'MIME structure of header lines that come in small pieces',
    asBytes(mixtures(['a', ' ', ':', '--', 'a: b\n', '\r'])),
    (bytes) => {
      const walker = new MimeWalker();
      for (const chunk of cut(bytes, 7)) walker.push(chunk);
      walker.end();
    },
    { perUnit: 150, size: 2000 },
  );
  for (const isPlain of [false, true]) {
    for (const type of ['text/plain', 'text/html']) {
      const name = `bytes that are no text, cut off, in ${type} for ${isPlain ? 'text' : 'a page'}`;
      grows(name, OCTETS, read(`Content-Type: ${type}; charset=utf-8\n\n`, isPlain, false), { perUnit: 100 });
    }
  }
  // nothing to read in it, and no other way to read it: once is enough
  grows(
    'pages that show nothing',
    asBytes(repeats('</p>', '<img>')),
    read('Content-Type: text/html\n\n', false, true),
    // backgrounds of each element are looked for, too
    { perUnit: 35 },
  );
  const related = (depth: number): string =>
    depth === 0
      ? 'Content-Type: image/png\n\nx\n'
      : `Content-Type: multipart/related; boundary=b${depth}\n\n--b${depth}\n${related(depth - 1)}--b${depth}--\n`;
  grows(
    'nested multiparts that hold nothing to read',
    [{ name: 'related', make: (n) => Buffer.from(related(Math.min(Math.floor(n / 70), 15))) }],
    read('', false, true),
    { perUnit: 100, size: 260 },
  );
});

describe('steps of what goes into the index', () => {
  // what the counter cannot see, the order of marks, is tested with search-words
  grows('words', mixtures(['a', '\u0301', '東', ' ', 'ก']), indexedText, { perUnit: 60 });
});
