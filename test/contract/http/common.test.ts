// The rules common to all paths: encoding, methods, errors, conditional requests, ranges, compression, bodies.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { holds, json, jsonOf, post, problemOf, statusesOf, targets } from '../../support/conformance.ts';
import { sendRaw } from '../../support/raw-http.ts';

for (const target of await targets({ after })) {
  const { user, nobody, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);

  describe(target.name, () => {
    holds('common 1', 'every path stands under the prefix', async (t) => {
      if (!target.isOwn) return t.skip('needs an origin with nothing beside the gateway');
      assert.deepEqual(await statusesOf(['/r/', '/other/r/', '/a/whoami'], api), [404, 404, 404]);
    });

    holds('common 2', 'JSON is application/json in UTF-8, times are Unix seconds', async () => {
      const number = await post(target, room, 'x', { query: '?subj=Gr%C3%BC%C3%9Fe%20%F0%9F%8C%B1' });
      const { subj, time } = await jsonOf(api(`${at(number)}/json`));
      assert.equal(subj, 'Grüße 🌱');
      assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 86_400, 'the clocks of both may differ');
    });

    holds('common 3', 'path segments are decoded once, after splitting; what is written is encoded', async () => {
      const name = `a/b slash & <b> %41 ${room.slice(-12)}`;
      const made = await api('r/', { method: 'POST', ...json({ name, kind: 'personal' }) });
      assert.equal(made.headers.get('location'), path(name));
      assert.equal((await jsonOf(api(path(name)))).name, name);
      assert.equal((await api(path(name), { method: 'DELETE' })).status, 204);
    });

    holds('common 4', 'room names match in any case, answers carry the stored one', async () => {
      assert.equal((await jsonOf(api(path(room.toUpperCase())))).name, room);
    });

    holds('common 5', 'malformed encoding, NUL, CR and LF are 400 in segments and parameters', async () => {
      const bad = ['%', '%zz', '%ff', '%C3', 'a%00b', 'a%0Db', 'a%0Ab'];
      const paths = bad.flatMap((text) => [`r/${text}/`, `${at('mailbox')}?after=${text}`]);
      assert.deepEqual(
        await statusesOf(paths, api),
        paths.map(() => 400),
      );
    });

    holds('common 6', 'no value gets a line or a field separator into the line protocol', async () => {
      const before = await jsonOf<number[]>(api(at('msgs.all')));
      const values = ['a%7Cb', 'a%0AQUIT', 'a%0D%0AQUIT'];
      const put = (query: string) => api(`${at('new')}?${query}`, { method: 'PUT', body: 'x' });
      const queries = values.flatMap((value) => [`subj=${value}`, `wefw=${value}`, `mailto=${value}`]);
      assert.deepEqual(
        await statusesOf(queries, put),
        queries.map(() => 400),
      );
      assert.deepEqual(await jsonOf(api(at('msgs.all'))), before);
    });

    holds('common 7', 'HEAD works wherever GET does', async () => {
      const number = await post(target, room);
      const paths = ['a/whoami', 'c/info', 'f/', 'r/', at(), at('stat'), at('mailbox'), at('msgs.all'), at(number)];
      for (const one of [...paths, `${at(number)}/json`, `${at(number)}/1`, 's/landing.html']) {
        const [get, head] = [await api(one), await api(one, { method: 'HEAD' })];
        assert.equal(head.status, get.status, one);
        assert.equal(await head.text(), '', one);
        for (const name of ['content-type', 'content-length', 'etag', 'last-modified']) {
          assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${one}`);
        }
        await get.arrayBuffer();
      }
    });

    holds('common 8', 'an unknown path is 404', async () => {
      for (const one of ['none', 'a/none', 'c/', 'r/a/b/c/d/e']) await problemOf(api(one), 404);
    });

    holds('common 9', 'a known path with another method is 405 with Allow', async () => {
      const cases = [
        ['POST', 'a/whoami', 'GET, HEAD'],
        ['GET', 'a/login', 'POST'],
        ['DELETE', at('stat'), 'GET, HEAD'],
      ] as const;
      for (const [method, one, allow] of cases) {
        const response = await api(one, { method });
        assert.equal(response.headers.get('allow'), allow);
        await problemOf(response, 405);
      }
    });

    holds(
      'common 10',
      'errors are application/problem+json, with the code of the room server that refused',
      async () => {
        const problem = await problemOf(api(path(`${room} none`)), 404);
        assert.match(String(problem.code), /^[45]\d\d$/);
        assert.ok(!('code' in (await problemOf(api('none'), 404))), 'here the room server was not asked');
      },
    );

    holds('common 11', 'to who asks for HTML first an error is a page', async () => {
      const response = await api('none', { headers: { accept: 'text/html,application/json;q=0.9' } });
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type')!, /^text\/html/);
    });

    holds('common 12', 'no stack trace, file path or banner is in an error', async () => {
      for (const one of [path(`${room} none`), 'none', at('msgs.odd'), 's/../../etc/passwd', `p/${'x'.repeat(30)}`]) {
        assert.doesNotMatch(await (await api(one)).text(), /at file|node:|\.ts\b|\.js\b|\/src\/|\/home\/|SQLITE/);
      }
    });

    holds('common 13', 'refusals of the room server become 404, 409 and 400', async () => {
      await problemOf(api(path(`${room} none`)), 404);
      await problemOf(api(at(999_999_999)), 404);
      await problemOf(api(`u/${encodeURIComponent(room)}/userpic`), 404);
      await problemOf(api('r/', { method: 'POST', ...json({ name: room, kind: 'personal' }) }), 409);
      await problemOf(api('r/', { method: 'POST', ...json({ name: 'a|b' }) }), 400);
    });

    holds('common 14', 'the ETag of a message is its number, quoted; a part may be kept for good', async () => {
      const number = await post(target, room);
      assert.equal((await api(at(number))).headers.get('etag'), `"${number}"`);
      const part = await api(`${at(number)}/1`);
      assert.match(part.headers.get('etag')!, /^"[^"]+"$/);
      assert.match(part.headers.get('cache-control')!, /^private, max-age=\d+, immutable$/);
      assert.match(part.headers.get('vary')!, /Cookie/);
    });

    holds('common 15', 'If-None-Match is 304 for GET and HEAD', async () => {
      const number = await post(target, room);
      const headers = { 'if-none-match': `"0", "${number}"` };
      for (const method of ['GET', 'HEAD']) {
        const response = await api(at(number), { method, headers });
        assert.deepEqual([response.status, response.headers.get('etag')], [304, `"${number}"`]);
      }
      assert.equal((await api(at(number), { headers: { 'if-none-match': '"0"' } })).status, 200);
    });

    holds('common 16', 'If-None-Match is 412 for PUT, If-Match for everything, and nothing is changed', async () => {
      const name = 'conditions.txt';
      const number = await post(target, room, 'first', { name });
      const put = (headers: Record<string, string>) => api(at(name), { method: 'PUT', body: 'second', headers });
      await problemOf(put({ 'if-none-match': '*' }), 412);
      await problemOf(put({ 'if-match': '"0"' }), 412);
      await problemOf(api(at(name), { headers: { 'if-match': '"0"' } }), 412);
      await problemOf(api(at(name), { method: 'DELETE', headers: { 'if-match': '"0"' } }), 412);
      assert.equal(await (await api(at(name))).text(), 'first');
      assert.equal((await put({ 'if-match': `"${number}"` })).status, 204);
    });

    holds('common 17', 'Range on parts, uploads and static files is 206 or 416', async () => {
      const number = await post(target, room, '0123456789');
      const [{ ref }] = await jsonOf<[{ ref: string }]>(api('p', { method: 'POST', body: '0123456789' }), 201);
      for (const one of [at(number), `${at(number)}/1`, `p/${ref}`]) {
        const part = await api(one, { headers: { range: 'bytes=2-4' } });
        assert.equal(part.headers.get('content-range'), 'bytes 2-4/10', one);
        assert.deepEqual([part.status, await part.text()], [206, '234']);
        const beyond = await api(one, { headers: { range: 'bytes=10-' } });
        assert.equal(beyond.headers.get('content-range'), 'bytes */10', one);
        await problemOf(beyond, 416);
      }
      assert.equal((await nobody('s/landing.html', { headers: { range: 'bytes=-5' } })).status, 206);
      await api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('common 18', 'JSON above 1 KiB is compressed as Accept-Encoding allows, packed types never', async () => {
      const large = await target.makeRoom();
      for (let i = 0; i < 12; i++) await post(target, large, 'x', { query: `?subj=${'long%20'.repeat(12)}${i}` });
      for (const encoding of ['br', 'gzip']) {
        const response = await api(path(large, 'mailbox'), { headers: { 'accept-encoding': encoding } });
        assert.equal(response.headers.get('content-encoding'), encoding);
        assert.match(response.headers.get('vary')!, /Accept-Encoding/);
      }
      assert.equal((await api(path(large, 'mailbox'))).headers.get('content-encoding'), null);
      const image = await post(target, large, Buffer.alloc(4000), { type: 'image/png' });
      const packed = await api(path(large, image), { headers: { 'accept-encoding': 'br, gzip' } });
      assert.equal(packed.headers.get('content-encoding'), null);
    });

    holds('common 19', 'pipelined requests on a kept connection are answered in order', async (t) => {
      if (target.url.startsWith('https:')) return t.skip('needs a connection without TLS');
      const requests = [`${prefix}s/landing.html`, `${prefix}none`].map((one, i) => {
        const connection = i === 1 ? 'Connection: close\r\n' : '';
        return `HEAD ${one} HTTP/1.1\r\nHost: x\r\n${connection}\r\n`;
      });
      const { head, body } = await sendRaw(target.url, Buffer.from(requests.join('')));
      assert.match(`${head}\r\n\r\n${body}`, /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nHTTP\/1\.1 404 /);
    });

    holds('common 20', 'Expect: 100-continue and chunked bodies work', async () => {
      async function* chunks() {
        for (const text of ['one ', 'two ', 'three']) yield Buffer.from(text);
      }
      const put = await api(at('new'), { method: 'PUT', body: chunks(), headers: { expect: '100-continue' } });
      assert.equal(put.status, 201);
      assert.equal(await (await api(put.headers.get('location')!)).text(), 'one two three');
    });

    holds('common 21', 'a body above its bound is 413', async () => {
      const large = { username: 'x', password: 'x'.repeat(1024 * 1024) };
      await problemOf(nobody('a/login', { method: 'POST', ...json(large) }), 413);
    });

    holds('common 22', 'what the interface says of rooms and callers is kept by no cache', async () => {
      for (const one of ['a/whoami', 'r/', at(), at('msgs.all'), at('mailbox'), 'none']) {
        assert.equal((await api(one)).headers.get('cache-control'), 'no-store', one);
      }
      const text = await api('a/whoami', { headers: { accept: 'text/plain' } });
      assert.equal(text.headers.get('cache-control'), 'no-store');
    });
  });
}
