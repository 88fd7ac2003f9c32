// What clients have set, read again before it becomes part of an answer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deadProperties } from '../../src/dav/resource.ts';

const kept = (namespace: string, name: string, value: string) =>
  [...deadProperties([{ namespace, name, value }])].map(([key, { text }]) => [key, text]);

it('A property is the element that was kept, by its name', () => {
  assert.deepEqual(kept('urn:x', 'a', '<q:a xmlns:q="urn:x" b="1">c<q:d/></q:a>'), [
    ['{urn:x}a', '<x:a xmlns:x="urn:x" b="1">c<x:d xmlns:x="urn:x"/></x:a>'],
  ]);
  assert.deepEqual(kept('', 'a', '<a/>'), [['{}a', '<a/>']]);
});

it('What was put there by other means and is no element of the name is left out', () => {
  for (const value of [
    '',
    'text',
    '<a>',
    '<a xmlns="urn:x"/><b/>',
    '<b xmlns="urn:x"/>',
    '<a xmlns="urn:y"/>',
    '<!DOCTYPE a><a xmlns="urn:x"/>',
    '</D:prop>',
  ]) {
    assert.deepEqual(kept('urn:x', 'a', value), [], value);
  }
});

it('Those that are left out take no other with them', () => {
  const both = deadProperties([
    { namespace: 'urn:x', name: 'a', value: '<' },
    { namespace: 'urn:x', name: 'b', value: '<b xmlns="urn:x"/>' },
  ]);
  assert.deepEqual([...both.keys()], ['{urn:x}b']);
});
