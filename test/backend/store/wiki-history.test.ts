import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import type { Session } from '../../../src/backend/session/session.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { move } from '../../../src/backend/verbs/moving.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg2 } from '../../../src/backend/verbs/reading.ts';
import { euid } from '../../../src/backend/verbs/search.ts';
import { wiki } from '../../../src/backend/verbs/wiki.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann', 6);
  const bob = w.user('bob');
  const room = w.room('Wiki', VIEW.wiki);
  const session = w.session(ann, room);
  const save = (text: string, page = 'home', who = session) =>
    run(who, ent0, `1|||4|||1|||${page}`, `Content-type: text/plain\n\n${text}\n`).split('\n').slice(1, 4);
  const number = (page = 'home', who = session) => Number(run(who, euid, page).slice(4));
  return { w, ann, bob, room, session, save, number };
}

/** `uuid|time|author|node` rows, the latest first */
function history(session: Session, page = 'home'): { uuid: string; author: string; node: string }[] {
  const lines = run(session, wiki, `history|${page}`).split('\n');
  assert.equal(lines[0], `100 Revision history for '${page}'`);
  return lines.slice(1, -2).map((line) => {
    const [uuid = '', time, author = '', node = ''] = line.split('|');
    assert.match(uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60);
    return { uuid, author, node };
  });
}

/** The text of a version, fetched and read. */
function textOf(session: Session, page: string, uuid: string): string {
  const reply = run(session, wiki, `rev|${page}|${uuid}|fetch`);
  assert.match(reply, /^200 \d+\n$/);
  return run(session, msg2, reply.slice(4).trim())
    .split('\r\n\r\n')[1]!
    .replace(/\r\n000\n$/, '');
}

const texts = (session: Session, page = 'home') =>
  history(session, page).map(({ uuid }) => textOf(session, page, uuid));

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
