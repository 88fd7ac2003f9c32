// How far a search and the suggestions of recipients look through what the index of the room server does not have: at n
// and at n + 1, however long a busy machine takes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { createRoom, findRoom } from '../../../src/backend/store/rooms.ts';
import type { Store } from '../../../src/backend/store/store.ts';
import { findUser } from '../../../src/backend/store/users.ts';
import { BOOK_BOUNDS, peopleInBooks } from '../../../src/client/address-books.ts';
import { Pool } from '../../../src/client/connection/pool.ts';
import { searchRooms } from '../../../src/client/search.ts';
import { SEARCH_BOUNDS } from '../../../src/client/unindexed.ts';
import {
  MAX_KEPT_BOOKS,
  MAX_LOOKED_BOOKS,
  MAX_LOOKED_BYTES,
  MAX_LOOKED_CARD_BYTES,
  MAX_LOOKED_CARDS,
  MAX_LOOKED_MESSAGE_BYTES,
  MAX_LOOKED_MESSAGES,
} from '../../../src/limits/looking.ts';
import { VIEW } from '../../../src/model.ts';
import { startRealServer } from '../../support/real-server.ts';

const ALICE = { user: 'alice', password: 'alicepw' };
const PATIENCE_MS = 100_000;
const LINE = `${'x'.repeat(1022)}\n`;

/** Puts a message into rooms, as other programs do: its number. */
function save(store: Store, text: string, rooms: number[]): number {
  const type = text.startsWith('BEGIN:VCARD') ? 'x-vcard' : 'plain';
  const body = finishedBody(store, 4, Buffer.from(`Content-type: text/${type}\n\n${text}\n`));
  const fields = { author: 'bob', path: 'bob', address: 'bob@x', room: 'Box', subject: 's' };
  return saveMessage(store, { ...fields, format: 4, body, rooms });
}

async function start(t: TestContext, view: number = VIEW.board) {
  const index = { upTo: 0 };
  const real = await startRealServer(t, { users: { alice: 4, ann: 4, bob: 4, carol: 4, dora: 4 }, index });
  const { store } = real.behind;
  store.prepare('DELETE FROM room_message').run(); // what the server itself has written
  store.prepare('UPDATE room SET total = 0, highest = 0').run();
  const pool = new Pool({ target: { path: real.path }, clientName: 'test', clientVersion: '1' });
  t.after(() => pool.close());
  const fill = (name: string, texts: readonly string[]): number[] =>
    store.transaction(() => {
      const fresh = { name, view, flags: 0, password: '', floor: 0, admin: 1 };
      const room = findRoom(store, findUser(store, 'alice'), name) ?? createRoom(store, fresh);
      return texts.map((text) => save(store, text, [room.id]));
    });
  const search = async (words: string) => {
    const { found, from } = await searchRooms(pool, ALICE, words, { ...SEARCH_BOUNDS, ms: PATIENCE_MS });
    return { found: found.map(({ msgnum }) => msgnum), from };
  };
  /** address books that were read */
  const reads = () => real.sessions.flatMap((one) => one.commands).filter((line) => line === 'MSGS ALL').length;
  const people = async (user = 'alice') => {
    const before = reads();
    const identity = { user, password: `${user}pw` };
    const found = await peopleInBooks(pool, identity, { ...BOOK_BOUNDS, ms: PATIENCE_MS });
    const names = found.map(({ name }) => name);
    return { names, reads: reads() - before };
  };
  return { real, index, pool, fill, search, people };
}

