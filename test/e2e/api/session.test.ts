// Who the caller is: logging in and out, cookies, Basic, whoami, biff.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_LOGIN_FAILURES } from '../../../src/limits/sessions.ts';
import {
  cookieOf,
  postedNumber,
  startBoth,
  startGateway,
  type TestGateway,
  withCookie,
} from '../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  const { api, as } = gateway;
  const logIn = (body: string, headers: Record<string, string>) => api('a/login', { method: 'POST', body, headers });

  describe(`logging in on ${name}`, () => {
    it('sets a cookie that scripts and other sites do not get', async () => {
      const [cookie] = (await logIn('alice|alice', { 'content-type': 'text/plain' })).headers.getSetCookie();
      const [value, ...attributes] = cookie!.split('; ');
      assert.match(value!, /^vestibule=[\w-]{80,}$/);
      assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=1209600', 'Path=/svc/', 'SameSite=Lax']);
    });

    it('makes a new session, whatever cookie comes with it: none that was planted becomes the log-in', async () => {
      const text = { 'content-type': 'text/plain' };
      const planted = cookieOf(await logIn('bob|bob', text));
      const own = cookieOf(await logIn('alice|alice', { ...text, cookie: planted }));
      const again = cookieOf(await logIn('alice|alice', { ...text, cookie: own }));
      assert.equal(new Set([planted, own, again]).size, 3);
      const who = async (cookie: string) =>
        ((await (await api('a/whoami', { headers: { cookie } })).json()) as { username: string }).username;
      assert.deepEqual([await who(planted), await who(own), await who(again)], ['bob', 'alice', 'alice']);
      await api('a/logout', { method: 'POST', headers: { cookie: own } });
      assert.deepEqual([await who(planted), await who(own), await who(again)], ['bob', '', 'alice']);
    });

    it('answers a wrong password and an unknown name alike', async () => {
      const wrong = logIn('{"username":"alice","password":"nonsense"}', JSON_TYPE);
      const unknown = logIn('{"username":"nobody at all","password":"x"}', JSON_TYPE);
      const answers = [];
      for (const response of await Promise.all([wrong, unknown])) {
        assert.equal(response.status, 401);
        assert.deepEqual(response.headers.getSetCookie(), []);
        answers.push(await response.json());
      }
      assert.deepEqual(answers[0], { result: false, message: 'Wrong user name or password.', code: 540 });
      assert.deepEqual(answers[1], answers[0]);
    });

    it('refuses a wrong password in Basic with a problem, also where no log-in is needed', async () => {
      for (const response of await Promise.all(
        ['r/', 'a/whoami', 'c/info'].map((path) => as('alice', 'nonsense')(path)),
      )) {
        assert.equal(response.status, 401);
        assert.equal(response.headers.get('content-type'), 'application/problem+json');
        assert.equal(response.headers.get('www-authenticate'), 'Basic realm="Vestibule", charset="UTF-8"');
        const problem = (await response.json()) as Record<string, unknown>;
        assert.deepEqual([problem.status, problem.title], [401, 'Unauthorized']);
      }
    });
  });

  describe(`who the caller is on ${name}`, () => {
    it('is told as JSON and as text', async () => {
      const response = await as('alice')('a/whoami');
      const { usernum, email, ...rest } = (await response.json()) as Record<string, unknown>;
      const known = { logged_in: true, username: 'alice', fullname: 'alice', axlevel: 4, addresses: [email] };
      assert.deepEqual(rest, known);
      assert.ok(Number(usernum) > 0);
      assert.match(String(email), /^alice@./);
      const text = await as('alice')('a/whoami', { headers: { accept: 'text/plain' } });
      assert.match(text.headers.get('content-type')!, /^text\/plain/);
      assert.equal(await text.text(), 'alice');
    });

    it('is nobody without credentials or with a cookie that was made up', async () => {
      const nobody = { logged_in: false, username: '', fullname: '', axlevel: 0, usernum: 0, email: '', addresses: [] };
      assert.deepEqual(await (await api('a/whoami')).json(), nobody);
      assert.equal(await (await api('a/whoami', { headers: { accept: 'text/plain' } })).text(), '');
      const forged = { headers: { cookie: `vestibule=${'A'.repeat(200)}` } };
      assert.deepEqual(await (await api('a/whoami', forged)).json(), nobody);
    });

    it('ends with the log-out: the cookie is cleared, and the old one is dead', async () => {
      const mine = await withCookie(gateway, 'alice');
      const other = await withCookie(gateway, 'alice');
      assert.equal((await mine('r/')).status, 200);
      const response = await mine('a/logout', { method: 'POST' });
      assert.equal(response.status, 204);
      assert.match(response.headers.getSetCookie()[0]!, /^vestibule=; .*Max-Age=0/);
      assert.equal((await mine('r/')).status, 401);
      assert.equal((await other('r/')).status, 200, 'another session of the same user');
    });

    it('is cleared by the 401 that it earns once its password has changed', async () => {
      const admin = as('admin', 'secret');
      const name = `mona${Math.random().toString(36).slice(2, 8)}`;
      await admin('u/', { method: 'POST', headers: JSON_TYPE, body: `{"username":"${name}","password":"first"}` });
      const cookie = cookieOf(await logIn(`${name}|first`, { 'content-type': 'text/plain' }));
      assert.equal((await api('r/', { headers: { cookie } })).status, 200);
      await admin(`u/${name}/`, { method: 'PATCH', headers: JSON_TYPE, body: '{"password":"second"}' });
      const response = await api('r/', { headers: { cookie } });
      assert.equal(response.status, 401);
      assert.match(response.headers.getSetCookie()[0] ?? '', /^vestibule=; .*Max-Age=0/);
    });

    it('is not touched by a HEAD of what changes something', async () => {
      const mine = await withCookie(gateway, 'alice');
      const cases = { 'a/logout': 'GET, OPTIONS, POST', 'r/Lobby/slrp?last=1': 'GET, OPTIONS' };
      for (const [path, allow] of Object.entries({ ...cases, 'p/Lobby/1': 'GET, OPTIONS' })) {
        const response = await mine(path, { method: 'HEAD' });
        assert.deepEqual([response.status, response.headers.get('allow')], [405, allow], path);
      }
      assert.equal((await mine('r/')).status, 200, 'still logged in');
    });

    it('ends with a GET too, which leads to the landing page', async () => {
      const mine = await withCookie(gateway, 'alice');
      const response = await mine('a/logout');
      assert.equal(response.status, 303);
      assert.equal(response.headers.get('location'), '/svc/a/landing.html');
      assert.equal((await mine('r/')).status, 401);
    });
  });

  describe(`new mail on ${name}`, () => {
    const write = async (times: number) => {
      for (let i = 0; i < times; i++) {
        const path = 'r/Mail/new?mailto=bob&subj=hello';
        postedNumber(await as('alice')(path, { method: 'PUT', body: 'for bob' }));
      }
    };
    it('is counted since the last look of the session', async () => {
      const first = await withCookie(gateway, 'bob');
      await write(2);
      const response = await first('a/biff');
      assert.deepEqual(await response.json(), { new: 2 });
      const again = await gateway.api('a/biff', { headers: { cookie: cookieOf(response) } });
      assert.deepEqual(await again.json(), { new: 0 });
    });

    it('is counted for Basic and as text', async () => {
      await as('bob')('a/biff');
      await write(1);
      const look = { headers: { accept: 'text/plain' } };
      assert.equal(await (await as('bob')('a/biff', look)).text(), '1');
      assert.equal(await (await as('bob')('a/biff', look)).text(), '0');
    });

    it('is nothing a guest has', async () => {
      assert.equal((await api('a/biff')).status, 401);
    });
  });

  describe(`a guest on ${name}`, () => {
    it('is asked to log in', async () => {
      for (const path of ['r/', 'r/Lobby/', 'r/Lobby/msgs.all', 'r/Lobby/1', 'p/abc']) {
        const response = await api(path);
        assert.equal(response.status, 401, path);
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm=/, path);
      }
      for (const method of ['PUT', 'DELETE', 'MOVE', 'COPY']) {
        const response = await api('r/Lobby/1', { method, headers: { destination: '/svc/r/Aide/' } });
        assert.equal(response.status, 401, method);
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm=/, method);
      }
    });

    it('gets no log-in window of the browser when a page fetches', async () => {
      const marks = [
        { 'sec-fetch-mode': 'cors' },
        { 'sec-fetch-mode': 'same-origin' },
        { 'x-requested-with': 'fetch' },
      ];
      for (const headers of marks) {
        const response = await api('r/', { headers: headers as Record<string, string> });
        assert.equal(response.status, 401);
        assert.equal(response.headers.get('www-authenticate'), null);
      }
    });
  });
}

