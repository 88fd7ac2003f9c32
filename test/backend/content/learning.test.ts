// What an older release has stored gets names, kinds and extents when it is first asked for, or posted to.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { NAMES_WITH_ENDINGS } from '../../../src/backend/store/schema.ts';
import { BACKEND_LEARNT_MESSAGES } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { event, memberWorld, shortRow } from '../../support/member-world.ts';

/** The room of a world, brought back to what the release before had stored of it. */
function aged(t: TestContext, view: number) {
  const world = memberWorld(t);
  const room = view === VIEW.calendar ? world.calendar : world.files;
  const forget = () =>
    world.w.store.db.exec(`DELETE FROM message_fact; DELETE FROM removed_member;
      UPDATE room_message SET name = '', folder = '', sequence = 0, component = NULL, starts = NULL, ends = NULL`);
  return { ...world, room, forget };
}

describe('messages of an older release', () => {
  it('are listed as those of this one, however many they are', (t) => {
    const { put, ask, room, forget, w } = aged(t, VIEW.calendar);
    for (let i = 0; i < BACKEND_LEARNT_MESSAGES + 1; i++) put(room, { name: `n${i}.ics`, body: event(`uid${i}`) });
    const before = ask(room, 'list');
    forget();
    assert.deepEqual(ask(room, 'list'), before);
    assert.deepEqual(ask(room, 'list'), before);
    forget();
    assert.equal(ask(room, `list||||VEVENT|${Date.UTC(2024, 4) / 1000}`).length, BACKEND_LEARNT_MESSAGES + 2);
    forget();
    assert.equal(shortRow(ask(room, 'find|n1.ics')[1]!), shortRow(before[2]!));
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('that nobody has named get endings, properties go along, and clients list them anew', (t) => {
    const { put, names, ask, props, room, w } = aged(t, VIEW.calendar);
    const { db } = w.store;
    for (const uid of ['u', 'v.ics']) put(room, { body: event(uid) });
    put(room, { name: 'chosen', body: event('w') });
    props(room, 'set|u', 'DAV: color|red');
    const since = room.sequence;
    // as they were named before
    db.exec(`UPDATE dead_property SET member = 'u'; UPDATE room_message SET name = exti WHERE name <> 'chosen'`);
    const rows = () => db.prepare('SELECT name FROM room_message ORDER BY message').all();
    assert.deepEqual(
      rows().map(({ name }) => name),
      ['u', 'v.ics', 'chosen'],
    );
    db.exec(NAMES_WITH_ENDINGS);
    // rooms are read anew when the program starts
    room.sequence += 1;
    room.changesFrom = room.sequence;
    assert.deepEqual(
      names(room).map((each) => each.split(' ')[0]),
      ['u.ics', 'v.ics', 'chosen'],
    );
    assert.deepEqual(props(room, 'of|u.ics').slice(1), ['DAV: color|red']);
    assert.match(ask(room, `changes|${room.id}|${since}`)[0]!, /^576 /);
    const kept = db.prepare('SELECT sequence, changes_from AS changesFrom FROM room WHERE id = ?').get(room.id);
    assert.deepEqual({ ...kept }, { sequence: since + 1, changesFrom: since + 1 });
  });

  it('are replaced by who posts under the name of one', async (t) => {
    const { put, names, room, forget, w } = aged(t, VIEW.files);
    const first = put(room, { name: 'a', body: '1' });
    forget();
    // the confirmation comes when others have had their turn
    assert.throws(() => put(room, { name: 'a', body: '2' }));
    const numbers = () => w.store.db.prepare('SELECT message FROM room_message').all();
    while (numbers()[0]!.message === first) await setImmediate();
    assert.deepEqual(names(room), [`a ${numbers()[0]!.message}`]);
  });

  it('have one name each, the first of two', (t) => {
    const { put, names, room, forget, w } = aged(t, VIEW.files);
    const first = put(room, { name: 'a', body: '1' });
    const second = put(room, { name: 'b', body: '2' });
    forget();
    w.store.db.exec(`UPDATE message SET blob = (SELECT blob FROM message WHERE id = ${first}),
      parts = (SELECT parts FROM message WHERE id = ${first}) WHERE id = ${second}`);
    assert.deepEqual(names(room), [`a ${first}`, ` ${second}`]);
  });
});
