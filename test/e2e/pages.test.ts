// What is not about rooms: the server's information, static files, the landing page, unknown paths and methods, HEAD.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Api, startGateway } from '../support/gateway.ts';
import { sendHttp } from '../support/raw-http.ts';

const folder = await mkdtemp(join(tmpdir(), 'static-'));
after(() => rm(folder, { recursive: true }));
const site = join(folder, 'site');
await mkdir(join(site, 'docs'), { recursive: true });
await mkdir(join(site, '.well-known'));
await Promise.all([
  writeFile(join(folder, 'secret.txt'), 'secret'),
  writeFile(join(site, 'landing.html'), '<!doctype html><title>Hello</title>'),
  writeFile(join(site, 'own.css'), 'body { color: red }\n'.repeat(200)),
  writeFile(join(site, 'docs/index.html'), 'documents'),
  writeFile(join(site, '.hidden'), 'hidden'),
  writeFile(join(site, '.well-known/security.txt'), 'Contact: mailto:me@here'),
  symlink(join(folder, 'secret.txt'), join(site, 'link.txt')),
]);

const gateway = await startGateway({ after }, { demo: true, options: ['--static', site] });
const { api } = gateway;
const alice = gateway.as('alice');

describe('the server information', () => {
  it('has the names that front ends know', async () => {
    const info = (await (await alice('c/info')).json()) as Record<string, unknown>;
    const texts = [
      'nodename',
      'humannode',
      'fqdn',
      'software',
      'bbs_city',
      'sysadm',
      'default_cal_zone',
      'svn_revision',
    ];
    const booleans = ['newuser_disabled', 'fulltext_enabled'];
    for (const name of ['ldap', 'sieve', 'openid', 'guest']) booleans.push(`supports_${name}`);
    const wanted = [
      ...texts.map((name) => [`serv_${name}`, 'string']),
      ...['pid', 'rev_level'].map((name) => [`serv_${name}`, 'number']),
      ...booleans.map((name) => [`serv_${name}`, 'boolean']),
    ];
    const types = Object.fromEntries(Object.entries(info).map(([name, value]) => [name, typeof value]));
    assert.deepEqual(types, Object.fromEntries(wanted));
    assert.match(String(info.serv_software), /^Vestibule/);
  });
});

describe('static files', () => {
  it('have types, tags and ranges', async () => {
    const response = await api('s/own.css');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/css/);
    const etag = response.headers.get('etag')!;
    assert.equal((await api('s/own.css', { headers: { 'if-none-match': etag } })).status, 304);
    const part = await api('s/own.css', { headers: { range: 'bytes=0-3' } });
    assert.deepEqual([part.status, await part.text()], [206, 'body']);
    const packed = await api('s/own.css', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
  });

  it('have an index in folders', async () => {
    assert.equal(await (await api('s/docs/')).text(), 'documents');
    const response = await api('s/docs');
    assert.deepEqual([response.status, response.headers.get('location')], [308, '/svc/s/docs/']);
  });

  it('are found under /.well-known/ too', async () => {
    assert.equal(await (await api('/.well-known/security.txt')).text(), 'Contact: mailto:me@here');
    assert.equal((await api('/.well-known/none')).status, 404);
  });

  it('never leave their folder', async () => {
    const attempts = [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '%2e%2e%2fsecret.txt',
      '..%5csecret.txt',
      '..\\secret.txt',
      'docs/../../secret.txt',
      'docs/%2e%2e/%2e%2e/secret.txt',
      '....//secret.txt',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      '%00',
      'own.css%00.html',
      '%c0%ae%c0%ae/secret.txt',
      '%252e%252e/secret.txt',
      'link.txt',
      '.hidden',
      '.well-known/../.hidden',
      'none.css',
      'own.css/',
    ];
    for (const attempt of attempts) {
      const response = await sendHttp(gateway.url, `/svc/s/${attempt}`);
      assert.ok([400, 404].includes(response.status), `${attempt}: ${response.status}`);
      assert.doesNotMatch(await response.text(), /secret|hidden|root:/);
    }
  });
});

