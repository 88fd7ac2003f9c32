import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, PASSWORD_COST, verifyPassword } from '../../../src/backend/store/passwords.ts';
import { MAX_PASSWORD_BYTES } from '../../../src/limits/backend.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

describe('passwords', () => {
  it('are kept as scrypt hashes that carry their parameters', async () => {
    const cheap = await hashPassword('secret', 16);
    assert.match(cheap, /^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await hashPassword('secret', 16), cheap);
    assert.equal(await verifyPassword(cheap, 'secret'), true);
    assert.equal(await verifyPassword(cheap, 'Secret'), false);
    assert.equal(await verifyPassword(cheap, ''), false);
    assert.equal(await verifyPassword(await hashPassword('secret', PASSWORD_COST), 'secret'), true);
  });

  it('that are not set open the account to an empty password only', async () => {
    assert.equal(await verifyPassword(null, ''), true);
    assert.equal(await verifyPassword(null, 'anything'), false);
  });
});

describe('USER and PASS', () => {
  it('follow the order of the protocol and its codes', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4, 'Bob Smith': 4 } });
    const client = await WireClient.connect(socketPath);
    const expected: [string, RegExp][] = [
      ['PASS annpw', /^542 You must send a name with USER first\.$/],
      ['USER nosuch', /^570 nosuch not found\.$/],
      ['USER', /^570 {2}not found\.$/],
      ['USER ...', /^570 /],
      ['USER a.n-n', /^300 Password required for ann$/],
      ['USER bob_smith@localhost', /^300 Password required for Bob Smith$/],
      ['USER ann@example.org', /^570 /],
      ['USER   ANN   ', /^300 Password required for ann$/],
      ['PASS wrong', /^540 Wrong password\.$/],
      ['PASS', /^540 /],
      ['PASS   annpw  ', /^200 ann\|4\|0\|0\|10768\|2\|\d+$/],
      ['STAT', /^200 Lobby\|\d+\|$/],
      ['USER ann', /^541 Already logged in\.$/],
      ['PASS annpw', /^541 /],
      ['NEWU fresh', /^541 /],
      ['LOUT', /^200 logged out\.$/],
      ['PASS annpw', /^542 /],
      ['GOTO Lobby', /^520 Not logged in\.$/],
      ['LOUT', /^200 logged out\.$/],
    ];
    for (const [line, reply] of expected) assert.match(await client.text(line), reply, line);
  });

  it('without a log-in only harmless commands answer', async (t) => {
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.connect(socketPath);
    const closed =
      'LIST,LPRM,LKRA,LFLR,QUSR ann,RBIO ann,WHOK,RINF,GPEX room,STAT,MSGS ALL,MSG0 1,DELE 1,MOVE 1|Lobby,';
    for (const line of `${closed}KILL 1,INVT ann,SETP x,CREU x,DOWN,CONF GETVAL|c_fqdn,ULUI 100|image/png`.split(',')) {
      assert.equal(await client.text(line), '520 Not logged in.', line);
    }
    assert.match(await client.text('RWHO'), /^100 {2}\n1\|\(not logged in\)\|\|\|\(unknown\)\|\d+\|ULUI\|\.\|\|\|\|0$/);
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
