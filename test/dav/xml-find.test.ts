// Finding elements in a tree.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { childNamed, childrenNamed, isDav, isElement, readXml } from '../../src/dav/xml-read.ts';

const ROOT = readXml(
  Buffer.from('<D:a xmlns:D="DAV:"><D:b>1</D:b><b xmlns="u">2</b><D:c><D:b>3</D:b></D:c><b xmlns="u"/></D:a>'),
);

it('An element is known by its namespace and its name', () => {
  assert.deepEqual([isDav(ROOT, 'a'), isDav(ROOT, 'A'), isElement(ROOT, 'u', 'a')], [true, false, false]);
});

it('Children are those directly inside, of that namespace', () => {
  assert.deepEqual(
    childrenNamed(ROOT, 'DAV:', 'b').map(({ text }) => text),
    ['1'],
  );
  assert.equal(childrenNamed(ROOT, 'u', 'b').length, 2);
  assert.deepEqual(childrenNamed(ROOT, '', 'b'), []);
});

it('An only child is that, none is undefined, and several are refused', () => {
  assert.equal(childNamed(ROOT, 'DAV:', 'b')?.text, '1');
  assert.equal(childNamed(ROOT, 'DAV:', 'd'), undefined);
  assert.throws(() => childNamed(ROOT, 'u', 'b'), { code: 'bad_request' });
});
