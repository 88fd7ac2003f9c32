// What arrives in mail, is posted, or is looked for costs steps in proportion to its length: header fields, addresses,
// dates, transfer encodings, calendars, cards, search words.

import './growth.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wrapFixed, wrapVariable } from '../../src/backend/content/message-text.ts';
import { splitRecipients } from '../../src/backend/content/readable-message.ts';
import { findPart, partText } from '../../src/backend/store/message-part.ts';
import { messageByNumber, structureOf } from '../../src/backend/store/messages.ts';
import { componentsOf, oneCalendar } from '../../src/backend/verbs/citadel/calendar.ts';
import { enrichedToHtml } from '../../src/html/from-text.ts';
import { MIN_DECODED_BYTES } from '../../src/limits/mime.ts';
import { parseDate } from '../../src/mime/addresses.ts';
import { charsetName, decodeHtml, decodeText } from '../../src/mime/coding/charset.ts';
import { decodeWords, encodeWords } from '../../src/mime/coding/encoded-words.ts';
import {
  base64Decoder,
  base64Encoder,
  type Coder,
  quotedPrintableDecoder,
  quotedPrintableEncoder,
  uuDecoder,
} from '../../src/mime/coding/transfer.ts';
import { EncodingScanner } from '../../src/mime/encoding-facts.ts';
import { formatContentDisposition, formatParameter, parseHeaders, parseParameters } from '../../src/mime/headers.ts';
import { calendarText, recurrenceInWords } from '../../src/mime/objects/calendar-text.ts';
import { cardText } from '../../src/mime/objects/card-text.ts';
import { peopleOnCard, recipientOf } from '../../src/mime/objects/properties.ts';
import { readRtf } from '../../src/mime/rtf.ts';
import { uidOf } from '../../src/mime/stored-content.ts';
import { unpack } from '../../src/mime/unpack.ts';
import { accountName } from '../../src/protocol/names.ts';
import { indexedText, searchTerms, WordMatcher } from '../../src/protocol/search-words.ts';
import { messageWorld } from '../support/message-session.ts';
import { saveIn } from '../support/saved-message.ts';
import { countSteps } from '../support/steps.ts';
import {
  ADDRESSES,
  BASE64,
  CALENDAR,
  CARD,
  DATES,
  HEADER,
  OCTETS,
  PARAMETERS,
  QUOTED_PRINTABLE,
  SEARCH,
  WORDS,
} from '../support/worst-cases.ts';
import { asBytes, cut, grows, mixtures } from './growth.ts';

const coded = (coder: Coder, bytes: Buffer, size = 1 << 20) => {
  for (const chunk of cut(bytes, size)) coder.push(chunk);
  coder.end();
};

describe('steps of what reads header fields', () => {
  grows('header blocks', asBytes(HEADER), parseHeaders, { perUnit: 60 });
  grows('parameters', PARAMETERS, parseParameters, { perUnit: 60 });
  grows('encoded words', WORDS, decodeWords, { perUnit: 60 });
  grows(
    'what is written into header fields',
    WORDS,
    (text) => {
      encodeWords(text);
      formatParameter('a', text);
      formatContentDisposition('inline', text);
    },
    { perUnit: 120 },
  );
  grows('addresses', ADDRESSES, splitRecipients, { perUnit: 60 });
  grows('dates', DATES, parseDate, { perUnit: 400, size: 50 });
  grows('names of users', mixtures(['a', '@', ' ', '_', '.', '1']), accountName, { perUnit: 40 });
});

