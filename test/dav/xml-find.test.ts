// Finding elements in a tree.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { childNamed, childrenNamed, isElement, readXml } from '../../src/dav/xml-read.ts';

const ROOT = readXml(
  Buffer.from(
    '<D:a xmlns:D="DAV:"><D:b>1</D:b><b xmlns="urn:ietf:params:xml:ns:caldav">2</b><D:c><D:b>3</D:b></D:c><b xmlns="urn:ietf:params:xml:ns:caldav"/></D:a>',
  ),
);

it('An element is known by its namespace and its name', () => {
  assert.deepEqual([isElement(ROOT, 'D:a'), isElement(ROOT, 'D:A'), isElement(ROOT, 'C:a')], [true, false, false]);
});

it('Children are those directly inside, of that namespace', () => {
  assert.deepEqual(
    childrenNamed(ROOT, 'D:b').map(({ text }) => text),
    ['1'],
  );
  assert.equal(childrenNamed(ROOT, 'C:b').length, 2);
  assert.deepEqual(childrenNamed(ROOT, 'CR:b'), []);
});

it('An only child is that, none is undefined, and several are refused', () => {
  assert.equal(childNamed(ROOT, 'D:b')?.text, '1');
  assert.equal(childNamed(ROOT, 'D:d'), undefined);
  assert.throws(() => childNamed(ROOT, 'C:b'), { code: 'bad_request' });
});
