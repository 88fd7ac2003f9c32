// What a room server says of itself, and what is made of that.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  MAX_PASSWORD_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../../src/limits/backend.ts';
import { SERVER_KNOWN_MS } from '../../src/limits/protocol.ts';
import {
  hasMembers,
  hasScheduling,
  isOwnServer,
  readPasswordBounds,
  readServerInfo,
} from '../../src/room-server/server.ts';
import { ANN, askedServer, listing, ownInfo } from '../support/asked-server.ts';

const CITADEL = listing('12', 'vm', 'My Citadel', 'vm.example', 'Citadel 999');

it('lines are found by their positions; those that are not sent are empty', async (t) => {
  const { pool } = await askedServer(t, { INFO: CITADEL });
  const line = await readServerInfo(pool, ANN);
  assert.deepEqual([line(3), line(4), line(5), line(99)], ['vm.example', 'Citadel 999', '', '']);
});

it('a server is ours by its software, and has the verbs that it names', async (t) => {
  const own = await askedServer(t, { INFO: ownInfo('MEMB', 'PROP') });
  assert.deepEqual(
    [await isOwnServer(own.pool, ANN), await hasMembers(own.pool, ANN), await hasScheduling(own.pool, ANN)],
    [true, true, false],
  );
  const other = await askedServer(t, { INFO: CITADEL });
  assert.deepEqual(
    [await isOwnServer(other.pool, ANN), await hasMembers(other.pool, ANN), await hasScheduling(other.pool, ANN)],
    [false, false, false],
  );
});

it('it is asked once in a while, on a connection that is held where there is one', async (t) => {
  const { pool, sent, connect } = await askedServer(t, { INFO: [ownInfo('MEMB'), CITADEL] });
  t.mock.method(performance, 'now', () => 1000);
  assert.equal(await hasMembers(pool, ANN), true);
  assert.equal(await hasMembers(pool, ANN), true);
  assert.equal(sent(/^INFO/).length, 1);
  t.mock.method(performance, 'now', () => 1000 + SERVER_KNOWN_MS - 1);
  assert.equal(await hasMembers(pool, ANN), true);
  t.mock.method(performance, 'now', () => 1000 + SERVER_KNOWN_MS);
  assert.equal(await hasMembers(pool, await connect()), false, 'it may be another one by now');
  assert.equal(sent(/^INFO/).length, 2);
});

it('passwords are bounded by what the server keeps of them', async (t) => {
  const own = await askedServer(t, { INFO: ownInfo() });
  assert.deepEqual(await readPasswordBounds(own.pool, ANN), {
    ofUser: MAX_PASSWORD_BYTES,
    ofRoom: MAX_ROOM_PASSWORD_BYTES,
  });
  const other = await askedServer(t, { INFO: CITADEL });
  assert.deepEqual(await readPasswordBounds(other.pool, ANN), {
    ofUser: REAL_SERVER_PASSWORD_BYTES,
    ofRoom: REAL_SERVER_ROOM_PASSWORD_BYTES,
  });
});
