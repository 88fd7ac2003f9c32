// A room server whose full-text index lacks messages, with rooms that tests fill, and what it is asked.

import type { TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { createRoom, findRoom } from '../../src/backend/store/rooms.ts';
import type { Store } from '../../src/backend/store/store.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { VIEW } from '../../src/model.ts';
import { BOOK_BOUNDS, peopleInBooks } from '../../src/room-server/citadel/address-books.ts';
import { SEARCH_BOUNDS, searchRooms } from '../../src/room-server/citadel/search.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { startRealServer } from './real-server.ts';

export const ALICE = { user: 'alice', password: 'alicepw' };
const PATIENCE_MS = 100_000;
export const LINE = `${'x'.repeat(1022)}\n`;

/** Puts a message into rooms, as other programs do: its number. */
export function saveInto(store: Store, text: string, rooms: number[]): number {
  const type = text.startsWith('BEGIN:VCARD') ? 'x-vcard' : 'plain';
  const body = finishedBody(store, 4, Buffer.from(`Content-type: text/${type}\n\n${text}\n`));
  const fields = { author: 'bob', path: 'bob', address: 'bob@x', room: 'Box', subject: 's' };
  return saveMessage(store, { ...fields, format: 4, body, rooms });
}

/** `index`: messages up to that number are in the server's index. */
export async function startUnindexed(t: TestContext, view: number = VIEW.board) {
  const index = { upTo: 0 };
  const real = await startRealServer(t, { users: { alice: 4, ann: 4, bob: 4, carol: 4, dora: 4 }, index });
  const { store } = real.behind;
  store.prepare('DELETE FROM room_message').run(); // what the server itself has written
  store.prepare('UPDATE room SET total = 0, highest = 0').run();
  const pool = new Pool({ target: { path: real.path }, clientName: 'test', clientVersion: '1' });
  t.after(() => pool.close());
  const fill = (name: string, texts: readonly string[]): number[] =>
    store.transaction(() => {
      const fresh = { name, view, flags: 0, password: '', floor: 0, admin: 1 };
      const room = findRoom(store, findUser(store, 'alice'), name) ?? createRoom(store, fresh);
      return texts.map((text) => saveInto(store, text, [room.id]));
    });
  const search = async (words: string) => {
    const { found, from } = await searchRooms(pool, ALICE, words, { ...SEARCH_BOUNDS, ms: PATIENCE_MS });
    return { found: found.map(({ msgnum }) => msgnum), from };
  };
  /** address books that were read */
  const reads = () => real.sessions.flatMap((one) => one.commands).filter((line) => line === 'MSGS ALL').length;
  const people = async (user = 'alice') => {
    const before = reads();
    const identity = { user, password: `${user}pw` };
    const found = await peopleInBooks(pool, identity, { ...BOOK_BOUNDS, ms: PATIENCE_MS });
    const names = found.map(({ name }) => name);
    return { names, reads: reads() - before };
  };
  return { real, index, pool, fill, search, people };
}
