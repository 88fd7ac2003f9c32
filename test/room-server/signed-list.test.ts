// Lists in tokens: what goes in comes out, for its owner alone, up to a size.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Sealer } from '../../src/gateway/seal.ts';
import { MAX_SYNC_TOKEN_BYTES, MAX_UNPACKED_TOKEN_BYTES } from '../../src/limits/dav.ts';
import { listOfToken, tokenOfList } from '../../src/room-server/signed-list.ts';
import { randomFrom } from '../support/random.ts';

const SEALER = new Sealer(Buffer.alloc(32, 1));
const KIND = { list: 'data:,x', digest: 'data:,y' };
const token = (list: Buffer, owner = 'alice') => tokenOfList(SEALER, KIND, owner, list);
const comesBack = (list: Buffer) => listOfToken(SEALER, KIND, 'alice', token(list))?.equals(list) ?? false;

it('A list comes back for who owns it, of the same kind, signed by the same key', () => {
  const list = Buffer.from('a list');
  const made = token(list);
  assert.match(made, /^data:,x[\w-]+$/);
  assert.equal(comesBack(list), true);
  assert.equal(listOfToken(SEALER, KIND, 'bob', made), undefined);
  assert.equal(listOfToken(SEALER, { ...KIND, list: 'data:,z' }, 'alice', made.replace(',x', ',z')), undefined);
  assert.equal(listOfToken(new Sealer(Buffer.alloc(32, 2)), KIND, 'alice', made), undefined);
  for (const cut of ['', KIND.list, `${KIND.list}AAAA`, made.slice(0, -2)]) {
    assert.equal(listOfToken(SEALER, KIND, 'alice', cut), undefined, cut);
  }
});

it('Of one that is too large, packed or not, a digest only tells whether it is the same', () => {
  const random = randomFrom(3);
  const scattered = Buffer.from(Array.from({ length: MAX_SYNC_TOKEN_BYTES }, () => random(256)));
  assert.match(token(scattered), /^data:,y.{22}$/);
  assert.equal(token(scattered), token(Buffer.from(scattered)));
  assert.notEqual(token(scattered), token(scattered.subarray(1)));
  assert.notEqual(token(scattered), token(scattered, 'bob'));
  assert.equal(comesBack(Buffer.alloc(MAX_UNPACKED_TOKEN_BYTES)), true);
  assert.equal(comesBack(Buffer.alloc(MAX_UNPACKED_TOKEN_BYTES + 1)), false);
});
