// Conversations of the web client: grouped by references, in the order of their latest message, whatever comes when.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { answersOf } from '../../../static/kinds/board/tree.js';
// @ts-expect-error: the web client has no types
import { Conversations } from '../../../static/kinds/list/conversations.js';

interface Row {
  msgnum: number;
  msgidhash: number;
  references: number[];
}

const row = (msgnum: number, ...references: number[]): Row => ({ msgnum, msgidhash: msgnum * 11, references });
const shown = (conversations: Conversations) =>
  conversations.list.map(({ rows }: { rows: Row[] }) => rows.map(({ msgnum }) => msgnum));

describe('conversations', () => {
  it('group what answers each other and follow their latest message', () => {
    const conversations = new Conversations([row(1), row(2), row(3, 11), row(4, 11, 33)], false);
    assert.deepEqual(shown(conversations), [[2], [1, 3, 4]]);
    conversations.add([row(5, 22)]);
    assert.deepEqual(shown(conversations), [
      [1, 3, 4],
      [2, 5],
    ]);
    assert.equal(conversations.indexOf(conversations.of(2)), 1);
  });

  it('join answers to a message that comes after them, as older ones do that are read later', () => {
    const conversations = new Conversations([row(7, 11), row(8, 11), row(9)], false);
    assert.deepEqual(shown(conversations), [[7, 8], [9]]);
    conversations.add([row(1)]);
    assert.deepEqual(shown(conversations), [[1, 7, 8], [9]]);
  });

  it('become one where a message answers two', () => {
    const conversations = new Conversations([row(1), row(2), row(3)], false);
    conversations.add([row(4, 11, 22)]);
    assert.deepEqual(shown(conversations), [[3], [1, 2, 4]]);
  });

  it('lose messages and come back', () => {
    const rows = [row(1), row(2, 11), row(3)];
    const conversations = new Conversations(rows, false);
    const item = conversations.of(2);
    conversations.remove([rows[1]!]);
    assert.deepEqual(shown(conversations), [[1], [3]]);
    conversations.remove([rows[0]!]);
    assert.equal(conversations.indexOf(item), -1);
    assert.deepEqual(shown(conversations), [[3]]);
    conversations.add([rows[0]!, rows[1]!]);
    assert.deepEqual(shown(conversations), [[1, 2], [3]]);
  });

  it('are the messages one by one where the reader wants it', () => {
    assert.deepEqual(shown(new Conversations([row(1), row(2, 11)], true)), [[1], [2]]);
  });

  it('are the same whether many rows come at once or one after the other', () => {
    const rows = Array.from({ length: 200 }, (_, i) => (i % 3 === 0 ? row(i + 1) : row(i + 1, (i - (i % 3) + 1) * 11)));
    const single = new Conversations([], false);
    for (const each of rows) single.add([each]);
    assert.deepEqual(shown(new Conversations(rows, false)), shown(single));
  });
});

describe('answers in a topic', () => {
  it('stand below the last message that they refer to and that is here', () => {
    const rows = [row(1), row(2, 11), row(3, 11, 22), row(4, 999)];
    const { roots, answers } = answersOf(rows, false);
    assert.deepEqual(roots, [rows[0], rows[3]]);
    assert.deepEqual(answers.get(rows[0]), [rows[1]]);
    assert.deepEqual(answers.get(rows[1]), [rows[2]]);
    assert.deepEqual(answersOf(rows, true).roots, rows);
  });
});
