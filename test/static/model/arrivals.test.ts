// What of that which has come is news to the reader.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { highestOf, isArrival, mayHaveArrivals } from '../../../static/model/arrivals.js';
// @ts-expect-error: the web client has no types
import { user } from '../../../static/model/session.js';

user.set({ username: 'Ann Lee' });
after(() => user.set(undefined));

const row = { msgnum: 12, seen: false, author: 'bob' };
const room = { name: 'Lobby', is_mailbox: false, is_zapped: false, unread: 1, highest: 12 };

it('is what others have written since, not what is one’s own, was read elsewhere, or was only moved', () => {
  assert.equal(isArrival(row, 11), true);
  assert.equal(isArrival(row, 12), false, 'moved: its number was known in another room');
  assert.equal(isArrival({ ...row, seen: true }, 11), false);
  for (const author of ['Ann Lee', 'ann_lee@example.org', 'Ann <ann.lee@example.org>', 'ANN LEE'])
    assert.equal(isArrival({ ...row, author }, 11), author.startsWith('Ann <'), author);
});

it('may be in a room with unread messages above all that were known, but not where nothing counts as news', () => {
  assert.equal(highestOf([{ ...room, highest: 7 }, { ...room, highest: undefined }, room]), 12);
  assert.equal(mayHaveArrivals(room, 0, 11), true);
  assert.equal(mayHaveArrivals(room, 0, 12), false, 'marked as unread');
  assert.equal(mayHaveArrivals({ ...room, unread: 0 }, 0, 11), false);
  for (const name of ['Drafts', 'Sent Items', 'Trash'])
    assert.equal(mayHaveArrivals({ ...room, name, is_mailbox: true }, 0, 11), false, name);
  assert.equal(mayHaveArrivals({ ...room, name: 'Trash' }, 0, 11), true, 'a room that everybody has');
});

it('may be where the count has grown, if a room server tells no numbers', () => {
  const untold = { ...room, highest: undefined, unread: 3 };
  assert.deepEqual(
    [2, 3].map((before) => mayHaveArrivals(untold, before, 0)),
    [true, false],
  );
});
