// Live properties of quotas (RFC 4331): of collections, where the room server tells.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProtected, needsOfProperty } from '../../../src/dav/properties/registry.ts';
import { expandedName } from '../../../src/dav/xml-read.ts';
import { resource, tell, told } from './told.ts';

const USED = 'D:quota-used-bytes';
const AVAILABLE = 'D:quota-available-bytes';
const quota = { used: 0, available: 5_000_000_000 };

it('a collection tells what it takes and what is left, also where that is nothing', () => {
  for (const kind of ['room', 'folder', 'home'] as const) {
    assert.equal(told(USED, { kind, quota }), `<${USED}>0</${USED}>`);
    assert.equal(told(AVAILABLE, { kind, quota }), `<${AVAILABLE}>5000000000</${AVAILABLE}>`);
  }
});

it('a member has none, and a collection has none where the room server does not tell', () => {
  for (const name of [USED, AVAILABLE]) {
    assert.equal(told(name, { kind: 'member', quota }), undefined);
    assert.equal(told(name, { kind: 'room' }), undefined);
  }
});

it('they are asked for by their names only, and cannot be set (RFC 4331 section 3)', () => {
  assert.ok(!tell({ kind: 'room', quota }).join('').includes('quota'));
  for (const name of [USED, AVAILABLE]) {
    assert.deepEqual(needsOfProperty(expandedName(name)), ['quota']);
    assert.equal(isProtected(expandedName(name), resource({ kind: 'member' })), true);
  }
});
