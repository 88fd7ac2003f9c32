// What is made of a message for reading costs steps in proportion to its length: structure, HTML, text, calendars, cards.

import './growth.ts';
import { describe } from 'node:test';
import { htmlToText } from '../../src/mime/html-text.ts';
import { readableText } from '../../src/mime/readable.ts';
import { sanitise } from '../../src/mime/sanitise.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import { FLOWED, HTML, MIME, TEXT } from '../support/worst-cases.ts';
import { asBytes, grows } from './growth.ts';

const READING = { isRemoteLoaded: false, partUrl: (number: string) => number, pageUrl: (name: string) => name };

/** beginnings of up to 1600 characters */
const LONG = { size: 1000, isBoundAlone: true };

describe('steps of what makes a message readable', () => {
  grows(
    'structure',
    asBytes(MIME),
    (bytes) => {
      const walker = new MimeWalker();
      walker.push(bytes);
      walker.end();
    },
    { perUnit: 120, ...LONG },
  );
  grows('HTML made safe', HTML, (html) => sanitise(html, { ...READING, remote: false }), { perUnit: 80, ...LONG });
  grows('HTML as text', HTML, (html) => htmlToText(html, 72), { perUnit: 80, ...LONG });
  for (const isPlain of [false, true]) {
    for (const [type, cases] of [
      ['text/plain', TEXT],
      ['text/plain; format=flowed; delsp=yes', FLOWED],
    ] as const) {
      grows(
        `${type} as ${isPlain ? 'text' : 'HTML'}`,
        asBytes(cases),
        (bytes) => {
          const source = Buffer.concat([Buffer.from(`Content-Type: ${type}\n\n`), bytes]);
          const walker = new MimeWalker();
          walker.push(source);
          readableText(source, walker.end(), true, { ...READING, isPlain });
        },
        { perUnit: 700, ...LONG },
      );
    }
  }
});
