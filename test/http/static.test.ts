import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { Exchange } from '../../src/http/exchange.ts';
import { Router } from '../../src/http/router.ts';
import { folderSource, memorySource, type StaticSource, serveStatic } from '../../src/http/static.ts';
import { exchangeRaw, head, type Site, serve } from './serving.ts';

const LONG = 'body { color: red }\n'.repeat(200);

const FILES: Record<string, string> = {
  'index.html': '<h1>root</h1>',
  'docs/index.html': '<h1>docs</h1>',
  'docs/a b.txt': '0123456789',
  'site.css': LONG,
  'empty.txt': '',
  '.well-known/security.txt': 'contact',
  'docs/.well-known/security.txt': 'no',
  '.hidden': 'no',
  'plain/file.bin': 'x',
};

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'static-test-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

async function filled(t: TestContext): Promise<string> {
  const root = join(await folder(t), 'root');
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
    await utimes(join(root, path), 784111777, 784111777);
  }
  return root;
}

const inMemory = () =>
  memorySource(
    new Map(Object.entries(FILES).map(([path, text]) => [path, { bytes: Buffer.from(text), mtimeSeconds: 784111777 }])),
  );

function site(t: TestContext, ...sources: StaticSource[]): Promise<Site> {
  const router = new Router<(exchange: Exchange) => Promise<void>>().add('GET', '/s/*path', (exchange) =>
    serveStatic(exchange, sources, exchange.params.path!),
  );
  return serve(t, (exchange) => {
    const match = router.match(exchange.method, exchange.rawPath);
    assert.ok(match.kind === 'found');
    exchange.params = match.params;
    return match.value(exchange);
  });
}

const makers: Record<string, (t: TestContext) => Promise<StaticSource>> = {
  'a folder': async (t) => folderSource(await filled(t)),
  memory: async () => inMemory(),
};

it('are kept for good where they are named by their content', async (t) => {
  const bytes = Buffer.from('x');
  const names = ['app/landing-N2EMOXLB.js', 'app/styles-VYVCZG7O.css', 'app/landing.html', 'css/a-VYVCZG7O.css'];
  const { url } = await site(t, memorySource(new Map(names.map((name) => [name, { bytes, mtimeSeconds: 1 }]))));
  const kept = await Promise.all(
    names.map(async (name) => (await fetch(`${url}/s/${name}`)).headers.get('cache-control')),
  );
  const forGood = 'public, max-age=31536000, immutable';
  assert.deepEqual(kept, [forGood, forGood, 'no-cache', 'no-cache']);
});

it('of the bundle are sent as they lie packed beside themselves', async (t) => {
  const script = Buffer.from('export const text = "long enough to be packed";'.repeat(100));
  const packed = brotliCompressSync(script);
  const file = (bytes: Buffer) => ({ bytes: Buffer.concat([bytes]), mtimeSeconds: 1 });
  const name = 'app/landing-N2EMOXLB.js';
  const files = new Map([
    [name, file(script)],
    [`${name}.br`, file(packed)],
  ]);
  const { url } = await site(t, memorySource(files));
  const sent = async (coding: string) => {
    const answer = await fetch(`${url}/s/${name}`, { headers: { 'Accept-Encoding': coding } });
    return [answer.headers.get('content-encoding'), answer.headers.get('content-length'), await answer.text()];
  };
  assert.deepEqual(await sent('br'), ['br', String(packed.length), script.toString()]);
  assert.deepEqual(await sent('identity'), [null, String(script.length), script.toString()]);
});