describe('steps of what reads content', () => {
  for (const size of [1 << 20, 1]) {
    grows(
      `transfer encodings, ${size} bytes at a time`,
      asBytes([...QUOTED_PRINTABLE, ...BASE64]),
      (bytes) => {
        for (const coder of [
          quotedPrintableDecoder(),
          base64Decoder(),
          uuDecoder(),
          quotedPrintableEncoder(),
          base64Encoder(),
        ])
          coded(coder, bytes, size);
        const scanner = new EncodingScanner();
        for (const chunk of cut(bytes, size)) scanner.push(chunk);
        scanner.end();
      },
      { perUnit: 300 },
    );
  }
  grows(
    'uuencoded files in a text',
    asBytes(mixtures(['begin 644 a\n', '#0V%T\n', 'end\n', 'x', '\n'], ['begin 644 a\n', ''])),
    (bytes) => unpack({ type: 'text/plain', name: '', charset: '' }, bytes),
    { perUnit: 300 },
  );
  grows(
    'signed data',
    asBytes(mixtures(['\x30\x80', '\x24\x80', '\x04\x01a', '\0\0'], ['\x30\x80\x06\x09', ''])),
    (bytes) => unpack({ type: 'application/pkcs7-mime', name: '', charset: '' }, bytes),
    { perUnit: 100 },
  );
  grows('RTF', asBytes(mixtures(['{', '}', '\\b ', "\\'e4", '\\u9?', '\\bin', '\\*', 'a'], ['{\\v', ''])), readRtf, {
    perUnit: 200,
  });
  const LINK = '{\\field{\\*\\fldinst{HYPERLINK "a"}}{\\fldrslt b';
  grows('links in RTF', asBytes(mixtures([LINK, '}', 'a'], [LINK, ''])), readRtf, { perUnit: 200 });
  grows(
    'enriched text',
    mixtures(['<<', '<bold>', '<color><param>', '</param>', '\n', 'a'], ['<bold>', '']),
    enrichedToHtml,
    {
      perUnit: 60,
    },
  );
  grows(
    'bytes of any charset',
    OCTETS,
    (bytes) => {
      for (const charset of ['utf-8', '', 'iso-2022-jp', 'x', 'utf-16le', 'utf-7', 'cp850', 'hz'])
        decodeText(bytes, charset);
    },
    { perUnit: 100 },
  );
  grows(
    'charset of a page',
    asBytes(mixtures(['<meta ', 'charset', '=', ' ', '>', '"', 'charset=a'], ['<meta ', '>'])),
    (bytes) => decodeHtml(bytes, ''),
    { perUnit: 60 },
  );
  grows('charset labels', mixtures(['"', ' ', "'", 'a']), charsetName, { perUnit: 600, size: 10 });
  grows('calendars', CALENDAR, calendarText, { perUnit: 200 });
  grows(
    'recurrence rules',
    mixtures([';', '=', ',', '-', 'FREQ=DAILY', 'BYDAY=', 'MO', '1'], ['FREQ=WEEKLY;BYDAY=', '']),
    recurrenceInWords,
    { perUnit: 60 },
  );
  grows('cards', CARD, cardText, { perUnit: 200 });
  grows('components of calendars', CALENDAR, (text) => [...oneCalendar(componentsOf(text))], { perUnit: 200 });
  grows(
    'UIDs',
    mixtures(['UID', ':', ';', '\n', '\n ', '\r', '\u2028', 'UID;'], ['BEGIN:VEVENT\n', '']),
    (text) => uidOf('text/calendar', once(text)),
    { perUnit: 60 },
  );
  for (const size of [1 << 20, 1]) {
    grows(
      `folded text, ${size} bytes at a time`,
      asBytes(mixtures(['a', ' ', '\n', '\r', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x80'])),
      (bytes) => {
        for (const _ of wrapVariable(cut(bytes, size)));
        for (const _ of wrapFixed(cut(bytes, size)));
      },
      { perUnit: 60, size: size === 1 ? 1000 : 4000 },
    );
  }
  grows(
    'words of the index',
    SEARCH,
    (text) => {
      indexedText(text);
      searchTerms(text);
    },
    { perUnit: 400 },
  );
  grows('words in a text without an index', SEARCH, (text) => new WordMatcher(text).isIn([`${text}東 ${text}y`]), {
    perUnit: 1000,
  });
  grows('people on cards', CARD, (text) => peopleOnCard(text).map(recipientOf), { perUnit: 200 });
});

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

describe('steps of the text of a part', () => {
  it('are few where few bytes are wanted, though it is long and decodes to nothing', async (t) => {
    const w = messageWorld(t);
    const type = 'text/plain\nContent-Transfer-Encoding: quoted-printable';
    const id = saveIn(w, w.room('Box'), { type, text: `${'=\n'.repeat(100_000)}x\n` });
    const { blob } = messageByNumber(w.store, id)!;
    const part = findPart(structureOf(w.store, id)!, '1')!;
    const steps = await countSteps(() => assert.equal(partText(w.store, { blob }, part, 1), ''));
    assert.ok(steps < 20 * MIN_DECODED_BYTES, `${steps} steps`);
  });
});
