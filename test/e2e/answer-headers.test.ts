// What browsers are told of each answer: every route of the table, asked by who may and by who may not, says that
// nothing of it runs, who may show it, and that it stays on TLS. What strangers sent is never a page, a script or a
// style sheet of ours, whatever its type. No header field of a request leads a browser to another host.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { VIEW } from '../../src/model.ts';
import type { World } from '../support/access-places.ts';
import { askedOf, requestOf } from '../support/access-requests.ts';
import { startAccessSite } from '../support/access-world.ts';
import { basic, postedNumber, startGateway } from '../support/gateway.ts';
import { rawRequest, sendHttp, sendRaw } from '../support/raw-http.ts';

const PREFIX = '/svc/';
const SAFE = new Set(['GET', 'PROPFIND', 'REPORT', 'OPTIONS']);
/** of the program and its operator: may load what is its own */
const OUR_OWN = /^(?:s\/|src\/|\/\.well-known\/|a\/landing\.html$|a\/logout$|a\/worker\.js$)/;
/** what somebody has sent, as it is */
const FOREIGN = /^(?:r\/:room\/:name(?:\/:part)?|r\/:room\/:name\/\*path|.*pic|p\/:id|.*history\/:version)$/;
const FORGED = [
  'X-Forwarded-Host: evil.example',
  'Forwarded: host=evil.example',
  'X-Original-URL: //evil.example/',
  'Referer: https://evil.example/',
];

const router = routes(PREFIX);
addDavRoutes(router, PREFIX);
const rows = router.routes().flatMap(({ method, pattern }) => {
  const below = pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
  // headers are the same in all places
  return askedOf(method === '*' ? 'PROPFIND' : method, below).slice(0, 1);
});

/** What is wrong with the header fields of an answer. */
function faultsOf(method: string, pattern: string, { status, headers }: Response): string[] {
  const say = (name: string) => headers.get(name) ?? '(none)';
  const policy = say('content-security-policy');
  const isPage = say('content-type').startsWith('text/html');
  const isSandboxed = /^sandbox;/.test(policy);
  const isOwn = OUR_OWN.test(pattern) && status === 200;
  const isForeign = method === 'GET' && FOREIGN.test(pattern) && status === 200;
  const location = headers.get('location') ?? '/';
  const rules: Record<string, boolean> = {
    'X-Content-Type-Options': say('x-content-type-options') === 'nosniff',
    'Strict-Transport-Security': say('strict-transport-security') === 'max-age=86400',
    'Referrer-Policy': /^(?:same-origin|no-referrer)$/.test(say('referrer-policy')),
    'frame-ancestors': /frame-ancestors '(?:none|self)'/.test(policy),
    'default-src': policy.includes(isOwn ? 'default-src ' : "default-src 'none'"),
    sandbox: !isForeign || isSandboxed,
    'Cross-Origin-Resource-Policy': say('cross-origin-resource-policy') === (isOwn ? 'cross-origin' : 'same-origin'),
    'Cross-Origin-Opener-Policy':
      say('cross-origin-opener-policy') === (isPage && !isSandboxed ? 'same-origin' : '(none)'),
    Location: /^\/(?![/\\])/.test(location) && !location.includes('evil'),
    'Access-Control-Allow-Origin': !headers.has('access-control-allow-origin'),
  };
  return Object.entries(rules).flatMap(([name, isKept]) => (isKept ? [] : [`${name}: ${JSON.stringify(policy)}`]));
}

describe('each route', () => {
  it('says of each answer what a browser may do with it', async () => {
    const site = await startAccessSite({ after }, ['--trust-proxy']);
    const { origin } = new URL(site.gateway.url);
    const seen = new Set<string>();
    const wrong: string[] = [];
    let world: World | undefined;
    let place: string | undefined;
    let count = 0;
    for (const row of rows) {
      for (const authorization of ['', basic('keeper'), basic('admin', 'secret')]) {
        if (world === undefined || place !== row.place) world = site.newWorld(row.place);
        place = row.place;
        const here = await site.furnish(row, world);
        for (const accept of row.method === 'GET' && authorization === '' ? ['*/*', 'text/html'] : ['*/*']) {
          const { path, headers, ...init } = requestOf(row, here, { n: String(++count) });
          const stop = new AbortController();
          const answer = await sendHttp(origin, path.startsWith('/') ? path : PREFIX + path, {
            ...init,
            headers: { accept, 'x-forwarded-proto': 'https', ...headers, ...(authorization && { authorization }) },
            signal: stop.signal,
          });
          const asked = `${row.method} ${row.pattern} ${answer.status}`;
          for (const fault of faultsOf(row.method, row.pattern, answer)) wrong.push(`${asked}: ${fault}`);
          seen.add(`${Math.floor(answer.status / 100)}`);
          const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
          if (!isStream) await answer.arrayBuffer();
          stop.abort();
          if (!SAFE.has(row.method) && answer.status < 400) world = undefined;
          if (world === undefined) break;
        }
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([...seen].sort(), ['2', '3', '4']);
    assert.deepEqual(site.gateway.faults, []);
  });

  it('also where nothing is, and of a request that is none', async (t) => {
    const gateway = await startGateway(t, { options: ['--trust-proxy'] });
    const { origin } = new URL(gateway.url);
    const secure = { 'x-forwarded-proto': 'https' };
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['GET', '/svc/%zz'],
      ['DELETE', '/svc/a/whoami'],
      ['OPTIONS', '*'],
      ['GET', `/svc/${'x'.repeat(9000)}`],
    ] as const) {
      const answer = await sendHttp(origin, path, { method, headers: secure });
      assert.deepEqual(faultsOf(method, path, answer), [], `${method} ${path.slice(0, 20)}`);
    }
    for (const bytes of ['BREW /svc/ HTTP/1.1\r\nHost: x\r\n\r\n', '\0\r\n\r\n']) {
      const { head } = await sendRaw(origin, Buffer.from(bytes));
      const headers = new Headers(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(': ') as [string, string]),
      );
      headers.set('strict-transport-security', 'max-age=86400'); // what cannot be read is on no route that says it
      assert.deepEqual(faultsOf('GET', 'unreadable', new Response(null, { status: 400, headers })), [], head);
    }
  });
});

