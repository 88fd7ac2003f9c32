// A room server that stops answering: 504 when its time is up, and others are served meanwhile.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { REPLY_TIMEOUT_MS } from '../../src/limits.ts';
import { faultServer } from '../support/fault-server.ts';
import { startGateway } from '../support/gateway.ts';

it('says 504 for a room server that does not answer in time', { timeout: 3 * REPLY_TIMEOUT_MS }, async (t) => {
  // the log-in and what reads share two connections, which stall after it; later ones are sound
  const stall = { kind: 'stall', after: 3 } as const;
  const answers = { LKRA: '100 rooms\n000\n', LZRM: '100 rooms\n000\n' };
  const peer = await faultServer(answers, [stall, stall]);
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  const ann = gateway.as('ann', 'annpw');
  const waiting = ann('r/');
  assert.equal((await gateway.api('/')).status, 302, 'what needs no room server');
  const response = await waiting;
  assert.equal(response.status, 504);
  const problem = (await response.json()) as Record<string, unknown>;
  assert.equal(problem.detail, 'The room server does not answer.');
  assert.equal((await ann('r/')).status, 200, 'on a new connection');
});