describe('cookies', () => {
  it('are for TLS only when told so, or when the trusted proxy says that it speaks TLS', async (t) => {
    const body = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'alice|alice' };
    const secure = await startGateway(t, { demo: true, options: ['--secure-cookies'] });
    assert.match((await secure.api('a/login', body)).headers.getSetCookie()[0]!, /; Secure/);
    const proxied = await startGateway(t, { demo: true, options: ['--trust-proxy', '--prefix', '/ctdl/'] });
    const headers = { ...body.headers, 'x-forwarded-proto': 'https' };
    const [cookie] = (await proxied.api('/ctdl/a/login', { ...body, headers })).headers.getSetCookie();
    assert.match(cookie!, /; Path=\/ctdl\/; .*Secure/);
  });

  it('stay good over a restart', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const alice = await withCookie(gateway, 'alice');
    await gateway.restart();
    assert.equal((await alice('r/')).status, 200);
  });
});

describe('too many wrong passwords', () => {
  it('are answered 429 with the time to wait', async (t) => {
    const { as } = await startGateway(t, { users: [{ name: 'ann', password: 'right' }] });
    const tries = await Promise.all(Array.from({ length: 10 }, (_, i) => as('ann', `wrong ${i}`)('r/')));
    assert.deepEqual([...new Set(tries.map((response) => response.status))], [401]);
    const response = await as('ann', 'right')('r/');
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
  });

  it('are no quicker at the password of who is logged in elsewhere', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--trust-proxy'] });
    const from = aliceAt(gateway);
    const [home, stranger] = ['198.51.100.7', '203.0.113.9'];
    assert.equal((await from(home, 'alice')).status, 200);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) assert.equal((await from(stranger, `guess ${i}`)).status, 401);
    assert.equal((await from(stranger, 'one more')).status, 429);
    assert.equal((await from(stranger, 'alice')).status, 429, 'a right guess is told from no wrong one');
    const form = { method: 'POST', headers: { 'content-type': 'application/json', 'x-forwarded-for': stranger } };
    const body = JSON.stringify({ username: 'alice', password: 'alice' });
    assert.equal((await gateway.api('a/login', { ...form, body })).status, 429);
    assert.equal((await from(home, 'alice')).status, 200, 'and at home she goes on');
  });

  it('from strangers shut nobody out where he has logged in before, also after a restart', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--trust-proxy'] });
    const from = aliceAt(gateway);
    const [home, cafe] = ['2001:db8:1:2::3', '198.51.100.7'];
    assert.equal((await from(home, 'alice')).status, 200);
    assert.equal((await from(cafe, 'alice')).status, 200, 'who is logged in elsewhere already');
    await gateway.restart();
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) assert.equal((await from(`203.0.113.${i}`, 'wrong')).status, 401);
    assert.equal((await from('203.0.113.99', 'alice')).status, 429);
    assert.equal((await from('2001:db8:1:3::3', 'alice')).status, 429, 'another network');
    for (const address of [cafe, '2001:db8:1:2:ffff::']) assert.equal((await from(address, 'wrong')).status, 401);
    assert.equal((await from('2001:db8:1:2:ffff::', 'alice')).status, 200);
    assert.equal((await from(cafe, 'alice')).status, 200);
  });
});

/** Asks who she is, from an address. */
function aliceAt(gateway: TestGateway) {
  return (address: string, password: string) =>
    gateway.as('alice', password)('a/whoami', { headers: { 'x-forwarded-for': address } });
}
