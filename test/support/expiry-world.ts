// Rooms with messages of any age, whose policies are set and obeyed.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { expiredPieces } from '../../src/backend/maintenance/housekeeping.ts';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { spex } from '../../src/backend/verbs/citadel/rooms.ts';
import { messageWorld, run } from './message-session.ts';

export const NOW = 2_000_000_000;
export const DAY = 86_400;

export function world(t: TestContext) {
  const w = messageWorld(t);
  const boss = w.user('boss', 6);
  const ann = w.user('ann');
  const post = (room: StoredRoom, ageDays: number) =>
    saveMessage(w.store, {
      format: 1,
      author: 'ann',
      path: 'ann',
      address: '',
      room: room.name,
      subject: 's',
      time: NOW - ageDays * DAY,
      body: finishedBody(w.store, 1, Buffer.from('text\n')),
      rooms: [room.id],
    });
  const set = (room: StoredRoom, policy: string) => assert.match(run(w.session(boss, room), spex, policy), /^200 /);
  const expire = (time = NOW) => [...expiredPieces(w.store, time)].length;
  const numbers = (room: StoredRoom) =>
    w.store.db
      .prepare('SELECT message FROM room_message WHERE room = ? ORDER BY message')
      .all(room.id)
      .map((row) => Number(row.message));
  return { w, boss, ann, post, set, expire, numbers };
}
