// Names of properties as keys, and which resources are collections.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isCollection, propertyKey, propertyNamed } from '../../src/dav/resource.ts';

it('A key is the name of a property and back, whatever the namespace holds', () => {
  for (const [namespace, name, key] of [
    ['DAV:', 'getetag', '{DAV:}getetag'],
    ['', 'plain', '{}plain'],
    ['urn:{a}b', 'c', '{urn:{a}b}c'],
  ] as const) {
    assert.equal(propertyKey({ namespace, name }), key);
    assert.deepEqual(propertyNamed(key), { namespace, name });
  }
});

it('All but members are collections', () => {
  for (const kind of ['root', 'home', 'principals', 'principal', 'inbox', 'outbox', 'room', 'folder'] as const) {
    assert.equal(isCollection({ kind }), true, kind);
  }
  assert.equal(isCollection({ kind: 'member' }), false);
});
