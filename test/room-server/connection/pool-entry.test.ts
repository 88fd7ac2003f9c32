// Which identities are one account, and whose connection is given up first.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Connection } from '../../../src/room-server/connection/connection.ts';
import {
  connectionCountOf,
  type Entry,
  longestIdle,
  ofSameAccount,
} from '../../../src/room-server/connection/pool-entries.ts';

function entry(account: string | undefined, usernum?: number, connectionCount = 0): Entry {
  const loggedIn = usernum === undefined ? undefined : { usernum };
  return { account, connectionCount, loggedIn } as Entry;
}

describe('one account', () => {
  it('is one number, whatever names were used', () => {
    const [ann, alias, bob] = [entry('ann', 2), entry('ann.b', 2), entry('ann', 3)];
    assert.deepEqual(ofSameAccount([ann, alias, bob], ann), [ann, alias]);
  });

  it('is one name, while a number is not known', () => {
    const [ann, spelling, other] = [entry('ann', 2), entry('ann'), entry('bob')];
    assert.deepEqual(ofSameAccount([ann, spelling, other], spelling), [ann, spelling]);
    assert.deepEqual(ofSameAccount([ann, spelling, other], ann), [ann, spelling]);
  });

  it('has the connections of all its identities', () => {
    assert.equal(connectionCountOf([entry('ann', 2, 3), entry('a', 2, 4)]), 7);
    assert.equal(connectionCountOf([]), 0);
  });
});

describe('the connection that is given up', () => {
  const usedAt = (lastUsed: number) => ({ lastUsed }) as Connection;

  it('is the one that was used least recently, of those that are idle', () => {
    const oldest = usedAt(1);
    assert.deepEqual(
      longestIdle([
        ['ann', usedAt(2)],
        ['bob', oldest],
        ['carol', undefined],
      ]),
      ['bob', oldest],
    );
  });

  it('is none where none is idle', () => {
    assert.equal(longestIdle([['ann', undefined]]), undefined);
    assert.equal(longestIdle([]), undefined);
  });
});
