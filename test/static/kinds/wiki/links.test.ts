// Links between pages survive writing as rich text, and what would not is named.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { richToHtml } from '../../../../static/formats/rich-output.js';
import { readRich } from '../../../../static/formats/rich-text.js';
import { lostAsRich, pageNamed, parsePage, withAddresses } from '../../../../static/kinds/wiki/links.js';

const asRich = (html: string) => richToHtml(withAddresses(readRich(parsePage(html))));

it('an address that is a name alone leads to a page, any other elsewhere', () => {
  const addresses = ['second%20stair', 'home', '', '#top', '/x', '../x', 'a/b', 'http://x', 'mailto:x@y', '%', '?q'];
  const names = addresses.map(pageNamed);
  assert.deepEqual(names, ['second stair', 'home', ...Array(9).fill(undefined)]);
});

it('links of a page are the same after it was written as rich text', () => {
  const html = '<p>A <a href="second%20stair">way</a> and <a href="https://example.org/">one</a> out.</p>';
  assert.equal(asRich(html), html);
});

it('[[names]] become links, but not in code or in a link', () => {
  assert.equal(
    asRich('<p>[[home]], [[a b|there]], <code>[[no]]</code></p>'),
    '<p><a href="home">home</a>, <a href="a%20b">there</a>, <code>[[no]]</code></p>',
  );
});

it('what rich text does not keep is named', () => {
  assert.deepEqual(lostAsRich(parsePage('<h1>a</h1><p><b>b</b> <a href="c">d</a></p><table><tr><td>1</table>')), []);
  assert.deepEqual(lostAsRich(parsePage('<p style="x"><font size=5>y</font><img src="/z.png"><td colspan=2>')), [
    'style',
    '<font>',
    'size',
    '<img>',
    'colspan',
  ]);
});
