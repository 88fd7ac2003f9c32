import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INFO_TEXT_BYTES } from '../../../src/limits/backend.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

async function answers(client: WireClient, expected: [string, string | RegExp][]): Promise<void> {
  for (const [line, reply] of expected) {
    const got = await client.text(line);
    if (typeof reply === 'string') assert.equal(got, reply, line);
    else assert.match(got, reply, line);
  }
}

describe('users', () => {
  it('are the same for a log-in, a look-up and a mail, however the name is spelled', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('GOTO _MAIL_', 200);
    const anns = ['ann', 'A.N-N', 'ann\u212A', 'ann@localhost', 'a@nn@localhost', 'ANN@LOCALHOST'];
    const nobodys = ['annk', 'ann@elsewhere', 'ann@', '@localhost', 'ann@localhos\u212A', 'ann@x@elsewhere', '\u212A'];
    for (const name of [...anns, ...nobodys]) {
      const isAnn = anns.includes(name);
      const stranger = await WireClient.connect(socketPath);
      await answers(stranger, [[`USER ${name}`, isAnn ? '300 Password required for ann' : `570 ${name} not found.`]]);
      stranger.close();
      await answers(bob, [
        [`QUSR ${name}`, isAnn ? '200 ann' : '570 No such user.'],
        [`ENT0 0|${name}`, isAnn ? /^200/ : /^570/],
      ]);
    }
  });

  it('set their own flags within the mask', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await answers(ann, [
      ['GETU', '200 80|24|10768|'],
      ['SETU 80|24', '512 Usage error.'],
      ['SETU 100|50|0', '200 Ok'],
      ['GETU', '200 80|24|0|'],
      ['SETU 80|24|-1', '200 Ok'],
      ['GETU', '200 80|24|27634|'],
    ]);
  });

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
    const names = async (client: WireClient, line: string) =>
      (await client.ask(line)).lines.map((row) => row.split('|')[0]).join();
    assert.equal(await names(admin, 'LIST'), 'admin,ann,Dan');
    assert.equal(await names(admin, 'LIST AN'), 'ann,Dan');
    assert.equal(await names(ann, 'LIST'), 'admin,ann');
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

  it('have a profile and addresses', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    await ann.send('EBIO', 'I am Ann.\n 000\n000x\n\nBye ünï\n');
    assert.match(await ann.text('RBIO ANN'), /^100 OK\|ann\|2\|4\|\d+\|0\|0\nI am Ann\.\n 000\n000x\n\nBye ünï$/);
    await ann.send('EBIO', 'x'.repeat(MAX_INFO_TEXT_BYTES));
    assert.match(await ann.text('RBIO ann'), /Bye/, 'too much is dropped as a whole');
    await ann.send('EBIO', '');
    assert.deepEqual((await ann.ask('RBIO ann')).lines, []);
    const address = (await ann.ask('GVEA')).lines[0]!;
    assert.match(address, /^ann@/);
    await answers(ann, [
      ['GVSN', '100 valid screen names:\nann'],
      [`ISME ${address}`, '200 ann'],
      ['ISME admin', '512 Not you.'],
      [`QDIR ${address}`, '200 ann'],
      ['QDIR x@example.org', '570 x@example.org was not found.'],
      ['QDIR', '570  was not found.'],
      ['RBIO nosuch', '570 No such user.'],
    ]);
  });

  it('are told of new mail by CHEK and BIFF', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, cal: 4 } });
    const ann = await WireClient.login(socketPath, 'ann', 'annpw');
    const cal = await WireClient.login(socketPath, 'cal', 'calpw');
    await cal.expect('GOTO _MAIL_', 200);
    await cal.send('ENT0 1|ann||4|hi||1', 'Content-type: text/plain\n\nx\n');
    assert.match(await ann.text('CHEK'), /^200 1\|0\|0\|/);
    assert.equal(await ann.text('BIFF'), '200 1');
    assert.equal(await ann.text('BIFF'), '200 0');
    await ann.expect('GOTO _MAIL_', 200);
    await ann.expect('SLRP HIGHEST', 200);
    assert.match(await ann.text('CHEK'), /^200 0\|/);
  });
});
