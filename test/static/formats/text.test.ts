// Markdown, rich text, mail text and differences: pure, and the same again after a round trip.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isRecipient,
  likeliest,
  parseRecipient,
  splitRecipients,
  writeRecipient,
  // @ts-expect-error: the web client has no types
} from '../../../static/formats/addresses.js';
// @ts-expect-error: the web client has no types
import { addMonths, isDay, parseDay, weekNumber, weeksOfMonth } from '../../../static/formats/days.js';
// @ts-expect-error: the web client has no types
import { blockLines, diffLines } from '../../../static/formats/diff.js';
// @ts-expect-error: the web client has no types
import { parseHtml } from '../../../static/formats/html-tree.js';
// @ts-expect-error: the web client has no types
import * as mail from '../../../static/formats/mail-text.js';
// @ts-expect-error: the web client has no types
import { parseMarkdown } from '../../../static/formats/markdown.js';
// @ts-expect-error: the web client has no types
import { writeMarkdown } from '../../../static/formats/markdown-write.js';
// @ts-expect-error: the web client has no types
import { richToHtml, richToText } from '../../../static/formats/rich-output.js';
// @ts-expect-error: the web client has no types
import { readRich } from '../../../static/formats/rich-text.js';

const { conversations, isForwardSubject, linkify, quotedTail, quoteText, replySubject, splitQuotes } = mail;
const html = (markdown: string): string => richToHtml(parseMarkdown(markdown));
const cleaned = (source: string): string => richToHtml(readRich(parseHtml(source)));

