// A room server that stops answering: 504 when its time is up, and others are served meanwhile. A reader of events that
// takes nothing any more: it is dropped when its time is up.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { MAX_EVENT_STREAMS_PER_USER, STALL_TIMEOUT_MS } from '../../src/limits/http.ts';
import { REPLY_TIMEOUT_MS } from '../../src/limits/protocol.ts';
import { faultServer } from '../support/fault-server.ts';
import { basic, startGateway } from '../support/gateway.ts';

it('says 504 for a room server that does not answer in time', { timeout: 10 * REPLY_TIMEOUT_MS }, async (t) => {
  // who asks whom the name stands for, and who logs in and reads, have a connection each, which stalls; later ones are
  // sound
  const stall = { kind: 'stall', after: 3 } as const;
  const answers = { LRMS: '100 rooms\n000\n', LZRM: '100 rooms\n000\n' };
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

it('drops a reader of events that takes nothing for so long, and no other', {
  timeout: 10 * STALL_TIMEOUT_MS,
}, async (t) => {
  // more than the buffers of a connection hold
  const rooms = Array.from({ length: 100_000 }, (_, i) => `${'n'.repeat(100)}${i}|2|0|0|0|0|6|${i + 1}|0|0|\n`).join(
    '',
  );
  const answers = {
    GOTO: '200 Mail|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n',
    LRMS: `100 rooms\n${rooms}000\n`,
    LKRA: `100 rooms\n${rooms}000\n`,
    MSGS: '100 \n000\n',
  };
  const peer = await faultServer(answers, []);
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  const open = async (...fields: string[]) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    const lines = [
      'GET /svc/a/events HTTP/1.1',
      'Host: x',
      `Authorization: ${basic('ann', 'annpw')}`,
      ...fields,
      '',
      '',
    ];
    socket.write(lines.join('\r\n'));
    await once(socket, 'data');
    return socket;
  };
  const everything = 'Last-Event-ID: 0-0-0-';
  const readers = [(await open(everything)).resume()];
  const started = performance.now();
  const stalled = (await open(everything)).pause();
  while (readers.length < MAX_EVENT_STREAMS_PER_USER - 1) readers.push((await open()).resume());
  const status = async () => (await gateway.as('ann', 'annpw')('a/events', { method: 'HEAD' })).status;
  assert.equal(await status(), 429, 'all are open');
  while ((await status()) === 429) await new Promise((resolve) => setTimeout(resolve, 500));
  const waited = performance.now() - started;
  assert.ok(waited > STALL_TIMEOUT_MS, `dropped after ${waited} ms`);
  const ended = once(
    stalled.resume().on('error', () => {}),
    'close',
  );
  await ended;
  for (const reader of readers) assert.equal(reader.closed, false);
});
