// Sessions that post, and search in one room or in all.

import type { TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { msgs } from '../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../src/backend/verbs/posting.ts';
import { find } from '../../src/backend/verbs/search.ts';
import { type MessageWorld, messageWorld, run } from './message-session.ts';

export function save(w: MessageWorld, text: string, room: StoredRoom): void {
  const body = finishedBody(
    w.store,
    4,
    Buffer.from(
      `Content-type: text/plain\n\n${text} ${w.store.prepare('SELECT count(*) AS n FROM message').get()!.n}\n`,
    ),
  );
  const message = {
    format: 4,
    author: 'ann',
    path: 'ann',
    address: '',
    room: room.name,
    subject: '',
    body,
    rooms: [room.id],
  };
  saveMessage(w.store, message);
}

export function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const session = (name: string, who = ann, flags = 0) => w.session(who, w.room(name, 0, { flags }));
  const post = (name: string, text: string, who = ann, flags = 0) =>
    run(session(name, who, flags), ent0, '1|||4|s||1', `Content-type: text/plain\n\n${text}\n`);
  const lines = (reply: string) => reply.split('\n').slice(1, -2);
  const found = (words: string, who = ann, limit = 100) =>
    lines(run(session('Lobby', who), find, `${limit}|${words}`))
      .map((row) => row.split('|'))
      .map((fields) => `${fields[8]} ${fields[0]}`);
  const inRoom = (name: string, words: string) => lines(run(session(name), msgs, `SEARCH|${words}`)).map(Number);
  return { w, ann, session, post, found, inRoom, lines };
}
