// One gateway in front of several room servers, each for a host of its own: nothing of one is there for the users of
// another, whatever names and numbers they share, and one that hangs holds up nobody else.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { MAX_FAILURES_IN_A_ROW } from '../../src/limits/protocol.ts';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_PASSWORD, basic, cookieOf, startGateway, type TestGateway } from '../support/gateway.ts';
import { type Init, sendHttp } from '../support/raw-http.ts';
import { listenOnUnixSocket } from '../support/unix-listener.ts';

const A = 'a.example';
const B = 'b.example';
const LINE = ['--line-listen', 'tcp://127.0.0.1:0'];
const USERS = [{ name: 'Ann', password: 'ann' }];
const CLEO = { name: 'Cleo', password: 'cleo' };
const JSON_TYPE = { 'content-type': 'application/json' };
let gateway: TestGateway;

/** Asks as a client that has `host` in its address bar. */
const at =
  (host: string) =>
  (path: string, init: Init = {}) =>
    sendHttp(gateway.url, path.startsWith('/') ? path : `/svc/${path}`, {
      ...init,
      headers: { host, ...init.headers },
    });
const [atA, atB] = [at(A), at(B)];
const ann = { authorization: basic('Ann', 'ann') };

function logIn(ask: typeof atA, username: string, password: string) {
  const body = JSON.stringify({ username, password });
  return ask('a/login', { method: 'POST', headers: JSON_TYPE, body });
}

const statuses = (answers: Promise<Response>[]) => Promise.all(answers).then((all) => all.map(({ status }) => status));

before(async (t) => {
  const ending = t as TestContext;
  // the same names and numbers, and another password of Ann's
  const others = [{ name: 'Ann', password: 'other' }, CLEO];
  const first = await startGateway(ending, { users: [...USERS, CLEO], options: LINE });
  const second = await startGateway(ending, { users: others, options: LINE });
  const backend = `${A}=${first.lineUrl},${B}=${second.lineUrl}`;
  gateway = await startGateway(ending, { backend, options: ['--admin-listen', 'tcp://127.0.0.1:0'] });
});

describe('a gateway for several hosts', () => {
  it('has the rooms and accounts of each', async () => {
    const other = { authorization: basic('Ann', 'other') };
    assert.deepEqual(await statuses([atA('r/', { headers: ann }), atB('r/', { headers: ann })]), [200, 401]);
    assert.deepEqual(await statuses([atA('r/', { headers: other }), atB('r/', { headers: other })]), [401, 200]);
    const posted = await atA('r/Lobby/new.txt', { method: 'PUT', headers: ann, body: 'of A' });
    assert.equal(posted.status, 201);
    assert.equal(await (await atA('r/Lobby/new.txt', { headers: ann })).text(), 'of A');
    assert.equal((await atB('r/Lobby/new.txt', { headers: other })).status, 404);
    const etag = posted.headers.get('etag')!;
    await atB('r/Lobby/new.txt', { method: 'PUT', headers: other, body: 'of B' });
    // both have the same number, and what is kept by number is not mixed up
    for (const _ of [1, 2]) {
      assert.equal(await (await atA('r/Lobby/new.txt', { headers: ann })).text(), 'of A');
      const read = await atB('r/Lobby/new.txt', { headers: other });
      assert.deepEqual([read.headers.get('etag'), await read.text()], [etag, 'of B']);
    }
  });

  it('takes a session cookie at the host that it was made for, and nowhere else', async () => {
    const cookie = cookieOf(await logIn(atA, 'Ann', 'ann'));
    const who = async (ask: typeof atA) => {
      const { logged_in } = (await (await ask('a/whoami', { headers: { cookie } })).json()) as { logged_in: boolean };
      return logged_in;
    };
    assert.equal(await who(atA), true);
    assert.equal(await who(atB), false);
    assert.equal((await atB('r/Lobby/x', { method: 'PUT', headers: { cookie }, body: 'x' })).status, 401);
    // nor does a log-out elsewhere end it
    await atB('a/logout', { method: 'POST', headers: { cookie } });
    assert.equal(await who(atA), true);
  });

  it('keeps uploads and locks of the users of one from those of the other, who have the same number', async () => {
    const other = { authorization: basic('Ann', 'other') };
    const admin = { authorization: basic('admin', ADMIN_PASSWORD) };
    const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n';
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const sent = await atA('p', { method: 'POST', headers: { ...ann, ...type }, body: form });
    const [{ ref }] = (await sent.json()) as [{ ref: string }];
    assert.deepEqual(
      await statuses([atA(`p/${ref}`, { headers: ann }), atB(`p/${ref}`, { headers: other })]),
      [200, 404],
    );
    const kinds = '<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>';
    const body = `<D:lockinfo xmlns:D="DAV:">${kinds}</D:lockinfo>`;
    const lock = { method: 'LOCK', headers: { ...admin, 'content-type': 'application/xml' }, body };
    const locked = await atA('r/Lobby/locked.txt', lock);
    assert.equal(locked.status, 201, await locked.text());
    const put = { method: 'PUT', body: 'x' };
    assert.deepEqual(
      await statuses([
        atA('r/Lobby/locked.txt', { ...put, headers: admin }),
        atB('r/Lobby/locked.txt', { ...put, headers: admin }),
      ]),
      [423, 201],
    );
  });

  it('counts failed log-ins of each', async () => {
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await logIn(atB, 'Cleo', 'wrong');
    const [late, elsewhere] = [await logIn(atB, 'Cleo', 'cleo'), await logIn(atA, 'Cleo', 'cleo')];
    assert.deepEqual([late.status, elsewhere.status], [429, 200]);
  });

  it('answers 421 for a host that it does not know, and for none', async () => {
    for (const path of ['a/whoami', '/', 's/guide/', 'nothing']) {
      const answer = await at('c.example')(path);
      assert.equal(answer.status, 421, path);
      assert.equal(((await answer.json()) as { status: number }).status, 421);
    }
    assert.equal((await at('A.example.:99')('a/whoami')).status, 200);
    // without --trust-proxy that header field is anybody's word
    assert.equal((await at('c.example')('a/whoami', { headers: { 'x-forwarded-host': A } })).status, 421);
    assert.equal((await at(A)('a/whoami', { headers: { 'x-forwarded-host': 'c.example' } })).status, 200);
  });

  it('is ready, and counts, for each', async () => {
    const ready = await fetch(`${gateway.adminUrl}/readyz`);
    assert.deepEqual([ready.status, await ready.text()], [200, `${A}: ok\n${B}: ok\n`]);
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    for (const name of [A, B]) {
      assert.match(metrics, new RegExp(`^vestibule_backend_connections\\{server="${name}",state="open"\\} [1-9]`, 'm'));
    }
  });
});

