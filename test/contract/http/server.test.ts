// Users, server, events, static content.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { assertFields, holds, json, jsonOf, post, problemOf, statusesOf, targets } from '../../support/conformance.ts';
import { openEvents } from '../../support/event-stream.ts';
import { startGateway } from '../../support/gateway.ts';

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
      await problemOf(api(picture, { method: 'DELETE' }), 404);
    });

    holds('server 3', 'c/info has its sixteen fields', async () => {
      const info = await jsonOf(api('c/info'));
      for (const name of ['nodename', 'humannode', 'fqdn', 'software', 'bbs_city', 'sysadm', 'default_cal_zone']) {
        assertFields(info, { [`serv_${name}`]: 'string' });
      }
      assertFields(info, { serv_pid: 'number', serv_rev_level: 'number', serv_svn_revision: 'string' });
      for (const name of ['ldap', 'sieve', 'openid', 'guest']) {
        assertFields(info, { [`serv_supports_${name}`]: 'boolean' });
      }
      assertFields(info, { serv_newuser_disabled: 'boolean', serv_fulltext_enabled: 'boolean' });
    });

    holds('server 4', 'events tell of new messages in a room, with ids', async () => {
      const stream = await openEvents(api, `a/events?room=${encodeURIComponent(room)}`);
      assert.equal(stream.response.headers.get('content-type'), 'text/event-stream');
      assert.equal(stream.response.headers.get('cache-control'), 'no-store');
      await stream.block();
      const number = await post(target, room);
      const { id, data } = await stream.next('message');
      assert.ok(id);
      assert.deepEqual(data, { room, msgs: [number] });
      stream.close();
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
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'PUT', 'POST']) {
          const response = await nobody(`/.well-known/${name}`, { method });
          assert.deepEqual([response.status, response.headers.get('location')], [301, target.prefix], method);
        }
      }
      assert.equal((await api(target.prefix, { method: 'PROPFIND', headers: { depth: '0' } })).status, 207);
    });

    holds(
      'server 8',
      'a site’s own files come before the built-in ones, index.html for folders, no dotfiles',
      async (t) => {
        if (!target.hasSite) return t.skip('needs a static folder of the site');
        assert.equal(await (await nobody('s/')).text(), 'site');
        assert.equal(await (await nobody('s/docs/')).text(), 'docs');
        assert.equal((await nobody('s/docs')).status, 308);
        assert.equal(await (await nobody('s/css/theme.css')).text(), 'instead of the built-in one');
        assert.equal((await nobody('s/css/tokens.css')).status, 200, 'a built-in one');
        assert.deepEqual(await statusesOf(['s/.secret', 's/.well-known/here.txt'], nobody), [404, 200]);
        assert.equal((await nobody('s/outside.txt')).status, 404, 'a link out of the folder');
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

    holds('server 11', 'events go on after Last-Event-ID', async () => {
      const at = `a/events?room=${encodeURIComponent(room)}`;
      const stream = await openEvents(api, at);
      await stream.block();
      await post(target, room);
      const { id } = await stream.next('message');
      stream.close();
      const missed = [await post(target, room), await post(target, room)];
      const again = await openEvents(api, at, { 'last-event-id': id });
      assert.deepEqual((await again.next('message')).data, { room, msgs: missed });
      again.close();
    });

    holds('server 12', 'events tell of new mail and of rooms that change', async () => {
      const stream = await openEvents(api, 'a/events');
      await stream.block();
      await post(target, room);
      for (let found = await stream.next('room'); ; found = await stream.next('room')) {
        assertFields(found.data, { name: 'string', mtime: 'number' });
        if ((found.data as { name: string }).name === room) break;
      }
      const number = await post(target, '_MAIL_', 'mail', { query: `?mailto=${encodeURIComponent(user.name)}` });
      assert.deepEqual((await stream.next('biff')).data, { new: 1 });
      stream.close();
      for (const box of ['_MAIL_', '_SENT_']) await api(target.path(box, number), { method: 'DELETE' });
    });

    holds('server 13', 'a picture has its type, and can never run here', async (t) => {
      if (!target.isOwn) return t.skip('would replace the picture of the account');
      const image = Buffer.alloc(64, 7);
      await api(picture, { method: 'PUT', body: image, headers: { 'content-type': 'image/svg+xml' } });
      const { headers } = await api(picture, { method: 'HEAD' });
      assert.equal(headers.get('content-length'), '64');
      assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none'; frame-ancestors 'self'$/);
      await problemOf(api(picture, { method: 'PUT', body: image, headers: { 'content-type': 'text/html' } }), 415);
      await api(picture, { method: 'DELETE' });
    });

    holds('server 14', '--landing changes where / leads', async (t) => {
      if (!target.isOwn) return t.skip('needs a gateway with other options');
      const gateway = await startGateway(t, { options: ['--landing', '/svc/s/docs/'] });
      const response = await gateway.api('/');
      assert.deepEqual([response.status, response.headers.get('location')], [302, '/svc/s/docs/']);
    });

    holds('server 15', 'what only administrators may do is 403 to others', async () => {
      const name = room.slice(-12);
      await problemOf(api('u/', { method: 'POST', ...json({ username: name, password: 'x' }) }), 403);
      await problemOf(api('f/', { method: 'POST', ...json({ name }) }), 403);
    });

    holds('server 16', 'events tell that instant messages wait, until they are fetched', async (t) => {
      if (!target.other) return t.skip('needs a second account');
      const stream = await openEvents(api, 'a/events');
      const message = json({ to: user.name, text: 'Tea?' });
      const sent = await target.other.api('a/im', { method: 'POST', ...message });
      assert.equal(sent.status, 204, 'who has a stream open is here');
      assert.deepEqual((await stream.next('im')).data, { waiting: true });
      const later = await openEvents(api, 'a/events');
      assert.deepEqual((await later.next('im')).data, { waiting: true });
      const [fetched] = await jsonOf<Record<string, unknown>[]>(api('a/im'));
      assert.equal(fetched?.text, 'Tea?');
      for (const each of [stream, later]) each.close();
    });

    holds('server 17', 'the web client can be installed, and its worker stands beside it', async () => {
      const manifest = await nobody('a/manifest.webmanifest');
      assert.equal(manifest.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
      const { icons, ...said } = (await manifest.json()) as { icons: { src: string; type: string }[] };
      assertFields(said, { id: 'string', name: 'string', short_name: 'string', start_url: 'string', scope: 'string' });
      for (const { src, type } of icons) {
        const icon = await nobody(src.replace(/^\.\.\//, ''));
        assert.deepEqual([icon.status, icon.headers.get('content-type')!.split(';', 1)[0]], [200, type]);
      }
      const worker = await nobody('a/worker.js');
      assert.equal(worker.headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(worker.headers.get('cache-control'), 'no-cache');
    });
  });
}
