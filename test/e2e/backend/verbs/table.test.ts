// Every verb, with arguments nobody expects, from everybody: exactly one reply of the protocol's form, and the session
// stays in step.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VERBS } from '../../../../src/backend/verbs/table.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** these end the session or the server */
const ENDING = new Set(['QUIT', 'DOWN', 'QNOP']);
const ARGUMENTS = [
  '',
  '0',
  '1',
  '-1',
  '99999999999999999999',
  '1|1|1|1|1|1|1|1|1|1|1|1|1',
  '|||||||||||||',
  'x|y|z',
  'nobody',
  '%s%n',
  "'; DROP TABLE user; --",
  'é|ü',
  '\xff\xfe',
  '__proto__|constructor|toString',
  'constructor',
  'room|-1|99',
  'site|9|9',
  '1|Lobby|1',
  'enter',
  'history|x',
  'rev|x|y|fetch',
  'getics',
  'putics',
  'GETVAL|toString',
  'new',
  'login|x',
  'end',
  'x'.repeat(4000),
  '100|image/png|nobody',
  '20|image/png',
];

/** Sends it, answers whatever it asks for, and checks the form of the reply. */
async function probe(client: WireClient, line: string): Promise<number> {
  client.write(Buffer.from(`${line}\n`, 'latin1'));
  const reply = await client.reply();
  assert.match(reply.line, /^([1-8]\d\d[ *]|200)/, `${line}: ${reply.line}`);
  const kind = Math.floor(reply.code / 100);
  if (kind === 4 || kind === 8) client.write('x|y\n\n000 \n000\n');
  if (kind === 7) client.write(Buffer.alloc(Number.parseInt(reply.line.slice(4), 10)));
  if (kind === 8) await client.listing();
  const token = `token-${line.slice(0, 4)}`;
  assert.equal((await client.ask(`ECHO ${token}`)).line, `200 ${token}`, `out of step behind ${line.slice(0, 100)}`);
  return reply.code;
}

describe('every verb', () => {
  for (const who of ['stranger', 'guest', 'user', 'administrator', 'administration socket'] as const) {
    it(`gives a ${who} one reply, whatever it is asked`, async (t) => {
      const { socketPath, adminSocketPath, faults, store } = await startRoomServer(t, { users: { ann: 4 } });
      if (who === 'guest') store.setConfig('c_guest_logins', '1');
      const at = who === 'administration socket' ? adminSocketPath : socketPath;
      const name = who === 'user' ? 'ann' : who === 'administrator' ? 'admin' : '';
      for (const verb of VERBS.keys()) {
        if (ENDING.has(verb)) continue;
        // A session of its own: what one verb leaves behind is not what the next is tested with.
        const client = await WireClient.connect(at);
        if (name) {
          const admin = await WireClient.connect(adminSocketPath);
          await admin.expect(`ASUP ${name}|${name}pw||||${who === 'user' ? 4 : 6}`, 200);
          await admin.expect('QUIT', 200);
          await client.expect(`USER ${name}`, 300);
          await client.expect(`PASS ${name}pw`, 200);
        }
        for (const args of ARGUMENTS) {
          const code = await probe(client, args === '' ? verb : `${verb} ${args}`);
          assert.notEqual(code, 510, `${verb} ${args.slice(0, 100)}`);
        }
        client.close();
      }
      assert.deepEqual(faults, []);
      await (await WireClient.connect(adminSocketPath)).expect('NOOP', 200);
    });
  }

  it('has one reply when it is unknown, too short, or no word at all', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const client = await WireClient.connect(socketPath);
    for (const line of [
      '',
      ' ',
      'x',
      'XYZZ',
      'NOO',
      'LBIO',
      'MRTG users',
      '\xff\xff\xff\xff',
      '000',
      '....',
      'toString',
    ]) {
      client.write(Buffer.from(`${line}\n`, 'latin1'));
      assert.match(await client.line(), /^530 /, line);
    }
    await client.expect('NOOP', 200);
  });
});
