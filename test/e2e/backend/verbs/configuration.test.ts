import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_SYSTEM_MESSAGE_NAME_BYTES, MAX_SYSTEM_MESSAGES } from '../../../../src/limits/backend.ts';
import { startRoomServer, type TestRoomServerOptions } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function world(t: TestContext, options: TestRoomServerOptions = {}) {
  const rooms = await startRoomServer(t, { users: { ann: 4 }, ...options });
  const admin = await WireClient.login(rooms.socketPath, 'admin', 'adminpw');
  const ann = await WireClient.login(rooms.socketPath, 'ann', 'annpw');
  return { ...rooms, admin, ann };
}

describe('system messages', () => {
  it('are written by administrators and shown to everybody, filled in', async (t) => {
    const { admin, ann, socketPath, store } = await world(t);
    store.setConfig('c_nodename', 'vm');
    await ann.expect('EMSG hello', 550);
    await ann.expect('MESG hello', 571);
    await admin.send('EMSG hello', 'Welcome to ^nodename, ^username (^usernum)!\n0000\n^maxsessions');
    assert.deepEqual((await ann.ask('MESG hello')).lines, ['Welcome to vm, ann (2)!', '0000', '^maxsessions']);
    const stranger = await WireClient.connect(socketPath);
    assert.equal((await stranger.ask('MESG hello')).lines[0], 'Welcome to vm,  ()!');
    assert.deepEqual((await stranger.ask('MESG ?')).lines, [' hello']);
    await stranger.expect('EMSG hello', 520);
    await admin.send('EMSG hello', '');
    await ann.expect('MESG hello', 571);
  });

  it('are no files, and as many as there may be', async (t) => {
    const { admin } = await world(t);
    for (const name of [
      '../../../etc/hostname',
      '/etc/hostname',
      'a/b',
      '',
      ' ',
      'x'.repeat(MAX_SYSTEM_MESSAGE_NAME_BYTES + 1),
    ]) {
      assert.notEqual((await admin.ask(`MESG ${name}`)).lines.length > 0, true, name);
      await admin.expect(`EMSG ${name}`, 512);
    }
    await admin.send(`EMSG ${'x'.repeat(MAX_SYSTEM_MESSAGE_NAME_BYTES)}`, 'text');
    for (let i = 1; i < MAX_SYSTEM_MESSAGES; i++) await admin.send(`EMSG m${i}`, 'text');
    await admin.expect('EMSG onemore', 511);
    await admin.send('EMSG m1', 'again');
  });
});

describe('CONF', () => {
  it('shows and takes the settings of this server, and none of its other secrets', async (t) => {
    const { admin, ann } = await world(t);
    await admin.send('EMSG hello', 'hidden');
    await admin.expect('CONF GETVAL|mesg:hello', 500);
    await admin.expect('CONF PUTVAL|mesg:hello|x', 512);
    assert.equal(await admin.text('CONF GETVAL|c_initax'), '200 4|');
    assert.ok((await admin.ask('CONF LISTVAL')).lines.includes('c_initax|4'));
    assert.deepEqual((await admin.expect('CONF LOADVAL|c_initax', 600)).bytes.toString(), '4');
    await admin.expect('CONF STOREVAL|c_humannode|9', 700);
    admin.write('My\nServer');
    assert.equal(await admin.text('CONF GETVAL|c_humannode'), '200 My Server|');
    await admin.expect('CONF STOREVAL|c_humannode|256', 512);
    await admin.expect('CONF STOREVAL|c_nosuch|1', 512);
    for (const line of ['GETVAL|c_initax', 'LISTVAL', 'PUTSYS|a/b', 'PUTVAL|c_disable_newu|0']) {
      await ann.expect(`CONF ${line}`, 550);
    }
  });

  it('keeps texts of clients, but none that it would have to obey', async (t) => {
    const { admin } = await world(t);
    await admin.expect('CONF GETSYS|application/x-test', 512);
    await admin.send('CONF PUTSYS|application/x-test', 'line one\nline two');
    assert.deepEqual((await admin.ask('CONF GETSYS|application/x-test')).lines, ['line one', 'line two']);
    await admin.expect('CONF PUTSYS|application/x-citadel-internet-config', 512);
    await admin.expect('CONF PUTSYS|no type', 512);
  });
});
