// A new password ends what the old one has opened: the user's other sessions on the room server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

describe('a new password', () => {
  it('ends the other sessions of the user, and nobody else’s', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const [own, other, bobs] = [
      await WireClient.login(socketPath, 'ann', 'annpw'),
      await WireClient.login(socketPath, 'Ann', 'annpw'),
      await WireClient.login(socketPath, 'bob', 'bobpw'),
    ];
    assert.equal(await own.text('SETP another'), '200 Password changed.');
    assert.equal(await other.rest(), '');
    for (const client of [own, bobs]) assert.equal(await client.text('NOOP'), '200 ok');
    await WireClient.login(socketPath, 'ann', 'another');
  });

  it('ends them too when an administrator gives it', async (t) => {
    const { socketPath, adminSocketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const console = await WireClient.connect(adminSocketPath);
    for (const [by, before, next] of [
      [admin, 'annpw', 'second'],
      [console, 'second', 'third'],
    ] as const) {
      const anns = await WireClient.login(socketPath, 'ann', before);
      for (const same of ['', before]) {
        await by.expect(`ASUP ann|${same}||||||||`, 200);
        assert.equal(await anns.text('NOOP'), '200 ok', 'the password stays');
      }
      await by.expect(`ASUP ann|${next}`, 200);
      assert.equal(await anns.rest(), '');
      assert.equal(await by.text('NOOP'), '200 ok');
    }
  });

  it('lets an answer under way come to its end', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const own = await WireClient.login(socketPath, 'ann', 'annpw');
    const reader = await WireClient.login(socketPath, 'ann', 'annpw');
    await own.expect('GOTO Lobby', 200);
    await own.expect('ENT0 1|||4|subject', 400);
    const text = 'A line of this long message.\n'.repeat(50_000);
    own.write(`${text}000\n`);
    await own.expect('NOOP', 200);
    await reader.expect('GOTO Lobby', 200);
    reader.write('MSG0 1\n');
    assert.match(await reader.line(), /^100 /);
    reader.socket.pause();
    await own.expect('SETP another', 200);
    reader.socket.resume();
    const received = await reader.rest();
    assert.ok(received.endsWith('\n000\n'), 'the end of the listing came');
  });

  it('ends what is being sent, and keeps nothing of it', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const own = await WireClient.login(socketPath, 'ann', 'annpw');
    const [poster, drawer] = [
      await WireClient.login(socketPath, 'ann', 'annpw'),
      await WireClient.login(socketPath, 'ann', 'annpw'),
    ];
    for (const client of [own, poster]) await client.expect('GOTO Lobby', 200);
    await poster.expect('ENT0 1|||1|half||1', 800);
    poster.write('the first half\n');
    await drawer.expect('ULUI 64|image/png', 700);
    drawer.write('p'.repeat(63));
    await own.expect('SETP another', 200);
    poster.write('the second half\n000\n');
    drawer.write('p');
    for (const client of [poster, drawer]) assert.equal(await client.rest(), '');
    while (server.sessions.size > 1) await new Promise(setImmediate);
    assert.deepEqual((await own.ask('MSGS ALL')).lines, ['1'], 'the welcome');
    await own.expect('DLUI ann', 571);
  });

  it('ends a log-in with the old one that has not come to its end', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const own = await WireClient.login(socketPath, 'ann', 'annpw');
    const late = await WireClient.connect(socketPath);
    await late.expect('USER ann', 300);
    own.write('SETP another\n');
    late.write('PASS annpw\n');
    await own.reply();
    const { code } = await late.reply();
    const rest = code === 200 ? await late.rest() : '';
    assert.deepEqual([[200, 540].includes(code), rest], [true, '']);
  });
});

describe('deleting an account', () => {
  it('ends its sessions, and then the account is gone', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const anns = await WireClient.login(socketPath, 'ann', 'annpw');
    assert.equal(await admin.text('ASUP ann|||||0'), '200 Ok');
    assert.equal(await anns.rest(), '');
    while (server.sessions.size > 1) await new Promise(setImmediate);
    await admin.expect('QUSR ann', 570);
  });
});
