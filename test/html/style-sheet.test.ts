// Style elements: which rules are left, what they are written as, and that text stays readable with them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sanitise } from '../../src/html/sanitise.ts';
import { htmlToText } from '../../src/html/to-text.ts';
import {
  MAX_CLASSES,
  MAX_MEDIA_DEPTH,
  MAX_SELECTOR_CONDITIONS,
  MAX_SELECTOR_STEPS,
  MAX_SELECTORS,
  MAX_SHEET_CHARACTERS,
  MAX_STYLE_CHARACTERS,
} from '../../src/limits/mime.ts';
import { checkSafe } from './html-safety.ts';

const local = (html: string): string => sanitise(html, { remote: false }).html;

/** The message with R for the class of its root. */
function shown(html: string): string {
  const safe = local(html);
  checkSafe(safe);
  assert.equal(local(safe), safe, 'once more changes nothing');
  return safe.replace(/m-mail-[\da-f]{12}/g, 'R');
}

/** The rules that are left of a sheet, without R. */
const rules = (css: string): string =>
  (/<style>(.*)<\/style>/s.exec(shown(`<style>${css}</style><p>t</p>`))?.[1] ?? '').replaceAll('.R', '');

/** What is left of the message behind its style element. */
const body = (html: string): string =>
  shown(html).replace(/^<div class="R"><style>.*<\/style><div>(.*)<\/div><\/div>$/s, '$1');

