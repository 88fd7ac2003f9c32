// Making accounts, and setting passwords: a new one ends what the old one has opened.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_PASSWORD_BYTES } from '../../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';

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

describe('NEWU, CREU and SETP', () => {
  it('make an account with its personal rooms', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4 } });
    store.setConfig('c_disable_newu', '0');
    const client = await WireClient.connect(socketPath);
    const expected: [string, RegExp][] = [
      ['NEWU', /^542 You must supply a user name\.$/],
      ['NEWU bbs', /^512 'bbs' is an invalid login name\.$/],
      ['NEWU .', /^512 /],
      ['NEWU sysop', /^512 /],
      ['NEWU A-N-N', /^574 'A-N-N' already exists\.$/],
      [`NEWU ${'n'.repeat(64)}`, /^512 /],
      ['NEWU under_score!|ignored', /^200 underscore\|4\|0\|0\|10768\|3\|/],
      ['CHEK', /^200 0\|0\|0\|underscore@\S+\|$/],
      ['SETP', /^200 Password unchanged\.$/],
      ['SETP  first secret|part  ', /^200 Password changed\.$/],
      ['LOUT', /^200/],
      ['USER underscore', /^300/],
      ['PASS first secret', /^540/],
      ['PASS first secret|part', /^200/],
    ];
    for (const [line, reply] of expected) assert.match(await client.text(line), reply, line);
    const { lines } = await client.ask('LKRA');
    assert.deepEqual(
      lines.map((row) =>
        row
          .split('|')
          .filter((_, i) => [0, 1, 5, 7].includes(i))
          .join(' '),
      ),
      [
        'Calendar 16390 422 3',
        'Contacts 16390 422 2',
        'Drafts 16390 422 1',
        'Mail 16390 422 1',
        'Notes 16390 422 5',
        'Sent Items 16390 422 1',
        'Tasks 16390 422 4',
        'Trash 16390 422 1',
        'Lobby 2 302 0',
        'Trashcan 2 294 0',
      ],
    );
  });

  it('bound the password at what is kept', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.login(socketPath, 'ann', 'annpw');
    const longest = 'p'.repeat(MAX_PASSWORD_BYTES);
    await client.expect(`SETP ${longest}p`, 512);
    await client.expect(`SETP ${longest}`, 200);
    await client.expect('LOUT', 200);
    await client.expect('USER ann', 300);
    await client.expect(`PASS ${longest}p`, 540);
    await client.expect(`PASS ${longest}`, 200);
    const generated = await client.text('SETP GENERATE_RANDOM_PASSWORD');
    assert.match(generated, /^200 [0-9a-f]{16}$/);
    await (await WireClient.login(socketPath, 'ann', generated.slice(4))).expect('NOOP', 200);
  });

  it('are closed to newcomers until an administrator opens them, and never to administrators', async (t) => {
    const { socketPath, adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    const client = await WireClient.connect(socketPath);
    assert.match(await client.text('NEWU erin'), /^560 /);
    assert.equal((await client.ask('INFO')).lines[15], '1');
    assert.match(await client.text('CONF PUTVAL|c_disable_newu|0'), /^520 /);
    assert.equal(await admin.text('CONF PUTVAL|c_disable_newu|0'), "200 setting 'c_disable_newu' to '0'");
    assert.match(await client.text('NEWU ivy'), /^200 ivy\|/);
    assert.match(await client.text('LOUT'), /^200/);
    assert.equal(await admin.text('CONF PUTVAL|c_disable_newu|1'), "200 setting 'c_disable_newu' to '1'");
    assert.match(await client.text('NEWU erin'), /^560 /);
    assert.equal(await admin.text('CREU erin|secret'), "200 User 'erin' created and password set.");
    assert.equal(await admin.text('CREU eve'), "200 User 'eve' created with no password.");
    assert.match(await admin.text('CREU erin'), /^574 /);
    await WireClient.login(socketPath, 'erin', 'secret');
    await WireClient.login(socketPath, 'eve', '');
  });
});