it('believes a trusted proxy which host was asked for: of X-Forwarded-Host the last entry', async (t) => {
  const inner = await startGateway(t, { users: USERS, options: LINE });
  const front = await startGateway(t, { backend: `${A}=${inner.lineUrl}`, options: ['--trust-proxy'] });
  const ask = (host: string, forwarded?: string) =>
    sendHttp(front.url, '/svc/a/whoami', {
      headers: { host, ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }) },
    });
  const wanted = [ask('10.0.0.1', A), ask('10.0.0.1', `evil.example, ${A}:443`), ask(A)];
  assert.deepEqual(await statuses(wanted), [200, 200, 200]);
  assert.deepEqual(await statuses([ask(A, 'c.example'), ask(A, `${A}, c.example`), ask('10.0.0.1')]), [421, 421, 421]);
});

describe('a room server that hangs', () => {
  it('holds up nobody at another host, and one that is gone is not asked again and again', async (t) => {
    let connects = 0;
    const mute = await listenOnUnixSocket(() => void connects++);
    t.after(() => mute.close());
    const inner = await startGateway(t, { users: USERS, options: LINE });
    const backend = `${A}=${inner.lineUrl},${B}=unix:${mute.path},gone.example=unix:/nonexistent/socket`;
    const front = await startGateway(t, { backend, options: ['--admin-listen', 'tcp://127.0.0.1:0'] });
    const ask = (host: string, init: Init = {}) =>
      sendHttp(front.url, '/svc/r/', { ...init, headers: { host, ...ann, ...init.headers } });
    const leaving = new AbortController();
    const stuck = Array.from({ length: 200 }, (_, i) => {
      const headers = { authorization: basic(`user${i}`) };
      return ask(B, { headers, signal: leaving.signal }).catch(() => undefined);
    });
    await eventually(async () => connects > 0, true);
    for (let i = 0; i < 20; i++) assert.equal((await ask(A)).status, 200);
    const gone: number[] = [];
    for (let i = 0; i < MAX_FAILURES_IN_A_ROW + 3; i++) {
      const answer = await ask('gone.example');
      gone.push(answer.status);
      const isOpen = i >= MAX_FAILURES_IN_A_ROW;
      assert.equal(answer.headers.has('retry-after'), isOpen, `answer ${i}`);
    }
    assert.deepEqual(new Set(gone), new Set([502]));
    const ready = await (await fetch(`${front.adminUrl}/readyz`)).text();
    assert.match(ready, /^a\.example: ok\nb\.example: .*\ngone\.example: The room server does not answer\./);
    const metrics = await (await fetch(`${front.adminUrl}/metrics`)).text();
    assert.match(metrics, /^vestibule_backend_answering\{server="gone\.example"\} 0$/m);
    assert.match(metrics, /^vestibule_backend_answering\{server="a\.example"\} 1$/m);
    leaving.abort();
    await Promise.all(stuck);
  });

  it('is asked again as soon as it answers', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const inner = await startGateway(t, { users: USERS, options: ['--line-listen', `unix:${folder}/line`] });
    const front = await startGateway(t, { backend: inner.lineUrl! });
    const list = () => front.api('r/', { headers: ann });
    assert.equal((await list()).status, 200);
    await inner.close();
    let refused = await list();
    for (let i = 0; i < MAX_FAILURES_IN_A_ROW; i++) refused = await list();
    assert.deepEqual([refused.status, refused.headers.has('retry-after')], [502, true]);
    await inner.restart();
    await eventually(async () => (await list()).status, 200);
  });
});
