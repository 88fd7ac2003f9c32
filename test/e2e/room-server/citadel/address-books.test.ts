// People in address books, read by the gateway where the index of the room server lacks them: how far, and what is
// kept.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoom } from '../../../../src/backend/store/rooms.ts';
import { findUser } from '../../../../src/backend/store/users.ts';
import {
  MAX_CACHED_BOOKS,
  MAX_SCANNED_BOOKS,
  MAX_SCANNED_CARD_BYTES,
  MAX_SCANNED_CARDS,
} from '../../../../src/limits/protocol.ts';
import { VIEW } from '../../../../src/model.ts';
import { LINE, saveInto, startUnindexed } from '../../../support/unindexed-world.ts';

describe('suggestions', () => {
  const card = (name: string, more = '') => `BEGIN:VCARD\nFN:${name}\nEMAIL:${name}@x.org\n${more}END:VCARD`;

  it(`come from the ${MAX_SCANNED_CARDS} newest contacts`, async (t) => {
    const { fill, people } = await startUnindexed(t, VIEW.addressBook);
    const cards = Array.from({ length: MAX_SCANNED_CARDS - 1 }, (_, i) => card(`n${i}`));
    fill('Contacts', [card('first'), ...cards]);
    assert.equal((await people()).names.at(-1), 'first');
    fill('Club', [card('last')]);
    const { names } = await people();
    assert.equal(names.length, MAX_SCANNED_CARDS + 1); // the contacts that have been read are still known
    fill('Contacts', [card('more')]);
    assert.deepEqual((await people()).names.slice(0, 2), ['more', 'n998']);
    assert.equal((await people()).names.includes('first'), false);
  });

  it('come from so many bytes of contacts; what is beyond is not tried again at each letter', async (t) => {
    const { fill, people } = await startUnindexed(t, VIEW.addressBook);
    const large = (name: string) =>
      card(name, `PHOTO:${LINE.slice(0, 900)}\n`.repeat(Math.floor(MAX_SCANNED_CARD_BYTES / 4 / 907)));
    fill('Contacts', [card('first'), ...['a', 'b', 'c'].map(large)]);
    assert.deepEqual((await people()).names, ['c', 'b', 'a', 'first']);
    fill('Contacts', ['d', 'e'].map(large));
    const { names, reads } = await people();
    assert.equal(names.includes('first'), false);
    assert.deepEqual(names.slice(0, 2), ['e', 'd']);
    assert.ok(reads > 0);
    assert.deepEqual(await people(), { names, reads: 0 });
  });

  it(`are kept of ${MAX_CACHED_BOOKS} address books`, async (t) => {
    const { fill, people } = await startUnindexed(t, VIEW.addressBook);
    const shared = MAX_SCANNED_BOOKS - 1; // everybody has one of his own
    for (let i = 0; i < shared; i++) fill(`Book ${i}`, [card(`n${i}`)]);
    fill('Contacts', [card('own')]); // of alice, the first one to go
    const users = ['alice', 'ann', 'bob', 'carol'];
    assert.equal(users.length * MAX_SCANNED_BOOKS, MAX_CACHED_BOOKS);
    for (const user of users) assert.equal((await people(user)).reads, user === 'alice' ? shared + 1 : shared, user);
    for (const user of users) assert.equal((await people(user)).reads, 0, user);
    assert.equal((await people('dora')).reads, shared);
    assert.equal((await people('ann')).reads, 0);
    assert.equal((await people('alice')).reads, shared + 1);
  });

  it('of one are not those of another, though their rooms look alike', async (t) => {
    const { real, people } = await startUnindexed(t, VIEW.addressBook);
    const { store } = real.behind;
    const contactsOf = (user: string) => findRoom(store, findUser(store, user), 'Contacts')!.id;
    await people('ann'); // a log-in makes the personal rooms
    await people('bob');
    store.transaction(() => {
      for (const user of ['ann', 'bob']) saveInto(store, card(user), [contactsOf(user)]);
      saveInto(store, card('both'), [contactsOf('ann'), contactsOf('bob')]);
    });
    assert.deepEqual((await people('ann')).names, ['both', 'ann']);
    assert.deepEqual((await people('bob')).names, ['both', 'bob']);
  });
});
