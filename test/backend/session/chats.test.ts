// What is said in the chats of rooms.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Chats } from '../../../src/backend/session/notices.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { CHAT_LINE_SECONDS, MAX_CHAT_LINES, MAX_CHATTED_LINES } from '../../../src/limits/backend.ts';

const room = () => ({}) as StoredRoom;

function world(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
  const chats = new Chats();
  const texts = (where: StoredRoom, after = 0) => {
    const found: string[] = [];
    for (let line = chats.lineAfter(where, after); line; line = chats.lineAfter(where, line.seq)) found.push(line.text);
    return found;
  };
  return { chats, texts };
}

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, i) => String(from + i));

describe('a chat', () => {
  it('has what was said in its room, in order, behind a number', (t) => {
    const { chats, texts } = world(t);
    const [one, other] = [room(), room()];
    chats.say(one, 'ann', ['a', 'b']);
    chats.say(other, 'bob', ['c']);
    assert.deepEqual([texts(one), texts(one, 1), texts(one, 2), texts(other)], [['a', 'b'], ['b'], [], ['c']]);
    const { seq, time, sender } = chats.lineAfter(other, 0)!;
    assert.deepEqual([seq, time, sender], [1, 1_700_000_000, 'bob']);
    assert.deepEqual(texts(room()), []);
  });

  it('keeps a line for CHAT_LINE_SECONDS, and counts on when all are gone', (t) => {
    const { chats, texts } = world(t);
    const one = room();
    chats.say(one, 'ann', ['a']);
    t.mock.timers.tick(CHAT_LINE_SECONDS * 1000);
    assert.deepEqual(texts(one), ['a']);
    t.mock.timers.tick(1000);
    assert.deepEqual(texts(one), []);
    chats.say(one, 'ann', ['b']);
    assert.equal(chats.lineAfter(one, 0)!.seq, 2, 'who has seen the first is told of this one');
  });

  it('keeps the latest MAX_CHAT_LINES', (t) => {
    const { chats, texts } = world(t);
    const one = room();
    chats.say(one, 'ann', lines(MAX_CHAT_LINES));
    assert.equal(texts(one).length, MAX_CHAT_LINES);
    chats.say(one, 'ann', ['last']);
    assert.deepEqual([texts(one).length, texts(one)[0], texts(one).at(-1)], [MAX_CHAT_LINES, '1', 'last']);
  });
});

it('chats that hold MAX_CHATTED_LINES together take from the longest, not from the short ones', (t) => {
  const { chats, texts } = world(t);
  const long = Array.from({ length: MAX_CHATTED_LINES / MAX_CHAT_LINES }, room);
  const short = room();
  chats.say(short, 'ann', ['a', 'b']);
  for (const [i, one] of long.entries()) chats.say(one, 'bob', lines(i > 0 ? MAX_CHAT_LINES : MAX_CHAT_LINES - 2));
  const count = () => [short, ...long].reduce((sum, one) => sum + texts(one).length, 0);
  assert.equal(count(), MAX_CHATTED_LINES);
  chats.say(short, 'ann', ['c']);
  assert.equal(count(), MAX_CHATTED_LINES);
  assert.deepEqual(texts(short), ['a', 'b', 'c']);
});
