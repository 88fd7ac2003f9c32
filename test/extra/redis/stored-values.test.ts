// Of what lies in the store, what gateways have written comes back the same, and anything else is nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChange, parseLock, parseUpload } from '../../../src/extra/redis/stored-values.ts';

const LOCK = {
  ...{ token: 'urn:uuid:1', account: '1', collection: 'c', name: 'n', ownerXml: '<a/>' },
  ...{ isShared: false, isDeep: true, until: 1.5 },
};
const UPLOAD = { ref: 'r', uploadfilename: 'a.txt', contenttype: 'text/plain', contentlength: 3 };
const INSTANT = { id: '1', time: 1, sender: 'ann', address: '', isBroadcast: false, text: 'hello' };
const told = (notice: object) => ({ notice, from: 'x' });

const CHANGES = [
  { revoked: [] },
  { revoked: [['session', 7]] },
  { put: [LOCK, { ...LOCK, made: 5 }], gone: [{ collection: 'c', token: 't' }] },
  told({ about: 'account', usernum: 2 }),
  told({ about: 'account', usernum: 2, server: 'a.example' }),
  told({ about: 'replaced session', sessionId: 's' }),
  told({ about: 'inbox', account: '2', seen: 9 }),
  told({ about: 'instant', from: 'x', owner: '2', come: [INSTANT], taken: ['1'] }),
  told({ about: 'gap' }),
];

/** With one of its fields left out, and of another kind, at every depth. */
function* spoiled(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const other of [...spoiled(inner), null, [{}]]) {
      if (!isSame(other, inner)) yield Array.isArray(value) ? [other] : { ...value, [name]: other };
    }
    if (!Array.isArray(value) && name !== 'made' && name !== 'server') yield { ...value, [name]: undefined };
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

for (const [what, parse, values] of [
  ['a change', parseChange, CHANGES],
  ['a lock', parseLock, [LOCK, { ...LOCK, made: 5 }]],
  ['an upload', parseUpload, [UPLOAD, { ...UPLOAD, contentlength: 0 }]],
] as const) {
  describe(what, () => {
    it('comes back the same', () => {
      for (const value of values) assert.deepEqual(parse(JSON.stringify(value)), value);
    });

    it('is nothing where any of it is of another kind', () => {
      for (const text of ['', '{', '[]', '{}', 'null', '7', '"x"', '[null]'])
        assert.equal(parse(text), undefined, text);
      for (const other of values.flatMap((value) => [...spoiled(value)])) {
        assert.equal(parse(JSON.stringify(other)), undefined, JSON.stringify(other));
      }
    });
  });
}

it('an upload has no length that is none', () => {
  for (const contentlength of [-1, 0.5, 2 ** 60]) {
    assert.equal(parseUpload(JSON.stringify({ ...UPLOAD, contentlength })), undefined);
  }
});