describe('Markdown', () => {
  for (const [markdown, expected] of [
    [
      '# A\n\nb *c* **d** ***e*** ~~f~~ `g`',
      '<h1>A</h1><p>b <i>c</i> <b>d</b> <i><b>e</b></i> <s>f</s> <code>g</code></p>',
    ],
    ['snake_case_x 2 * 3 * 4 **open', '<p>snake_case_x 2 * 3 * 4 **open</p>'],
    ['[[Page]] [[Page|that]] [[', '<p><a data-page="Page">Page</a> <a data-page="Page">that</a> [[</p>'],
    ['[a](https://x.example/(b)) [b](javascript:x)', '<p><a href="https://x.example/(b)">a</a> [b](javascript:x)</p>'],
    [
      '<b onclick=x>c</b> <https://x.example>',
      '<p>&lt;b onclick=x&gt;c&lt;/b&gt; <a href="https://x.example">https://x.example</a></p>',
    ],
    ['see https://x.example/a, ok', '<p>see <a href="https://x.example/a">https://x.example/a</a>, ok</p>'],
    ['a\nb  \nc', '<p>a b<br>c</p>'],
    ['- a\n  - b\n- c\n\n1. d\n2. e', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol><li>d</li><li>e</li></ol>'],
    ['> a\nb\n>\n> - c', '<blockquote><p>a b</p><ul><li>c</li></ul></blockquote>'],
    ['```js\n<x>\n```', '<pre data-language="js">&lt;x&gt;</pre>'],
    ['a | b\n--|:-:\n1 | 2', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'],
    ['A\n=\n\nB\n-\n\n---', '<h1>A</h1><h2>B</h2><hr>'],
    ['1999. a year\n3) c', '<ol start="1999"><li>a year</li></ol><ol start="3"><li>c</li></ol>'],
    [
      '![p](https://evil.example/p.png) ![q](cid:1)',
      '<p>![p](https://evil.example/p.png) <img src="cid:1" alt="q"></p>',
    ],
  ] as const) {
    it(JSON.stringify(markdown), () => {
      assert.equal(html(markdown), expected);
      assert.equal(html(writeMarkdown(parseMarkdown(markdown))), expected, 'and again as it is written');
    });
  }

  it('of plain text that looks like Markdown is that text again', () => {
    const texts = [
      '# no',
      '- no',
      '1. no',
      '> no',
      '*no* _no_ `no` [no](x) <no> ~~no~~',
      'https://no.example',
      '+ no',
      '---',
      '\\',
      '| a |',
    ];
    const tree = texts.map((text) => ({ tag: 'p', attributes: {}, children: [text] }));
    assert.deepEqual(parseMarkdown(writeMarkdown(tree)), tree);
  });
});

describe('pasted HTML', () => {
  for (const [source, expected] of [
    ['<p>a<p>b<ul><li>c<li>d</ul>e', '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul><p>e</p>'],
    [
      '<b style="font-weight:normal"><span style="font-weight:700">a</span>&nbsp;&auml;&#x41;&lt;</b>',
      '<p><b>a</b> äA&lt;</p>',
    ],
    ['<script>alert(1)</script><style>p{}</style><!-- c --><p onclick="x" style=y>ok</p>', '<p>ok</p>'],
    [
      '<a href=" java&#10;script:x">a</a><a href="HTTPS://x.example">b</a>',
      '<p>a<a href="HTTPS://x.example">b</a></p>',
    ],
    ['<table><tr><td>1<td>2<tr><th>3</table>', '<table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr></table>'],
    ['<div>a</div><div><br></div><div>b</div>', '<p>a</p><p><br></p><p>b</p>'],
    ['<blockquote>a</blockquote><blockquote>b</blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['<img src="https://evil.example/x" alt="pic"><img src="data:image/svg+xml,x">', '<p>pic</p>'],
    ['a < b <3 <', '<p>a &lt; b &lt;3 &lt;</p>'],
    ['<pre>\n a\n  b</pre><h2>c</h2><hr>', '<pre>\n a\n  b</pre><h2>c</h2><hr>'],
  ] as const) {
    it(JSON.stringify(source), () => assert.equal(cleaned(source), expected));
  }

  it('is text for those who read no HTML', () => {
    const source =
      '<p>Hello <b>you</b>,<br>see <a href="https://x.example/">this</a></p>' +
      '<ol start=3><li>a<ul><li>b</ul></ol><blockquote>q</blockquote>';
    assert.equal(
      richToText(readRich(parseHtml(source))),
      'Hello you,\nsee this (https://x.example/)\n\n3. a\n   - b\n\n> q',
    );
  });
});

describe('mail text', () => {
  it('is quoted, and told apart again', () => {
    assert.equal(quoteText('a\n\n> b\n'), '> a\n>\n>> b');
    assert.deepEqual(splitQuotes('new\n> old\n> > older\nnew'), [
      { level: 0, text: 'new' },
      { level: 1, text: 'old' },
      { level: 2, text: 'older' },
      { level: 0, text: 'new' },
    ]);
    const answer = 'Yes.\n\nAnn wrote:\n> a?\n\n';
    assert.equal(answer.slice(0, quotedTail(answer)), 'Yes.\n');
    assert.equal(quotedTail('no quote'), 8);
    assert.equal(replySubject('AW: Re[2]: fwd: Keys'), 'Re: Keys');
    for (const sign of ['Fwd: Re: x', 'FW: x', ' WG: x', 'TR: x', 'RV: x']) assert.ok(isForwardSubject(sign), sign);
    for (const other of ['Re: Fwd: x', 'Trees', 'x', '']) assert.ok(!isForwardSubject(other), other);
  });

  it('has links where addresses are', () => {
    assert.deepEqual(linkify('see (https://x.example/a_(b)). www.y.example, mailto:a@b.example'), [
      'see (',
      { href: 'https://x.example/a_(b)', text: 'https://x.example/a_(b)' },
      '). ',
      { href: 'https://www.y.example', text: 'www.y.example' },
      ', ',
      { href: 'mailto:a@b.example', text: 'mailto:a@b.example' },
    ]);
  });

  it('is one conversation by references, and by subject where these are gone', () => {
    const row = (number: number, id: string, references: string[] = [], subject = 'x') => ({
      number,
      id,
      references,
      subject,
    });
    const rows = [
      row(1, 'a', [], 'Keys'),
      row(2, 'b', [], 'Other'),
      row(3, 'c', ['a']),
      row(4, 'd', ['gone', 'c'], 'Re: Keys'),
      row(5, '', [], 'Re: Other'),
      row(6, 'e', ['lost'], 'Fwd: Keys'),
      row(7, 'f', ['e', 'f', 'd']),
      row(8, 'g', ['lost2', 'lost3']),
      row(9, 'h', ['lost3']),
    ];
    assert.deepEqual(
      conversations(rows).map(({ numbers }: { numbers: number[] }) => numbers),
      [
        [2, 5],
        [1, 3, 4, 6, 7],
        [8, 9],
      ],
    );
  });
});

describe('recipients', () => {
  it('are taken apart outside quotes, and written so that they are read again', () => {
    const list = '"Doe, Joe" <joe@x.example>; ann@x.example,\nbob, Ruth Feld <r@x.example>,';
    const pieces = ['"Doe, Joe" <joe@x.example>', 'ann@x.example', 'bob', 'Ruth Feld <r@x.example>'];
    assert.deepEqual(splitRecipients(list), pieces);
    for (const piece of pieces) assert.equal(writeRecipient(parseRecipient(piece)), piece);
    for (const piece of pieces) assert.equal(isRecipient(piece), true, piece);
    for (const broken of ['"Bob', 'a@', '@b', 'a@b@c', 'a b@c', '<>', 'Ann <', 'a\nb', '']) {
      assert.equal(isRecipient(broken), false, broken);
    }
  });
});

describe('days', () => {
  it('are counted as a calendar on the wall does', () => {
    assert.equal(addMonths('2026-01-31', 1), '2026-02-28');
    assert.equal(addMonths('2024-02-29', -12), '2023-02-28');
    assert.equal(weekNumber('2027-01-03'), 53);
    assert.deepEqual(
      weeksOfMonth('2026-02-10', 7).map((week: string[]) => week[0]),
      ['2026-02-01', '2026-02-08', '2026-02-15', '2026-02-22'],
    );
    assert.equal(isDay('2026-02-30'), false);
    const read = (text: string, locale: string) => parseDay(text, locale, '2026-05-01');
    assert.equal(read('14.5.', 'de'), '2026-05-14');
    assert.equal(read('5/14/27', 'en-US'), '2027-05-14');
    assert.equal(read('2026-12-31', 'fr'), '2026-12-31');
    for (const wrong of ['31.2.2026', '5', 'May 4', '', '1.2.3.4']) assert.equal(read(wrong, 'de'), undefined, wrong);
  });
});

describe('differences', () => {
  const shown = (before: string, after: string) =>
    diffLines(before, after).map(
      ({ kind, text }: { kind: string; text: string }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`,
    );

  it('are the fewest lines', () => {
    assert.deepEqual(shown('a\nb\nc\nd', 'a\nc\nx\nd'), [' a', '-b', ' c', '+x', ' d']);
    assert.deepEqual(shown('', 'a'), ['+a']);
    assert.deepEqual(shown('a', ''), ['-a']);
    assert.deepEqual(shown('a\nb', 'a\nb'), [' a', ' b']);
    assert.deepEqual(
      shown('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter((line: string) => line[0] !== ' ').length,
      5,
    );
  });

  it('of texts that have nothing in common are all of both', () => {
    const lines = (name: string) => Array.from({ length: 2000 }, (_, i) => `${name}${i}`).join('\n');
    const found = diffLines(lines('a'), lines('b'));
    assert.equal(found.length, 4000);
    assert.equal(found[0].kind, 'removed');
  });
});

describe('suggestions of recipients', () => {
  const people = [
    { name: 'Harold Nye', addr: 'harold@lindenrow.example' },
    { name: 'Ruth Feld', addr: 'ruth@fields.example' },
    { name: 'Anna Leone', addr: 'al@x.example' },
    { name: 'Tomas', addr: 'tom.lee@x.example' },
    { name: 'Charles Lecomte', addr: 'c@x.example' },
    { name: 'Pele', addr: 'p@x.example' },
    { name: '', addr: 'leila_nazari' },
  ];
  const named = (words: string) => likeliest(people, words).map(({ name, addr }: (typeof people)[0]) => name || addr);

  it('come with those first whose name or address begins so, without those of whom only the domain is meant', () => {
    assert.deepEqual(named('LE'), ['Anna Leone', 'Tomas', 'Charles Lecomte', 'leila_nazari', 'Pele']);
    assert.deepEqual(named('naz'), ['leila_nazari']);
    assert.deepEqual(named('ruth@f'), ['Ruth Feld']);
  });

  it('are those of a domain where nobody is called so', () => {
    assert.deepEqual(named('lindenrow')[0], 'Harold Nye');
    assert.equal(named('example').length, people.length);
  });
});

it('HTML that was written in one line is compared by its paragraphs', () => {
  const page = (end: string) => `<h1>Fire</h1><p>Read it.</p><ul><li>Ring</li><li>${end}</li></ul>\n<p>a<br/>b</p>`;
  const [before, after] = ['Wait', 'Run'].map((end) => blockLines(page(end)));
  assert.deepEqual(
    diffLines(before, after).map(({ kind, text }: Record<string, string>) => `${kind} ${text}`),
    [
      ...['same <h1>Fire</h1>', 'same <p>Read it.</p>', 'same <ul><li>Ring</li>'],
      ...['removed <li>Wait</li>', 'added <li>Run</li>', 'same </ul>', 'same <p>a<br/>', 'same b</p>'],
    ],
  );
});
