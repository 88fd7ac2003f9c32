// Each request is followed to the end of its answer: for the metrics, for the log, for the trace that it belongs to.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Exchange } from '../../src/http/exchange.ts';
import { asPlainText, send, sendStream } from '../../src/http/respond.ts';
import type { RequestEntry } from '../../src/telemetry/log-line.ts';
import { MetricsText } from '../../src/telemetry/metrics-text.ts';
import { RequestMetrics, requestObserver } from '../../src/telemetry/observer.ts';
import { dial, exchangeRaw, serve } from '../http/serving.ts';
import { eventually } from '../support/eventually.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

async function observed(t: TestContext, handle: (exchange: Exchange) => Promise<void> | undefined, isLogged = true) {
  const entries: RequestEntry[] = [];
  const metrics = new RequestMetrics();
  const onRequest = requestObserver({ metrics, isLogged: () => isLogged, log: (entry) => entries.push(entry) });
  const site = await serve(t, handle, { onRequest });
  const counted = () => {
    const out = new MetricsText();
    metrics.write(out);
    return [...out.toString().matchAll(/^vestibule_http_requests_total\{(.*)\} (\d+)$/gm)].map(([, a, b]) => [a, b]);
  };
  return { site, entries, counted };
}

describe('a request that is followed', () => {
  it('is logged with its user, route, status, bytes and waits', async (t) => {
    const { site, entries, counted } = await observed(t, async (exchange) => {
      exchange.route = '/r/:room';
      exchange.markLoggedIn('Ann');
      exchange.backendTime!.begin();
      exchange.backendTime!.end();
      await send(exchange, 201, asPlainText('héllo'));
    });
    await fetch(`${site.url}/r/secret?password=hunter2`, { headers: { authorization: 'Basic eDpodW50ZXIy' } });
    await eventually(async () => entries.length, 1);
    const [{ requestId, traceId, milliseconds, backendMilliseconds, ...rest }] = entries as [RequestEntry];
    assert.match(`${requestId} ${traceId}`, /^[0-9a-f]{12} [0-9a-f]{32}$/);
    assert.ok(backendMilliseconds >= 0 && backendMilliseconds <= milliseconds);
    assert.deepEqual(rest, { user: 'Ann', method: 'GET', route: '/r/:room', status: 201, bytes: 6 });
    assert.deepEqual(counted(), [['route="/r/:room",method="GET",status="201"', '1']]);
  });

  it('is counted, not logged, where only that is wanted', async (t) => {
    const { site, entries, counted } = await observed(t, (exchange) => send(exchange, 200, asPlainText('x')), false);
    assert.equal((await fetch(site.url)).headers.get('traceparent'), null);
    await eventually(async () => counted(), [['route="(none)",method="GET",status="200"', '1']]);
    assert.deepEqual(entries, []);
  });

  it('counts the bytes of a stream as they go out, none of a HEAD', async (t) => {
    async function* body() {
      yield Buffer.alloc(1000);
      yield Buffer.alloc(24);
    }
    const { site, entries } = await observed(t, (exchange) =>
      sendStream(exchange, { contentType: 'text/plain', body: body() }),
    );
    await (await fetch(site.url)).text();
    await fetch(site.url, { method: 'HEAD' });
    await eventually(async () => entries.map(({ method, bytes }) => `${method} ${bytes}`), ['GET 1024', 'HEAD 0']);
  });

  it('is counted as 499 where the client leaves before it is answered', async (t) => {
    const { site, counted } = await observed(t, () => new Promise(() => {}));
    const socket = await dial(site.port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await eventually(async () => counted(), [['route="(none)",method="GET",status="499"', '1']]);
  });

  it('is counted where it is refused before anybody handles it', async (t) => {
    const { site, counted } = await observed(t, (exchange) => send(exchange, 200, asPlainText('x')));
    await exchangeRaw(site.port, 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n');
    await eventually(async () => counted(), [['route="(none)",method="GET",status="400"', '1']]);
  });

  it('continues the trace of its caller, in the answer and in the log', async (t) => {
    const { site, entries } = await observed(t, (exchange) => send(exchange, 200, asPlainText('x')));
    const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const answered = (await fetch(site.url, { headers })).headers.get('traceparent');
    assert.match(answered!, new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
    await eventually(async () => entries[0]?.traceId, TRACE);
  });
});