const ACTIVE = [
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/xml',
  'application/pdf',
  'text/javascript',
  'text/css',
  'application/x-shockwave-flash',
];

/** Sec-Fetch-Dest of what a browser runs, or applies to a page */
const RUN_AS = ['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet', 'xslt'];
/** of a browser that does not say what it asks for */
const SILENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0', accept: '*/*' };

describe('what strangers sent', () => {
  it('is a sandboxed document of its own, whatever its type', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const alice = gateway.as('alice');
    const json = { 'content-type': 'application/json' };
    const room = JSON.stringify({ name: 'Files', kind: 'public', view: VIEW.files });
    await alice('r/', { method: 'POST', headers: json, body: room });
    assert.equal((await alice('r/Files/in', { method: 'MKCOL' })).status, 201);
    const { origin } = new URL(gateway.url);
    for (const type of ACTIVE) {
      const body = '<?xml-stylesheet href="x" type="text/xsl"?><svg onload="alert(1)"/><script>alert(1)</script>';
      const put = { method: 'PUT', headers: { 'content-type': type }, body };
      const number = postedNumber(await alice('r/Lobby/new', put));
      assert.ok((await alice('r/Files/in/one', put)).ok);
      const mail = [`--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n--b--\r\n`].join('');
      const mixed = { 'content-type': 'multipart/mixed; boundary="b"' };
      const withPart = postedNumber(await alice('r/Lobby/new', { method: 'PUT', headers: mixed, body: mail }));
      const upload = await alice('p?filename=x.html', { method: 'POST', headers: { 'content-type': type }, body });
      const [{ ref }] = (await upload.json()) as [{ ref: string }];
      const paths = [`r/Lobby/${number}`, `r/Lobby/${number}/1`, `r/Lobby/${withPart}/1`, 'r/Files/in/one', `p/${ref}`];
      for (const path of paths) {
        const answer = await alice(path, { headers: { accept: type } });
        const { headers } = answer;
        const at = `${type} at ${path}`;
        assert.equal(answer.status, 200, at);
        assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'; frame-ancestors 'self'", at);
        assert.equal(headers.get('x-content-type-options'), 'nosniff', at);
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', at);
        assert.match(headers.get('vary')!, /\bSec-Fetch-Dest\b/, 'or the cache of a browser would give it to a script');
        await answer.arrayBuffer();
        const silent = await alice(path, { headers: SILENT });
        const shown = silent.headers.get('content-type')!;
        assert.equal(shown, /script|css/.test(type) ? 'text/plain' : headers.get('content-type'), at);
        await silent.arrayBuffer();
        for (const dest of RUN_AS) {
          const asked = { authorization: basic('alice'), 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' };
          const refused = await sendHttp(origin, PREFIX + path, { headers: asked });
          assert.equal(refused.status, 403, `${at} as ${dest}`);
          assert.match(refused.headers.get('content-type')!, /^application\/problem\+json/);
          await refused.arrayBuffer();
        }
      }
    }
    for (const path of ['s/landing.js', 'src/mime/objects/time.ts', 'a/worker.js']) {
      const own = await sendHttp(origin, PREFIX + path, { headers: { 'sec-fetch-dest': 'script' } });
      assert.notEqual(own.status, 403, path);
      await own.arrayBuffer();
    }
  });
});

describe('a redirect', () => {
  it('leads to no other host, whatever a request says', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const { origin } = new URL(gateway.url);
    const below = ['', 's', 's/guide', 'f', 'r', 'r/Lobby', 'u', 'a/logout', '.well-known/caldav', 'r/Town%20Square'];
    const targets = below.flatMap((path) => [
      `${PREFIX}${path}`,
      `/${PREFIX}${path}`,
      `//evil.example${PREFIX}${path}`,
      `/\\evil.example/..${PREFIX}${path}`,
      `/%2fevil.example/..${PREFIX}${path}`,
      `${PREFIX}${path}//evil.example`,
      `${PREFIX}${path}?//evil.example`,
      `${PREFIX}${path}?url=https://evil.example/`,
      `http://evil.example${PREFIX}${path}`,
      `http://evil.example//evil.example${PREFIX}${path}`,
    ]);
    let redirects = 0;
    for (const target of ['/', '//', '/.well-known/carddav', '/svc', ...targets]) {
      for (const method of ['GET', 'PROPFIND']) {
        const fields = [...FORGED, `Authorization: ${basic('alice')}`, 'Accept: text/html'];
        const bytes = rawRequest(method, target, fields).toString('latin1');
        const forged = Buffer.from(bytes.replace('Host: x', 'Host: evil.example'), 'latin1');
        const { status, head } = await sendRaw(origin, forged);
        const location = /\r\nlocation: (.*)/i.exec(head)?.[1];
        if (location === undefined) continue;
        redirects++;
        const to = new URL(location, 'http://own.example/');
        assert.equal(to.host, 'own.example', `${method} ${target}: ${status} ${location}`);
        assert.match(location, /^\/(?![/\\])/);
      }
    }
    assert.ok(redirects > 20, `${redirects}`);
  });
});
