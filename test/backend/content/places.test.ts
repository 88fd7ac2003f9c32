// What a message replaces among the members of a room, and whether it may.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  type Expected,
  expectedFrom,
  MemberConflict,
  postedName,
  requireReplacement,
} from '../../../src/backend/content/posting-rules.ts';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const [files, calendar] = [w.room('Files', VIEW.files), w.room('C', VIEW.calendar)];
  /** `failure msgnum`, or '' where it may come */
  const outcome = (room: StoredRoom, name: string, euid: string, expected: Expected, mayDelete = true): string => {
    try {
      requireReplacement(w.store, room, { name, euid }, expected, mayDelete);
      return '';
    } catch (error) {
      assert.ok(error instanceof MemberConflict);
      return `${error.failure} ${error.msgnum}`;
    }
  };
  return { w, files, calendar, outcome };
}

it('what is expected is a number, any, none or unsaid', () => {
  assert.deepEqual(['', '*', '12', '0', '-3', 'x'].map(expectedFrom), [undefined, '*', 12, 0, 0, 0]);
});

it('a name stands in the header of what was PUT', (t) => {
  const { w } = world(t);
  const named = (header: string, format = 4) =>
    w.store.transaction(() => postedName(w.store, finishedBody(w.store, format, Buffer.from(`${header}\n\ntext\n`))));
  assert.equal(named('X-Vestibule-Name: a%20b.txt'), 'a b.txt');
  assert.equal(named('Content-Type: text/plain'), '');
  assert.equal(named('X-Vestibule-Name: a', 1), '', 'a text has no header');
});

describe('a message under a name', () => {
  it('replaces what has it, unless another one is expected there', (t) => {
    const { w, files, outcome } = world(t);
    const there = saveIn(w, files, { name: 'a' });
    const at = (name: string, expected: Expected) => outcome(files, name, '', expected);
    assert.deepEqual([at('a', undefined), at('a', '*'), at('a', there)], ['', '', '']);
    assert.deepEqual([at('a', 0), at('a', there + 1)], [`-5 ${there}`, `-5 ${there}`]);
    assert.deepEqual([at('b', undefined), at('b', 0)], ['', '']);
    assert.deepEqual([at('b', '*'), at('b', there)], ['-5 0', '-5 0']);
  });

  it('needs the right to delete what it replaces, but not to come where nothing is', (t) => {
    const { w, files, outcome } = world(t);
    const there = saveIn(w, files, { name: 'a' });
    assert.equal(outcome(files, 'a', '', undefined, false), `-7 ${there}`);
    assert.equal(outcome(files, 'b', '', undefined, false), '');
  });
});

describe('a message with a UID', () => {
  it('is told who has the UID under another name, where it says what it expects', (t) => {
    const { w, calendar, outcome } = world(t);
    const there = saveIn(w, calendar, { name: 'mine.ics', euid: 'u' });
    const at = (name: string, expected: Expected) => outcome(calendar, name, 'u', expected);
    assert.equal(at('other.ics', 0), `-6 ${there}`);
    assert.equal(at('other.ics', undefined), '', 'who says nothing replaces it');
    assert.equal(at('other.ics', there), '', 'its number means it');
    assert.equal(at('mine.ics', there), '');
    assert.equal(outcome(calendar, 'mine.ics', 'v', 0), `-5 ${there}`);
  });

  it('replaces the one that has its UID for a name, also with an ending', (t) => {
    const { w, calendar, outcome } = world(t);
    const there = saveIn(w, calendar, { euid: 'u' });
    for (const name of ['u', 'u.ics', 'u.ICS']) assert.equal(outcome(calendar, name, 'u', '*'), '', name);
    assert.equal(outcome(calendar, 'u.vcf.txt', 'u', '*'), `-6 ${there}`);
  });

  it('may replace its older version without the right to delete: that is what a UID is for', (t) => {
    const { w, calendar, outcome } = world(t);
    const there = saveIn(w, calendar, { name: 'u.ics', euid: 'u' });
    assert.equal(outcome(calendar, 'u.ics', 'u', there, false), '');
    assert.equal(outcome(calendar, 'u.ics', 'v', there, false), `-7 ${there}`);
  });

  it('is like any other where rooms do not go by UIDs', (t) => {
    const { w, files, outcome } = world(t);
    saveIn(w, files, { name: 'a', euid: 'u' });
    assert.equal(outcome(files, 'b', 'u', 0), '');
  });
});
