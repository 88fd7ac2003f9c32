// Atom documents: what is in them can be read again by any XML parser, whatever members have written.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ATOM_END, atomEntry, atomStart } from '../../../src/api/feed.ts';
import { readXml } from '../../../src/dav/xml-read.ts';

const ATOM = 'http://www.w3.org/2005/Atom';
const HOSTILE = `</title><script>"'&amp;]]>\0\b\u{1}\ud800\ufffe\r\n\u{1f600}`;

it('texts stay in their elements and attributes', () => {
  const feed = {
    id: 'urn:x',
    title: HOSTILE,
    updated: 1_700_000_000,
    self: 'http://h/"><x',
    alternate: 'http://h/?a&b',
  };
  const content = { html: `<p>${HOSTILE}</p>`, base: 'http://h/1?"' };
  const entry = { id: 'urn:y', title: HOSTILE, author: HOSTILE, updated: 1, alternate: 'http://h/1', content };
  const text = atomStart(feed) + atomEntry(entry) + atomEntry({ ...entry, content: undefined }) + ATOM_END;
  const root = readXml(Buffer.from(text));
  assert.equal(root.namespace, ATOM);
  const elements = root.content.filter((piece) => typeof piece !== 'string');
  assert.deepEqual(
    elements.map(({ name }) => name),
    ['id', 'title', 'updated', 'link', 'link', 'generator', 'entry', 'entry'],
  );
  const inner = elements[6]!.content.filter((piece) => typeof piece !== 'string');
  assert.deepEqual(
    inner.map(({ name }) => name),
    ['id', 'title', 'author', 'updated', 'link', 'content'],
  );
  const shown = `</title><script>"'&amp;]]>\ufffd\ufffd\n\u{1f600}`;
  assert.deepEqual([elements[1]!.content.join(''), inner[1]!.content.join('')], [shown, shown]);
  assert.equal(inner[5]!.content.join(''), `<p>${shown}</p>`);
});

it('times are those of RFC 3339, also of clocks that were never right', () => {
  const at = (updated: number) =>
    /<updated>(.*)<\/updated>/.exec(atomStart({ id: 'x', title: '', self: '', alternate: '', updated }))![1];
  assert.equal(at(1_700_000_000), '2023-11-14T22:13:20Z');
  assert.equal(at(0), '1970-01-01T00:00:00Z');
  for (const wrong of [-1, 253_402_300_800, 1e18, Number.NaN]) assert.equal(at(wrong), '1970-01-01T00:00:00Z');
  assert.equal(at(253_402_300_799), '9999-12-31T23:59:59Z');
});
