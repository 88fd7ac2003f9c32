// Static files and the landing page.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startGateway } from '../../support/gateway.ts';
import { sendHttp } from '../../support/raw-http.ts';

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
