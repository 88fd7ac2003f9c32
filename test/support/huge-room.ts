// A server with a room of so many messages that they are removed in pieces.

import type { TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { roomByName } from '../../src/backend/store/rooms.ts';
import { BACKEND_SWEEP_MESSAGES } from '../../src/limits/backend.ts';
import { startRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

export const MESSAGES = 5 * BACKEND_SWEEP_MESSAGES + 1;

export async function world(t: TestContext) {
  const world = await startRoomServer(t);
  const { store, server, socketPath } = world;
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  t.after(() => admin.close());
  await admin.expect('CRE8 1|Huge|0', 200);
  await admin.expect('CRE8 1|Box|0', 200);
  const [huge, box] = [roomByName(store, 'Huge')!, roomByName(store, 'Box')!];
  store.transaction(() => {
    for (let i = 0; i < MESSAGES; i++) {
      saveMessage(store, {
        format: 1,
        author: 'ann',
        path: 'ann',
        address: '',
        room: 'Huge',
        subject: 's',
        body: finishedBody(store, 1, Buffer.from(`text ${i}\n`)),
        rooms: i === 0 ? [huge.id, box.id] : [huge.id],
      });
    }
  });
  const count = (table: string) => Number(store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
  const left = () => count('room_message') - 2; // Lobby has one, Box another
  return { world, store, server, admin, huge, count, left };
}
