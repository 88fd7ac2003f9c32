// A message under another name, where the room server has no verb for it: its content is posted anew.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { davOf } from '../../../support/dav-world.ts';
import { startGateway } from '../../../support/gateway.ts';
import { startRealServer } from '../../../support/real-server.ts';

const real = await startRealServer({ after }, { users: { alice: 4 } });
const gateway = await startGateway({ after }, { backend: `unix:${real.path}` });
const alice = davOf(gateway.as('alice', 'alicepw'));
assert.equal((await alice('MKCOL', 'r/Names/')).status, 201);

const BODIES: readonly [kind: string, type: string, body: string][] = [
  ['text', 'text/plain; charset=utf-8', 'Grüße\n000\n'],
  ['bytes', 'application/x-own', 'a\0b\r\nc\rd'],
  ['a multipart', 'multipart/mixed; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
  ['nothing', 'text/plain', ''],
];

for (const [kind, type, body] of BODIES) {
  it(`A copy has the bytes and the type of what it was made of: ${kind}`, async () => {
    const headers = { 'content-type': type };
    assert.equal((await alice('PUT', 'r/Names/from', headers, body)).status < 300, true);
    const copied = await alice('COPY', 'r/Names/from', { destination: '/svc/r/Names/to%20%C3%BC' });
    assert.ok([201, 204].includes(copied.status), String(copied.status));
    for (const name of ['from', 'to%20%C3%BC']) {
      const { status, text, headers: told } = await alice('GET', `r/Names/${name}`);
      assert.deepEqual([status, told.get('content-type'), text], [200, type, body], name);
    }
  });
}

it('What has the name is replaced by it, and what is moved is not there any more', async () => {
  for (const name of ['one', 'two']) assert.equal((await alice('PUT', `r/Names/${name}`, {}, name)).status, 201);
  const kept = await alice('MOVE', 'r/Names/one', { destination: '/svc/r/Names/two', overwrite: 'F' });
  assert.equal(kept.status, 412);
  assert.equal((await alice('MOVE', 'r/Names/one', { destination: '/svc/r/Names/two' })).status, 204);
  assert.equal((await alice('GET', 'r/Names/one')).status, 404);
  assert.equal((await alice('GET', 'r/Names/two')).text, 'one');
});
