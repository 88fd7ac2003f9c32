import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { move } from '../../../src/backend/verbs/moving.ts';
import { wiki } from '../../../src/backend/verbs/reading.ts';
import { VIEW } from '../../../src/model.ts';
import { run } from '../../support/message-session.ts';
import { texts, world } from '../../support/wiki-world.ts';

describe('the history of a page', () => {
  const setUp = (t: TestContext) => {
    const { w, ann, room, session, save, number } = world(t);
    for (const text of ['one', 'two']) save(text);
    const to = (target: StoredRoom, isCopy: 0 | 1) => run(session, move, `${number()}|${target.name}|${isCopy}`);
    return { w, ann, room, session, save, to };
  };

  it('goes along when the page moves to another wiki, behind what that has of the page', (t) => {
    const { w, ann, session, save, to } = setUp(t);
    const target = w.room('Other', VIEW.wiki);
    const there = w.session(ann, target);
    save('theirs', 'home', there);
    assert.match(to(target, 0), /^200 /);
    assert.deepEqual(texts(there), ['two', 'one', 'theirs']);
    assert.match(run(session, wiki, 'history|home'), /^575 /);
    save('three', 'home', there);
    assert.deepEqual(texts(there), ['three', 'two', 'one', 'theirs']);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('is there twice when the page is copied', (t) => {
    const { w, ann, session, save, to } = setUp(t);
    const target = w.room('Other', VIEW.wiki);
    const there = w.session(ann, target);
    to(target, 1);
    save('three', 'home', there);
    assert.deepEqual(texts(there), ['three', 'two', 'one']);
    assert.deepEqual(texts(session), ['two', 'one']);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('stays when the page moves to a room that is no wiki', (t) => {
    const { w, session, to } = setUp(t);
    to(w.room('Box'), 0);
    assert.deepEqual(texts(session), ['two', 'one']);
    assert.deepEqual([...findFaults(w.store)], []);
  });
});
