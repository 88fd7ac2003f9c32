// MEMB place: members under other names, in their room and in others; and a post that takes a name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../../src/backend/maintenance/check.ts';
import { MAX_MEMBER_NAME_BYTES, MAX_PLACED_BYTES, MAX_PLACED_MEMBERS } from '../../../../src/limits/backend.ts';
import { event, memberWorld } from '../../../support/member-world.ts';

describe('a post under a name', () => {
  it('takes the place of what has it, in one step', (t) => {
    const { put, names, ask, files } = memberWorld(t);
    const first = put(files, { name: 'a', body: '1' });
    const second = put(files, { name: 'a', body: '2' });
    assert.deepEqual(names(files), [`a ${second}`]);
    assert.deepEqual(ask(files, `removed|${files.id}|1`).slice(1), [`${first}|a|1`]);
  });

  it('is refused where it would replace another one than was expected', (t) => {
    const { put, names, files } = memberWorld(t);
    assert.equal(put(files, { name: 'a', body: '1', replaces: '*' }), '-5 0');
    assert.equal(put(files, { name: 'a', body: '1', replaces: '7' }), '-5 0');
    const first = put(files, { name: 'a', body: '1', replaces: '0' });
    assert.equal(put(files, { name: 'a', body: '2', replaces: '0' }), `-5 ${first}`);
    const second = put(files, { name: 'a', body: '2', replaces: String(first) });
    assert.equal(put(files, { name: 'a', body: '3', replaces: String(first) }), `-5 ${second}`);
    const third = put(files, { name: 'a', body: '3', replaces: '*' });
    assert.deepEqual(names(files), [`a ${third}`]);
  });

  it('tells who has its UID under another name', (t) => {
    const { put, names, calendar } = memberWorld(t);
    const first = put(calendar, { name: 'a.ics', body: event('uid') });
    assert.equal(put(calendar, { name: 'b.ics', body: event('uid'), replaces: '0' }), `-6 ${first}`);
    put(calendar, { name: 'b.ics', body: event('other'), replaces: '0' });
    assert.equal(put(calendar, { name: 'b.ics', body: event('uid'), replaces: '*' }), `-6 ${first}`);
    const named = put(calendar, { body: event('plain') });
    // its UID with an ending is an address of it
    assert.equal(put(calendar, { name: 'plain.ics', body: event('plain'), replaces: '0' }), `-5 ${named}`);
    const later = put(calendar, { name: 'plain.ics', body: event('plain'), replaces: String(named) });
    assert.ok(names(calendar).includes(`plain.ics ${later}`));
  });

  it('needs the right to delete what it replaces', (t) => {
    const { put, names, board } = memberWorld(t);
    const first = put(board, { name: 'a', body: '1' });
    assert.equal(put(board, { name: 'a', body: '2' }), `-7 ${first}`);
    assert.deepEqual(names(board), [`a ${first}`]);
  });
});

