// Real WebDAV clients against a running gateway: litmus, cadaver and rclone, from Debian's packages of these names.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { basic, spawnGateway } from '../support/gateway.ts';

for (const tool of ['litmus', 'cadaver', 'rclone']) {
  const isThere = spawnSync(tool, ['--version']).error === undefined;
  assert.ok(isThere, `${tool} is missing: apt-get install --no-install-recommends litmus cadaver rclone`);
}
const folder = await mkdtemp(join(tmpdir(), 'vestibule-dav-'));
const gateway = await spawnGateway({ after }, ['--data', join(folder, 'data'), '--demo']);
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a client in the folder, which is its home; both outputs together. */
async function run(tool: string, words: string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(tool, words, { cwd: folder, env: { ...process.env, HOME: folder, ...env } });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  }
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

const newRoom = async (name: string) => {
  const answer = await gateway.as('alice')(`r/${name}/`, { method: 'MKCOL' });
  assert.equal(answer.status, 201);
};

describe('litmus', () => {
  /** how many steps each suite has, `init`, `begin` and `finish` among them */
  const SUITES = { basic: 16, copymove: 13, props: 30, locks: 41, http: 4 };

  /** `step → how it ended`, in order; a warning stands between the name of a step and how it ended */
  const steps = (out: string) =>
    [...out.matchAll(/^ *\d+\. (\w+)\.* (?:(WARNING[^\n]*)\n *\.+ )?(pass|FAIL|SKIPPED)([^\n]*)/gm)].map(
      ([, name, warning = '', how, more]) => `${name} ${how}${warning}${more}`,
    );

  const passes = async (url: string, name: keyof typeof SUITES) => {
    const { out } = await run('litmus', [url, 'alice', 'alice'], '', { TESTS: name });
    const ended = steps(out.replaceAll('\r', '\n'));
    assert.equal(ended.length, SUITES[name], out);
    assert.deepEqual(
      ended.filter((step) => !/ pass$/.test(step)),
      [],
    );
  };

  for (const name of Object.keys(SUITES) as (keyof typeof SUITES)[]) {
    it(`passes every step of ${name} in a room that it makes`, () => passes(`${gateway.url}svc/r/`, name));
  }

  it('passes every step in a folder of a files room', async () => {
    await newRoom('Depth');
    assert.equal((await gateway.as('alice')('r/Depth/deep/', { method: 'MKCOL' })).status, 201);
    for (const name of Object.keys(SUITES) as (keyof typeof SUITES)[]) {
      await passes(`${gateway.url}svc/r/Depth/deep/`, name);
    }
  });
});

describe('cadaver', () => {
  it('stores, lists, reads, moves, copies and deletes', async () => {
    await newRoom('Cadaver');
    const { hostname } = new URL(gateway.url);
    await writeFile(join(folder, '.netrc'), `machine ${hostname} login alice password alice\n`);
    const content = `line\n000\nü\n${'long '.repeat(3000)}`;
    await writeFile(join(folder, 'sent.txt'), content);
    const commands = [
      'put sent.txt "ü & #1%.txt"',
      'put sent.txt b.txt',
      'move b.txt c.txt',
      'copy c.txt d.txt',
      'get c.txt got.txt',
      'delete d.txt',
      'propget c.txt getcontenttype',
      'ls',
      'quit',
    ];
    const { out } = await run('cadaver', [`${gateway.url}svc/r/Cadaver/`], `${commands.join('\n')}\n`);
    assert.equal((out.match(/succeeded/g) ?? []).length, 7, out);
    assert.doesNotMatch(out, /failed|error/i);
    const listed = out.slice(out.lastIndexOf('Listing collection'));
    assert.match(listed, new RegExp(`ü & #1%\\.txt +${Buffer.byteLength(content)} `));
    assert.match(listed, new RegExp(`c\\.txt +${Buffer.byteLength(content)} `));
    assert.doesNotMatch(listed, /[bd]\.txt/);
    assert.equal(await readFile(join(folder, 'got.txt'), 'utf8'), content);
  });

  it('works with folders and locks', async () => {
    await newRoom('Shelves');
    await writeFile(join(folder, 'locked.txt'), 'locked');
    const commands = [
      'mkcol docs',
      'cd docs',
      'mkcol 2026',
      'put locked.txt 2026/plan.txt',
      'lock 2026/plan.txt',
      'discover 2026/plan.txt',
      'put locked.txt 2026/plan.txt',
      'unlock 2026/plan.txt',
      'propset 2026/plan.txt colour blue',
      'propget 2026/plan.txt colour',
      'copy 2026 archive',
      'move archive/plan.txt archive/old.txt',
      'rmcol 2026',
      'ls archive',
      'quit',
    ];
    const { out } = await run('cadaver', [`${gateway.url}svc/r/Shelves/`], `${commands.join('\n')}\n`);
    assert.equal((out.match(/succeeded/g) ?? []).length, 11, out);
    assert.doesNotMatch(out, /failed|error/i);
    assert.match(out, /Lock token <urn:uuid:/);
    assert.match(out, /Value of colour is: blue/);
    assert.match(out.slice(out.lastIndexOf('Listing collection')), /old\.txt +6 /);
    const read = await gateway.as('alice')('r/Shelves/docs/archive/old.txt');
    assert.equal(await read.text(), 'locked');
    assert.equal((await gateway.as('alice')('r/Shelves/docs/2026/plan.txt')).status, 404);
  });
});

