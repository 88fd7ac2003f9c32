// What is made of a message has a bound, whatever it is made of: at the bound it is whole, beyond it is cut with a
// note, at a place where nothing is torn, with all elements ended.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textToHtml } from '../../src/html/from-text.ts';
import { CUT_NOTE, OutputBound } from '../../src/html/output-bound.ts';
import { sanitise } from '../../src/html/sanitise.ts';
import { htmlToText } from '../../src/html/to-text.ts';
import { MAX_RENDERED_CHARACTERS, MAX_RENDERED_TEXT_BYTES } from '../../src/limits/mime.ts';
import { formatText, type ReadableText, readableText } from '../../src/mime/readable.ts';
import { MimeWalker } from '../../src/mime/walk.ts';
import { randomFrom } from '../support/random.ts';
import { randomHtml } from './html-random.ts';
import { checkSafe } from './html-safety.ts';

function read(message: string, isPlain: boolean): ReadableText {
  const source = Buffer.from(message);
  const walker = new MimeWalker();
  walker.push(source);
  return readableText(source, walker.end(), true, { isPlain, isRemoteLoaded: false, partUrl: () => undefined });
}

const part = (type: string, text: string): string => `Content-Type: ${type}; charset=utf-8\n\n${text}`;
const mixed = (...parts: string[]): string =>
  `Content-Type: multipart/mixed; boundary=b\n\n${parts.map((one) => `--b\n${one}\n`).join('')}--b--\n`;
const safely = (html: string, bound?: OutputBound): string => sanitise(html, { remote: false }, bound).html;
const asText = (html: string, bound?: OutputBound): string => htmlToText(html, 78, bound);

/** Every element that is open is ended, none in the wrong order. */
function checkNested(html: string): void {
  const open: string[] = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (slash) assert.equal(open.pop(), name, html);
    else if (!['br', 'hr', 'img', 'wbr', 'col'].includes(name!)) open.push(name!);
  }
  assert.deepEqual(open, [], html);
}

describe('a bound of as many characters as are made', () => {
  const texts = [
    'a\n> b\n>> c\n',
    '\t\tx\t',
    'see http://x.example/?a&b. "x" <y>',
    '😀😀',
    '&&&&',
    '>\n\n>>>\n\nx',
    'x\n\n\n',
  ];
  const pages = [
    '<p>a<blockquote>b<p>c',
    '<table>x<tr>y',
    '<a href="http://x.example/">x</a> &amp;&lt; 😀😀',
    '<ul><li>a<li>b</ul><hr><pre>a\n\nb</pre>',
    '<img alt="&quot;&quot;"><b><i><u>x</b>',
  ];
  const random = randomFrom(20);
  for (let i = 0; i < 200; i++) pages.push(randomHtml(random, 12));
  const renderings: [string, readonly string[], (input: string, bound?: OutputBound) => string, boolean][] = [
    ['text as HTML', texts, textToHtml, true],
    ['HTML made safe', pages, safely, true],
    ['HTML as text', pages, asText, false],
  ];

  for (const [name, inputs, make, isHtml] of renderings) {
    it(`leaves ${name} whole; one fewer cuts it`, () => {
      for (const input of inputs) {
        const whole = make(input);
        const exact = new OutputBound(whole.length);
        assert.deepEqual([make(input, exact), exact.isCut], [whole, false]);
        if (whole === '') continue;
        const short = new OutputBound(whole.length - 1);
        const cut = make(input, short);
        assert.equal(short.isCut, true, input);
        assert.ok(cut.length < whole.length, input);
      }
    });

    it(`cuts ${name} nowhere but between characters, references and tags`, () => {
      for (const input of inputs) {
        const { length } = make(input);
        for (let bound = 0; bound < length; bound += 1 + Math.floor(length / 40)) {
          const cut = make(input, new OutputBound(bound));
          assert.ok(cut.length <= bound, `${input} at ${bound}: ${cut}`);
          assert.ok(input.isWellFormed() ? cut.isWellFormed() : true, cut);
          if (!isHtml) continue;
          checkNested(cut);
          checkSafe(cut);
          assert.doesNotMatch(cut, /&(?!amp;|lt;|gt;|quot;)/);
        }
      }
    });
  }

  it('is one for all that is made', () => {
    const bound = new OutputBound(20);
    assert.equal(textToHtml('12345678', bound), '<div>12345678</div>');
    assert.equal(textToHtml('1', bound), '');
    assert.equal(bound.isCut, true);
    assert.equal(
      bound.takeText('x', false),
      '',
      'what would fit is not written either: it would stand in a wrong place',
    );
  });
});

