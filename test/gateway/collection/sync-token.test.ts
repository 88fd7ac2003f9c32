// Tokens that list the numbers of messages: what goes in comes out, for who it was made for, up to a size.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { numbersOfToken, tokenOfNumbers } from '../../../src/gateway/collection/sync-token.ts';
import type { RoomContext } from '../../../src/gateway/room-context.ts';
import { Sealer } from '../../../src/gateway/seal.ts';
import { MAX_SYNC_TOKEN_BYTES, MAX_UNPACKED_TOKEN_BYTES } from '../../../src/limits/dav.ts';
import { randomFrom } from '../../support/random.ts';

function contextOf(account: string, key = 1): RoomContext {
  const app = { pool: { accountOf: async () => account }, sealer: new Sealer(Buffer.alloc(32, key)) };
  return { app, caller: { identity: { user: account, password: '' } } } as unknown as RoomContext;
}

const ALICE = contextOf('1');
const row = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

async function comesBack(numbers: readonly number[]): Promise<boolean> {
  const token = await tokenOfNumbers(ALICE, 'Calendar', numbers);
  assert.match(token, /^data:,[\w-]+$/, 'a URI');
  const read = await numbersOfToken(ALICE, 'calendar', token);
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
    const token = await tokenOfNumbers(ALICE, 'Calendar', row(100_000));
    assert.ok(token.length < 300, String(token.length));
    assert.equal(await tokenOfNumbers(ALICE, 'CALENDAR', row(100_000)), token);
    assert.notEqual(await tokenOfNumbers(ALICE, 'Calendar', row(100_000, 2)), token);
  });

  it('says nothing to another caller, of another room, with another key, or changed', async () => {
    const token = await tokenOfNumbers(ALICE, 'Calendar', row(9));
    assert.deepEqual(await numbersOfToken(ALICE, 'Calendar', token), row(9));
    assert.equal(await numbersOfToken(contextOf('2'), 'Calendar', token), undefined);
    assert.equal(await numbersOfToken(contextOf('1', 2), 'Calendar', token), undefined);
    assert.equal(await numbersOfToken(ALICE, 'Tasks', token), undefined);
    const bytes = Buffer.from(token.slice('data:,l'.length), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const other = Buffer.from(bytes);
      other[i]! ^= 1;
      assert.equal(await numbersOfToken(ALICE, 'Calendar', `data:,l${other.toString('base64url')}`), undefined);
    }
    for (const cut of ['', 'data:,', 'data:,l', 'data:,lAAAA', token.slice(0, 30), `data:,d${token.slice(7)}`]) {
      assert.equal(await numbersOfToken(ALICE, 'Calendar', cut), undefined, cut);
    }
  });

  it('of too many only tells whether they are the same', async () => {
    const random = randomFrom(7);
    const scattered: number[] = [];
    for (let last = 0; scattered.length < MAX_SYNC_TOKEN_BYTES * 2; ) {
      last += 1 + random(100_000);
      scattered.push(last);
    }
    const token = await tokenOfNumbers(ALICE, 'Calendar', scattered);
    assert.ok(token.length < 40, token);
    assert.equal(await numbersOfToken(ALICE, 'Calendar', token), undefined);
    assert.equal(await tokenOfNumbers(ALICE, 'Calendar', scattered), token);
    assert.notEqual(await tokenOfNumbers(ALICE, 'Calendar', scattered.slice(1)), token);
    let [some, many] = [0, scattered.length];
    while (many - some > 1) {
      const middle = (some + many) >> 1;
      if (await comesBack(scattered.slice(0, middle))) some = middle;
      else many = middle;
    }
    assert.ok(some > 5000, `${some} scattered ones are listed`);
    const largest = await tokenOfNumbers(ALICE, 'Calendar', scattered.slice(0, some));
    const bytes = Buffer.from(largest.slice('data:,l'.length), 'base64url').length;
    assert.ok(bytes <= MAX_SYNC_TOKEN_BYTES && bytes > MAX_SYNC_TOKEN_BYTES - 16, String(bytes));
  });

  it('holds as many in a row as are unpacked', async () => {
    assert.equal(await comesBack(row(MAX_UNPACKED_TOKEN_BYTES)), true);
    assert.equal(await comesBack(row(MAX_UNPACKED_TOKEN_BYTES + 1)), false);
  });
});