describe('rclone', () => {
  const rclone = async (...words: string[]) => {
    const url = `${gateway.url}svc/r/`;
    const headers = `Authorization,${basic('alice')}`;
    const { code, out } = await run('rclone', [...words, '--retries', '1', '--low-level-retries', '1'], '', {
      RCLONE_CONFIG: '/dev/null',
      RCLONE_CONFIG_DAV_TYPE: 'webdav',
      RCLONE_CONFIG_DAV_URL: url,
      RCLONE_CONFIG_DAV_HEADERS: headers,
      RCLONE_CONFIG_DAV_VENDOR: 'other',
    });
    assert.equal(code, 0, out);
    return out;
  };

  it('stores, lists, reads, moves, copies, compares and deletes', async () => {
    await newRoom('Rclone');
    const files = join(folder, 'files');
    await mkdir(files);
    const names = ['a.txt', 'empty', 'ü & #1%.txt', 'large.bin'];
    await writeFile(join(files, 'a.txt'), 'hello\r\n000\r\n');
    await writeFile(join(files, 'empty'), '');
    await writeFile(join(files, 'ü & #1%.txt'), 'ü');
    await writeFile(join(files, 'large.bin'), Buffer.alloc(300_000, 'x\0\r\n'));
    await rclone('copy', files, 'dav:Rclone');
    await rclone('check', files, 'dav:Rclone', '--download');
    const listed = (await rclone('lsf', 'dav:Rclone')).trim().split('\n').sort();
    assert.deepEqual(listed, names.toSorted());
    assert.match(await rclone('lsf', 'dav:'), /^Rclone\/$/m);
    // once more, over what is there
    await writeFile(join(files, 'a.txt'), 'hello again');
    await rclone('copy', files, 'dav:Rclone');
    await rclone('check', files, 'dav:Rclone', '--download');
    await rclone('moveto', 'dav:Rclone/a.txt', 'dav:Rclone/b.txt');
    await rclone('copyto', 'dav:Rclone/b.txt', 'dav:Drafts/c.txt');
    assert.equal(await rclone('cat', 'dav:Drafts/c.txt'), 'hello again');
    assert.equal(await rclone('cat', 'dav:Rclone/large.bin', '--offset', '4', '--count', '4'), 'x\0\r\n');
    await rclone('deletefile', 'dav:Rclone/b.txt');
    await rclone('delete', 'dav:Rclone', '--include', '*.bin');
    assert.deepEqual((await rclone('lsf', 'dav:Rclone')).trim().split('\n').sort(), ['empty', 'ü & #1%.txt']);
    // a whole folder, which is one MOVE
    await rclone('moveto', 'dav:Rclone', 'dav:Renamed');
    assert.deepEqual((await rclone('lsf', 'dav:Renamed')).trim().split('\n').sort(), ['empty', 'ü & #1%.txt']);
    assert.doesNotMatch(await rclone('lsf', 'dav:'), /^Rclone\/$/m);
  });

  it('stores, copies, moves and purges folders', async () => {
    await newRoom('Trees');
    const tree = join(folder, 'tree');
    await mkdir(join(tree, 'a', 'b c', '2026'), { recursive: true });
    await writeFile(join(tree, 'top.txt'), 'top');
    await writeFile(join(tree, 'a', 'ü.txt'), 'one');
    await writeFile(join(tree, 'a', 'b c', '2026', '7'), 'seven');
    await rclone('copy', tree, 'dav:Trees/tree');
    await rclone('check', tree, 'dav:Trees/tree', '--download');
    const listed = (await rclone('lsf', '-R', 'dav:Trees')).trim().split('\n').sort();
    const all = [
      'tree/',
      'tree/a/',
      'tree/a/b c/',
      'tree/a/b c/2026/',
      'tree/a/b c/2026/7',
      'tree/a/ü.txt',
      'tree/top.txt',
    ];
    assert.deepEqual(listed, all.toSorted());
    await rclone('moveto', 'dav:Trees/tree/a', 'dav:Trees/moved');
    assert.equal(await rclone('cat', 'dav:Trees/moved/b c/2026/7'), 'seven');
    await rclone('copy', 'dav:Trees/moved', 'dav:Trees/copied');
    await rclone('check', 'dav:Trees/moved', 'dav:Trees/copied', '--download');
    await rclone('purge', 'dav:Trees/moved');
    assert.deepEqual((await rclone('lsf', 'dav:Trees')).trim().split('\n').sort(), ['copied/', 'tree/']);
    await rclone('sync', tree, 'dav:Trees/copied');
    await rclone('check', tree, 'dav:Trees/copied', '--download');
  });
});