describe('a search', () => {
  it(`looks through ${MAX_LOOKED_MESSAGES} messages, and says where it stopped`, async (t) => {
    const { index, fill, search } = await start(t);
    const [first] = fill('First', ['a quince']);
    const others = fill('Box', Array(MAX_LOOKED_MESSAGES - 1).fill('a pear'));
    assert.deepEqual(await search('quince'), { found: [first], from: undefined });
    const [last] = fill('Last', ['a quince']);
    assert.deepEqual(await search('quince'), { found: [last], from: others[0] });
    // the index has the oldest one: there is no more than that to look through
    index.upTo = first!;
    assert.deepEqual(await search('quince'), { found: [last, first], from: undefined });
  });

  it('takes few round trips, and asks for no list that is dear to the server', async (t) => {
    const { real, pool, fill, search } = await start(t);
    for (let i = 0; i < 10; i++) fill(`Box ${i}`, Array(100).fill('a pear'));
    await pool.identify(ALICE);
    const before = real.roundTrips();
    assert.equal((await search('pear')).found.length, 1000);
    t.diagnostic(`${real.roundTrips() - before} round trips`);
    assert.ok(real.roundTrips() - before <= 20);
    assert.deepEqual(real.dearLists(), []);
  });

  it('reads so many bytes, of attachments, too', async (t) => {
    const { fill, search } = await start(t);
    const [first] = fill('Box', ['a quince', ...Array(15).fill(LINE.repeat(MAX_LOOKED_BYTES / 16 / LINE.length))]);
    assert.deepEqual(await search('quince'), { found: [first], from: undefined });
    // with what is around it, a sixteenth of the bytes is too much for the sixteenth time
    const large = fill('Large', ['a quince', LINE.repeat(MAX_LOOKED_BYTES / 16 / LINE.length)]);
    assert.deepEqual(await search('quince'), { found: [large[0]], from: first! + 2 });
  });

  it('sees the beginning of a long message', async (t) => {
    const { fill, search } = await start(t);
    const upTo = (end: number) => `${'xyz\n'.repeat(end / 5)} quince`; // lines come with CR LF
    const [seen] = fill('Box', [upTo(MAX_LOOKED_MESSAGE_BYTES - 1000), upTo(MAX_LOOKED_MESSAGE_BYTES)]);
    assert.deepEqual((await search('quince')).found, [seen]);
  });

  it('answers with what it has when its time is over', async (t) => {
    const { real, pool, fill } = await start(t);
    fill('Box', ['a quince']);
    const { found, from } = await searchRooms(pool, ALICE, 'quince', { ...SEARCH_BOUNDS, ms: 0 });
    assert.deepEqual(found, []);
    assert.equal(from, real.behind.store.prepare('SELECT max(id) + 1 AS next FROM message').get()!.next);
  });
});

describe('suggestions', () => {
  const card = (name: string, more = '') => `BEGIN:VCARD\nFN:${name}\nEMAIL:${name}@x.org\n${more}END:VCARD`;

  it(`come from the ${MAX_LOOKED_CARDS} newest contacts`, async (t) => {
    const { fill, people } = await start(t, VIEW.addressBook);
    const cards = Array.from({ length: MAX_LOOKED_CARDS - 1 }, (_, i) => card(`n${i}`));
    fill('Contacts', [card('first'), ...cards]);
    assert.equal((await people()).names.at(-1), 'first');
    fill('Club', [card('last')]);
    const { names } = await people();
    assert.equal(names.length, MAX_LOOKED_CARDS + 1); // the contacts that have been read are still known
    fill('Contacts', [card('more')]);
    assert.deepEqual((await people()).names.slice(0, 2), ['more', 'n998']);
    assert.equal((await people()).names.includes('first'), false);
  });

  it('come from so many bytes of contacts; what is beyond is not tried again at each letter', async (t) => {
    const { fill, people } = await start(t, VIEW.addressBook);
    const large = (name: string) =>
      card(name, `PHOTO:${LINE.slice(0, 900)}\n`.repeat(Math.floor(MAX_LOOKED_CARD_BYTES / 4 / 907)));
    fill('Contacts', [card('first'), ...['a', 'b', 'c'].map(large)]);
    assert.deepEqual((await people()).names, ['c', 'b', 'a', 'first']);
    fill('Contacts', ['d', 'e'].map(large));
    const { names, reads } = await people();
    assert.equal(names.includes('first'), false);
    assert.deepEqual(names.slice(0, 2), ['e', 'd']);
    assert.ok(reads > 0);
    assert.deepEqual(await people(), { names, reads: 0 });
  });

  it(`are kept of ${MAX_KEPT_BOOKS} address books`, async (t) => {
    const { fill, people } = await start(t, VIEW.addressBook);
    const shared = MAX_LOOKED_BOOKS - 1; // everybody has one of his own
    for (let i = 0; i < shared; i++) fill(`Book ${i}`, [card(`n${i}`)]);
    fill('Contacts', [card('own')]); // of alice, the first one to go
    const users = ['alice', 'ann', 'bob', 'carol'];
    assert.equal(users.length * MAX_LOOKED_BOOKS, MAX_KEPT_BOOKS);
    for (const user of users) assert.equal((await people(user)).reads, user === 'alice' ? shared + 1 : shared, user);
    for (const user of users) assert.equal((await people(user)).reads, 0, user);
    assert.equal((await people('dora')).reads, shared);
    assert.equal((await people('ann')).reads, 0);
    assert.equal((await people('alice')).reads, shared + 1);
  });

  it('of one are not those of another, though their rooms look alike', async (t) => {
    const { real, people } = await start(t, VIEW.addressBook);
    const { store } = real.behind;
    const contactsOf = (user: string) => findRoom(store, findUser(store, user), 'Contacts')!.id;
    await people('ann'); // a log-in makes the personal rooms
    await people('bob');
    store.transaction(() => {
      for (const user of ['ann', 'bob']) save(store, card(user), [contactsOf(user)]);
      save(store, card('both'), [contactsOf('ann'), contactsOf('bob')]);
    });
    assert.deepEqual((await people('ann')).names, ['both', 'ann']);
    assert.deepEqual((await people('bob')).names, ['both', 'bob']);
  });
});
