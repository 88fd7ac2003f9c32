// MEMB list, changes, removed and find: a room as a collection of DAV members.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyToRoom, removeFromRoom } from '../../../../src/backend/store/references.ts';
import { roomById } from '../../../../src/backend/store/rooms.ts';
import { ent0 } from '../../../../src/backend/verbs/posting.ts';
import { MAX_KEPT_CHANGES, MAX_MEMBER_NAME_BYTES, MAX_MEMBERS_AT_ONCE } from '../../../../src/limits/backend.ts';
import { ROOM_FLAG2, VIEW } from '../../../../src/model.ts';
import { event, memberWorld, shortRow } from '../../../support/member-world.ts';
import { run } from '../../../support/message-session.ts';

describe('MEMB list', () => {
  it('tells of each member what DAV shows of it', (t) => {
    const { put, ask, calendar, files } = memberWorld(t);
    const body = event('a|b%c');
    const number = put(calendar, { name: 'one.ics', body });
    const [status, row] = ask(calendar, 'list');
    assert.equal(status, `100 ${calendar.id}|1|`);
    const start = Date.UTC(2024, 4, 1, 10) / 1000;
    const fields = row!.split('|');
    assert.equal(fields[4], 'text/calendar; charset=utf-8');
    assert.deepEqual(
      [...fields.slice(0, 3), ...fields.slice(5)],
      [
        String(number),
        'one.ics',
        'a%7Cb%25c',
        String(body.length),
        'VEVENT',
        String(start),
        String(start + 3600),
        'a%7Cb%25c 50%25',
      ],
    );
    put(files, { name: 'ü & 1%.txt', body: 'text' });
    assert.match(ask(files, 'list')[1]!, /^\d+\|ü & 1%\.txt\|\|\d+\|text\/plain\|4\|\|\|\|s$/);
  });

  it('names a member as it was PUT, else by its UID, with an ending where rooms hold objects, else by number', (t) => {
    const { put, names, calendar, board, files } = memberWorld(t);
    const first = put(calendar, { body: event('uid-1') });
    const second = put(calendar, { name: 'mailbox', body: event('uid-2') });
    const third = put(calendar, { body: event('12') });
    assert.deepEqual(names(calendar), [`uid-1.ics ${first}`, `mailbox ${second}`, `12.ics ${third}`]);
    const fourth = put(board, { body: 'x' });
    const long = put(files, { name: 'n'.repeat(MAX_MEMBER_NAME_BYTES), body: 'x' });
    const longer = put(files, { name: 'n'.repeat(MAX_MEMBER_NAME_BYTES + 1), body: 'x' });
    assert.deepEqual(names(board), [` ${fourth}`]);
    assert.deepEqual(names(files), [`${'n'.repeat(MAX_MEMBER_NAME_BYTES)} ${long}`, ` ${longer}`]);
  });

  it('keeps the address of an event that a program without names replaces', (t) => {
    const { put, names, calendar } = memberWorld(t);
    put(calendar, { name: 'x.ics', body: event('uid-1') });
    const later = put(calendar, { body: event('uid-1', '20250101T000000Z') });
    assert.deepEqual(names(calendar), [`x.ics ${later}`]);
  });

  it('gives a name that two were PUT under to the second one when it is free', (t) => {
    const { put, names, ask, calendar, w } = memberWorld(t);
    const copies = w.room('Copies', VIEW.calendar, { flags2: ROOM_FLAG2.collaborativeDelete });
    const first = Number(put(calendar, { name: 'a.ics', body: event('first') }));
    const second = Number(put(copies, { name: 'a.ics', body: event('second') }));
    w.store.transaction(() => copyToRoom(w.store, copies.id, calendar.id, [second]));
    assert.deepEqual(names(calendar), [`a.ics ${first}`, `second.ics ${second}`]);
    const since = calendar.sequence;
    removeFromRoom(w.store, calendar.id, [first]);
    assert.deepEqual(names(calendar), [`a.ics ${second}`]);
    const gone = ask(calendar, `removed|${calendar.id}|${since}`).slice(1);
    assert.deepEqual(gone, [`${first}|a.ics|1`, `${second}|second.ics|0`]);
    assert.deepEqual(ask(calendar, 'place|0||0', `${second}|second.ics\n`).slice(1), [`${second}|${second}`]);
    assert.deepEqual(names(calendar), [`second.ics ${second}`], 'what it was PUT under does not come back');
  });

  it('keeps a name that nobody has chosen to the room it belongs to', (t) => {
    const { put, names, calendar, board, w } = memberWorld(t);
    const number = Number(put(calendar, { body: event('u') }));
    w.store.transaction(() => copyToRoom(w.store, calendar.id, board.id, [number]));
    assert.deepEqual(names(board), [` ${number}`]);
    removeFromRoom(w.store, calendar.id, [number]);
    w.store.transaction(() => copyToRoom(w.store, board.id, calendar.id, [number]));
    assert.deepEqual(names(calendar), [`u.ics ${number}`]);
  });

  it('of a folder, or of what is in none, does not read what lies deeper', (t) => {
    const { put, ask, names, files, w } = memberWorld(t);
    const { db } = w.store;
    put(files, { name: 'top', body: 'x' });
    const letter = put(files, { body: 'a letter' });
    db.exec('PRAGMA foreign_keys = OFF');
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20199)
      INSERT INTO room_message (room, message, name, folder, component)
      SELECT ${files.id}, 1000 + i, iif(i < 200, 'd' || i || '/', 'd' || (i % 200) || '/' || i),
        iif(i < 200, '', 'd' || (i % 200) || '/'), '' FROM n`);
    db.exec(`INSERT INTO message_fact (message, name, component, line) SELECT message, name, '', '0|t|0||||' FROM
      room_message WHERE message >= 1000`);
    const plans = new Set<string>();
    const rows = w.store.rows.bind(w.store);
    w.store.rows = (sql, ...values) => {
      if (sql.includes('rm.folder')) {
        for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) plans.add(String(detail));
      }
      return rows(sql, ...values);
    };
    const top = names(files, '||||||/');
    assert.deepEqual([top.length, top[0], top[1]], [202, 'top 1', ` ${letter}`]);
    assert.equal(ask(files, 'list|||||||d7/').length, 101);
    assert.deepEqual(
      [...plans],
      [
        'SEARCH rm USING INDEX room_message_folder (room=? AND folder=? AND message>?)',
        'SEARCH f USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      ],
    );
    const highest = db.prepare('EXPLAIN QUERY PLAN SELECT max(message) AS highest FROM room_message WHERE room = ?');
    assert.match(String(highest.all()[0]!.detail), /PRIMARY KEY/, 'other questions do not go by folders');
  });

  it('goes out in pages that hang together', (t) => {
    const { put, ask, files } = memberWorld(t);
    const numbers = Array.from({ length: 5 }, (_, i) => put(files, { name: `f${i}`, body: `${i}` }));
    const seen: string[] = [];
    for (let cursor = '', pages = 0; ; pages++) {
      const [status, ...rows] = ask(files, `list|${cursor}|2`);
      seen.push(...rows.map(shortRow));
      cursor = status!.split('|')[2]!;
      if (cursor === '') break;
      assert.ok(pages < 5);
    }
    assert.deepEqual(
      seen,
      numbers.map((number, i) => `f${i} ${number}`),
    );
  });

  it('holds no more rows than the bound says', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    w.store.transaction(() => {
      for (let i = 0; i < MAX_MEMBERS_AT_ONCE; i++) put(files, { name: `f${i}`, body: 'same' });
    });
    assert.equal(ask(files, `list||${MAX_MEMBERS_AT_ONCE + 1}`).length, MAX_MEMBERS_AT_ONCE + 1);
    put(files, { name: 'one more', body: 'same' });
    assert.equal(ask(files, `list||${MAX_MEMBERS_AT_ONCE + 1}`).length, MAX_MEMBERS_AT_ONCE + 1);
  });

  it('leaves out what has come since a sequence', (t) => {
    const { put, names, files } = memberWorld(t);
    const first = put(files, { name: 'a', body: '1' });
    put(files, { name: 'b', body: '2' });
    assert.deepEqual(names(files, '||1'), [`a ${first}`]);
  });

  it('chooses by component and time', (t) => {
    const { put, ask, names, calendar } = memberWorld(t);
    const may = put(calendar, { name: 'may', body: event('may') });
    const june = put(calendar, { name: 'june', body: event('june', '20240601T100000Z') });
    const daily = put(calendar, { name: 'daily', body: event('daily', '20240101T100000Z', 'RRULE:FREQ=DAILY') });
    const task = put(calendar, {
      name: 'task',
      body: event('task', '20240510T100000Z').replaceAll('VEVENT', 'VTODO'),
    });
    const both = (first: string) =>
      event('both', '20240515T100000Z').replace(
        'END:VEVENT',
        `END:VEVENT\r\nBEGIN:${first}\r\nUID:both\r\nEND:${first}`,
      );
    const mixed = put(calendar, { name: 'mixed', body: both('VTODO') });
    const span = (from: number, to: number) => `${Date.UTC(2024, from) / 1000}|${Date.UTC(2024, to) / 1000}`;
    assert.deepEqual(names(calendar, '|||VTODO'), [`task ${task}`, `mixed ${mixed}`]);
    // in the order of their ends, which daily and mixed do not have
    assert.deepEqual(names(calendar, `||||${span(5, 6)}`), [`june ${june}`, `daily ${daily}`, `mixed ${mixed}`]);
    const inMay = [`may ${may}`, `daily ${daily}`, `mixed ${mixed}`];
    assert.deepEqual(names(calendar, `|||VEVENT|${span(4, 5)}`), inMay);
    assert.deepEqual(names(calendar, `|||VEVENT||${Date.UTC(2024, 3) / 1000}`), inMay.slice(1));
    const pages: string[] = [];
    for (let cursor = ''; pages.length < 3; ) {
      const [status, row] = ask(calendar, `list|${cursor}|1||VEVENT|${span(4, 5)}`);
      pages.push(shortRow(row!));
      cursor = status!.split('|')[2]!;
    }
    assert.deepEqual(pages, inMay);
  });

  it('shows of a room of files what lies in one folder', (t) => {
    const { put, names, files, board } = memberWorld(t);
    for (const name of ['docs/', 'docs/a.txt', 'docs/sub/', 'docs/sub/b.txt', 'docsx', 'top.txt'])
      put(files, { name, body: name });
    const only = (args: string) => names(files, args).map((each) => each.split(' ')[0]);
    assert.deepEqual(only('||||||/'), ['docs/', 'docsx', 'top.txt']);
    assert.deepEqual(only('||||||docs/'), ['docs/a.txt', 'docs/sub/']);
    assert.deepEqual(only('||||||docs/|1'), ['docs/', 'docs/a.txt', 'docs/sub/', 'docs/sub/b.txt']);
    assert.deepEqual(only('||||||none/'), []);
    // elsewhere a slash is a letter
    put(board, { name: 'a/b', body: 'x' });
    assert.equal(names(board, '||||||/').length, 1);
  });

  it('is for those who may read the room', (t) => {
    const { ask, w } = memberWorld(t);
    assert.match(ask(w.room('Closed'), 'list')[0]!, /^550 /);
    assert.match(ask(w.room('Files'), 'nonsense')[0]!, /^512 /);
  });

  it('counts what GET sends of any message', (t) => {
    const { inRoom, ask, board } = memberWorld(t);
    const post = (format: number, body: string) => run(inRoom(board), ent0, `1|||${format}|s||1`, body);
    post(1, 'plain text without an end');
    post(4, 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n');
    post(4, 'Content-Type: text/plain\nContent-Transfer-Encoding: rot13\n\nab');
    const sizes = ask(board, 'list')
      .slice(1)
      .map((row) => row.split('|')[5]);
    assert.deepEqual(sizes, ['26', String('--b\r\n\r\none\r\n--b--\r\n'.length), '3']);
    assert.deepEqual(
      ask(board, 'list')
        .slice(1)
        .map((row) => row.split('|')[5]),
      sizes,
    );
  });
});

describe('what has changed in a room', () => {
  it('is told since a sequence: what came, what went, and what took a name again', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    const gone = put(files, { name: 'gone', body: '1' });
    put(files, { name: 'kept', body: '2' });
    const old = put(files, { name: 'again', body: '3' });
    const since = files.sequence;
    assert.deepEqual(ask(files, `changes|${files.id}|${since}`), [`100 ${files.id}|${since}|`]);
    removeFromRoom(w.store, files.id, [Number(gone)]);
    const replaced = put(files, { name: 'again', body: '4' });
    const fresh = put(files, { name: 'fresh', body: '5' });
    const [status, ...rows] = ask(files, `changes|${files.id}|${since}`);
    assert.equal(status, `100 ${files.id}|${files.sequence}|`);
    assert.deepEqual(rows.map(shortRow), [`again ${replaced}`, `fresh ${fresh}`]);
    assert.deepEqual(ask(files, `removed|${files.id}|${since}`).slice(1), [`${gone}|gone|0`, `${old}|again|1`]);
  });

  it('comes in pages, up to a sequence', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    const numbers = Array.from({ length: 5 }, (_, i) => Number(put(files, { name: `f${i}`, body: `${i}` })));
    const first = ask(files, `changes|${files.id}|0||2`);
    assert.deepEqual(first.slice(1).map(shortRow), [`f0 ${numbers[0]}`, `f1 ${numbers[1]}`]);
    const cursor = first[0]!.split('|')[2];
    assert.deepEqual(ask(files, `changes|${files.id}|0|${cursor}|2|3`).map(shortRow).slice(1), [`f2 ${numbers[2]}`]);
    removeFromRoom(w.store, files.id, numbers);
    const all = numbers.map((number, i) => `${number}|f${i}|0`);
    const [status, ...rows] = ask(files, `removed|${files.id}|0||2`);
    assert.deepEqual(rows, all.slice(0, 2));
    assert.deepEqual(ask(files, `removed|${files.id}|0|${status!.split('|')[2]}`).slice(1), all.slice(2));
  });

  it('is refused where it is not known: another room, a later sequence, or what is kept no longer', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    put(files, { name: 'a', body: '1' });
    assert.match(ask(files, `changes|${files.id + 1}|0`)[0]!, /^576 /);
    assert.match(ask(files, `changes|${files.id}|2`)[0]!, /^576 /);
    assert.match(ask(files, `removed|${files.id}|2`)[0]!, /^576 /);
    removeFromRoom(w.store, files.id, [Number(put(files, { name: 'b', body: '2' }))]);
    // as after so many more changes
    for (const [more, code] of [
      [0, '100'],
      [1, '576'],
    ] as const) {
      const room = roomById(w.store, files.id)!;
      room.sequence = MAX_KEPT_CHANGES + more;
      const c = Number(put(files, { name: `c${more}`, body: '3' }));
      removeFromRoom(w.store, files.id, [c]);
      assert.equal(ask(files, `changes|${files.id}|2`)[0]!.slice(0, 3), code, `${more}`);
    }
  });
});

describe('MEMB find', () => {
  it('answers to name, UID, UID with an ending, and number', (t) => {
    const { put, ask, calendar } = memberWorld(t);
    const named = put(calendar, { name: 'one.ics', body: event('uid-1') });
    const plain = put(calendar, { body: event('uid-2') });
    const asked = ['one.ics', 'uid-1', 'uid-1.ics', String(named), 'uid-2', 'uid-2.vcf', '', 'ONE.ics', '99', 'one'];
    const [, ...rows] = ask(calendar, `find|${asked.join('|')}`);
    assert.deepEqual(
      rows.map((row) => row.split('|')[0]),
      [named, named, named, named, plain, plain, 0, 0, 0, 0].map(String),
    );
    assert.deepEqual(ask(calendar, 'find'), [`100 ${calendar.id}|2|`]);
  });
});
