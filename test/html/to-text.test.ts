// HTML as text for a terminal.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlToText } from '../../src/html/to-text.ts';

const lines = (...list: string[]): string => list.map((line) => `${line}\n`).join('');

describe('htmlToText', () => {
  const cases: [string, string, string][] = [
    [
      'collapses blanks and decodes references',
      ' <b> a </b>\n b&nbsp;&nbsp;c &amp;&hellip;&unknown; ',
      lines('a b  c &…&unknown;'),
    ],
    [
      'puts blank lines around paragraphs, none around divs',
      '<div>a</div><div>b</div><p>c<p>d</p>e',
      lines('a', 'b', '', 'c', '', 'd', '', 'e'),
    ],
    ['breaks lines at br', 'a<br>b<br/><br>c<br>', lines('a', 'b', '', 'c')],
    [
      'marks list items and counts them',
      '<p>x<ul><li>a<li><p>b</p><p>c</p></ul><ol><li>d</li><li>e</li></ol>f',
      lines('x', '', ' * a', ' * b', '', '   c', '', ' 1. d', ' 2. e', '', 'f'),
    ],
    ['indents lists in lists', '<ul><li>a<ul><li>b<br>c</ul><li>d</ul>', lines(' * a', '    * b', '      c', ' * d')],
    [
      'marks quotes at every depth',
      'a<blockquote>b<blockquote>c</blockquote>d</blockquote>e',
      lines('a', '', '> b', '>', '> > c', '>', '> d', '', 'e'),
    ],
    ['keeps preformatted text', '<pre>\n a  b\n\n  c &lt;</pre>d', lines(' a  b', '', '  c <', '', 'd')],
    [
      'gives a table row a line',
      '<table><tr><th>a<th>b<tr><td>c</td> <td>d</td></table>e',
      lines('a  b', 'c  d', '', 'e'),
    ],
    [
      'gives the address of a link unless its text is the address',
      '<a href="https://x.example/a">here</a> <a href="http://y.example">http://y.example/</a> ' +
        '<a href="mailto:a@b.example">a@b.example</a>',
      lines('here <https://x.example/a> http://y.example/ a@b.example'),
    ],
    ['gives no address that is not safe', '<a href="javascript:x">a</a><a href="/b">b</a>', lines('ab')],
    [
      'gives the alternative text of images',
      '<img alt="A picture" src=x><img src=y><img alt=" ">',
      lines('[A picture]'),
    ],
    ['indents definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>e', lines('a', '    b', 'c', '    d', '', 'e')],
    ['quotes q', 'a <q>b</q> c', lines('a “b” c')],
    ['draws a rule', 'a<hr>b', lines('a', '-'.repeat(40), 'b')],
    [
      'leaves out code, comments and titles',
      '<title>t</title><style>s</style>a<!-- c --><script>x</script>b',
      lines('ab'),
    ],
    ['leaves out what a terminal would obey', 'a\x1b[2Jb&#27;c\u009bd\x07', lines('a[2Jbcd')],
    ['leaves out invisible break marks', 'in&shy;vis\u200bible', lines('invisible')],
    ['gives nothing for nothing', '<p> </p><div><br></div>', ''],
  ];
  for (const [name, html, expected] of cases) it(name, () => assert.equal(htmlToText(html), expected));

  it('stays small and quick on hostile nesting', () => {
    const html = '<blockquote><ul><li>x'.repeat(20_000);
    assert.ok(htmlToText(html, 80).length < html.length * 8);
    assert.equal(htmlToText('<span>x'.repeat(50_000)), `${'x'.repeat(50_000)}\n`);
  });
});
