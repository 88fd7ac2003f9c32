// Members under other names, and in other rooms.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { propertiesOfMember, setProperty } from '../../../src/backend/store/dead-properties.ts';
import { storedFacts } from '../../../src/backend/store/message-facts.ts';
import { messageByNumber } from '../../../src/backend/store/messages.ts';
import { conflictsAt, copyMember, moveMember, renameMember } from '../../../src/backend/store/moving.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { isInRoom, messageByName, nameInRoom } from '../../../src/backend/store/references.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const [files, other, calendar] = [
    w.room('Files', VIEW.files),
    w.room('Other', VIEW.files),
    w.room('C', VIEW.calendar),
  ];
  const put = (name: string, room = files) => saveIn(w, room, { name });
  const to = (msgnum: number, name: string, target = files, source = files) => ({
    source: source.id,
    msgnum,
    target: target.id,
    name,
  });
  const mark = (member: string, room = files) => setProperty(w.store, room.id, { member, name: 'p' }, `of ${member}`);
  const marks = (member: string, room = files) =>
    propertiesOfMember(w.store, room.id, member).map(({ value }) => value);
  const names = (room: StoredRoom) =>
    w.store
      .prepare("SELECT name FROM room_message WHERE room = ? AND name <> '' ORDER BY name")
      .all(room.id)
      .map(({ name }) => name);
  return { ...w, w, files, other, calendar, put, to, mark, marks, names };
}

describe('a member that gets another name', () => {
  it('takes the place of what has it, and its properties along', (t) => {
    const { store, put, to, mark, marks, files, names } = world(t);
    const [a, b] = [put('a'), put('b')];
    mark('a');
    mark('b');
    renameMember(store, to(a, 'b'));
    assert.deepEqual(names(files), ['b']);
    assert.deepEqual([messageByName(store, files.id, 'b'), messageByNumber(store, b)], [a, undefined]);
    assert.deepEqual([marks('a'), marks('b')], [[], ['of a']]);
  });

  it('is the same one where the name is its own, or none', (t) => {
    const { store, put, to, mark, marks, files } = world(t);
    const a = put('a');
    mark('a');
    const { sequence } = files;
    for (const name of ['a', '']) renameMember(store, to(a, name));
    assert.deepEqual([nameInRoom(store, files.id, a), files.sequence, marks('a')], ['a', sequence, ['of a']]);
  });

  it('had its properties under its number where it had no name', (t) => {
    const { store, to, w, files, mark, marks } = world(t);
    const plain = saveIn(w, files);
    mark(String(plain));
    renameMember(store, to(plain, 'a'));
    assert.deepEqual([marks(String(plain)), marks('a')], [[], [`of ${plain}`]]);
  });
});

describe('a copy', () => {
  it('in another room is the same message, with its properties', (t) => {
    const { store, put, to, mark, marks, files, other } = world(t);
    const a = put('a');
    mark('a');
    assert.equal(copyMember(store, to(a, 'docs/b', other)), a);
    assert.deepEqual([nameInRoom(store, files.id, a), nameInRoom(store, other.id, a)], ['a', 'docs/b']);
    assert.deepEqual([marks('a'), marks('docs/b', other)], [['of a'], ['of a']]);
  });

  it('in the same room is another message with the same body and facts', (t) => {
    const { store, put, to, files, names } = world(t);
    const a = put('a');
    const copy = copyMember(store, to(a, 'b'));
    assert.notEqual(copy, a);
    const [one, two] = [messageByNumber(store, a)!, messageByNumber(store, copy)!];
    assert.deepEqual({ ...two, id: a }, { ...one });
    assert.deepEqual(storedFacts(store, copy), storedFacts(store, a));
    assert.deepEqual(names(files), ['a', 'b']);
  });

  it('takes the place of what has its name there', (t) => {
    const { store, put, to, other, names } = world(t);
    const [a, there] = [put('a'), put('b', other)];
    copyMember(store, to(a, 'b', other));
    assert.deepEqual([names(other), messageByNumber(store, there)], [['b'], undefined]);
  });
});

it('a member that moves is in the other room alone, under its number', (t) => {
  const { store, put, to, files, other } = world(t);
  const a = put('a');
  assert.equal(moveMember(store, to(a, 'b', other)), a);
  assert.deepEqual([isInRoom(store, files.id, a), nameInRoom(store, other.id, a)], [false, 'b']);
  assert.ok(messageByNumber(store, a));
});

describe('what is in the place', () => {
  it('is the member of the name, and one of another name with the same UID where a room has each once', (t) => {
    const { store, w, to, files, calendar } = world(t);
    const here = saveIn(w, files, { name: 'x', euid: 'u' });
    const there = saveIn(w, calendar, { name: 'u.ics', euid: 'u' });
    const named = saveIn(w, calendar, { name: 'x', euid: 'v' });
    const place = (name: string) => conflictsAt(store, to(here, name, calendar));
    assert.deepEqual(place('x'), { holder: named, uidTakenBy: there });
    assert.deepEqual(place('u.ics'), { holder: there, uidTakenBy: undefined });
    assert.deepEqual(place(''), { holder: undefined, uidTakenBy: there });
    assert.deepEqual(conflictsAt(store, to(there, 'free', files, calendar)), {
      holder: undefined,
      uidTakenBy: undefined,
    });
  });
});
