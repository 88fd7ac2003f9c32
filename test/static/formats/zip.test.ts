// Archives are read by a program that has nothing to do with their writer.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { crc32 as ours, zip } from '../../../static/formats/zip.js';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'zip-'));
after(() => rm(folder, { recursive: true }));

const streamOf =
  (...chunks: string[]) =>
  async () =>
    new Response(chunks.join('')).body as ReadableStream<Uint8Array<ArrayBuffer>>;

async function written(name: string, entries: Parameters<typeof zip>[0]) {
  const file = join(folder, name);
  await writeFile(file, Buffer.concat(await Array.fromAsync(zip(entries))));
  return file;
}

const unzip = async (...args: string[]) =>
  (await run('unzip', args, { maxBuffer: 2 ** 26, env: { ...process.env, LC_ALL: 'C.UTF-8' } })).stdout;

/** Throws where a sum or a size is wrong. */
const names = async (file: string) => {
  await unzip('-tqq', file);
  return (await unzip('-Z1', file)).trimEnd().split('\n');
};

describe('a .zip', () => {
  it('gives back names, folders, times and bytes', async () => {
    const time = new Date(2026, 4, 17, 9, 41, 20);
    const file = await written('a.zip', [
      { name: 'Größe/', time },
      { name: 'Größe/plan 1.txt', time, size: 5, open: streamOf('hel', 'lo') },
      { name: 'empty', time, size: 0, open: streamOf('') },
    ]);
    assert.deepEqual(await names(file), ['Größe/', 'Größe/plan 1.txt', 'empty']);
    assert.equal(await unzip('-p', file, 'Größe/plan 1.txt'), 'hello');
    await unzip('-q', file, '-d', join(folder, 'out'));
    assert.deepEqual((await stat(join(folder, 'out', 'Größe', 'plan 1.txt'))).mtime, time);
  });

  it('is one without entries, too', async () => {
    const file = await written('none.zip', []);
    await assert.rejects(unzip('-t', file), ({ stdout, stderr }) => /zipfile is empty/.test(stdout + stderr));
  });

  it('counts more than 65,535 entries', async () => {
    function* many() {
      for (let i = 0; i < 65_536; i++) yield { name: `f/${i}/`, time: new Date(2000, 0, 1) };
    }
    assert.equal((await names(await written('many.zip', many()))).length, 65_536);
  });

  it('writes sizes in 64 bits where a file is said to need them', async () => {
    const file = await written('big.zip', [
      { name: 'big', size: 2 ** 32, time: new Date(2000, 0, 1), open: streamOf('not so big') },
      { name: 'after', size: 2, time: new Date(2000, 0, 1), open: streamOf('ok') },
    ]);
    assert.deepEqual(await names(file), ['big', 'after']);
    assert.equal(await unzip('-p', file), 'not so bigok');
  });

  it('asks for a file only when the one before is through, and stops with the error of one', async () => {
    const opened: string[] = [];
    const entry = (name: string) => ({
      name,
      open: async () => {
        opened.push(name);
        if (name === 'b') throw new Error('gone');
        return streamOf('x')();
      },
    });
    const parts = zip([entry('a'), entry('b'), entry('c')]);
    await parts.next();
    assert.deepEqual(opened, []);
    await assert.rejects(async () => {
      for await (const _ of parts);
    }, /gone/);
    assert.deepEqual(opened, ['a', 'b']);
  });

  it('sums as others do, in pieces as well', () => {
    const bytes = Buffer.from('The quick brown fox');
    assert.equal(ours(0, bytes), crc32(bytes));
    assert.equal(ours(ours(0, bytes.subarray(0, 7)), bytes.subarray(7)), crc32(bytes));
  });
});
