// MEMB contents: many calendar objects and cards in one answer.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { StoredRoom } from '../../../../src/backend/store/records.ts';
import { memb } from '../../../../src/backend/verbs/collection/members.ts';
import { ent0 } from '../../../../src/backend/verbs/posting.ts';
import { BACKEND_CONTENTS_BYTES, MAX_CONTENTS_AT_ONCE, MAX_OBJECT_BYTES } from '../../../../src/limits/backend.ts';
import { longestPiece } from '../../../support/longest-piece.ts';
import { event, memberWorld } from '../../../support/member-world.ts';
import { run, runBytes } from '../../../support/message-session.ts';

function world(t: TestContext) {
  const w = memberWorld(t);
  /** the fields of the status line, and the contents that they announce */
  const contents = (room: StoredRoom, numbers: readonly (number | string)[]) => {
    const bytes = runBytes(w.inRoom(room), memb, `contents|${numbers.join(',')}`);
    const end = bytes.indexOf(10);
    const [length, looked, ...fields] = bytes.toString('utf8', 4, end).split('|').map(Number);
    assert.equal(bytes.length - end - 1, length);
    const found: [number, string][] = [];
    for (let i = 0, at = end + 1; i < fields.length; i += 2) {
      found.push([fields[i]!, bytes.toString('utf8', at, at + fields[i + 1]!)]);
      at += fields[i + 1]!;
    }
    return { looked, found };
  };
  return { ...w, contents };
}

describe('MEMB contents', () => {
  it('gives each as it was PUT, and leaves out what is not there or no part', (t) => {
    const { put, contents, inRoom, calendar, files } = world(t);
    const [one, two] = [event('ü 1'), event('2')];
    const [first, second] = [put(calendar, { name: 'a', body: one }), put(calendar, { name: 'b', body: two })];
    const elsewhere = put(files, { name: 'c', body: 'text' });
    const multipart = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n';
    const mixed = run(inRoom(calendar), ent0, '1|||4|s||1', multipart).split('\n')[1]!;
    assert.deepEqual(contents(calendar, [second, elsewhere, 99, mixed, first]), {
      looked: 5,
      found: [
        [second, two],
        [first, one],
      ],
    });
  });

  it('leaves others their turn with each that it looks at', (t) => {
    const { put, calendar, inRoom } = world(t);
    const numbers = ['a', 'b', 'c'].map((name) => put(calendar, { name, body: event(name) }));
    const { statements, text } = longestPiece(t, inRoom(calendar), memb, `contents|${Array(9).fill(numbers).join()}`);
    assert.ok(statements <= 5, String(statements));
    assert.match(text, /^600 \d+\|27\|/);
  });

  it('gives an object up to its bound, and no larger one', (t) => {
    const { put, contents, files } = world(t);
    const [fits, large] = [0, 1].map((more) =>
      put(files, { name: `${`${more}`.repeat(3)}x`, body: 'x'.repeat(MAX_OBJECT_BYTES + more) }),
    );
    const { looked, found } = contents(files, [large!, fits!]);
    assert.equal(looked, 2);
    assert.deepEqual(
      found.map(([number, text]) => [number, text.length]),
      [[fits, MAX_OBJECT_BYTES]],
    );
  });

  it('stops where the answer is full, and says so', (t) => {
    const { put, contents, files } = world(t);
    const half = BACKEND_CONTENTS_BYTES / 2;
    const sizes = [half, half, 1];
    const numbers = sizes.map((size, i) => put(files, { name: `f${i}`, body: 'x'.repeat(size) }));
    assert.equal(contents(files, numbers.slice(0, 2)).looked, 2);
    const { looked, found } = contents(files, numbers);
    assert.equal(looked, 2);
    assert.deepEqual(
      found.map(([number]) => number),
      numbers.slice(0, 2),
    );
  });

  it('looks at no more than the bound says', (t) => {
    const { contents, files } = world(t);
    const numbers = (count: number) => Array.from({ length: count }, () => 7);
    assert.equal(contents(files, numbers(MAX_CONTENTS_AT_ONCE)).looked, MAX_CONTENTS_AT_ONCE);
    assert.equal(contents(files, numbers(MAX_CONTENTS_AT_ONCE + 1)).looked, MAX_CONTENTS_AT_ONCE);
  });

  it('is for those who may read the room', (t) => {
    const { ask, w } = world(t);
    assert.match(ask(w.room('Closed'), 'contents|1')[0]!, /^550 /);
  });
});