describe('MEMB place', () => {
  it('renames members, all of them or none', (t) => {
    const { put, names, ask, files, w } = memberWorld(t);
    const [a, b] = [put(files, { name: 'a', body: '1' }), put(files, { name: 'b', body: '2' })];
    const since = files.sequence;
    assert.deepEqual(ask(files, 'place|0||0', `${a}|c\n${b}|docs/b\n`).slice(1), [`${a}|${a}`, `${b}|${b}`]);
    assert.deepEqual(names(files), [`c ${a}`, `docs/b ${b}`]);
    assert.deepEqual(names(files, '||||||docs/'), [`docs/b ${b}`]);
    assert.deepEqual(ask(files, `removed|${files.id}|${since}`).slice(1), [`${a}|a|0`, `${b}|b|0`]);
    assert.equal(ask(files, `changes|${files.id}|${since}`).length, 3);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|d\n${b}|d\n`).slice(1), [`-5|${a}`]);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|d\n99|e\n`).slice(1), ['-8|99']);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|d\n${b}|..\n`).slice(1), [`-3|${b}`]);
    assert.deepEqual(names(files), [`c ${a}`, `docs/b ${b}`]);
    assert.deepEqual(ask(files, 'place|0||1', `${a}|docs/b\n`).slice(1), [`${a}|${a}`]);
    assert.deepEqual(names(files), [`docs/b ${a}`]);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|\n`).slice(1), [`${a}|${a}`]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('copies in the room, where the copy is a message of its own with the same body', (t) => {
    const { put, names, ask, files, w } = memberWorld(t);
    const a = put(files, { name: 'a', body: 'same' });
    const [, row] = ask(files, 'place|1||0', `${a}|b\n`);
    const copy = Number(row!.split('|')[1]);
    assert.notEqual(copy, a);
    assert.deepEqual(names(files), [`a ${a}`, `b ${copy}`]);
    const rows = ask(files, 'list')
      .slice(1)
      .map((each) => each.split('|').slice(3).join('|'));
    assert.equal(rows[0], rows[1]);
    assert.equal(Number(w.store.db.prepare('SELECT count(*) AS n FROM blob').get()!.n), 1);
    assert.deepEqual(ask(files, 'place|1||1', `${a}|a\n`).slice(1), [`${a}|${a}`]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('moves and copies to other rooms under new names', (t) => {
    const { own, put, names, ask, files, other, w } = memberWorld(t);
    const [a, b] = [put(files, { name: 'a', body: '1' }), put(files, { name: 'b', body: '2' })];
    own(other);
    assert.deepEqual(ask(files, 'place|0|Other|0', `${a}|x/a\n${b}|\n`).slice(1), [`${a}|${a}`, `${b}|${b}`]);
    assert.deepEqual([names(files), names(other)], [[], [`x/a ${a}`, `b ${b}`]]);
    const [, row] = ask(other, 'place|1|Files|0', `${a}|one\n`);
    assert.equal(row, `${a}|${a}`);
    const [, again] = ask(other, 'place|1|Files|0', `${a}|two\n`);
    const second = Number(again!.split('|')[1]);
    assert.deepEqual(names(files), [`one ${a}`, `two ${second}`]);
    assert.deepEqual(ask(other, 'place|1|Files|0', `${b}|one\n`).slice(1), [`-5|${a}`]);
    assert.deepEqual(ask(other, 'place|1|Files|1', `${b}|one\n`).slice(1), [`${b}|${b}`]);
    assert.deepEqual(names(files), [`b ${b}`.replace('b ', 'one '), `two ${second}`]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('keeps one member of a UID in a calendar', (t) => {
    const { own, put, names, ask, calendar, w } = memberWorld(t);
    const a = put(calendar, { name: 'a.ics', body: event('uid') });
    assert.deepEqual(ask(calendar, 'place|1||0', `${a}|b.ics\n`).slice(1), [`-6|${a}`]);
    assert.deepEqual(ask(calendar, 'place|0||0', `${a}|b.ics\n`).slice(1), [`${a}|${a}`]);
    const there = w.room('Second', 3, { flags2: 4 });
    own(there);
    const same = put(there, { name: 'c.ics', body: event('uid') });
    assert.deepEqual(ask(calendar, 'place|0|Second|1', `${a}|\n`).slice(1), [`-6|${same}`]);
    assert.deepEqual(ask(calendar, 'place|0|Second|1', `${a}|c.ics\n`).slice(1), [`${a}|${a}`]);
    assert.deepEqual([names(calendar), names(there)], [[], [`c.ics ${a}`]]);
  });

  it('needs the rights for both rooms', (t) => {
    const { put, ask, names, files, board, other } = memberWorld(t);
    const a = put(files, { name: 'a', body: '1' });
    const b = put(board, { name: 'b', body: '2' });
    assert.match(ask(board, 'place|0||0')[0]!, /^550 /);
    assert.match(ask(board, 'place|0|Other|0')[0]!, /^550 /);
    assert.match(ask(files, 'place|0|Closed|0')[0]!, /^572 /);
    assert.match(ask(files, 'place|0|Nowhere|0')[0]!, /^572 /);
    // known only to who has been there
    assert.match(ask(files, 'place|1|Board|1')[0]!, /^(572|800) /);
    assert.deepEqual([names(files), names(board), names(other)], [[`a ${a}`], [`b ${b}`], []]);
  });

  it('takes so many at once', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    const a = put(files, { name: 'a', body: '1' });
    const lines = (count: number) => `${a}|a\n`.repeat(count);
    assert.equal(ask(files, 'place|0||0', lines(MAX_PLACED_MEMBERS)).length, MAX_PLACED_MEMBERS + 1);
    assert.deepEqual(ask(files, 'place|0||0', lines(MAX_PLACED_MEMBERS + 1)).slice(1), ['-4|0']);
    const name = (bytes: number) => 'n'.repeat(bytes);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|${name(MAX_MEMBER_NAME_BYTES + 1)}\n`).slice(1), [`-3|${a}`]);
    assert.deepEqual(ask(files, 'place|0||0', `${a}|${name(MAX_MEMBER_NAME_BYTES)}\n`).slice(1), [`${a}|${a}`]);
    const size = (msgnum: unknown) =>
      Number(
        w.store.db
          .prepare('SELECT size FROM message m JOIN blob b ON b.id = m.blob WHERE m.id = ?')
          .get(Number(msgnum))!.size,
      );
    const large = put(files, { name: 'large', body: 'x'.repeat((MAX_PLACED_BYTES * 3) / 8) });
    const fits = Math.floor((MAX_PLACED_BYTES - size(large)) / size(large));
    assert.equal(fits, 0);
    assert.equal(ask(files, 'place|1||0', `${large}|l1\n`).slice(1)[0]!.startsWith(`${large}|`), true);
    assert.equal(ask(files, 'place|1||0', `${large}|l2\n${large}|l3\n`).slice(1)[0], `-4|${large}`);
  });
});
