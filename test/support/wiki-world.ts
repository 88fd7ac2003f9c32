// A wiki room, and the versions of its pages.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Session } from '../../src/backend/session/session.ts';
import { ent0 } from '../../src/backend/verbs/posting.ts';
import { msg2, wiki } from '../../src/backend/verbs/reading.ts';
import { euid } from '../../src/backend/verbs/search.ts';
import { VIEW } from '../../src/model.ts';
import { messageWorld, run } from './message-session.ts';

export function world(t: TestContext) {
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
export function history(session: Session, page = 'home'): { uuid: string; author: string; node: string }[] {
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
export function textOf(session: Session, page: string, uuid: string): string {
  const reply = run(session, wiki, `rev|${page}|${uuid}|fetch`);
  assert.match(reply, /^200 \d+\n$/);
  return run(session, msg2, reply.slice(4).trim())
    .split('\r\n\r\n')[1]!
    .replace(/\r\n000\n$/, '');
}

export const texts = (session: Session, page = 'home') =>
  history(session, page).map(({ uuid }) => textOf(session, page, uuid));
