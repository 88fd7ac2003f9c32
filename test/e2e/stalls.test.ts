// A pause of the whole gateway is told, with the requests that were under way where none of them made it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { STALL_MS } from '../../src/limits/sessions.ts';
import { eventually } from '../support/eventually.ts';
import { startGateway } from '../support/gateway.ts';
import { rawRequest } from '../support/raw-http.ts';

it('a pause of the gateway is told with the route of the request that waits', async (t) => {
  const gateway = await startGateway(t, { demo: true });
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  t.after(() => void socket.destroy());
  const fields = [`Authorization: Basic ${Buffer.from('alice:alice').toString('base64')}`, 'Expect: 100-continue'];
  socket.write(rawRequest('PUT', '/svc/r/Lobby/new', [...fields, 'Content-Length: 5']));
  // the handler has begun, and waits for the body
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 100 /);
  const end = performance.now() + STALL_MS + 150;
  while (performance.now() < end);
  await eventually(async () => gateway.stalls.join('\n'), /requests in progress: PUT \/svc\/r\/:room\/:name$/m);
});
