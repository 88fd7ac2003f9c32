// What a running gateway tells operators: health, metrics, the log of requests; and that no secret is in any of them.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { METHODS } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RequestEntry } from '../../src/telemetry/log-line.ts';
import { eventually } from '../support/eventually.ts';
import { behindGateway, spawnGateway, startGateway, withCookie } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const ADMIN_LISTEN = ['--admin-listen', 'tcp://127.0.0.1:0'];

async function read(url: string | undefined, path: string): Promise<[number, string]> {
  const response = await fetch(`${url}${path}`);
  return [response.status, await response.text()];
}

describe('a gateway with --admin-listen', () => {
  it('tells of requests by the patterns of their routes, of its connections and its streams', async (t) => {
    const { adminUrl, as } = await startGateway(t, { demo: true, options: ADMIN_LISTEN });
    assert.equal((await as('alice')('r/Lobby/msgs.all')).status, 200);
    assert.equal((await as('alice', 'wr0ng')('r/Lobby/msgs.all')).status, 401);
    assert.equal((await as('alice')('r/No%20such%20room/msgs.all')).status, 404);
    const stream = await as('alice')('a/events');
    const reader = stream.body!.getReader();
    await reader.read();
    const sample = async (pattern: RegExp) => pattern.exec((await read(adminUrl, '/metrics'))[1])?.[1];
    const route = 'route="/svc/r/:room/:name",method="GET"';
    for (const [status, count] of Object.entries({ 200: '1', 401: '1', 404: '1' })) {
      const series = new RegExp(`^vestibule_http_requests_total\\{${route},status="${status}"\\} (\\d+)$`, 'm');
      await eventually(() => sample(series), count);
    }
    assert.equal(await sample(/^vestibule_event_streams (\d+)$/m), '1');
    assert.ok(Number(await sample(/^vestibule_backend_round_trip_seconds_count (\d+)$/m)) > 3);
    assert.ok(Number(await sample(/^vestibule_backend_connections\{state="open"\} (\d+)$/m)) > 0);
    assert.ok(Number(await sample(/^vestibule_http_sent_bytes_total (\d+)$/m)) > 100);
    await reader.cancel();
    await eventually(() => sample(/^vestibule_event_streams (\d+)$/m), '0');
    const [, text] = await read(adminUrl, '/metrics');
    for (const word of ['alice', 'wr0ng', 'Lobby', 'such']) assert.ok(!text.includes(word), word);
  });

  it('has no more of them whatever is asked: one line for each of what could not be routed', async (t) => {
    const { adminUrl, url } = await startGateway(t, { options: ADMIN_LISTEN });
    const askAll = async (mark: string) => {
      for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
        for (const path of [`svc/${mark}`, `svc/r/Lobby/${mark}`, `svc/a/${mark}"} 1`, `svc/r/${mark}/x?${mark}`]) {
          const fields = [`traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, `X-${mark}: ${mark}`];
          await sendRaw(url, rawRequest(method, encodeURI(`/${path}`), fields));
        }
      }
      // an answer is counted when it has gone out
      const [, text] = await read(adminUrl, '/metrics');
      assert.ok(!text.includes(mark), mark);
      return [...new Set(text.match(/^vestibule_http_request_duration_seconds_count\{[^}]*\}/gm))].sort();
    };
    const series = await askAll('ibex');
    assert.ok(series.length > METHODS.length / 2 && series.length < 3 * METHODS.length, String(series.length));
    for (const mark of ['okapi', 'zebu']) assert.deepEqual(await askAll(mark), series);
  });

  it('is ready while its room server answers', async (t) => {
    const first = await startGateway(t, { options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const { adminUrl } = await behindGateway(t, first, ADMIN_LISTEN);
    assert.deepEqual(await read(adminUrl, '/readyz'), [200, 'ok\n']);
    await first.close();
    await eventually(async () => (await read(adminUrl, '/readyz'))[0], 503);
    assert.deepEqual(await read(adminUrl, '/livez'), [200, 'ok\n']);
  });

  it('answers none of it where the interface is', async (t) => {
    const { url, adminUrl } = await startGateway(t);
    assert.equal(adminUrl, undefined);
    for (const path of ['livez', 'readyz', 'metrics']) assert.equal((await fetch(url + path)).status, 404);
  });
});

describe('the log of requests', () => {
  it('says who did what and how long the room server was waited for, and holds no secret', async (t) => {
    const entries: RequestEntry[] = [];
    const logRequest = (entry: RequestEntry) => void entries.push(entry);
    const { api, as } = await startGateway(t, { demo: true, options: ['--log-requests'], logRequest });
    const withSession = await withCookie({ api } as never, 'bob');
    entries.length = 0;
    await as('alice')('r/Lobby/msgs.all?wait=s3cret');
    await withSession('r/Lobby/msgs.all');
    await api('r/Lobby/msgs.all');
    await as('alice', 'wr0ng')('r/Lobby/msgs.all');
    await eventually(async () => entries.length, 4);
    const [basic, cookie, guest, wrong] = entries as [RequestEntry, RequestEntry, RequestEntry, RequestEntry];
    assert.deepEqual([basic.user, cookie.user, guest.user, wrong.user], ['alice', 'bob', undefined, undefined]);
    for (const entry of entries) {
      assert.equal(entry.route, '/svc/r/:room/:name');
      assert.ok(entry.bytes > 0 && entry.milliseconds > 0);
    }
    assert.ok(basic.backendMilliseconds > 0 && basic.backendMilliseconds <= basic.milliseconds);
    assert.ok(!/s3cret|wr0ng|Lobby/.test(JSON.stringify(entries)));
  });

  it('is switched on and made JSON at SIGHUP', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'vestibule.json');
    await writeFile(file, '{}');
    const { child, said, as } = await spawnGateway(t, ['--data', join(folder, 'data'), '--config', file]);
    await as('admin', 'secret')('r/');
    assert.ok(!said.err.includes('/svc/r/'));
    await writeFile(file, '{"log-format": "json", "log-requests": true}');
    said.err = '';
    child.kill('SIGHUP');
    await eventually(async () => said.err, /"message":"Reloaded: log-format, log-requests"\}\n$/);
    said.err = '';
    await as('admin', 'secret')('r/');
    await eventually(async () => said.err, /\n$/);
    const { level, user, route, status } = JSON.parse(said.err);
    assert.deepEqual([level, user, route, status], ['info', 'admin', '/svc/r/', 200]);
  });
});
