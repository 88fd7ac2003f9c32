// The administration listener: alive, ready, metrics. Ready is who gets an answer from the room server in time.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { openAdmin, readiness } from '../../src/telemetry/admin.ts';
import { GatewayMetrics } from '../../src/telemetry/gateway-metrics.ts';

const STATE = {
  traffic: { connections: 1, receivedBytes: 2, sentBytes: 3 },
  requestsUnderWay: 4,
  pools: new Map([['', { open: 5, opening: 6, waiting: 7, max: 8, identities: 9, isAnswering: true }]]),
  eventStreams: 10,
  uploads: { count: 11, bytes: 12 },
};

async function open(t: TestContext) {
  const metrics = new GatewayMetrics();
  t.after(() => metrics.close());
  const admin = await openAdmin({ kind: 'tcp', host: '127.0.0.1', port: 0 }, metrics, () => {});
  t.after(() => admin.close());
  const ask = async (path: string, method = 'GET'): Promise<[number, string]> => {
    const response = await fetch(admin.url + path, { method });
    return [response.status, await response.text()];
  };
  return { admin, ask };
}

describe('the administration listener', () => {
  it('is alive at once, and ready while the gateway runs and the room server answers', async (t) => {
    const { admin, ask } = await open(t);
    assert.deepEqual(await ask('/livez'), [200, 'ok\n']);
    assert.deepEqual(await ask('/readyz'), [503, 'The gateway is starting.\n']);
    admin.follow(() => STATE, [{ name: '', ask: async () => 'hello' }]);
    assert.deepEqual(await ask('/readyz'), [200, 'ok\n']);
    admin.leave();
    assert.deepEqual(await ask('/readyz'), [503, 'The gateway is stopping.\n']);
    assert.deepEqual(await ask('/livez'), [200, 'ok\n']);
  });

  it('is ready while one of several room servers answers, and says which', async (t) => {
    const { admin, ask } = await open(t);
    const lost = async () => {
      throw new AppError('backend_unreachable', 'The room server cannot be reached.');
    };
    const servers = [
      { name: '', ask: async () => 'hello' },
      { name: 'b.example', ask: lost },
    ];
    admin.follow(() => STATE, servers);
    assert.deepEqual(await ask('/readyz'), [200, 'default: ok\nb.example: The room server cannot be reached.\n']);
    admin.follow(() => STATE, [servers[1]!, { name: 'c.example', ask: lost }]);
    assert.equal((await ask('/readyz'))[0], 503);
  });

  it('answers metrics as Prometheus asks for them', async (t) => {
    const { admin, ask } = await open(t);
    assert.match((await ask('/metrics'))[1], /^vestibule_faults_total 0$/m);
    admin.follow(() => STATE, [{ name: '', ask: async () => {} }]);
    const response = await fetch(`${admin.url}/metrics`);
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(await response.text(), /^vestibule_event_streams 10$/m);
  });

  it('has nothing else, and changes nothing', async (t) => {
    const { ask } = await open(t);
    assert.equal((await ask('/'))[0], 404);
    assert.equal((await ask('/metrics/'))[0], 404);
    assert.equal((await ask('/livez', 'POST'))[0], 405);
    assert.deepEqual(await ask('/livez', 'HEAD'), [200, '']);
  });

  it('says where it cannot listen', async (t) => {
    const { admin } = await open(t);
    const metrics = new GatewayMetrics();
    t.after(() => metrics.close());
    const port = Number(new URL(admin.url).port);
    const message = 'the address is already in use; choose another address.';
    await assert.rejects(
      openAdmin({ kind: 'tcp', host: '127.0.0.1', port }, metrics, () => {}),
      { message: `--admin-listen cannot use tcp://127.0.0.1:${port}: ${message}` },
    );
  });
});

describe('readiness', () => {
  it('is lost with the room server, in its words, and not later than in time', async () => {
    const lost = new AppError('backend_unreachable', 'The room server cannot be reached.');
    assert.equal(await readiness(() => Promise.reject(lost))(), 'The room server cannot be reached.');
    assert.equal(await readiness(() => Promise.reject(new Error('secret')))(), 'The room server cannot be reached.');
    const never = readiness(() => new Promise(() => {}), { timeoutMs: 1, knownMs: 0 });
    assert.equal(await never(), 'The room server does not answer in time.');
  });

  it('is asked for once at a time, and again when a moment has passed', async () => {
    let asked = 0;
    const ask = async () => {
      asked++;
    };
    const kept = readiness(ask, { timeoutMs: 1000, knownMs: 60_000 });
    await Promise.all([kept(), kept()]);
    await kept();
    assert.equal(asked, 1);
    const fresh = readiness(ask, { timeoutMs: 1000, knownMs: 0 });
    await Promise.all([fresh(), fresh()]);
    assert.equal(asked, 2);
    await fresh();
    assert.equal(asked, 3);
  });
});
