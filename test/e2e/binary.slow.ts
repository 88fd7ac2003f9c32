// The one-file binary as a stranger runs it: no Node, no PATH, another folder. Builds it first where the sources are
// newer. Run: npm run test:slow

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtBinary } from '../support/binary.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const binary = builtBinary();
const folder = mkdtempSync(join(tmpdir(), 'vestibule-binary-'));
const password = 'correct horse';
/** scripts, a style sheet and an icon, where the sources have more than a hundred */
const MAX_FIRST_FILES = 12;

interface Gateway {
  child: ChildProcess;
  url: string;
}

describe('the one-file binary', () => {
  let gateway: Gateway;
  let cookie: string;
  let message: string;

  before(async () => {
    gateway = await start();
  });
  after(() => {
    gateway?.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves the landing page and its style sheet from inside', async () => {
    const page = await fetch(gateway.url);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const href = /<link[^>]*href="([^"]+\.css)"/.exec(await page.text())?.[1];
    assert.ok(href, 'the page names a style sheet');
    const sheet = await fetch(new URL(href, page.url));
    assert.equal(sheet.status, 200);
    assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/);
    assert.ok((await sheet.text()).length > 0);
  });

  it('serves the web client as few files, kept for good', async () => {
    const page = await fetch(gateway.url);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\.\.\/s\/app\/[^"]+)"/g)].map((match) => match[1]!);
    assert.ok(files.length <= MAX_FIRST_FILES, `${files.length} files`);
    for (const path of files) {
      const file = await fetch(new URL(path, page.url));
      assert.equal(file.status, 200, path);
      assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
    }
  });

  it('serves the guide from inside', async () => {
    const page = await fetch(new URL('/svc/s/guide', gateway.url));
    assert.deepEqual([page.status, page.url], [200, new URL('/svc/s/guide/', gateway.url).href]);
    assert.match(await page.text(), /<title>Vestibule guide<\/title>/);
    for (const name of ['curl.html', 'guide.css', '../css/colours.css']) {
      assert.equal((await fetch(new URL(name, page.url))).status, 200, name);
    }
  });

  it('logs in and posts a message', async () => {
    cookie = await logIn(gateway.url);
    const answer = await fetch(new URL('/svc/r/Lobby/new?subj=hello', gateway.url), {
      method: 'PUT',
      headers: { cookie, 'content-type': 'text/plain; charset=utf-8' },
      body: 'first\n000\nläst\n',
    });
    assert.equal(answer.status, 201);
    message = JSON.parse(answer.headers.get('etag')!) as string;
    assert.equal(await read(gateway.url, cookie, message), 'first\n000\nläst\n');
  });

  it('makes a message ready for reading in a thread of its own', async () => {
    const answer = await fetch(new URL('/svc/r/Lobby/new', gateway.url), {
      method: 'PUT',
      headers: { cookie, 'content-type': 'text/html; charset=utf-8' },
      body: '<p onclick="x()">läst</p>'.repeat(1000),
    });
    const number = JSON.parse(answer.headers.get('etag')!) as string;
    const json = await fetch(new URL(`/svc/r/Lobby/${number}/json`, gateway.url), { headers: { cookie } });
    assert.equal(json.status, 200);
    assert.equal(((await json.json()) as { text: string }).text, '<p>läst</p>'.repeat(1000));
  });

  it('serves the interface as OpenAPI from inside', async () => {
    const answer = await fetch(new URL('/svc/s/openapi.json', gateway.url));
    assert.equal(answer.status, 200);
    assert.match(((await answer.json()) as { openapi: string }).openapi, /^3\.1\./);
  });

  it('makes accounts, saves, checks and copies, beside the server', () => {
    const run = (...words: string[]) =>
      execFileSync(binary, words, {
        cwd: folder,
        env: { PATH: '/nonexistent', VESTIBULE_PASSWORD: 'x y z' },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    run('user', 'add', 'carol');
    assert.match(run('user', 'list'), /\tcarol\t/);
    run('backup', 'saved.db');
    run('check', 'saved.db');
    run('copy', '--from', 'embedded:data', '--to', 'embedded:copied');
    assert.match(run('user', 'list', '--data', 'copied'), /\tcarol\t/);
    run('compact', '--data', 'copied');
    run('check', '--data', 'copied');
    assert.match(run('config'), /^port\b/m);
  });

  it('stops cleanly and has kept everything when it starts again', async () => {
    gateway.child.kill('SIGTERM');
    assert.deepEqual(await once(gateway.child, 'exit'), [0, null]);
    gateway = await start();
    assert.equal(await read(gateway.url, cookie, message), 'first\n000\nläst\n', 'with the cookie from before');
    assert.equal(await read(gateway.url, await logIn(gateway.url), message), 'first\n000\nläst\n');
  });

  it('answers from several processes', async () => {
    const { child, url } = await start('several', '--workers', '2');
    try {
      const workers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
      assert.equal(workers.length, 1);
      for (let i = 0; i < 20; i++) {
        const answer = await fetch(new URL('/svc/c/info', url), { headers: { connection: 'close' } });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    }
  });

  it('has the same bytes when it is built again', () => {
    const before = createHash('sha256').update(readFileSync(binary)).digest('hex');
    execFileSync('npm', ['run', '-s', 'build'], { cwd: repository, stdio: 'pipe' });
    assert.equal(createHash('sha256').update(readFileSync(binary)).digest('hex'), before);
  });

  it('says its version and refuses nonsense with 2', () => {
    assert.match(execFileSync(binary, ['--version'], { env: {}, encoding: 'utf8' }), /^vestibule \d+\.\d+\.\d+\n$/);
    const mistake = { status: 2, stderr: '"--nonsense" is not an option; vestibule --help lists them\n' };
    assert.throws(() => execFileSync(binary, ['--nonsense'], { env: {}, encoding: 'utf8', stdio: 'pipe' }), mistake);
  });
});

async function start(data = 'data', ...words: string[]): Promise<Gateway> {
  const child = spawn(binary, ['--port', '0', '--data', data, '--demo', ...words], {
    cwd: folder,
    env: { PATH: '/nonexistent', VESTIBULE_ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    const url = /Listening on (http:\/\/\S+)/.exec(output)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { child, url };
  }
  assert.fail(`ended without listening: ${output}`);
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(new URL('/svc/a/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function read(url: string, cookie: string, message: string): Promise<string> {
  const answer = await fetch(new URL(`/svc/r/Lobby/${message}`, url), { headers: { cookie } });
  assert.equal(answer.status, 200);
  return answer.text();
}
