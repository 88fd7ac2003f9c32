// Users who follow rooms and mail at a room server that says what changes, or has to be asked.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sharedRooms } from '../../src/backend/store/rooms.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { InstantMailbox } from '../../src/room-server/instant-mailbox.ts';
import type { Change, Follower } from '../../src/room-server/watch/follower.ts';
import { WATCH_TIMES } from '../../src/room-server/watch/watch.ts';
import { type Following, Watches } from '../../src/room-server/watch/watches.ts';
import { startRelay } from './relay.ts';
import { startRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

export const ANN = { user: 'ann', password: 'annpw' };
export const BOX = { name: 'Box', password: '' };

/** `isSilent`: the room server does not tell of changes, and is asked every `pollMs`. */
export async function startFollowing(t: TestContext, isSilent: boolean, pollMs = 20) {
  const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const relay = await startRelay(socketPath, { isSilent });
  const pool = new Pool({ target: { path: relay.path }, clientName: 'test', clientVersion: '1.0.0' });
  const instant = new InstantMailbox(pool);
  const watches = new Watches(pool, instant, { ...WATCH_TIMES, pollMs, retryMs: 20 });
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  t.after(async () => {
    watches.close();
    pool.close();
    bob.close();
    admin.close();
    await relay.close();
  });
  await admin.expect('CRE8 1|Box|0||0|0|0', 200);
  // times of change are seconds: one that is asked cannot tell two changes of a second apart
  for (const room of sharedRooms(store)) room.changed -= 60;
  return {
    relay,
    pool,
    instant,
    watches,
    bob,
    admin,
    socketPath,
    follow: (by: Following = {}) => watches.follow(ANN, by),
  };
}

/** The number of the new message. */
export async function postAs(client: WireClient, room: string, recipient = ''): Promise<number> {
  await client.expect(`GOTO ${room}`, 200);
  const [number] = await client.send(`ENT0 1|${recipient}||4|hello||1`, 'Content-type: text/plain\n\nx\n');
  return Number(number);
}

/** What is told next, as soon as it is; every kind of `kinds` must be among it. */
export async function told(follower: Follower, ...kinds: Change['kind'][]): Promise<Change[]> {
  const all: Change[] = [];
  const end = Date.now() + 15_000;
  while (all.length === 0 || !kinds.every((kind) => all.some((change) => change.kind === kind))) {
    const isInTime = (await follower.wait(15_000)) && Date.now() < end;
    assert.ok(isInTime, `waited in vain for ${kinds}, was told ${JSON.stringify(all)}`);
    assert.ok(!follower.isEnded, 'ended');
    all.push(...(await follower.changes()));
  }
  return all;
}

const without = ({ position: _position, ...change }: Change) => change;
export const only = (changes: Change[], kind: Change['kind']) =>
  changes.filter((change) => change.kind === kind).map(without);
export const names = (changes: Change[]) => changes.flatMap((change) => (change.kind === 'room' ? [change.name] : []));
