// davfs2, of Debian's package of this name: a room of files that is mounted as a folder. It needs root and /dev/fuse.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startDavSite } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';

needPrograms([['mount.davfs', '-V']], 'davfs2');
assert.equal(process.getuid?.(), 0, 'davfs2 is not tried: only root may mount a folder');
assert.doesNotThrow(
  () => accessSync('/dev/fuse', constants.R_OK | constants.W_OK),
  'davfs2 is not tried: there is no /dev/fuse here',
);

const site = await startDavSite({ after });
const { folder, must } = await newHome({ after });
const url = `${site.url}svc/r/Mounted/`;
assert.equal((await site.ask('MKCOL', url)).status, 201);
const at = (...names: string[]) => join(folder, ...names);
const urlOf = (...names: string[]) => url + names.map(encodeURIComponent).join('/');
const told = async (...names: string[]) => Buffer.from(await (await site.ask('GET', urlOf(...names))).arrayBuffer());

// it works as the user davfs2, who may not enter the folders of the tests
const outside = await mkdtemp('/var/tmp/davfs2-');
after(() => rm(outside, { recursive: true, force: true }));
await chmod(outside, 0o755);
const cache = join(outside, 'cache');
for (const name of ['mounted', 'sent', 'taken']) await mkdir(at(name));
const newCache = () => must('install', ['--directory', '--group=davfs2', '--mode=775', cache]);
await newCache();
await writeFile(at('secrets'), `${url} alice alice\n`, { mode: 0o600 });
// with a smaller buffer it lists no folder on Linux 6.16 and later
const settings = { cache_dir: cache, secrets: at('secrets'), delay_upload: 0, dir_refresh: 0, buf_size: 64 };
await writeFile(
  at('settings'),
  Object.entries(settings)
    .map(([name, value]) => `${name} ${value}\n`)
    .join(''),
);

/** Does something in the mounted folder; what was written is at the server afterwards. */
async function mounted(act: () => Promise<unknown>): Promise<void> {
  await must('mount.davfs', [url, at('mounted'), '-o', `conf=${at('settings')}`]);
  try {
    await act();
  } finally {
    await must('umount', [at('mounted')]);
  }
}

const FILES: Record<string, Buffer> = {
  'empty.txt': Buffer.alloc(0),
  'a & b #1 100%.txt': Buffer.from('line\r\n000\n\0end'),
  'Grüße, 世界.md': Buffer.from('# Grüße\n'),
  'docs/2026': randomBytes(70_000),
  'docs/deep/er/info.txt': Buffer.from('info'),
  'big.bin': randomBytes(24_000_000),
};
const names = (path: string) => path.split('/');

describe('davfs2', () => {
  it('copies a tree in and out again', async () => {
    for (const [path, content] of Object.entries(FILES)) {
      await mkdir(at('sent', path, '..'), { recursive: true });
      await writeFile(at('sent', path), content);
    }
    await mounted(() => must('cp', ['--recursive', at('sent'), at('mounted', 'tree')]));
    for (const [path, content] of Object.entries(FILES)) {
      assert.ok(content.equals(await told('tree', ...names(path))), path);
    }
    await rm(cache, { recursive: true });
    await newCache(); // what is read comes from the server
    await mounted(() => must('cp', ['--recursive', at('mounted', 'tree'), at('taken')]));
    await must('diff', ['--recursive', at('sent'), at('taken', 'tree')]);
  });

  it('renames files and folders, and replaces one by another', async () => {
    await mounted(async () => {
      await rename(at('mounted/tree/big.bin'), at('mounted/tree/docs/größer.bin'));
      await rename(at('mounted/tree/docs'), at('mounted/tree/papers & more'));
      await writeFile(at('mounted/tree/new'), 'new content');
      await rename(at('mounted/tree/new'), at('mounted/tree/Grüße, 世界.md'));
    });
    assert.ok(FILES['big.bin']!.equals(await told('tree', 'papers & more', 'größer.bin')));
    assert.equal(String(await told('tree', 'papers & more', 'deep', 'er', 'info.txt')), 'info');
    assert.equal(String(await told('tree', 'Grüße, 世界.md')), 'new content');
    assert.equal((await site.ask('GET', urlOf('tree', 'docs', '2026'))).status, 404);
    assert.equal((await site.ask('GET', urlOf('tree', 'big.bin'))).status, 404);
  });

  it('appends to a file that it locks while it is open', async () => {
    await mounted(async () => {
      const file = await open(at('mounted/tree/empty.txt'), 'a');
      const other = await site.ask('PUT', urlOf('tree', 'empty.txt'), { body: 'from elsewhere' });
      assert.equal(other.status, 423);
      await file.appendFile('mine');
      await file.close();
    });
    assert.equal(String(await told('tree', 'empty.txt')), 'mine');
    assert.ok((await site.ask('PUT', urlOf('tree', 'empty.txt'), { body: 'from elsewhere, ' })).ok);
    await mounted(() => appendFile(at('mounted/tree/empty.txt'), 'then mine'));
    assert.equal(String(await told('tree', 'empty.txt')), 'from elsewhere, then mine');
  });

  it('sees what is stored elsewhere, and removes all', async () => {
    await mounted(async () => {
      assert.ok((await site.ask('PUT', urlOf('tree', 'late.txt'), { body: 'late' })).ok);
      assert.equal(await readFile(at('mounted/tree/late.txt'), 'utf8'), 'late');
      await rm(at('mounted/tree'), { recursive: true });
    });
    assert.deepEqual(
      (await site.names(url)).filter((name) => name !== 'lost+found/'),
      [],
    );
  });
});
