// Plain text as HTML, format=flowed and format 0.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textToHtml, unflow, variformatToText } from '../../src/html/from-text.ts';
import { sanitise } from '../../src/html/sanitise.ts';
import { MAX_QUOTE_DEPTH } from '../../src/limits/mime.ts';
import { checkSafe, shownText } from './html-safety.ts';
import { VECTORS } from './html-vectors.ts';

const link = (href: string, text = href): string =>
  `<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${text}</a>`;

describe('textToHtml', () => {
  const line = (text: string): string => textToHtml(text).replace(/^<div>|<\/div>$/g, '');

  it('escapes markup and keeps line breaks', () => {
    assert.equal(textToHtml('a <b> & "c"\r\nd\n\ne\n'), '<div>a &lt;b&gt; &amp; &quot;c&quot;<br>d<br><br>e</div>');
    assert.equal(textToHtml(''), '');
  });

  it('keeps indentation, columns and tabs', () => {
    assert.equal(line('  a b  c   d'), '\u00a0\u00a0a b \u00a0c \u00a0\u00a0d');
    assert.equal(line('\ta\tb'), `${'\u00a0'.repeat(8)}a ${'\u00a0'.repeat(6)}b`);
  });

  it('makes quoted lines nested blockquotes', () => {
    assert.equal(
      textToHtml('a\n> b\n>> c\n> > d\n>e\nf'),
      '<div>a</div><blockquote><div>b</div><blockquote><div>c<br>d</div></blockquote><div>e</div></blockquote>' +
        '<div>f</div>',
    );
    assert.equal(textToHtml('>> a'), '<blockquote><blockquote><div>a</div></blockquote></blockquote>');
  });

  it('nests quotes up to the bound', () => {
    const quotes = (depth: number): number => textToHtml(`${'>'.repeat(depth)}x`).split('<blockquote>').length - 1;
    assert.equal(quotes(MAX_QUOTE_DEPTH), MAX_QUOTE_DEPTH);
    assert.equal(quotes(MAX_QUOTE_DEPTH + 1), MAX_QUOTE_DEPTH);
  });

  it('links addresses without the punctuation around them', () => {
    assert.equal(line('see http://x.example/a, or'), `see ${link('http://x.example/a')}, or`);
    assert.equal(line('(https://x.example/a_(b))...'), `(${link('https://x.example/a_(b)')})...`);
    assert.equal(line('[http://x.example/[1]]!'), `[${link('http://x.example/[1]')}]!`);
    assert.equal(line('<http://x.example/?a=1&b=2>'), `&lt;${link('http://x.example/?a=1&amp;b=2')}&gt;`);
    assert.equal(line('HTTP://X.example'), link('http://x.example/', 'HTTP://X.example'));
    assert.equal(line('mailto:a@b.example.'), `${link('mailto:a@b.example')}.`);
    assert.equal(
      line('http://x.example/a "http://y.example/"'),
      `${link('http://x.example/a')} &quot;${link('http://y.example/')}&quot;`,
    );
  });

  it('links addresses of web sites and mailboxes that have no scheme', () => {
    assert.equal(line('see www.x.example/a, or'), `see ${link('http://www.x.example/a', 'www.x.example/a')}, or`);
    assert.equal(line('(WWW.x.example).'), `(${link('http://www.x.example/', 'WWW.x.example')}).`);
    assert.equal(line('Ask ann.b+c@x.example.'), `Ask ${link('mailto:ann.b+c@x.example', 'ann.b+c@x.example')}.`);
    assert.equal(line('<a@x.example>,'), `&lt;${link('mailto:a@x.example', 'a@x.example')}&gt;,`);
    assert.equal(line('http://u@x.example/b@y.example'), link('http://u@x.example/b@y.example'));
  });

  it('dims a signature, to its end', () => {
    assert.equal(textToHtml('a\n-- \nAnn\nb'), '<div>a</div><div style="opacity: 0.7">-- <br>Ann<br>b</div>');
    for (const text of ['a\n--\nAnn', '> a\n> -- \n> Ann', 'a\n --\n'])
      assert.doesNotMatch(textToHtml(text), /opacity/);
  });

  it('links nothing else', () => {
    for (const text of [
      '@home',
      'a@localhost',
      'a@@x.example',
      'www.x',
      'awww.x.example',
      'a@x..example',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://x.example',
      'xhttp://x.example',
      'http://',
      'mailto:',
      'https://...',
    ]) {
      assert.equal(line(text), text);
    }
  });

  it('writes what the sanitiser lets through unchanged', () => {
    const texts = [
      ...Object.values(VECTORS).flat(),
      'a\x1bb\0\ud800 http://x.example/\u0001\ud800',
      '> > http://x/<b>"\'`',
    ];
    for (const text of texts) {
      const html = textToHtml(text);
      checkSafe(html);
      assert.equal(sanitise(html, { remote: false }).html, html, JSON.stringify(text));
    }
  });

  it('shows each character of long runs of brackets, quotes and blanks, but for the marks of quotes', () => {
    const withoutBlanks = (text: string): string => text.replace(/[\s\u00a0]+/g, '');
    for (const piece of [
      'a@',
      'a.',
      '@a.',
      'www.',
      'www.a',
      ')',
      '(',
      '>',
      '> ',
      ' ',
      '\t',
      '.',
      'http://a',
      '>\n\n',
    ]) {
      const run = piece.repeat(20_000);
      const text = `http://x.example/${run}\n${run}`;
      const html = textToHtml(text);
      checkSafe(html);
      assert.equal(withoutBlanks(shownText(html)), withoutBlanks(text.replace(/^[> ]+/gm, '')), piece);
    }
  });
});

