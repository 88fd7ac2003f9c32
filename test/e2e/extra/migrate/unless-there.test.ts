// Banners and pictures that a copy brings, and those that are there.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import {
  setInfoUnlessThere,
  setRoomPictureUnlessThere,
  setUserPictureUnlessThere,
} from '../../../../src/extra/migrate/target-accounts.ts';
import { Connection } from '../../../../src/room-server/connection/connection.ts';
import { logIn } from '../../../../src/room-server/connection/identity.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** A body of so many bytes, and whether all of it was taken. */
function picture(fill: string) {
  const whole = Buffer.alloc(100, fill);
  const state = { isTaken: false };
  const bytes = async function* () {
    yield whole.subarray(0, 60);
    yield whole.subarray(60);
    state.isTaken = true;
  };
  return { state, picture: { contentType: 'image/png', length: whole.length, bytes: bytes() } };
}

async function start(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4 } });
  const connection = await Connection.open({ path: server.socketPath });
  t.after(() => connection.close());
  await logIn(connection, { user: 'admin', password: 'adminpw' });
  await connection.ask('GOTO Lobby\n');
  const wire = await WireClient.login(server.socketPath, 'admin', 'adminpw');
  t.after(() => wire.close());
  await wire.expect('GOTO Lobby', 200);
  return { connection, wire };
}

it('a banner is set where there is none, and stays where there is one', async (t) => {
  const { connection, wire } = await start(t);
  await setInfoUnlessThere(connection, 'brought\n');
  assert.deepEqual((await wire.expect('RINF', 100)).lines, ['brought']);
  await setInfoUnlessThere(connection, 'brought again\n');
  assert.deepEqual((await wire.expect('RINF', 100)).lines, ['brought']);
});

it('a banner with a line that ends texts is refused', async (t) => {
  const { connection, wire } = await start(t);
  await assert.rejects(setInfoUnlessThere(connection, 'a\n000\nb\n'), { code: 'bad_request' });
  assert.notEqual((await wire.ask('RINF')).code, 100);
});

for (const [what, set, read] of [
  ['a room', setRoomPictureUnlessThere, 'DLRI'],
  [
    'a user',
    (connection: Connection, one: ReturnType<typeof picture>['picture']) =>
      setUserPictureUnlessThere(connection, 'ann', one),
    'DLUI ann',
  ],
] as const) {
  it(`a picture of ${what} is set where there is none, and one that is not needed is read to its end`, async (t) => {
    const { connection, wire } = await start(t);
    const [first, second] = [picture('a'), picture('b')];
    await set(connection, first.picture);
    await set(connection, second.picture);
    assert.deepEqual([first.state.isTaken, second.state.isTaken], [true, true]);
    assert.ok((await wire.expect(read, 600)).bytes.equals(Buffer.alloc(100, 'a')));
    assert.equal((await connection.ask('NOOP\n')).code, 200, 'the connection is good for more');
  });
}
