// Users, server, events, static content.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, jsonOf, post, problemOf, statusesOf, targets } from '../../support/conformance.ts';

for (const target of await targets({ after })) {
  const { user, nobody } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const picture = `u/${encodeURIComponent(user.name)}/userpic`;

  describe(target.name, () => {
    holds('server 1', 'userpic is 404 where there is no picture', async () => {
      await problemOf(api(`u/${room.slice(-12)}/userpic`), 404);
    });

    holds('server 2', 'one’s own picture can be PUT and deleted, nobody else’s', async (t) => {
      if (!target.isOwn || !target.other) return t.skip('would replace the picture of the account');
      const image = Buffer.alloc(64, 7);
      const headers = { 'content-type': 'image/gif' };
      assert.equal((await api(picture, { method: 'PUT', body: image, headers })).status, 204);
      const response = await api(picture);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), image);
      await problemOf(target.other.api(picture, { method: 'PUT', body: image, headers }), 403);
      await problemOf(target.other.api(picture, { method: 'DELETE' }), 403);
      assert.equal((await api(picture, { method: 'DELETE' })).status, 204);
      await problemOf(api(picture), 404);
    });

    holds('server 3', 'c/info has its sixteen fields', async () => {
      const info = await jsonOf(api('c/info'));
      for (const name of ['nodename', 'humannode', 'fqdn', 'software', 'bbs_city', 'sysadm', 'default_cal_zone']) {
        assertFields(info, { [`serv_${name}`]: 'string' });
      }
      assertFields(info, { serv_pid: 'number', serv_rev_level: 'number', serv_svn_revision: 'string' });
      for (const name of ['ldap', 'sieve', 'openid', 'guest']) {
        assertFields(info, { [`serv_supports_${name}`]: 'number' });
      }
      assertFields(info, { serv_newuser_disabled: 'number', serv_fulltext_enabled: 'number' });
    });

    holds('server 4', 'events tell of new messages in a room, with ids', async () => {
      const ending = new AbortController();
      const response = await api(`a/events?room=${encodeURIComponent(room)}`, { signal: ending.signal });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      const number = await post(target, room);
      let text = '';
      for await (const piece of response.body!) {
        text += Buffer.from(piece).toString();
        if (/\nevent: message\ndata: .*\n\n/.test(text)) break;
      }
      ending.abort();
      const [, id, data] = /id: (.+)\nevent: message\ndata: (.*)\n\n/.exec(text)!;
      assert.ok(id);
      assert.deepEqual(JSON.parse(data!), { room, msgs: [number] });
      await problemOf(nobody('a/events'), 401);
    });

    holds('server 5', 'static files have ETag, Last-Modified, ranges and the right type', async () => {
      const types = { 'landing.html': 'text/html; charset=utf-8', 'landing.js': 'text/javascript; charset=utf-8' };
      for (const [file, type] of Object.entries(types)) {
        const { headers } = await nobody(`s/${file}`);
        assert.equal(headers.get('content-type'), type);
        assert.match(headers.get('etag')!, /^"[^"]+"$/);
        assert.ok(Date.parse(headers.get('last-modified')!) > 0);
        assert.equal(headers.get('accept-ranges'), 'bytes');
        const again = await nobody(`s/${file}`, { headers: { 'if-none-match': headers.get('etag')! } });
        assert.equal(again.status, 304);
      }
    });

    holds('server 6', 'no static path leaves its folder', async () => {
      const paths = ['../package.json', '%2e%2e/package.json', 'css/../../package.json', '.git/config', '/etc/passwd'];
      const statuses = await statusesOf(paths, (one) => nobody(`s/${one}`));
      assert.ok(
        statuses.every((status) => status === 404 || status === 400),
        String(statuses),
      );
    });

    holds('server 7', '/.well-known/caldav and carddav lead to the DAV entry point', async () => {
      for (const name of ['caldav', 'carddav']) {
        const response = await nobody(`/.well-known/${name}`);
        assert.equal(response.status, 301);
        assert.ok(response.headers.get('location')!.startsWith(target.prefix));
      }
    });

    holds(
      'server 8',
      'a site’s own files come before the built-in ones, index.html for folders, no dotfiles',
      async (t) => {
        if (!target.hasSite) return t.skip('needs a static folder of the site');
        assert.equal(await (await nobody('s/')).text(), 'site');
        assert.equal(await (await nobody('s/docs/')).text(), 'docs');
        assert.equal((await nobody('s/docs')).status, 308);
        assert.equal((await nobody('s/css/layout.css')).status, 200, 'a built-in one');
        assert.deepEqual(await statusesOf(['s/.secret', 's/.well-known/here.txt'], nobody), [404, 200]);
      },
    );

    holds('server 9', 'GET / leads to the landing page, which is the web client', async (t) => {
      const response = await nobody('/');
      assert.equal(response.status, 302);
      const location = response.headers.get('location')!;
      if (!target.isOwn && location !== `${target.prefix}a/landing.html`)
        return t.skip('needs the built-in landing page');
      assert.equal(location, `${target.prefix}a/landing.html`);
      const page = await nobody(location);
      assert.deepEqual([page.status, await page.text()], [200, await (await nobody('s/landing.html')).text()]);
    });

    holds('server 10', 'openapi.json describes the interface', async () => {
      const { openapi } = await jsonOf(nobody('s/openapi.json'));
      assert.match(String(openapi), /^3\.1\./);
    });
  });
}