describe('the landing page', () => {
  it('is where / leads', async () => {
    const response = await api('/');
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/svc/a/landing.html']);
    const page = await api('a/landing.html');
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(await page.text(), /Hello/, "the site's own");
    assert.match(page.headers.get('content-security-policy')!, /script-src 'self'/);
  });

  it('is where --landing says', async (t) => {
    const other = await startGateway(t, { options: ['--prefix', 'ctdl', '--landing', '/ctdl/s/docs/'] });
    assert.equal((await other.api('/')).headers.get('location'), '/ctdl/s/docs/');
    assert.equal((await other.api('/ctdl/a/whoami')).status, 200);
    assert.equal((await fetch(new URL('svc/a/whoami', other.url))).status, 404, 'not under the usual prefix');
  });
});

describe('unknown paths and methods', () => {
  it('are 404 with a problem, or a page for people', async () => {
    for (const path of ['/nothing', '/svc/x', '/svc/a/', '/svc/r/Lobby/1/json/x', '/svc//r/']) {
      const response = await alice(path);
      assert.equal(response.status, 404, path);
      const problem = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([problem.type, problem.title, problem.status], ['about:blank', 'Not Found', 404]);
    }
    const page = await alice('/svc/x', { headers: { accept: 'text/html,*/*;q=0.1' } });
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(await page.text(), /<h1>Not Found<\/h1>/);
  });

  it('are 405 with what is allowed', async () => {
    const wrong: [string, string, RegExp][] = [
      ['POST', '/', /^GET, HEAD, OPTIONS, PROPFIND, REPORT$/],
      ['DELETE', 'r/', /\bGET\b/],
      ['PUT', 'r/Lobby/', /\bGET\b/],
      ['POST', 'r/Lobby/1', /\bDELETE\b.*\bMOVE\b.*\bPUT\b/],
      ['GET', 'a/login', /^OPTIONS, POST$/],
      ['PUT', 'p/abc', /^DELETE, GET, HEAD, OPTIONS$/],
      ['POST', 'c/info', /^GET, HEAD, OPTIONS$/],
      ['PATCH', 'u/alice/userpic', /\bGET\b.*\bPUT\b/],
    ];
    for (const [method, path, allowed] of wrong) {
      const response = await alice(path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.match(response.headers.get('allow')!, allowed, `${method} ${path}`);
    }
  });

  it('tell OPTIONS without a log-in', async () => {
    for (const path of ['r/', 'r/Lobby/', 'r/Lobby/1']) {
      const response = await api(path, { method: 'OPTIONS' });
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('allow')!, /OPTIONS/);
      assert.ok(response.headers.get('dav'));
    }
  });
});

describe('HEAD', () => {
  it('answers like GET, without the content', async () => {
    const paths = ['/', 'f/', 'r/', 'r/Lobby/', 'r/Lobby/stat', 'r/Lobby/msgs.all', 'r/Lobby/mailbox', 'r/Lobby/1'];
    const more = [
      'r/Lobby/1/json',
      'r/Lobby/1/1',
      'r/Lobby/info.txt',
      'c/info',
      'a/whoami',
      'a/biff',
      's/own.css',
      'nope',
    ];
    for (const path of [...paths, ...more]) {
      const [get, head] = [await alice(path), await alice(path, { method: 'HEAD' })];
      assert.equal(head.status, get.status, path);
      await get.arrayBuffer();
      assert.deepEqual(steady(head), steady(get), path);
    }
  });

  it('is the same when many come over one connection', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => get(alice, i % 2 ? 'r/Lobby/1' : 'r/Lobby/')),
    );
    assert.equal(new Set(answers).size, 2);
  });
});

function steady(response: Response): Record<string, string> {
  const fields = Object.fromEntries(response.headers);
  delete fields.date;
  delete fields['x-request-id'];
  return fields;
}

async function get(api: Api, path: string): Promise<string> {
  const response = await api(path);
  assert.equal(response.status, 200);
  return response.text();
}