describe('unflow (RFC 3676)', () => {
  it('joins lines that end in a blank', () => {
    assert.equal(unflow('a \nb \nc\nd\n', false), 'a b c\nd\n');
    assert.equal(unflow('a \r\nb\r\n\r\nc', false), 'a b\n\nc\n');
  });

  it('deletes the blank if DelSp says so', () => {
    assert.equal(unflow('日本 \n語\na  \nb\n', true), '日本語\na b\n');
  });

  it('takes out space-stuffing and keeps a line that only looks quoted apart', () => {
    assert.equal(unflow(' From x\n  b\n >c\n', false), 'From x\n b\n >c\n');
  });

  it('joins quoted lines of the same depth only', () => {
    assert.equal(unflow('> a \n> b\n>> c \n> d\n>>\ne\n', false), '> a b\n>> c \n> d\n>>\ne\n');
  });

  it('never flows a signature separator', () => {
    assert.equal(unflow('a \n-- \nb\n> c \n> -- \n> d\n', false), 'a \n-- \nb\n> c \n> -- \n> d\n');
  });

  it('keeps what is left open at the end', () => {
    assert.equal(unflow('a ', false), 'a \n');
    assert.equal(unflow('', false), '');
  });
});

describe('variformatToText', () => {
  it('runs lines together and begins a new one at a blank', () => {
    assert.equal(
      variformatToText('First paragraph,\nstill the first.\n Second paragraph is indented.\n\nAfter a blank line.\n'),
      'First paragraph, still the first.\nSecond paragraph is indented.\n\nAfter a blank line.\n',
    );
  });

  it('reads what the text client writes', () => {
    assert.equal(
      variformatToText('Hello from the text client. \n Second line. \n \n'),
      'Hello from the text client.\nSecond line.\n',
    );
    assert.equal(variformatToText('A \n \n B \n   indented\n'), 'A\n\nB\n  indented\n');
  });

  it('keeps quotes on lines of their own', () => {
    assert.equal(variformatToText(' >a\n >b\n c\n'), '>a\n>b\nc\n');
  });
});
