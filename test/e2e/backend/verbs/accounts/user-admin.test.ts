import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ADDRESS_LOCAL_BYTES, MAX_USER_ADDRESSES } from '../../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';
import { answers, names } from '../../../../support/wire-users.ts';

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

describe('ASEA', () => {
  it('keeps an address from those who would get an account of its name', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    store.setConfig('c_nodename', 'vm');
    store.setConfig('c_disable_newu', '0');
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.send('ASEA ann', 'sales@vm\nann@vm');
    await admin.expect('CREU Sales|x', 574);
    await admin.expect('CREU s.a.l.e.s|x', 574);
    await admin.expect('RENU bob|Sales', 574);
    const stranger = await WireClient.connect(socketPath);
    await stranger.expect('NEWU sales', 574);
    assert.equal(await admin.text('QDIR sales@vm'), '200 ann');
    await admin.expect('RENU ann|Sales', 200);
    await admin.send('ASEA Sales', '');
    await admin.expect('CREU ann|x', 200);
  });

  it('gives users addresses of this server under which mail reaches them', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    store.setConfig('c_nodename', 'vm');
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await admin.send(
      'ASEA ann',
      'Sales@VM\nann@vm\nsales@vm\n@vm\na b@vm\nx@elsewhere.example\nroom_Lobby@vm\nsysop@vm\nbob@vm',
    );
    assert.deepEqual((await admin.ask('AGEA ann')).lines, ['sales@vm', 'ann@vm']);
    assert.deepEqual((await ann.ask('GVEA')).lines, ['sales@vm', 'ann@vm']);
    assert.equal(await bob.text('QDIR SALES@vm'), '200 ann');
    await ann.expect('ISME sales@vm', 200);
    await bob.expect('ISME sales@vm', 512);
    await bob.expect('GOTO Mail', 200);
    await bob.send('ENT0 1|sales@vm||4|offer||1', 'Content-type: text/plain\n\nx');
    assert.match(await ann.text('CHEK'), /^200 1\|0\|0\|sales@vm\|$/);
    await ann.expect('GOTO Lobby', 200);
    for (const [address, code] of [
      ['ann@vm', 400],
      ['SALES@vm', 400],
      ['bob@vm', 550],
    ] as const) {
      await ann.expect(`ENT0 1|||4|x||0||||${address}`, code);
      if (code === 400) ann.write('Content-type: text/plain\n\nx\n000\n');
    }
  });

  it('is for administrators, and takes an address from nobody', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    store.setConfig('c_nodename', 'vm');
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('ASEA bob', 550);
    await admin.expect('ASEA nosuch', 570);
    await admin.send('ASEA ann', 'sales@vm');
    await admin.send('ASEA bob', 'sales@vm\nann@vm\nA.N.N@vm');
    assert.deepEqual((await admin.ask('AGEA bob')).lines, ['bob@vm']);
    await admin.send('ASEA ann', Array.from({ length: MAX_USER_ADDRESSES + 1 }, (_, i) => `a${i}x@vm`).join('\n'));
    assert.equal((await admin.ask('AGEA ann')).lines.length, MAX_USER_ADDRESSES);
    const longest = 'x'.repeat(MAX_ADDRESS_LOCAL_BYTES);
    await admin.send('ASEA ann', `${longest}@vm\n${longest}y@vm`);
    assert.deepEqual((await admin.ask('AGEA ann')).lines, [`${longest}@vm`]);
    await admin.send('ASEA ann', '');
    assert.deepEqual((await admin.ask('AGEA ann')).lines, ['ann@vm']);
    await admin.send('ASEA bob', 'sales@vm');
    await admin.expect('ASUP bob|||||0', 200);
    await admin.expect('QDIR sales@vm', 200);
  });
});

describe('users', () => {
  it('are changed by administrators only', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, boss: 6, dan: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    for (const line of [
      'AGUP ann',
      'ASUP ann|x',
      'AGEA ann',
      'CREU x|y',
      'RENU ann|b',
      'VALI ann|6',
      'REQT 0',
      'DOWN',
    ]) {
      assert.equal(await ann.text(line), '550 This command requires Admin access.', line);
    }
    const boss = await WireClient.login(socketPath, 'boss', 'bosspw');
    await answers(boss, [
      ['AGUP dan', /^200 dan\|\|10768\|0\|0\|4\|4\|\d+\|0$/],
      ['AGUP nosuch', '570 No such user.'],
      ['AGEA dan', /^100 internet email addresses for dan\ndan@/],
      ['ASUP dan|newpw|64|0|0|5|0|1000000000|30', '200 Ok'],
      ['AGUP dan', '200 dan||64|0|0|5|4|1000000000|30'],
      ['ASUP dan||64|0|0|9', '200 Ok'],
      ['AGUP dan', '200 dan||64|0|0|5|4|1000000000|30'],
      ['RENU dan|Daniel Doe', "200 'dan' has been renamed to 'Daniel Doe'."],
      ['RENU dan|x', "570 'dan' does not exist."],
      ['RENU cal|sysop', "512 'sysop' is an invalid login name."],
      ['RENU cal|...', "512 '...' is an invalid login name."],
      ['RENU cal|', '542 You must supply a user name.'],
      [`RENU cal|${'n'.repeat(64)}`, `512 '${'n'.repeat(64)}' is an invalid login name.`],
      ['RENU cal|ann', "574 A user named 'ann' already exists."],
      ['RENU ann|anna', "541 'ann' is currently logged in and cannot be renamed."],
      ['VALI cal|5', "200 User 'cal' validated."],
      ['VALI cal|7', /^512 /],
      ['VALI nosuch|4', "570 'nosuch' not found."],
    ]);
    await WireClient.login(socketPath, 'daniel doe', 'newpw');
  });

  it('are listed, unlisted ones to administrators only', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, Dan: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await admin.expect('ASUP dan||64', 200);
    assert.equal((await names(admin, 'LIST')).join(), 'admin,ann,Dan');
    assert.equal((await names(admin, 'LIST AN')).join(), 'ann,Dan');
    assert.equal((await names(ann, 'LIST')).join(), 'admin,ann');
    assert.equal(await ann.text('QUSR DAN'), '200 Dan');
    assert.equal(await ann.text('QUSR'), '570 No such user.');
  });

  it('are deleted with their rooms, at once or when they leave', async (t) => {
    const { socketPath, store, server } = await startRoomServer(t, { users: { ann: 4, eve: 4 } });
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const rooms = () => Number(store.db.prepare('SELECT count(*) AS n FROM room WHERE owner IS NOT NULL').get()!.n);
    assert.equal(rooms(), 24);
    assert.equal(await admin.text('ASUP eve|||||0'), '200 Ok (eve deleted)');
    assert.equal(rooms(), 16);
    assert.equal(await admin.text('ASUP ann|||||0'), '200 Ok');
    assert.equal(await admin.text('QUSR ann'), '200 ann');
    ann.close();
    while (server.sessions.size > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await admin.text('QUSR ann'), '570 No such user.');
    assert.equal(rooms(), 8);
    assert.equal(await admin.text('CREU ann|again'), "200 User 'ann' created and password set.");
    assert.match(await admin.text('AGUP ann'), /\|4\|4\|/, 'numbers are not used again');
  });
});