for (const [name, make] of Object.entries(makers)) {
  describe(`static files from ${name}`, () => {
    it('come with type, date, tag and length, and are revalidated', async (t) => {
      const { url } = await site(t, await make(t));
      const answer = await fetch(`${url}/s/docs/a%20b.txt`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal(answer.headers.get('content-length'), '10');
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(answer.headers.get('last-modified'), 'Sun, 06 Nov 1994 08:49:37 GMT');
      assert.equal(await answer.text(), '0123456789');
      const etag = answer.headers.get('etag')!;
      assert.match(etag, /^"[^"]+"$/);
      const again = await fetch(`${url}/s/docs/a%20b.txt`, { headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304);
      const part = await fetch(`${url}/s/docs/a%20b.txt`, { headers: { Range: 'bytes=3-5', 'If-Range': etag } });
      assert.deepEqual([part.status, await part.text()], [206, '345']);
      const asked = await fetch(`${url}/s/docs/a%20b.txt`, { method: 'HEAD' });
      assert.equal(asked.headers.get('content-length'), '10');
      assert.equal(await (await fetch(`${url}/s/empty.txt`)).text(), '');
    });

    it('are index.html for a folder, which has its slash', async (t) => {
      const { url } = await site(t, await make(t));
      assert.equal(await (await fetch(`${url}/s/`)).text(), '<h1>root</h1>');
      assert.equal(await (await fetch(`${url}/s/docs/`)).text(), '<h1>docs</h1>');
      for (const [path, location] of [
        ['/s/docs?a=b', '/s/docs/?a=b'],
        ['/s', '/s/'],
      ]) {
        const answer = await fetch(url + path, { redirect: 'manual' });
        assert.deepEqual([answer.status, answer.headers.get('location')], [308, location]);
      }
      assert.equal((await fetch(`${url}/s/plain`)).status, 404);
      assert.equal((await fetch(`${url}/s/plain/`)).status, 404);
    });

    it('carry a policy, and pages share their window with nobody', async (t) => {
      const { url } = await site(t, await make(t));
      for (const [name, opener] of [
        ['index.html', 'same-origin'],
        ['site.css', null],
      ]) {
        const { headers } = await fetch(`${url}/s/${name}`);
        assert.match(headers.get('content-security-policy')!, /default-src 'self'.*object-src 'none'/);
        assert.equal(headers.get('referrer-policy'), 'same-origin');
        assert.equal(headers.get('cross-origin-opener-policy'), opener);
      }
    });

    it('are packed under a tag of their own, but not in ranges', async (t) => {
      const { url } = await site(t, await make(t));
      const ask = (headers: Record<string, string>) => fetch(`${url}/s/site.css`, { headers });
      const plain = await ask({ 'Accept-Encoding': 'identity' });
      const etag = plain.headers.get('etag')!;
      assert.equal(plain.headers.get('vary'), 'Accept-Encoding');
      const packed = await ask({ 'Accept-Encoding': 'br' });
      assert.equal(packed.headers.get('content-encoding'), 'br');
      assert.equal(packed.headers.get('etag'), etag.replace(/"$/, '-br"'));
      assert.ok(Number(packed.headers.get('content-length') ?? 0) < LONG.length / 2);
      assert.equal(await packed.text(), LONG);
      const fresh = await ask({ 'Accept-Encoding': 'br', 'If-None-Match': packed.headers.get('etag')! });
      assert.equal(fresh.status, 304);
      const other = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': packed.headers.get('etag')! });
      assert.equal(other.status, 200);
      const part = await ask({ 'Accept-Encoding': 'br', Range: 'bytes=0-3' });
      assert.deepEqual([part.status, part.headers.get('content-encoding'), await part.text()], [206, null, 'body']);
    });

    it('never include dotfiles but .well-known, nor anything by a crooked path', async (t) => {
      const { port } = await site(t, await make(t));
      const ask = async (path: string) =>
        (await exchangeRaw(port, head(`GET ${path}`, 'Connection: close'))).slice(9, 12);
      assert.equal(await ask('/s/.well-known/security.txt'), '200');
      for (const path of [
        '/s/docs/.well-known/security.txt',
        '/s/.hidden',
        '/s/docs/../index.html',
        '/s/../secret.txt',
        '/s/%2e%2e/secret.txt',
        '/s/./index.html',
        '/s//index.html',
        '/s/docs//a%20b.txt',
        '/s/index.html/',
        '/s/docs%5Ca%20b.txt',
        '/s/missing',
        `/s/${'x'.repeat(300)}`,
      ]) {
        assert.equal(await ask(path), '404', path);
      }
      for (const path of ['/s/..%2fsecret.txt', '/s/a%00.txt']) assert.equal(await ask(path), '400', path);
    });
  });
}

it('does not follow a symlink out of the folder, but within it', async (t) => {
  const root = await filled(t);
  await writeFile(join(root, '..', 'secret.txt'), 'secret');
  await mkdir(join(root, '..', 'root-beside'));
  await writeFile(join(root, '..', 'root-beside', 'secret.txt'), 'secret');
  await symlink(join(root, '..', 'secret.txt'), join(root, 'leak.txt'));
  await symlink(join(root, '..', 'root-beside'), join(root, 'leak'));
  await symlink('site.css', join(root, 'alias.css'));
  await symlink(join(root, 'loop'), join(root, 'loop'));
  const { url } = await site(t, folderSource(root));
  for (const path of ['leak.txt', 'leak/secret.txt', 'loop'])
    assert.equal((await fetch(`${url}/s/${path}`)).status, 404);
  assert.equal((await fetch(`${url}/s/alias.css`)).status, 200);
});

it('takes a file from the first source that has it', async (t) => {
  const own = await folder(t);
  await writeFile(join(own, 'site.css'), 'own');
  const { url } = await site(t, folderSource(own), inMemory());
  assert.equal(await (await fetch(`${url}/s/site.css`)).text(), 'own');
  assert.equal(await (await fetch(`${url}/s/docs/`)).text(), '<h1>docs</h1>');
});
