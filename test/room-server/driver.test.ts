// What a room server says of itself, and which driver it has by that.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  MAX_PASSWORD_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../../src/limits/backend.ts';
import { SERVER_KNOWN_MS } from '../../src/limits/protocol.ts';
import { CITADEL } from '../../src/room-server/citadel/citadel.ts';
import { readServerInfo, serverOf, serverOn } from '../../src/room-server/driver.ts';
import { EMBEDDED } from '../../src/room-server/embedded/embedded.ts';
import { requireCapability } from '../../src/room-server/server.ts';
import { ANN, askedServer, failsWith, listing, OWN_VERBS, ownInfo } from '../support/asked-server.ts';

const INFO = listing('12', 'vm', 'My Citadel', 'vm.example', 'Citadel 999');

it('lines are found by their positions; those that are not sent are empty', async (t) => {
  const { pool } = await askedServer(t, { INFO });
  const line = await readServerInfo(pool, ANN);
  assert.deepEqual([line(3), line(4), line(5), line(99)], ['vm.example', 'Citadel 999', '', '']);
});

it('a server is driven by its software and the verbs that it names', async (t) => {
  const driver = async (info: string) => {
    const { pool, connect } = await askedServer(t, { INFO: info });
    const found = await serverOf(pool, ANN);
    assert.equal(await serverOn(await connect()), found);
    return found;
  };
  assert.equal(await driver(ownInfo()), EMBEDDED);
  assert.equal(await driver(INFO), CITADEL);
  const older = OWN_VERBS.filter((verb) => verb !== 'ROWS');
  assert.equal(await driver(ownInfo(...older)), CITADEL, 'one that lacks a verb is asked as any other');
  const afar = await driver(ownInfo(...OWN_VERBS.filter((verb) => verb !== 'APPW')));
  assert.equal(afar.members, EMBEDDED.members);
  assert.throws(() => requireCapability(afar, 'appPasswords'), failsWith('not_found'));
});

it('it is asked once in a while, on a connection that is held where there is one', async (t) => {
  const { pool, sent, connect } = await askedServer(t, { INFO: [ownInfo(), INFO] });
  t.mock.method(performance, 'now', () => 1000);
  assert.equal(await serverOf(pool, ANN), EMBEDDED);
  assert.equal(await serverOf(pool, ANN), EMBEDDED);
  assert.equal(sent(/^INFO/).length, 1);
  t.mock.method(performance, 'now', () => 1000 + SERVER_KNOWN_MS - 1);
  assert.equal(await serverOf(pool, ANN), EMBEDDED);
  t.mock.method(performance, 'now', () => 1000 + SERVER_KNOWN_MS);
  assert.equal(await serverOf(pool, await connect()), CITADEL, 'it may be another one by now');
  assert.equal(sent(/^INFO/).length, 2);
});

it('passwords are bounded by what the server keeps of them', () => {
  const ours = { user: MAX_PASSWORD_BYTES, room: MAX_ROOM_PASSWORD_BYTES };
  assert.deepEqual(EMBEDDED.accounts.passwordBounds, ours);
  const others = { user: REAL_SERVER_PASSWORD_BYTES, room: REAL_SERVER_ROOM_PASSWORD_BYTES };
  assert.deepEqual(CITADEL.accounts.passwordBounds, others);
});
