// Pages of the members of a room: each member once, in order, whatever is asked for.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  BEFORE_ALL,
  changedPage,
  findMember,
  type MemberChoice,
  memberPage,
  removedPage,
} from '../../../src/backend/store/members.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { removeFromRoom, renameInRoom } from '../../../src/backend/store/references.ts';
import { VIEW } from '../../../src/model.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

const ALL: MemberChoice = {
  upTo: Number.MAX_SAFE_INTEGER,
  folder: undefined,
  isDeep: false,
  component: '',
  range: undefined,
};
const HOUR = 3600;
const at = (text: string) => Date.parse(text) / 1000;

function world(t: TestContext) {
  const w = messageWorld(t);
  const files = w.room('Files', VIEW.files);
  const calendar = w.room('Events', VIEW.calendar);
  const put = (name: string) => saveIn(w, files, { name });
  const putEvent = (uid: string, start: string) =>
    saveIn(w, calendar, { euid: uid, type: 'text/calendar', text: event(uid, start) });
  /** numbers, page by page of two */
  const numbers = (room: StoredRoom, choice: Partial<MemberChoice> = {}) => {
    const found: number[] = [];
    let after: { id: number; ends: number } = BEFORE_ALL;
    for (;;) {
      const page = memberPage(w.store, room.id, { ...ALL, ...choice }, after, 2);
      found.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (page.length < 2 || !last) return found;
      after = { id: last.id, ends: last.ends ?? 0 };
    }
  };
  return { ...w, w, files, calendar, put, putEvent, numbers };
}

describe('a page of members', () => {
  it('goes on behind the one before', (t) => {
    const { files, put, numbers, room, w } = world(t);
    const all = ['a', 'b', 'c', 'd', 'e'].map(put);
    saveIn(w, room('Other'));
    assert.deepEqual(numbers(files), all);
    assert.deepEqual(numbers(files, { upTo: 3 }), all.slice(0, 3), 'what has come later is left out');
  });

  it('has those in one folder, or all below it', (t) => {
    const { files, put, numbers } = world(t);
    const [top, one, two, deep, alike] = ['x', 'a/1', 'a/2', 'a/b/3', 'ab/4'].map(put);
    assert.deepEqual(numbers(files, { folder: '' }), [top]);
    assert.deepEqual(numbers(files, { folder: 'a/' }), [one, two]);
    assert.deepEqual(numbers(files, { folder: 'a/', isDeep: true }), [one, two, deep]);
    assert.deepEqual(numbers(files, { folder: '', isDeep: true }), [top, one, two, deep, alike]);
    assert.deepEqual(numbers(files, { folder: 'A/', isDeep: true }), []);
    assert.deepEqual(numbers(files, { folder: '%', isDeep: true }), [], 'no letter stands for others');
  });

  it('has those of a kind whose extent meets a range, in the order of their ends', (t) => {
    const { calendar, putEvent, numbers, w } = world(t);
    const late = putEvent('late', '20240503T100000Z');
    const early = putEvent('early', '20240501T100000Z');
    const middle = putEvent('middle', '20240502T100000Z');
    saveIn(w, calendar, { euid: 'note' });
    const range = (start: string, end: string) => ({ start: at(start), end: at(end) });
    const days = (from: number, to: number) => range(`2024-05-0${from}T00:00:00Z`, `2024-05-0${to}T00:00:00Z`);
    assert.deepEqual(numbers(calendar, { component: 'VEVENT', range: days(1, 9) }), [early, middle, late]);
    assert.deepEqual(numbers(calendar, { component: 'VEVENT', range: days(2, 3) }), [middle]);
    assert.deepEqual(numbers(calendar, { component: 'VTODO' }), []);
    // both ends of an extent belong to it here; the exact answer is the reader's
    const end = at('2024-05-01T11:00:00Z');
    assert.deepEqual(numbers(calendar, { range: { start: end, end: end + HOUR } }), [early]);
    assert.deepEqual(numbers(calendar, { range: { start: end + 1, end: end + HOUR } }), []);
  });

  it('has rows whose euid cannot end a field', (t) => {
    const { store, calendar, w } = world(t);
    const msgnum = saveIn(w, calendar, { euid: 'a|b%c' });
    const [row] = memberPage(store, calendar.id, ALL, BEFORE_ALL, 1);
    assert.equal(row!.head, `${msgnum}|${msgnum}.ics|a%7Cb%25c|`, 'nor be its name');
  });
});

describe('what has changed in a room', () => {
  it('is told in the order in which it did, behind a sequence', (t) => {
    const { store, files, put } = world(t);
    const [one, two] = [put('a'), put('b')];
    renameInRoom(store, files.id, { message: one, name: 'a' }, 'c');
    const changed = (sequence: number, upTo = 100) =>
      changedPage(store, files.id, { sequence, id: 0 }, upTo, 10).map(({ id, sequence: its }) => [id, its]);
    assert.deepEqual(changed(0), [
      [two, 2],
      [one, 3],
    ]);
    assert.deepEqual(changed(2), [
      [two, 2],
      [one, 3],
    ]);
    assert.deepEqual(changed(3), [[one, 3]]);
    assert.deepEqual(changed(0, 2), [[two, 2]]);
  });

  it('tells names that are gone, and whether there is such a one again', (t) => {
    const { store, files, put } = world(t);
    const one = put('a');
    renameInRoom(store, files.id, { message: one, name: 'a' }, 'b');
    removeFromRoom(store, files.id, [one]);
    put('a');
    const gone = removedPage(store, files.id, { sequence: 0, id: 0 }, 100, 10);
    assert.deepEqual(
      gone.map(({ name, isThere }) => [name, isThere]),
      [
        ['a', 1],
        ['b', 0],
      ],
    );
    assert.deepEqual(removedPage(store, files.id, { sequence: 0, id: 0 }, 2, 10).length, 1);
  });
});

describe('a member', () => {
  it('is found by its number, name or UID, the last also with an ending', (t) => {
    const { store, files, calendar, put, putEvent } = world(t);
    const [file, meeting] = [put('docs/a b.txt'), putEvent('uid-1', '20240501T100000Z')];
    const found = (room: StoredRoom, segment: string) => findMember(store, room.id, segment)?.id;
    assert.equal(found(files, 'docs/a b.txt'), file);
    for (const segment of [String(meeting), 'uid-1', 'uid-1.ics']) assert.equal(found(calendar, segment), meeting);
    for (const segment of ['', 'DOCS/a b.txt', 'a b.txt', 'uid-1', String(meeting)]) {
      assert.equal(found(files, segment), undefined, segment);
    }
  });
});
