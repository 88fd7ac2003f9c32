// Tokens that list the numbers of messages: what goes in comes out, for who it was made for, up to a size.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Sealer } from '../../../src/gateway/seal.ts';
import { MAX_SYNC_TOKEN_BYTES, MAX_UNPACKED_TOKEN_BYTES } from '../../../src/limits/dav.ts';
import { numbersOfToken, tokenOfNumbers } from '../../../src/room-server/citadel/collections.ts';
import type { RoomAccess } from '../../../src/room-server/connection/pool.ts';
import { randomFrom } from '../../support/random.ts';

function tokensOf(account: string, key = 1) {
  const signer = new Sealer(Buffer.alloc(32, key));
  const at = { pool: { accountOf: async () => account } } as unknown as RoomAccess;
  return {
    make: (room: string, numbers: readonly number[]) => tokenOfNumbers(at, signer, room, numbers),
    read: (room: string, token: string) => numbersOfToken(at, signer, room, token),
  };
}

const ALICE = tokensOf('1');
const row = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

async function comesBack(numbers: readonly number[]): Promise<boolean> {
  const token = await ALICE.make('Calendar', numbers);
  assert.match(token, /^data:,[\w-]+$/, 'a URI');
  const read = await ALICE.read('calendar', token);
  if (read) assert.deepEqual(read, numbers);
  return read !== undefined;
}

describe('a token of numbers', () => {
  it('gives them back', async () => {
    for (const numbers of [[], [1], [127, 128, 129], [16_383, 16_384], row(5000), [1, 2 ** 31, 2 ** 49, 2 ** 53 - 1]]) {
      assert.equal(await comesBack(numbers), true, numbers.slice(0, 5).join());
    }
  });

  it('is short for numbers in a row, and the same for the same', async () => {
    const token = await ALICE.make('Calendar', row(100_000));
    assert.ok(token.length < 300, String(token.length));
    assert.equal(await ALICE.make('CALENDAR', row(100_000)), token);
    assert.notEqual(await ALICE.make('Calendar', row(100_000, 2)), token);
  });

  it('says nothing to another caller, of another room, with another key, or changed', async () => {
    const token = await ALICE.make('Calendar', row(9));
    assert.deepEqual(await ALICE.read('Calendar', token), row(9));
    assert.equal(await tokensOf('2').read('Calendar', token), undefined);
    assert.equal(await tokensOf('1', 2).read('Calendar', token), undefined);
    assert.equal(await ALICE.read('Tasks', token), undefined);
    const bytes = Buffer.from(token.slice('data:,l'.length), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const other = Buffer.from(bytes);
      other[i]! ^= 1;
      assert.equal(await ALICE.read('Calendar', `data:,l${other.toString('base64url')}`), undefined);
    }
    for (const cut of ['', 'data:,', 'data:,l', 'data:,lAAAA', token.slice(0, 30), `data:,d${token.slice(7)}`]) {
      assert.equal(await ALICE.read('Calendar', cut), undefined, cut);
    }
  });

  it('of too many only tells whether they are the same', async () => {
    const random = randomFrom(7);
    const scattered: number[] = [];
    for (let last = 0; scattered.length < MAX_SYNC_TOKEN_BYTES * 2; ) {
      last += 1 + random(100_000);
      scattered.push(last);
    }
    const token = await ALICE.make('Calendar', scattered);
    assert.ok(token.length < 40, token);
    assert.equal(await ALICE.read('Calendar', token), undefined);
    assert.equal(await ALICE.make('Calendar', scattered), token);
    assert.notEqual(await ALICE.make('Calendar', scattered.slice(1)), token);
    let [some, many] = [0, scattered.length];
    while (many - some > 1) {
      const middle = (some + many) >> 1;
      if (await comesBack(scattered.slice(0, middle))) some = middle;
      else many = middle;
    }
    assert.ok(some > 5000, `${some} scattered ones are listed`);
    const largest = await ALICE.make('Calendar', scattered.slice(0, some));
    const bytes = Buffer.from(largest.slice('data:,l'.length), 'base64url').length;
    assert.ok(bytes <= MAX_SYNC_TOKEN_BYTES && bytes > MAX_SYNC_TOKEN_BYTES - 16, String(bytes));
  });

  it('holds as many in a row as are unpacked', async () => {
    assert.equal(await comesBack(row(MAX_UNPACKED_TOKEN_BYTES)), true);
    assert.equal(await comesBack(row(MAX_UNPACKED_TOKEN_BYTES + 1)), false);
  });
});
