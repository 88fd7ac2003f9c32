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
  /** step → pass, FAIL or SKIPPED */
  const suite = async (name: string) => {
    const { out } = await run('litmus', [`${gateway.url}svc/r/`, 'alice', 'alice'], '', { TESTS: name });
    const steps = new Map<string, string>();
    for (const line of out.split(/[\r\n]+/)) {
      const step = /^ *\d+\. (\w*?)\.+ (pass|FAIL|SKIPPED)/.exec(line);
      if (step?.[1]) steps.set(step[1], step[2]!);
      // a warning stands between the name of a step and how it ended
      else if (/^ *\.+ pass/.test(line)) steps.set('options', 'pass');
    }
    await gateway.as('alice')('r/litmus/', { method: 'DELETE' });
    return Object.fromEntries(steps);
  };

  it('passes http', async () => {
    assert.deepEqual(await suite('http'), { init: 'pass', begin: 'pass', expect100: 'pass', finish: 'pass' });
  });

  // the others make a folder inside the room, which rooms cannot hold
  it('passes those steps of basic that need no folder in a room', async () => {
    assert.deepEqual(await suite('basic'), {
      init: 'pass',
      begin: 'pass',
      options: 'pass',
      put_get: 'pass',
      put_get_utf8_segment: 'pass',
      put_no_parent: 'pass',
      mkcol_over_plain: 'pass',
      delete: 'pass',
      delete_null: 'pass',
      delete_fragment: 'FAIL',
      mkcol: 'FAIL',
      mkcol_again: 'SKIPPED',
      delete_coll: 'SKIPPED',
      mkcol_no_parent: 'pass',
      mkcol_with_body: 'pass',
      finish: 'pass',
    });
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
});
