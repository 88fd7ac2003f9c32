import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_REGISTRATION_LINE_BYTES } from '../../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';

const REGISTRATION = 'Ann Example\n12 Street\nTown\nState\n12345\n555\nann@x\nCountry';

describe('REGI, GREG, GNUR and VALI', () => {
  it('take what users tell of themselves, and have administrators look at it', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await admin.expect('CONF PUTVAL|c_regiscall|1', 200);
    assert.match(await ann.text('CHEK'), /^200 0\|1\|0\|/);
    await ann.send('REGI', REGISTRATION);
    assert.match(await ann.text('CHEK'), /^200 0\|0\|0\|/);
    assert.match(await admin.text('CHEK'), /^200 0\|1\|1\|/);
    const lines = ['2', '', 'Ann Example', '12 Street', 'Town', 'State', '12345', '555', '4', 'ann@x', 'Country'];
    assert.deepEqual((await ann.ask('GREG _SELF_')).lines, lines);
    assert.deepEqual((await admin.ask('GREG ann')).lines, lines);
    assert.equal(await admin.text('GNUR'), '300 ann');
    await admin.expect('VALI ann|5', 200);
    assert.equal(await admin.text('GNUR'), '200 *** End of registration.');
    assert.equal(await admin.text('GNUR'), '200 There are no unvalidated users.');
    assert.equal(store.db.prepare("SELECT flags & 1025 AS f FROM user WHERE name = 'ann'").get()!.f, 1024);
  });

  it('cannot be evaded, nor a right be taken, with SETU', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    // 1 needs validation, 4 permanent, 1024 registered, 4096 Internet mail
    const others = async () => Number((await admin.text('AGUP ann')).split('|')[2]) & (1 | 4 | 1024 | 4096);
    await ann.expect('SETU 80|24|-1', 200);
    assert.equal(await others(), 0);
    await ann.send('REGI', REGISTRATION);
    await ann.expect('SETU 80|24|0', 200);
    assert.equal(await others(), 1 | 1024);
    assert.equal(await admin.text('GNUR'), '300 ann');
  });

  it('show nobody what others have told, nor whether there is such a user', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await ann.send('REGI', REGISTRATION);
    for (const name of ['ann', 'nobody', '', '2']) {
      assert.equal(await bob.text(`GREG ${name}`), '550 Higher access required.');
    }
    await bob.expect('GNUR', 550);
    const stranger = await WireClient.connect(socketPath);
    for (const line of ['GREG ann', 'GREG _SELF_', 'REGI', 'GNUR']) await stranger.expect(line, 520);
  });

  it('keep no line that would end a listing, be cut inside a character, or become two', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await ann.send('REGI', `a\x01b\n0000\n${'ü'.repeat(MAX_REGISTRATION_LINE_BYTES)}\n1\n2\n3\n4\n5\n6\n7`);
    const { lines } = await ann.ask('GREG ann');
    assert.deepEqual(lines.slice(2, 4), ['a b', '0000']);
    assert.equal(lines[4], 'ü'.repeat(Math.floor(MAX_REGISTRATION_LINE_BYTES / 2)));
    assert.equal(lines.length, 11);
    await ann.expect('NOOP', 200);
  });
});