describe('what is read of a message', () => {
  const marks = '>'.repeat(32);
  const start = '<blockquote>'.repeat(31);
  const quotes = (length: number): string => {
    const room = length - '<div></div>'.length;
    return '"'.repeat(Math.floor(room / 6)) + 'x'.repeat(room % 6);
  };

  it('has MAX_RENDERED_CHARACTERS, as HTML', () => {
    const whole = read(part('text/plain', quotes(MAX_RENDERED_CHARACTERS)), false);
    assert.deepEqual([whole.isCut, whole.text.length], [false, MAX_RENDERED_CHARACTERS]);
    const cut = read(part('text/plain', quotes(MAX_RENDERED_CHARACTERS + 1)), false);
    assert.equal(cut.isCut, true);
    assert.ok(cut.text.endsWith(`</div><p>${CUT_NOTE}</p>`), cut.text.slice(-100));
  });

  it('has MAX_RENDERED_CHARACTERS, as text', () => {
    // each line has 64 characters: the marks of 31 quotes, one letter and its end
    const html = (length: number) => part('text/html', start + 'x<br>'.repeat(length / 64));
    const whole = read(html(MAX_RENDERED_CHARACTERS), true);
    assert.deepEqual([whole.isCut, whole.text.length], [false, MAX_RENDERED_CHARACTERS]);
    const cut = read(html(MAX_RENDERED_CHARACTERS + 64), true);
    assert.equal(cut.isCut, true);
    assert.ok(cut.text.endsWith(`\n${CUT_NOTE}\n`), cut.text.slice(-100));
  });

  const messages: Record<string, [message: string, isPlain: boolean]> = {
    'depths of quotes in turn': [part('text/plain', `${marks}\n\n`.repeat(60_000)), false],
    'the same, flowed': [part('text/plain; format=flowed', `${marks}\n\n`.repeat(60_000)), false],
    tabs: [part('text/plain', '\t'.repeat(2_000_000)), false],
    'tabs and line ends': [part('text/plain', '\t\n'.repeat(1_000_000)), false],
    'short links': [part('text/plain', 'http://x '.repeat(200_000)), false],
    'quotes in a page': [part('text/html', '"'.repeat(2_000_000)), false],
    'elements that need others': [part('text/html', `<table>${'<tr>x'.repeat(400_000)}`), false],
    'list items without an end': [part('text/html', '<li>'.repeat(500_000)), false],
    'paragraphs in deep quotes, as text': [part('text/html', start + '<p>x'.repeat(400_000)), true],
    'line breaks in deep quotes, as text': [part('text/html', start + '<br>'.repeat(400_000)), true],
    'a calendar that is not understood': [part('text/calendar', `${marks}\n\n`.repeat(60_000)), false],
    'several parts': [mixed(...Array(8).fill(part('text/plain', '"'.repeat(200_000)))), false],
    'heads of messages': [
      mixed(...Array(40).fill(`\nSubject: ${'"'.repeat(60_000)}\n\nx`)).replace('mixed', 'digest'),
      false,
    ],
  };
  for (const [name, [message, isPlain]] of Object.entries(messages)) {
    it(`is bounded: ${name}`, () => {
      const { text, isCut } = read(message, isPlain);
      assert.equal(isCut, true);
      assert.ok(text.length <= MAX_RENDERED_CHARACTERS + 100, `${text.length}`);
      if (!isPlain) checkNested(text);
    });
  }

  it('is bounded in the formats of the room server', () => {
    for (const format of ['0', '1']) {
      const text = (length: number, isPlain = true) => formatText(Buffer.alloc(length, 'x'), format, true, isPlain);
      assert.equal(text(MAX_RENDERED_TEXT_BYTES).isCut, false);
      assert.equal(text(MAX_RENDERED_TEXT_BYTES + 1).isCut, true);
      assert.ok(text(MAX_RENDERED_TEXT_BYTES + 1).text.endsWith(`\n${CUT_NOTE}\n`));
      const tags = formatText(Buffer.from(`${marks}\n\n`.repeat(60_000)), format, true, false);
      assert.ok(tags.text.length <= MAX_RENDERED_CHARACTERS + 100);
    }
  });
});
