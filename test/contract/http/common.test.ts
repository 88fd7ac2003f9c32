// The rules common to all paths: encoding, methods, errors, conditional requests, ranges, compression, bodies.

import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { holds, json, jsonOf, post, problemOf, statusesOf, targets } from '../../support/conformance.ts';
import { faultServer } from '../../support/fault-server.ts';
import { basic, startGateway } from '../../support/gateway.ts';
import { rawRequest, sendHttp, sendRaw } from '../../support/raw-http.ts';

for (const target of await targets({ after })) {
  const { user, nobody, path, prefix } = target;
  const api = user.api;
  const room = await target.makeRoom();
  const at = (name: string | number = '') => path(room, name);

  describe(target.name, () => {
    holds('common 1', 'every path stands under the prefix', async (t) => {
      if (!target.isOwn) return t.skip('needs an origin with nothing beside the gateway');
      const paths = ['/r/', '/other/r/', '/a/whoami', '/.well-known/none', '.well-known/here.txt'];
      assert.deepEqual(await statusesOf(paths, api), [404, 404, 404, 404, 404]);
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
      const inPath = (text: string) => [
        `r/${text}/`,
        `${at()}${text}`,
        `${at(1)}/${text}`,
        `p/${text}`,
        `u/${text}/userpic`,
        `s/${text}`,
      ];
      const inQuery = (text: string) =>
        ['a/whoami', 'f/', at('mailbox'), 's/landing.html'].map((one) => `${one}?after=${text}`);
      const paths = bad.flatMap((text) => [...inPath(text), ...inQuery(text), `r/?${text}=`]);
      assert.deepEqual(
        await statusesOf(paths, api),
        paths.map(() => 400),
      );
    });

    holds('common 6', 'no value gets a line or a field separator into the line protocol', async () => {
      const before = await jsonOf<number[]>(api(at('msgs.all')));
      const values = ['a%7Cb', 'a%0AQUIT', 'a%0D%0AQUIT'];
      const put = (query: string) => api(`${at('new')}?${query}`, { method: 'PUT', body: 'x' });
      const queries = values.flatMap((value) => [`wefw=${value}`, `mailto=${value}`]).concat('subj=a%0AQUIT');
      assert.deepEqual(
        await statusesOf(queries, put),
        queries.map(() => 400),
      );
      await problemOf(api(at(), { headers: { 'x-room-password': 'a|b' } }), 400);
      await problemOf(api(path('a|b')), 400);
      assert.deepEqual(await jsonOf(api(at('msgs.all'))), before);
    });

    holds('common 7', 'HEAD works wherever GET does', async () => {
      const number = await post(target, room);
      await api(at('info.txt'), { method: 'PUT', body: 'A banner' });
      const [{ ref }] = await jsonOf<[{ ref: string }]>(api('p', { method: 'POST', body: 'x' }), 201);
      const own = ['stat', 'mailbox', 'msgs.all', 'info.txt', 'members', number].map(at);
      const paths = ['/', 'a/whoami', 'a/biff', 'a/landing.html', 'c/info', 'f', 'f/', 'r', 'r/', 'u/', at(), ...own];
      const message = ['/json', '/1', '?format=rfc822'].map((end) => at(number) + end);
      for (const one of [...paths, ...message, `p/${ref}`, 's/landing.html', 'none', at('none')]) {
        const [get, head] = [await api(one), await api(one, { method: 'HEAD' })];
        assert.equal(head.status, get.status, one);
        assert.equal(await head.text(), '', one);
        for (const name of ['content-type', 'etag', 'last-modified', 'location', 'accept-ranges', 'vary']) {
          assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${one}`);
        }
        const length = head.headers.get('content-length');
        assert.ok(length === null || Number(length) === (await get.arrayBuffer()).byteLength, one);
      }
      await api(`p/${ref}`, { method: 'DELETE' });
    });

    holds('common 8', 'an unknown path is 404', async () => {
      for (const one of ['none', 'a/none', 'c/', 'r/a/b/c/d/e']) await problemOf(api(one), 404);
    });

    holds('common 9', 'a known path with another method is 405 with Allow', async () => {
      const cases = [
        ['/', 'GET, HEAD, OPTIONS, PROPFIND, REPORT'],
        ['a/whoami', 'GET, HEAD, OPTIONS'],
        ['a/login', 'OPTIONS, POST'],
        ['a/logout', 'GET, OPTIONS, POST'],
        ['f/', 'GET, HEAD, OPTIONS, POST'],
        ['p/x', 'DELETE, GET, HEAD, OPTIONS'],
        ['s/landing.html', 'GET, HEAD, OPTIONS'],
        [at('stat'), 'GET, HEAD, OPTIONS'],
        [at('slrp'), 'GET, OPTIONS'],
        ['p', 'OPTIONS, POST'],
      ] as const;
      for (const [one, allow] of cases) {
        const options = await api(one, { method: 'OPTIONS' });
        assert.deepEqual([options.status, options.headers.get('allow')], [200, allow], one);
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'REPORT', 'LOCK']) {
          if (allow.split(', ').includes(method)) continue;
          const response = await api(one, { method });
          assert.equal(response.headers.get('allow'), allow, `${method} ${one}`);
          await problemOf(response, 405);
        }
      }
      for (const one of [at(), at(1), 'r/']) {
        const allow = (await api(one, { method: 'OPTIONS' })).headers.get('allow');
        const response = await api(one, { method: 'LINK' });
        assert.equal(response.headers.get('allow'), allow, one);
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
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('vary')!, /Accept/);
      assert.match(await response.text(), /<h1>Not Found<\/h1>/);
      for (const accept of ['*/*', 'application/json, text/html', 'application/xml', 'text/html;q=0.5, */*']) {
        await problemOf(api('none', { headers: { accept } }), 404);
      }
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

    holds('common 23', 'a room server that cannot be reached is 502, and one that breaks off', async (t) => {
      if (!target.isOwn) return t.skip('needs a room server that may be stopped');
      const faults = Array.from({ length: 10 }, () => ({ kind: 'cut-status', after: 'greeting' }) as const);
      const peer = await faultServer({}, faults);
      const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
      await problemOf(gateway.as('alice')('r/'), 502);
      await peer.close();
      await problemOf(gateway.as('alice')('r/'), 502);
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

    holds('common 24', 'tags are compared as RFC 9110 says: lists, weak ones, and the star', async () => {
      const number = await post(target, room);
      const send = (name: string) => (value: string) => api(at(number), { headers: { [name]: value } });
      const none = [`"${number}"`, `W/"${number}"`, '*', `"a,b" , W/"x",\t"${number}"`, `"${number}", nonsense`];
      assert.deepEqual(
        await statusesOf(none, send('if-none-match')),
        none.map(() => 304),
      );
      const others = ['"0"', String(number), `"${number}0"`, '', '"*"'];
      assert.deepEqual(
        await statusesOf(others, send('if-none-match')),
        others.map(() => 200),
      );
      assert.deepEqual(await statusesOf([`"${number}"`, '*', `"0", "${number}"`], send('if-match')), [200, 200, 200]);
      assert.deepEqual(await statusesOf([`W/"${number}"`, '"0"', 'nothing'], send('if-match')), [412, 412, 412]);
    });

    holds('common 25', 'a 304 tells what a 200 would: ETag, Cache-Control and Vary, and no content', async () => {
      const number = await post(target, room);
      for (const one of [at(number), `${at(number)}/1`, 's/landing.html']) {
        const full = await api(one);
        const response = await api(one, { headers: { 'if-none-match': full.headers.get('etag')! } });
        assert.equal(response.status, 304, one);
        for (const name of ['etag', 'cache-control', 'vary', 'last-modified']) {
          assert.equal(response.headers.get(name), full.headers.get(name), `${name} of ${one}`);
        }
        assert.deepEqual([response.headers.get('content-length'), await response.text()], [null, '']);
        await full.arrayBuffer();
      }
    });

    holds('common 26', 'If-Modified-Since is 304, If-Unmodified-Since 412; tags come before dates', async () => {
      const number = await post(target, room);
      const modified = (await api(at(number))).headers.get('last-modified')!;
      const before = new Date(Date.parse(modified) - 1000).toUTCString();
      const cases: [Record<string, string>, number][] = [
        [{ 'if-modified-since': modified }, 304],
        [{ 'if-modified-since': before }, 200],
        [{ 'if-modified-since': 'yesterday' }, 200],
        [{ 'if-modified-since': modified, 'if-none-match': '"0"' }, 200],
        [{ 'if-unmodified-since': modified }, 200],
        [{ 'if-unmodified-since': before }, 412],
        [{ 'if-unmodified-since': before, 'if-match': `"${number}"` }, 200],
      ];
      for (const [headers, status] of cases) {
        assert.equal((await api(at(number), { headers })).status, status, JSON.stringify(headers));
      }
    });

    holds('common 27', 'a PUT with If-Match makes nothing that was not there', async () => {
      const before = await jsonOf(api(at('msgs.all')));
      const put = (headers: Record<string, string>) => api(at('absent.txt'), { method: 'PUT', body: 'x', headers });
      for (const tag of ['*', '"1"', 'nothing']) await problemOf(put({ 'if-match': tag }), 412);
      assert.deepEqual(await jsonOf(api(at('msgs.all'))), before);
      assert.equal((await put({ 'if-none-match': '*' })).status, 201);
      assert.equal((await api(at('absent.txt'), { method: 'DELETE', headers: { 'if-match': '*' } })).status, 204);
    });

    holds('common 28', 'every form of a byte range; what is none is ignored, and so is a Range with HEAD', async () => {
      const number = await post(target, room, '0123456789');
      const ranges: [string, number, string][] = [
        ['bytes=0-0', 206, '0'],
        ['bytes=7-', 206, '789'],
        ['bytes=-3', 206, '789'],
        ['bytes=-99', 206, '0123456789'],
        ['bytes=8-99', 206, '89'],
        ['bytes=0-1,4-5', 200, '0123456789'],
        ['bytes=5-2', 200, '0123456789'],
        ['bytes=x', 200, '0123456789'],
        ['lines=0-1', 200, '0123456789'],
      ];
      for (const [range, status, text] of ranges) {
        const response = await api(at(number), { headers: { range } });
        assert.deepEqual([response.status, await response.text()], [status, text], range);
      }
      await problemOf(api(at(number), { headers: { range: 'bytes=-0' } }), 416);
      assert.equal((await api(at(number), { method: 'HEAD', headers: { range: 'bytes=2-4' } })).status, 200);
      assert.equal((await api(at(number))).headers.get('accept-ranges'), 'bytes');
    });

    holds('common 29', 'If-Range keeps parts of two representations apart', async () => {
      const number = await post(target, room, '0123456789');
      const modified = (await api(at(number))).headers.get('last-modified')!;
      const send = (value: string) => api(at(number), { headers: { range: 'bytes=0-1', 'if-range': value } });
      const tags = [`"${number}"`, '"0"', `W/"${number}"`, modified, 'Thu, 01 Jan 1970 00:00:00 GMT'];
      assert.deepEqual(await statusesOf(tags, send), [206, 200, 200, 206, 200]);
    });

    holds('common 30', 'text and XML are compressed too, what is small and what is refused is not', async () => {
      const text = 'A banner that is long enough. '.repeat(60);
      await api(at('info.txt'), { method: 'PUT', body: text });
      for (let i = 0; i < 8; i++) await post(target, room, 'x', { name: `compressed ${i}.txt` });
      // a Last-Modified that lies ahead grows with the clock until it is reached (HTTP decision 96)
      await sleep(2000);
      const requests: [string, string, Record<string, string>][] = [
        ['GET', at('info.txt'), {}],
        ['PROPFIND', at(), { depth: '1' }],
        ['GET', 's/landing.html', {}],
        ['GET', 's/openapi.json', {}],
      ];
      for (const [method, one, headers] of requests) {
        const get = async (encoding: string) => {
          const response = await api(one, { method, headers: { ...headers, 'accept-encoding': encoding } });
          assert.match(response.headers.get('vary')!, /Accept-Encoding/, one);
          return [response.headers.get('content-encoding'), Buffer.from(await response.arrayBuffer())] as const;
        };
        const [none, whole] = await get('identity');
        assert.equal(none, null);
        const [br, brotli] = await get('br, gzip;q=0.9');
        assert.deepEqual([br, brotliDecompressSync(brotli)], ['br', whole], one);
        const [gzip, packed] = await get('br;q=0, gzip');
        assert.deepEqual([gzip, gunzipSync(packed)], ['gzip', whole], one);
        for (const refused of ['br;q=0, gzip;q=0', '*;q=0', 'deflate', '']) {
          assert.equal((await get(refused))[0], null, `${one} ${refused}`);
        }
      }
      const small = await api(at('stat'), { headers: { 'accept-encoding': 'br, gzip' } });
      assert.equal(small.headers.get('content-encoding'), null);
    });

    holds('common 31', 'a compressed file has a tag of its own; ranges are of the file as it is', async () => {
      const send = (headers: Record<string, string>) => nobody('s/openapi.json', { headers });
      const [plain, packed] = [await send({}), await send({ 'accept-encoding': 'br' })];
      const tag = packed.headers.get('etag')!;
      assert.match(tag, /^"[^"]+"$/);
      assert.notEqual(tag, plain.headers.get('etag'));
      assert.equal((await send({ 'accept-encoding': 'br', 'if-none-match': tag })).status, 304);
      assert.equal((await send({ 'if-none-match': tag })).status, 200);
      const part = await send({ 'accept-encoding': 'br', range: 'bytes=0-9' });
      assert.deepEqual([part.status, part.headers.get('content-encoding')], [206, null]);
      assert.equal(await part.text(), (await plain.text()).slice(0, 10));
    });

    holds('common 32', 'there is no HEAD of a GET that changes something: 405, and nothing is changed', async () => {
      const number = await post(target, room);
      const before = (await jsonOf(api(at()))).last_seen;
      const reference = at(number).slice(`${prefix}r/`.length);
      for (const one of [`${at('slrp')}?last=${number}`, `p/${reference}`, 'a/logout']) {
        const response = await api(one, { method: 'HEAD' });
        assert.equal(response.status, 405, one);
        assert.doesNotMatch(response.headers.get('allow')!, /HEAD/);
      }
      assert.equal((await jsonOf(api(at()))).last_seen, before);
    });

    holds('common 33', 'an address that is too long is 414, header fields are 431', async () => {
      await problemOf(api(`r/${'x'.repeat(9000)}/`), 414);
      assert.equal((await api('a/whoami', { headers: { 'x-long': 'x'.repeat(17_000) } })).status, 431);
    });

    holds('common 34', 'sizes are bytes', async () => {
      const body = 'Grüße 🌱';
      const [record] = await jsonOf<{ ref: string; contentlength: number }[]>(api('p', { method: 'POST', body }), 201);
      assert.equal(record!.contentlength, Buffer.byteLength(body));
      const number = await post(target, room, body, { type: 'text/plain; charset=utf-8' });
      const { parts } = await jsonOf<{ parts: { size: number }[] }>(api(`${at(number)}/json`));
      assert.equal(parts[0]!.size, Buffer.byteLength(body));
      await api(`p/${record!.ref}`, { method: 'DELETE' });
    });

    holds('common 35', 'a body that is refused does not spoil the connection for the next request', async (t) => {
      if (target.url.startsWith('https:')) return t.skip('needs a connection without TLS');
      const refused = `POST ${prefix}none HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nGET / HTTP/1.1\r\n\r\n..`;
      const next = rawRequest('HEAD', `${prefix}s/landing.html`);
      const { head, body } = await sendRaw(target.url, Buffer.concat([Buffer.from(refused), next]), true);
      assert.deepEqual(`${head}\r\n\r\n${body}`.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200']);
    });

    holds('common 36', 'without a Content-Length a body is bounded all the same', async () => {
      async function* endless() {
        for (let i = 0; i < 200; i++) yield Buffer.alloc(1024, 'x');
      }
      await problemOf(nobody('a/login', { method: 'POST', body: endless() }), 413);
    });

    holds('common 37', 'what the room server refuses becomes the status that its number means', async (t) => {
      if (!target.isOwn) return t.skip('needs a room server that refuses everything');
      const refusals = { 520: 401, 550: 403, 540: 403, 572: 404, 570: 404, 571: 404, 575: 404, 574: 409, 512: 400 };
      const statuses = { ...refusals, 511: 413, 513: 507, 551: 503, 552: 503, 531: 503, 510: 502 };
      const answers = Object.keys(statuses).map((code) => [`GOTO ${code}||1`, `${code} the server’s own words\n`]);
      const peer = await faultServer(Object.fromEntries(answers), []);
      const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
      for (const [code, status] of Object.entries(statuses)) {
        // no room server of ours answers these here, and no document says that one might
        const headers = { authorization: basic('ann') };
        const response = await sendHttp(gateway.url, `/svc/r/${code}/stat`, { headers });
        assert.equal(response.headers.has('retry-after'), status === 503, code);
        const problem = await problemOf(response, status);
        assert.equal(problem.code, Number(code));
        assert.doesNotMatch(JSON.stringify(problem), /own words/);
      }
      await peer.close();
    });
  });
}
