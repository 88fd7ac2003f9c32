import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { findUser, renewPasswordHash } from '../../../../../src/backend/store/users.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';

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

  it('a hash that an earlier version made is made anew, and nobody is logged out by it', async (t) => {
    const { socketPath, store } = await startRoomServer(t, { users: { ann: 4 } });
    const stored = () => String(store.prepare('SELECT password FROM user WHERE name = ?').get('ann')!.password);
    const salt = Buffer.alloc(16, 1);
    const key = scryptSync('annpw', salt, 32, { N: 16, r: 8, p: 1 });
    const old = ['scrypt', 16, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
    const earlier = await WireClient.login(socketPath, 'ann', 'annpw');
    const sessionKey = (await earlier.expect('SKEY new', 200)).line.slice(4);
    renewPasswordHash(store, findUser(store, 'ann')!, old);

    const client = await WireClient.connect(socketPath);
    await client.expect('USER ann', 300);
    await client.expect('PASS wrong', 540);
    assert.equal(stored(), old, 'a wrong password says nothing');
    await client.expect('PASS annpw', 200);
    const renewed = stored();
    assert.match(renewed, /^scrypt\$\d+\$8\$3\$/);
    await WireClient.login(socketPath, 'ann', 'annpw');
    assert.equal(stored(), renewed, 'once');
    await earlier.expect('STAT', 200);

    renewPasswordHash(store, findUser(store, 'ann')!, old);
    await Promise.all(Array.from({ length: 6 }, () => WireClient.login(socketPath, 'ann', 'annpw')));
    assert.match(stored(), /^scrypt\$\d+\$8\$3\$/, 'whoever comes at the same time is let in, too');
    await (await WireClient.connect(socketPath)).expect(`SKEY login|${sessionKey}`, 200);
  });
});
