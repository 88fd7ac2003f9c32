// The npm package webdav, which web programs reach files with, at a room that is a folder of files: folders, files,
// conditions, moves, copies and locks.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createClient, type FileStat, type WebDAVClientError } from 'webdav';
import { startDavSite } from '../support/dav-site.ts';

const site = await startDavSite({ after });
const credentials = { username: 'alice', password: 'alice' };
// rooms of all kinds lie beside each other
const client = createClient(site.calendars, credentials);
const FOLDER = '/Npm files';
const at = (path: string) => `${FOLDER}/${path}`;

const listed = async (path: string, deep = false) => {
  const found = (await client.getDirectoryContents(path, { deep })) as FileStat[];
  return Object.fromEntries(found.map(({ filename, type, size }) => [filename, type === 'file' ? size : type]));
};
const statusOf = async (done: Promise<unknown>) => {
  const error = await done.then(
    () => undefined,
    (reason: WebDAVClientError) => reason,
  );
  return error?.status;
};
const text = (path: string) => client.getFileContents(path, { format: 'text' });

describe('npm webdav', () => {
  it('makes folders in folders, and lists them', async () => {
    await client.createDirectory(FOLDER);
    await client.createDirectory(at('a ü #1%/b/c'), { recursive: true });
    await client.putFileContents(at('a ü #1%/b/deep & down.txt'), 'deep');
    assert.deepEqual(await listed('/').then((all) => all[FOLDER]), 'directory');
    assert.deepEqual(await listed(FOLDER), { [at('a ü #1%')]: 'directory' });
    assert.deepEqual(await listed(at('a ü #1%/b')), {
      [at('a ü #1%/b/c')]: 'directory',
      [at('a ü #1%/b/deep & down.txt')]: 4,
    });
    assert.equal(await client.exists(at('a ü #1%/nothing')), false);
    assert.equal(await statusOf(client.createDirectory(at('missing/below'))), 409);
    assert.equal(await statusOf(client.createDirectory(at('a ü #1%'))), 405);
  });

  it('stores any bytes and gives them back', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256));
    await client.putFileContents(at('bytes.bin'), bytes);
    assert.deepEqual(Buffer.from((await client.getFileContents(at('bytes.bin'))) as ArrayBuffer), bytes);
    const stat = (await client.stat(at('bytes.bin'))) as FileStat;
    assert.equal(stat.size, bytes.length);
    assert.match(stat.etag ?? '', /./);
    assert.ok(Math.abs(Date.now() - Date.parse(stat.lastmod)) < 600_000, stat.lastmod);
    assert.equal(await client.putFileContents(at('bytes.bin'), 'over it', { overwrite: false }), false);
    assert.equal(((await client.getFileContents(at('bytes.bin'))) as ArrayBuffer).byteLength, bytes.length);
    await client.putFileContents(at('bytes.bin'), '');
    assert.equal(((await client.stat(at('bytes.bin'))) as FileStat).size, 0);
  });

  it('copies and moves files and whole folders', async () => {
    await client.putFileContents(at('one.txt'), 'one');
    await client.copyFile(at('one.txt'), at('two.txt'));
    await client.moveFile(at('two.txt'), at('a ü #1%/three.txt'));
    assert.equal(await text(at('a ü #1%/three.txt')), 'one');
    assert.equal(await client.exists(at('two.txt')), false);
    assert.equal(await statusOf(client.moveFile(at('one.txt'), at('a ü #1%/three.txt'), { overwrite: false })), 412);
    await client.moveFile(at('a ü #1%'), at('moved'));
    assert.equal(await client.exists(at('a ü #1%/b')), false);
    await client.copyFile(at('moved'), at('copied'));
    assert.deepEqual(await listed(at('copied')), { [at('copied/b')]: 'directory', [at('copied/three.txt')]: 3 });
    assert.equal(await text(at('copied/b/deep & down.txt')), 'deep');
    assert.equal(await text(at('moved/b/deep & down.txt')), 'deep');
  });

  it('locks a file, against others and against itself without the token', async () => {
    const lock = await client.lock(at('one.txt'), { timeout: 'Second-600' });
    assert.equal(await statusOf(client.putFileContents(at('one.txt'), 'without')), 423);
    assert.equal(await statusOf(client.deleteFile(at('one.txt'))), 423);
    assert.equal(await text(at('one.txt')), 'one');
    const headers = { If: `(<${lock.token}>)` };
    assert.equal(await client.putFileContents(at('one.txt'), 'with', { headers }), true);
    await client.unlock(at('one.txt'), `<${lock.token}>`);
    await client.putFileContents(at('one.txt'), 'free again');
    assert.equal(await text(at('one.txt')), 'free again');
  });

  it('tells what room is left, and deletes', async () => {
    const quota = await client.getQuota();
    assert.ok(quota === null || typeof (quota as { used: number }).used === 'number');
    await client.deleteFile(at('moved'));
    assert.equal(await client.exists(at('moved/b/deep & down.txt')), false);
    await client.deleteFile(FOLDER);
    assert.equal(await client.exists(FOLDER), false);
  });
});
