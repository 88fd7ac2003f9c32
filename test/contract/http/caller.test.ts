// Who the caller is: logging in and out, the session cookie, HTTP Basic, other sites' requests.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import {
  assertFields,
  holds,
  jsonOf,
  post,
  problemOf,
  statusesOf,
  targets,
  withSession,
} from '../../support/conformance.ts';
import { startGateway } from '../../support/gateway.ts';

for (const target of await targets({ after })) {
  const { user, nobody, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);
  const logIn = (body: string, type?: string) =>
    nobody('a/login', { method: 'POST', body, headers: type === undefined ? {} : { 'content-type': type } });
  const { name, password } = user;

  describe(target.name, () => {
    holds('caller 1', 'a log-in takes JSON and answers who has logged in', async () => {
      const account = await jsonOf(logIn(JSON.stringify({ username: name, password }), 'application/json'));
      assert.equal(account.result, true);
      assertFields(account, { message: 'string', fullname: 'string', axlevel: 'number', timescalled: 'number' });
      assertFields(account, { posted: 'number', usernum: 'number', previous_login: 'number' });
    });

    holds('caller 2', 'a log-in takes a form, and username|password as text or without a type', async () => {
      const form = new URLSearchParams({ username: name, password }).toString();
      assert.equal((await logIn(form, 'application/x-www-form-urlencoded')).status, 200);
      assert.equal((await logIn(`${name}|${password}`, 'text/plain')).status, 200);
      assert.equal((await logIn(`${name}|${password}`)).status, 200);
    });

    holds('caller 4', 'a log-in that cannot be read is 400', async () => {
      for (const body of ['{', '[]', '{"username":1}']) await problemOf(logIn(body, 'application/json'), 400);
      for (const body of ['no bar', '', '|x', ' |x']) await problemOf(logIn(body, 'text/plain'), 400);
      for (const body of ['username=%zz&password=x', 'username=a%00&password=x', 'username=x', '']) {
        await problemOf(logIn(body, 'application/x-www-form-urlencoded'), 400);
      }
      const latin1 = Buffer.from(`{"username":"${name}\xff","password":"${password}"}`, 'latin1');
      const headers = { 'content-type': 'application/json' };
      await problemOf(nobody('a/login', { method: 'POST', body: latin1, headers }), 400);
      await problemOf(logIn('<a/>', 'application/xml'), 415);
    });

    holds('caller 6', 'the session cookie is HttpOnly, SameSite=Lax and for the prefix only, and expires', async () => {
      const { setCookie } = await withSession(target);
      const attributes = setCookie.split('; ').slice(1);
      for (const wanted of ['HttpOnly', 'SameSite=Lax', `Path=${prefix}`])
        assert.ok(attributes.includes(wanted), wanted);
      assert.match(setCookie, /; Max-Age=[1-9]\d*/);
      assert.ok(!target.url.startsWith('https:') || attributes.includes('Secure'));
    });

    holds('caller 7', 'no password can be read from the cookie, and a changed one is none', async () => {
      const { cookie } = await withSession(target);
      const value = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1));
      for (const text of [value, Buffer.from(value, 'base64url').toString('latin1')]) {
        assert.ok(!text.includes(`${password}|`) && !text.includes(`"${password}"`));
      }
      const other = cookie.at(-8) === 'A' ? 'B' : 'A';
      const changed = `${cookie.slice(0, -8)}${other}${cookie.slice(-7)}`;
      const who = await jsonOf(nobody('a/whoami', { headers: { cookie: changed } }));
      assert.equal(who.logged_in, false);
    });

    holds('caller 8', 'the session cookie carries the session', async () => {
      const session = await withSession(target);
      assert.equal((await jsonOf(session.api('a/whoami'))).logged_in, true);
    });

    holds('caller 9', 'Basic works on every path', async () => {
      const paths = ['a/whoami', 'a/biff', 'c/info', 'f/', 'r/', at(), at('msgs.all'), at('mailbox'), 's/landing.html'];
      assert.deepEqual(
        await statusesOf(paths, api),
        paths.map(() => 200),
      );
    });

    holds('caller 11', 'without credentials the caller is a guest where there are guests, else 401', async () => {
      const { serv_supports_guest: hasGuests } = await jsonOf(api('c/info'));
      assert.equal((await nobody('r/')).status, hasGuests ? 200 : 401);
      assert.equal((await nobody('a/biff')).status, 401, 'a guest has no mail');
    });

    holds('caller 12', 'PROPFIND, PUT, DELETE, MOVE and COPY need a log-in: 401 with WWW-Authenticate', async () => {
      const number = await post(target, room);
      for (const method of ['PROPFIND', 'PUT', 'DELETE', 'MOVE', 'COPY']) {
        const response = await nobody(at(number), { method });
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm="[^"]*", charset="UTF-8"$/, method);
        await problemOf(response, 401);
      }
    });

    holds('caller 13', 'so does REPORT', async () => {
      for (const one of [at(), 'r/', at(1)]) {
        const response = await nobody(one, { method: 'REPORT' });
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /);
        await problemOf(response, 401);
      }
    });

    holds('caller 14', 'WWW-Authenticate is not sent to what a page fetches or shows', async () => {
      for (const headers of [
        { 'sec-fetch-mode': 'cors' },
        { 'sec-fetch-mode': 'same-origin' },
        { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
        { accept: 'image/*' },
        { 'x-requested-with': 'XMLHttpRequest' },
      ]) {
        const response = await nobody('a/biff', { headers });
        assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, null]);
      }
      assert.ok((await nobody('a/biff')).headers.has('www-authenticate'), 'to curl it is');
    });

    holds('caller 15', 'OPTIONS is 200 without a log-in, with DAV, Allow and MS-Author-Via', async () => {
      const response = await nobody(at(), { method: 'OPTIONS' });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('dav')!, /^1\b/);
      assert.match(response.headers.get('allow')!, /PROPFIND/);
      assert.equal(response.headers.get('ms-author-via'), 'DAV');
    });

    holds('caller 16', 'another site’s requests with the cookie change nothing: 403', async () => {
      const number = await post(target, room);
      const session = await withSession(target);
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
      ] as Record<string, string>[]) {
        await problemOf(session.api(at('new'), { method: 'PUT', body: 'x', headers }), 403);
        await problemOf(session.api(at(number), { method: 'DELETE', headers }), 403);
        await problemOf(session.api(at(number), { method: 'MOVE', headers: { ...headers, destination: at() } }), 403);
        await problemOf(session.api(`${at('slrp')}?last=${number}`, { headers }), 403);
        await problemOf(session.api(at(number).replace(`${prefix}r/`, `${prefix}p/`), { headers }), 403);
        await problemOf(session.api('p', { method: 'POST', body: 'x', headers }), 403);
        await problemOf(session.api('a/logout', { method: 'POST', headers }), 403);
        await problemOf(session.api('a/login', { method: 'POST', body: `${name}|${password}`, headers }), 403);
      }
      assert.equal((await session.api(at(number))).status, 200);
      const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' } };
      assert.equal((await session.api('r/', elsewhere)).status, 200, 'a link from another site may be followed');
      const own = { origin: new URL(target.url).origin };
      assert.equal((await session.api(at(number), { method: 'DELETE', headers: own })).status, 204);
    });

    holds('caller 17', 'POST logout is 204, and no copy of the cookie works any more', async () => {
      const session = await withSession(target);
      const response = await session.api('a/logout', { method: 'POST' });
      assert.equal(response.status, 204);
      assert.match(response.headers.getSetCookie()[0]!, /^[^=]+=;.*Max-Age=0/);
      assert.equal((await jsonOf(session.api('a/whoami'))).logged_in, false);
    });

    holds('caller 18', 'GET logout redirects to the landing page, for the site’s own links only', async () => {
      const session = await withSession(target);
      const picture = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }; // that a message names
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, picture]) {
        for (const path of ['a/logout', 'a/im', 'r/Lobby/slrp?last=HIGHEST', 'p/Lobby/1']) {
          await problemOf(session.api(path, { headers }), 403);
        }
      }
      const response = await session.api('a/logout', { headers: { 'sec-fetch-site': 'same-origin' } });
      assert.equal(response.status, 303);
      assert.equal(response.headers.get('location'), (await nobody('/')).headers.get('location'));
      assert.equal((await jsonOf(session.api('a/whoami'))).logged_in, false);
    });

    holds('caller 19', 'whoami has its fields; as text it is the bare name, or nothing', async () => {
      const who = await jsonOf(api('a/whoami'));
      assertFields(who, { logged_in: 'boolean', username: 'string', fullname: 'string' });
      assertFields(who, { axlevel: 'number', usernum: 'number', email: 'string' });
      const headers = { accept: 'text/plain' };
      assert.equal(await (await api('a/whoami', { headers })).text(), who.username);
      assert.equal(await (await nobody('a/whoami', { headers })).text(), '');
      const nothing = await jsonOf(nobody('a/whoami'));
      assert.deepEqual([nothing.logged_in, nothing.username, nothing.usernum], [false, '', 0]);
      assert.equal((await api('a/whoami')).headers.get('vary'), 'Accept');
    });

    holds('caller 20', 'biff counts what came since the previous check; as text it is the bare number', async () => {
      const session = await withSession(target);
      const newest = (response: Response, cookie: string) =>
        response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      let cookie = newest(await session.api('a/biff'), session.cookie);
      const number = await post(target, '_MAIL_', 'mail', { query: `?mailto=${encodeURIComponent(name)}` });
      cookie = newest(await nobody('a/biff', { method: 'HEAD', headers: { cookie } }), cookie);
      const counted = await nobody('a/biff', { headers: { cookie, accept: 'text/plain' } });
      assert.match(counted.headers.get('content-type')!, /^text\/plain/);
      assert.equal(await counted.text(), '1');
      assert.deepEqual(await jsonOf(nobody('a/biff', { headers: { cookie } })), { new: 1 }, 'with the older cookie');
      for (const box of ['_MAIL_', '_SENT_']) await api(path(box, number), { method: 'DELETE' });
    });

    holds(
      'caller 21',
      'a report that there is none of is 403 with D:supported-report, 404 on what is not there',
      async () => {
        const number = await post(target, room);
        const report = (one: string, body?: string) =>
          api(one, { method: 'REPORT', ...(body !== undefined && { body }) });
        const query = '<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav"/>';
        for (const one of [at(), at(number), 'u/', path(room).slice(0, -1)]) {
          const response = await report(one, query);
          assert.deepEqual(
            [response.status, response.headers.get('content-type')],
            [403, 'application/xml; charset=utf-8'],
          );
          assert.match(
            await response.text(),
            /^<\?xml [^>]*>\s*<D:error xmlns:D="DAV:"><D:supported-report\/><\/D:error>\s*$/,
          );
        }
        for (const one of [path(`${room} none`), at(999_999_999)]) await problemOf(report(one, query), 404);
        for (const body of ['', '<a', '<!DOCTYPE a><a/>']) await problemOf(report(at(), body), 400);
        await problemOf(report('f/', query), 405);
      },
    );

    holds('caller 23', 'the cookie is Secure when configured, or when a trusted proxy speaks TLS', async (t) => {
      if (!target.isOwn) return t.skip('needs a gateway with other options');
      const proxied = { 'x-forwarded-proto': 'https' };
      for (const [options, headers] of [
        [['--secure-cookies'], {}],
        [['--trust-proxy'], proxied],
      ] as const) {
        const gateway = await startGateway(t, { users: [{ name: 'ann', password: 'ann' }], options: [...options] });
        const response = await gateway.api('a/login', { method: 'POST', body: 'ann|ann', headers });
        assert.match(response.headers.getSetCookie()[0]!, /; Secure(;|$)/, options[0]);
      }
      const untrusted = await nobody('a/login', { method: 'POST', body: `${name}|${password}`, headers: proxied });
      assert.doesNotMatch(untrusted.headers.getSetCookie()[0]!, /Secure/, 'everybody can write such a header');
    });

    holds('caller 25', 'an app password logs a program in by Basic for what its scope names', async (t) => {
      const { serv_supports_app_passwords: has } = await jsonOf(api('c/info'));
      if (!has) return t.skip('needs the embedded room server');
      for (const scope of ['read', 'dav', 'all']) {
        const body = JSON.stringify({ name: `conformance ${scope}`, scope });
        const headers = { 'content-type': 'application/json' };
        const { id, secret } = await jsonOf(api('a/app-passwords', { method: 'POST', headers, body }), 201);
        const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
        const by = (method: string, where: string) => nobody(where, { method, headers: { authorization, depth: '0' } });
        assert.equal((await by('PROPFIND', at())).status, 207, scope);
        assert.equal((await by('GET', 'a/whoami')).status, scope === 'dav' ? 403 : 200, scope);
        assert.equal((await by('DELETE', at(999_999_999))).status, scope === 'read' ? 403 : 404, scope);
        await problemOf(by('GET', 'a/app-passwords'), 403);
        assert.equal((await logIn(`${name}|${secret}`)).status, 401, 'not at the log-in page');
        assert.equal((await api(`a/app-passwords/${id}`, { method: 'DELETE' })).status, 204);
        await problemOf(by('PROPFIND', at()), 401);
      }
    });

    holds('caller 24', 'any gateway that has the key takes the session', async (t) => {
      if (!target.peer) return t.skip('needs a second gateway with the same key');
      const { cookie } = await withSession(target);
      const prefixes = ['/svc/', '/ctdl/'].filter((one) => one !== prefix);
      const who = await jsonOf(target.peer(`${prefixes[0]}a/whoami`, { headers: { cookie } }));
      assert.equal(who.logged_in, true);
    });
  });
}
