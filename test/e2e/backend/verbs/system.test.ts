import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRoomServer, type TestRoomServerOptions } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function world(t: TestContext, options: TestRoomServerOptions = {}) {
  const rooms = await startRoomServer(t, { users: { ann: 4 }, ...options });
  const admin = await WireClient.login(rooms.socketPath, 'admin', 'adminpw');
  const ann = await WireClient.login(rooms.socketPath, 'ann', 'annpw');
  return { ...rooms, admin, ann };
}

describe('going down', () => {
  it('waits with SCDN until nobody is logged in', async (t) => {
    let downs = 0;
    const { admin, ann, socketPath } = await world(t, { onDown: () => downs++ });
    await ann.expect('SCDN 1', 550);
    assert.equal(await admin.text('SCDN'), '200 0');
    assert.equal(await admin.text('SCDN 1'), '200 1');
    await admin.expect('LOUT', 200);
    await ann.expect('NOOP', 200);
    assert.equal(downs, 0);
    await ann.expect('LOUT', 200);
    await ann.expect('NOOP', 200);
    assert.equal(downs, 1);
    const again = await WireClient.login(socketPath, 'admin', 'adminpw');
    assert.equal(await again.text('SCDN 0'), '200 0');
    await again.expect('LOUT', 200);
    await again.expect('NOOP', 200);
    assert.equal(downs, 1);
  });

  it('is for administrators, and no restart', async (t) => {
    let downs = 0;
    const { admin, ann } = await world(t, { onDown: () => downs++ });
    for (const line of ['DOWN', 'DOWN 0', 'DOWN 1', 'HALT', 'SCDN 1', 'RBDI', 'MIGR export'])
      await ann.expect(line, 550);
    for (const line of ['DOWN 1', 'HALT', 'SCDN 2', 'SCDN 3', 'MIGR export']) await admin.expect(line, 530);
    assert.equal(downs, 0);
    await admin.expect('DOWN 0', 200);
    assert.equal(await admin.rest(), '');
    assert.equal(downs, 1);
  });
});

describe('the server', () => {
  it('describes itself in 25 lines, and names its own verbs in one more', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    const { lines } = await client.ask('INFO');
    assert.equal(lines.length, 26);
    assert.equal(lines[25], 'APPW|COUN|FIND|HITS|MEMB|NTFY|PROP|ROWS|SCHD|SKEY');
    assert.equal(lines[4], 'Vestibule room server test');
    assert.equal(lines[5], '980');
    assert.match(await client.text('TIME'), /^200 \d{10}\|-?\d+\|0\|\d{10}$/);
    assert.equal(await client.text('MORE'), '200 <more>');
    assert.equal(await client.text('GTLS'), '500 Session is not encrypted.');
    assert.match(await client.text('MESG ../../../etc/hostname'), /^571 /);
  });

  it('keeps the settings it knows', async (t) => {
    const { adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    assert.equal(await admin.text('CONF PUTVAL|c_humannode|My Server'), "200 setting 'c_humannode' to 'My Server'");
    assert.equal(await admin.text('CONF GETVAL|c_humannode'), '200 My Server|');
    assert.equal(await admin.text('CONF GETVAL|nosuch'), '500 |');
    assert.equal(await admin.text('CONF PUTVAL|x'), '500 name and value required');
    assert.match(await admin.text('CONF PUTVAL|toString|1'), /^512 /);
    assert.equal(await admin.text('CONF'), '512 Illegal option(s) specified.');
    assert.equal((await admin.ask('INFO')).lines[2], 'My Server');
  });

  it('goes down for an administrator', async (t) => {
    let isDown = false;
    const { socketPath } = await startRoomServer(t, {
      users: { boss: 6 },
      onDown: () => {
        isDown = true;
      },
    });
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    assert.match(await boss.text('DOWN'), /^231 /);
    assert.equal(await boss.rest(), '');
    assert.equal(isDown, true);
  });
});