describe('a style element', () => {
  it('is kept in front of the message, below a root of its own', () => {
    assert.equal(
      shown('<style>.a{color:red}</style><p class="a b">t</p>'),
      '<div class="R"><style>.R .m-a{color: red}</style><div><p class="m-a m-b">t</p></div></div>',
    );
  });

  it('has another root in another message', () => {
    const root = (css: string) => /m-mail-[\da-f]{12}/.exec(local(`<style>${css}</style>x`))?.[0];
    assert.equal(root('p{color:red}'), root('p { color : red }'));
    assert.notEqual(root('p{color:red}'), root('p{color:blue}'));
  });

  it('may stand anywhere, and several times', () => {
    const parts = ['<style>.a{color:red}</style>', '<STYLE type="text/css">.b{color:blue}</style >'];
    const expected = '.R .m-a{color: red}.R .m-b{color: blue}';
    for (const html of [
      `<html><head>${parts.join('')}</head><body><p>t</p></body></html>`,
      `<p>t</p>${parts.join('')}`,
      `<table>${parts[0]}<tr><td>${parts[1]}<p>t`,
      `<!--[if !mso]><!-->${parts.join('')}<!--<![endif]--><p>t`,
      `${parts.join('').replace('</style >', '')}`.replace(/^/, '<p>t</p>'),
    ])
      assert.match(shown(html), new RegExp(`^<div class="R"><style>${expected.replaceAll('.', '\\.')}</style>`), html);
  });

  it('is left out where it is for Outlook alone, of another language, or in what is not shown', () => {
    for (const html of [
      '<!--[if mso]><style>p{color:red}</style><![endif]--><p>t</p>',
      '<style type="text/x-less">p{color:red}</style><p>t</p>',
      '<style media="(prefers-color-scheme:dark)">p{color:red}</style><p>t</p>',
      '<style media="tty">p{color:red}</style><p>t</p>',
      '<noscript><style>p{color:red}</style></noscript><p>t</p>',
      '<svg><style>p{color:red}</style></svg><p>t</p>',
      '<template><style>p{color:red}</style></template><p>t</p>',
      '<style></style><p class=x>t</p>',
      '<style>p{mso-style-name:x}@font-face{src:url(x)}</style><p>t</p>',
    ])
      assert.equal(local(html), '<p>t</p>', html);
  });

  it('asks for its media', () => {
    assert.match(
      shown('<style media="only screen and (max-width:480px)">p{margin:0}</style>x'),
      /<style>@media screen and \(max-width:480px\)\{\.R p\{margin: 0\}\}</,
    );
    assert.match(
      shown('<style media="print">p{margin:0}@media screen{b{margin:0}}</style>x'),
      /@media print\{\.R p\{margin: 0\}@media screen\{\.R b/,
    );
    assert.match(shown('<style media="all">p{margin:0}</style>x'), /<style>\.R p\{/);
  });

  it('is no text', () => {
    assert.equal(htmlToText('<style>p{color:red}</style><p>t</p>'), 't\n');
    assert.equal(local('<style>p{color:red}</style> <div><br></div>'), ' <div><br></div>');
  });

  it('stays as it is where the message is quoted in another one', () => {
    const inner = local('<style>.a{color:red}</style><p class=a>t</p>');
    const outer = shown(`<style>.b{color:blue}</style><p class=b>u</p><blockquote>${inner}</blockquote>`);
    assert.match(outer, /<style>\.R \.m-b\{color: blue\}<\/style>/);
    assert.match(outer, /<blockquote><div class="R"><style>\.R \.m-a\{color: red\}<\/style><div><p class="m-a">t/);
  });

  it('does not reach the root of another message, even if it names it', () => {
    const root = /m-mail-[\da-f]{12}/.exec(local('<style>.a{color:red}</style>x'))![0];
    const attack = local(`<style>.${root} .m-a{color:blue}</style><p class="${root}">x`);
    assert.doesNotMatch(attack, new RegExp(`[>},]\\.${root}`));
    assert.match(attack, new RegExp(`<style>\\.m-mail-[\\da-f]{12} \\.${root} \\.m-a\\{`));
  });
});

describe('a selector', () => {
  const cases: readonly (readonly [selector: string, written: string])[] = [
    ['p', ' p'],
    ['TD.Foo', ' td.m-Foo'],
    ['p.MsoNormal, li.MsoNormal', ' p.m-MsoNormal, li.m-MsoNormal'],
    ['#top', ' #m-top'],
    ['*', ' *'],
    ['.a.b  .c>  .d+.e', ' .m-a.m-b .m-c>.m-d+.m-e'],
    ['.a/**/.b', ' .m-a.m-b'],
    ['.sm\\:w-full', " [class~='m-sm:w-full']"],
    ['.\\61 b', ' .m-ab'],
    ['.größe', ' .m-größe'],
    ['body', '>div'],
    ['body.x > p', '>div.m-x>p'],
    ['html', ''],
    [':root', ''],
    ['html > body td', '>div td'],
    ['html .x', ' .m-x'],
    ['td[class="w320"]', " td[class='m-w320']"],
    ['td[class~=w320]', " td[class~='m-w320']"],
    ['[class*="col-"]', " [class*='col-']"],
    ['[id=top]', " [id='m-top']"],
    ['table[width="600px"]', " table[width='600']"],
    ['a[href^="tel"]', ''],
    ['a[href^="tel:"]', " a[href^='tel:']"],
    ['a[href]', ' a[href]'],
    ['a:link', ' a:any-link'],
    ['a:hover', ' a:hover'],
    ['li:first-child', ' li:first-child'],
    ['tr:NTH-CHILD( 2n + 1 )', ' tr:nth-child(2n+1)'],
    ['tr:nth-child(even)', ' tr:nth-child(even)'],
    ['.clear:after', ' .m-clear::after'],
    // left out alone
    ['p, a:visited, b', ' p, b'],
    ['p, form, b', ' p, b'],
    ['p, p::first-line, b', ' p, b'],
    ['p, p ~ b', ' p'],
    ['p, [data-ogsc] p', ' p'],
    ['p, [style*="x"], [src="x"], [value^=a]', ' p'],
    ['p, * body', ' p'],
    ['p, p:not(.x), p:has(b), p:is(b)', ' p'],
    // left out with all others, as in browsers
    ['p, b:-moz-broken', ''],
    ['p, b::', ''],
    ['p, b >', ''],
    ['p, > b', ''],
    ['p,, b', ''],
    ['p, .1a', ''],
    ['p, b > > i', ''],
    ['p, b[x', ''],
    ['p, b{}', ''],
  ];
  for (const [selector, written] of cases) {
    it(`${selector} ${written === '' ? 'is left out' : `becomes ${written}`}`, () => {
      const isRoot = selector === 'html' || selector === ':root';
      const expected = written === '' && !isRoot ? '' : `${written}{margin: 0}`;
      assert.equal(
        rules(`${selector}{margin:0}`)
          .replace(/, ?(?=[^']*\{)/g, ', ')
          .replaceAll(',  ', ', '),
        expected,
      );
    });
  }

  it('is left out where it has more conditions than its bound', () => {
    const of = (count: number) => rules(`${'.a'.repeat(count)}{margin:0}`);
    assert.notEqual(of(MAX_SELECTOR_CONDITIONS), '');
    assert.equal(of(MAX_SELECTOR_CONDITIONS + 1), '');
  });
});

describe('the rules of a sheet', () => {
  const cases: readonly (readonly [css: string, left: string])[] = [
    ['<!-- p{color:red} -->', ' p{color: red}'],
    ['<![CDATA[p{color:red}b{color:red}]]>', ' p{color: red} b{color: red}'],
    ['/*<![CDATA[*/p{color:red}/*]]>*/', ' p{color: red}'],
    ['@charset "x";@import url(x);@namespace x "y";p{color:red}', ' p{color: red}'],
    ['@font-face{src:url("}")}@page x{margin:0}@keyframes a{from{color:red}}p{color:red}', ' p{color: red}'],
    ['@list l0{mso-list-id:1}@list l0:level1{mso-x:1}p{color:red}', ' p{color: red}'],
    ['p{color:red', ' p{color: red}'],
    ['p{font-family:"a}b";color:red}', ' p{color: red}'],
    ['p{color:red}}b{color:red}i{color:red}', ' p{color: red} i{color: red}'],
    ['p{color:(red;margin:0}b{color:red}', ''],
    ['p{color:red;b{color:blue}margin:0}i{color:red}', ' p{color: red} i{color: red}'],
    ['p{color:red!important;position:fixed!important}', ' p{color: red !important}'],
    ['p{margin:0\n;\n}b{}', ' p{margin: 0}'],
    ['@media screen{p{color:red}}', '@media screen{ p{color: red}}'],
    ['@media{p{color:red}}', ' p{color: red}'],
    [
      '@media all and (max-width:600px),print{p{color:red}b{color:red}}i{color:red}',
      '@media (max-width:600px),print{ p{color: red} b{color: red}} i{color: red}',
    ],
    [
      '@MEDIA Only Screen AND (Max-Device-Width: 480PX){p{color:red}}',
      '@media screen and (max-width:480px){ p{color: red}}',
    ],
    ['@media (width<=600px){p{color:red}}', '@media (max-width:600px){ p{color: red}}'],
    ['@media (prefers-color-scheme:dark){p{color:#fff}}', ''],
    ['@media (prefers-color-scheme:light){p{color:red}}', ' p{color: red}'],
    ['@media screen and (-webkit-min-device-pixel-ratio:0){p{color:red}}', '@media screen{ p{color: red}}'],
    ['@media not all, tv, (orientation:portrait){p{color:red}}b{color:red}', ' b{color: red}'],
    [
      '@media print{@media (min-width:1px){p{color:red}}b{color:red}}',
      '@media print{@media (min-width:1px){ p{color: red}} b{color: red}}',
    ],
  ];
  for (const [css, left] of cases) it(`${css} become ${left || 'nothing'}`, () => assert.equal(rules(css), left));

  it('end with the bound of a block, of nested @media, of selectors and of all characters', () => {
    const block = (length: number) => rules(`p{${'color:red'.padEnd(length)}}`);
    assert.notEqual(block(MAX_STYLE_CHARACTERS), '');
    assert.equal(block(MAX_STYLE_CHARACTERS + 1), '');
    const nested = (depth: number) => rules(`${'@media print{'.repeat(depth)}p{color:red}${'}'.repeat(depth)}`);
    assert.notEqual(nested(MAX_MEDIA_DEPTH), '');
    assert.equal(nested(MAX_MEDIA_DEPTH + 1), '');
    const many = (count: number) => rules(`${Array(count).fill('p').join(',')}{color:red}`);
    assert.notEqual(many(MAX_SELECTORS), '');
    assert.equal(many(MAX_SELECTORS + 1), '');
    const long = (length: number) => rules('p{color:red}'.padEnd(length));
    assert.notEqual(long(MAX_SHEET_CHARACTERS), '');
    assert.equal(long(MAX_SHEET_CHARACTERS + 1), '');
  });

  it('are left out where they would be compared with elements too often for the length of the message', () => {
    const css = `<style>${'p{color:red}'.repeat(40)}</style>`;
    // with 40 rules, of which each is looked at in two steps, and then the root of the message in another one
    const html = (count: number, length: number) => `${css}${'<p>'.repeat(count)}x`.padEnd(length);
    const steps = (count: number) => count * 40 * 4;
    const count = 20;
    const length = steps(count) / MAX_SELECTOR_STEPS;
    assert.match(local(html(count, length)), /<style>/);
    assert.doesNotMatch(local(html(count, length - 1)), /<style>|class/);
  });
});

describe('classes', () => {
  it('are left out where there are no rules', () => assert.equal(local('<p class=a>t</p>'), '<p>t</p>'));

  it('have the prefix of the message once, and a bound', () => {
    const names = (value: string) =>
      / class="([^"]*)">t/.exec(shown(`<style>p{margin:0}</style><p class="${value}">t</p>`))?.[1];
    assert.equal(names(' a\n m-b  c!d é '), 'm-a m-b m-é');
    assert.equal(names('!'), undefined);
    const many = (count: number) => names(Array(count).fill('a').join(' '))?.split(' ').length;
    assert.equal(many(MAX_CLASSES), MAX_CLASSES);
    assert.equal(many(MAX_CLASSES + 1), MAX_CLASSES);
  });
});

describe('text that stands on the grounds of rules', () => {
  const LOST = 'background:url(http://x.example/y.png)';
  const cases: readonly (readonly [name: string, html: string, left: string])[] = [
    [
      'keeps its colour on a ground by a rule',
      '<style>.b{background:#06c}</style><a class=b id=i style="color:#fff">a</a>',
      '<a class="m-b" id="m-i" style="color: #fff">a</a>',
    ],
    [
      'loses one by the rule whose ground is lost',
      `<style>.x{color:#fff;${LOST}}</style><p class=x>t</p>`,
      '<p class="m-x" style="color: inherit !important">t</p>',
    ],
    [
      'loses one by another rule, further in',
      `<style>.x{${LOST}}.x b{color:#fff}</style><p class=x><b>t</b></p><b>u</b>`,
      '<p class="m-x"><b style="color: inherit !important">t</b></p><b>u</b>',
    ],
    ['loses its own', `<style>.x{${LOST}}</style><p class=x><b style="color:#ffffff">t</b></p>`, '<p><b>t</b></p>'],
    [
      'keeps one where another colour is left of the ground',
      `<style>.x{color:#fff;background:#000 url(http://x.example/y.png)}</style><p class=x>t</p>`,
      '<p class="m-x">t</p>',
    ],
    [
      'keeps one on the ground around it',
      `<style>.x{color:#fff;${LOST}}</style><div style="background:#000"><p class=x>t</p></div>`,
      '<div style="background-color: #000"><p class="m-x">t</p></div>',
    ],
    [
      'gets one on a dark ground that is left alone',
      `<style>.x{background:#000;${LOST.replace('background', 'background-image')}}</style><p class=x>t</p>`,
      '<p class="m-x" style="color: white">t</p>',
    ],
    [
      'hears the most specific rule, not the last one',
      `<style>p.x{color:#000}.x{color:#fff;${LOST}}</style><p class=x>t</p>`,
      '<p class="m-x">t</p>',
    ],
    [
      'hears what is important first',
      `<style>.x{color:#fff!important;${LOST}}</style><p class=x style="color:#000">t</p>`,
      '<p class="m-x" style="color: inherit !important">t</p>',
    ],
    [
      'is not compared with a rule for another place',
      `<style>td .x{color:#fff;${LOST}}.y>.x{color:#fff;${LOST}}</style><p class=x style="color:#fff">t</p>`,
      '<p class="m-x" style="color: #fff">t</p>',
    ],
    [
      'stays hidden where nothing is lost',
      '<style>.pre{color:#fff;font-size:1px}</style><div class=pre>t</div>',
      '<div class="m-pre">t</div>',
    ],
  ];
  for (const [name, html, left] of cases) it(name, () => assert.equal(body(html), left));

  it('has no colour that only some elements have a ground for', () => {
    const css = `tr:first-child td{color:#fff;${LOST};margin:0}td:nth-child(2){color:#fefefe;padding:0}`;
    assert.equal(rules(css), ' tr:first-child td{margin: 0} td:nth-child(2){padding: 0}');
    assert.equal(
      rules(`@media (max-width:9px){p{color:#fff;${LOST};margin:0}}`),
      '@media (max-width:9px){ p{margin: 0}}',
    );
    assert.equal(rules(`p:hover{color:#fff;${LOST};margin:0}`), ' p:hover{margin: 0}');
  });

  it('has a picture from elsewhere as its ground only where that tells the sender nothing of the reader', () => {
    const locationUrl = (address: string) => (address.startsWith('cid:') ? '/part/a' : address);
    const css = (rule: string) =>
      /<style>(.*)<\/style>/.exec(sanitise(`<style>${rule}</style>x`, { remote: true, locationUrl }).html)?.[1] ?? '';
    const ground = 'background:url(http://x.example/y.png)';
    assert.match(css(`p{${ground}}`), /x\.example/);
    assert.match(css('p:hover{background:url(cid:a)}'), /part/);
    for (const rule of [`p:hover{${ground}}`, `b,p:nth-child(2){${ground}}`, `@media (max-width:9px){p{${ground}}}`])
      assert.doesNotMatch(css(`${rule}i{margin:0}`), /x\.example/, rule);
  });

  it('keeps a picture of the message itself as its ground', () => {
    const html = '<style>.x{color:#fff;background:url(cid:a) no-repeat}</style><p class=x>t</p>';
    const { html: safe } = sanitise(html, { remote: false, partUrl: (id) => `/part/${id}` });
    assert.match(safe, / \.m-x\{color: #fff; background-image: url\('\/part\/a'\); background-repeat: no-repeat\}/);
    assert.match(safe, /<p class="m-x">t/);
  });
});

describe('the body of a message with rules', () => {
  it('is a block below the root, with its attributes as far as no rule says otherwise', () => {
    const html = (css: string) => shown(`<style>${css}</style><body bgcolor=#eee text=#333 class=c id=b dir=rtl><p>t`);
    assert.match(
      html('p{margin:0}'),
      /<\/style><div class="m-c" id="m-b" dir="rtl" style="background-color: #eee; color: #333"><p>t<\/p><\/div><\/div>$/,
    );
    assert.match(html('body{background:#fff}'), /<div class="m-c" id="m-b" dir="rtl" style="color: #333">/);
  });

  it('cannot be hidden', () => {
    const hidden = 'display:none;visibility:hidden;opacity:0';
    assert.equal(
      rules(`html,body{${hidden};margin:0}.x{${hidden}}`),
      ',>div{margin: 0} .m-x{display: none; visibility: hidden; opacity: 0}',
    );
    assert.equal(rules(`@media print{body.x{${hidden}}}p{margin:0}`), ' p{margin: 0}');
  });

  it('cannot be ended by the message', () => {
    assert.equal(body('<style>p{margin:0}</style></div></div></div></body></html><p>t'), '<p>t</p>');
  });
});
