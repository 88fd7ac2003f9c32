// --allow-origin by requests: what a browser is told, and that no other site gets further than before.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { basic, cookieOf, startGateway } from '../support/gateway.ts';
import { sendHttp } from '../support/raw-http.ts';

const APP = 'https://app.example.net';
const EVIL = 'https://evil.example';
const gateway = await startGateway(
  { after },
  { demo: true, options: ['--allow-origin', `${APP}, http://localhost:1`] },
);
const plain = await startGateway({ after }, { demo: true });
const authorization = basic('alice');
const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  sendHttp(gateway.url, path, { method, headers, ...(body !== undefined && { body }) });

it('a preflight is answered before a log-in, for every address and method', async () => {
  for (const path of ['/svc/r/Lobby/', '/svc/r/No%20such/x', '/svc/a/login', '/svc/nowhere', '/.well-known/caldav']) {
    const headers = {
      origin: APP,
      'access-control-request-method': 'PROPFIND',
      'access-control-request-headers': 'authorization,depth',
    };
    const answer = await send('OPTIONS', path, headers);
    assert.equal(answer.status, 204, path);
    assert.equal(answer.headers.get('access-control-allow-origin'), APP);
    assert.equal(answer.headers.get('access-control-allow-credentials'), 'true');
    assert.equal(answer.headers.get('access-control-max-age'), '7200');
    assert.equal(answer.headers.get('vary'), 'Origin');
    const methods = answer.headers.get('access-control-allow-methods')!.split(', ');
    for (const method of [
      'GET',
      'HEAD',
      'PUT',
      'POST',
      'PATCH',
      'DELETE',
      'PROPFIND',
      'REPORT',
      'LOCK',
      'MKCALENDAR',
    ]) {
      assert.ok(methods.includes(method), method);
    }
    assert.match(
      answer.headers.get('access-control-allow-headers')!,
      /Authorization.*Depth.*Destination.*X-Account.*X-Room-Password/,
    );
  }
  const answer = await send('OPTIONS', '/svc/r/Lobby/', { origin: EVIL, 'access-control-request-method': 'PUT' });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('access-control-allow-methods'), null);
});

it('answers, errors among them, can be read by the named origin only', async () => {
  for (const path of ['/svc/r/', '/svc/r/none/', '/svc/nowhere', '/svc/s/guide/']) {
    const answer = await send('GET', path, { authorization, origin: APP });
    assert.equal(answer.headers.get('access-control-allow-origin'), APP, path);
    assert.match(answer.headers.get('access-control-expose-headers')!, /ETag.*Location/);
    assert.match(answer.headers.get('vary')!, /Origin/);
    for (const headers of [{ authorization, origin: EVIL }, { authorization }]) {
      const other = await send('GET', path, headers);
      assert.equal(other.headers.get('access-control-allow-origin'), null);
      assert.match(other.headers.get('vary')!, /Origin/, 'a cache keeps them apart');
    }
  }
});

it('what changes something passes from the named origin, and from no other site', async () => {
  const login = await send('POST', '/svc/a/login', { 'content-type': 'text/plain' }, 'alice|alice');
  const cookie = cookieOf(login);
  const put = (name: string, origin: string, more: Record<string, string> = {}) =>
    send('PUT', `/svc/r/Notes/${name}`, { cookie, origin, 'sec-fetch-site': 'cross-site', ...more }, 'x');
  assert.equal((await put('a.txt', APP)).status, 201);
  assert.equal((await put('b.txt', EVIL)).status, 403);
  assert.equal((await put('c.txt', 'null')).status, 403);
  assert.equal((await put('d.txt', APP, { 'sec-fetch-dest': 'image' })).status, 403);
  const byFetch = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  const take = async (more: object) => (await send('GET', '/svc/a/im', { cookie, ...byFetch, ...more })).status;
  assert.equal(await take({ origin: APP }), 200);
  assert.equal(await take({ origin: EVIL }), 403);
  assert.equal(await take({ 'sec-fetch-mode': 'no-cors' }), 403);
});

it('without the option everything is as ever', async () => {
  const answer = await sendHttp(plain.url, '/svc/r/', { headers: { authorization, origin: APP } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.doesNotMatch(answer.headers.get('vary') ?? '', /Origin/);
  const headers = { origin: APP, 'access-control-request-method': 'PUT' };
  const options = await sendHttp(plain.url, '/svc/a/login', { method: 'OPTIONS', headers });
  assert.equal(options.status, 200);
});
