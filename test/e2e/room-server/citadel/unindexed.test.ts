// How far a search looks through what the index of the room server does not have: at n and at n + 1, however long a
// busy machine takes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_SCANNED_BYTES, MAX_SCANNED_MESSAGE_BYTES, MAX_SCANNED_MESSAGES } from '../../../../src/limits/protocol.ts';
import { SEARCH_BOUNDS, searchRooms } from '../../../../src/room-server/citadel/search.ts';
import { ALICE, LINE, startUnindexed } from '../../../support/unindexed-world.ts';

describe('a search', () => {
  it(`looks through ${MAX_SCANNED_MESSAGES} messages, and says where it stopped`, async (t) => {
    const { index, fill, search } = await startUnindexed(t);
    const [first] = fill('First', ['a quince']);
    const others = fill('Box', Array(MAX_SCANNED_MESSAGES - 1).fill('a pear'));
    assert.deepEqual(await search('quince'), { found: [first], from: undefined });
    const [last] = fill('Last', ['a quince']);
    assert.deepEqual(await search('quince'), { found: [last], from: others[0] });
    // the index has the oldest one: there is no more than that to look through
    index.upTo = first!;
    assert.deepEqual(await search('quince'), { found: [last, first], from: undefined });
  });

  it('takes few round trips, and asks for no list that is dear to the server', async (t) => {
    const { real, pool, fill, search } = await startUnindexed(t);
    for (let i = 0; i < 10; i++) fill(`Box ${i}`, Array(100).fill('a pear'));
    await pool.identify(ALICE);
    const before = real.roundTrips();
    assert.equal((await search('pear')).found.length, 1000);
    t.diagnostic(`${real.roundTrips() - before} round trips`);
    assert.ok(real.roundTrips() - before <= 20);
    assert.deepEqual(real.dearLists(), []);
  });

  it('reads so many bytes, of attachments, too', async (t) => {
    const { fill, search } = await startUnindexed(t);
    const [first] = fill('Box', ['a quince', ...Array(15).fill(LINE.repeat(MAX_SCANNED_BYTES / 16 / LINE.length))]);
    assert.deepEqual(await search('quince'), { found: [first], from: undefined });
    // with what is around it, a sixteenth of the bytes is too much for the sixteenth time
    const large = fill('Large', ['a quince', LINE.repeat(MAX_SCANNED_BYTES / 16 / LINE.length)]);
    assert.deepEqual(await search('quince'), { found: [large[0]], from: first! + 2 });
  });

  it('sees the beginning of a long message', async (t) => {
    const { fill, search } = await startUnindexed(t);
    const upTo = (end: number) => `${'xyz\n'.repeat(end / 5)} quince`; // lines come with CR LF
    const [seen] = fill('Box', [upTo(MAX_SCANNED_MESSAGE_BYTES - 1000), upTo(MAX_SCANNED_MESSAGE_BYTES)]);
    assert.deepEqual((await search('quince')).found, [seen]);
  });

  it('answers with what it has when its time is over', async (t) => {
    const { real, pool, fill } = await startUnindexed(t);
    fill('Box', ['a quince']);
    const { found, from } = await searchRooms(pool, ALICE, 'quince', { ...SEARCH_BOUNDS, ms: 0 });
    assert.deepEqual(found, []);
    assert.equal(from, real.behind.store.prepare('SELECT max(id) + 1 AS next FROM message').get()!.next);
  });
});
