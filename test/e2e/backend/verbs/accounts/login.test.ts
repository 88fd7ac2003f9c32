import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
});
