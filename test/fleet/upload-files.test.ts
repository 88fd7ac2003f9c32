// Uploads on disk: what a start finds and clears away, and how content is read.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import {
  finishContent,
  goneUpload,
  loadUploads,
  openLocalUploads,
  readContent,
  removeContent,
  removeRecord,
  writeRecord,
} from '../../src/fleet/uploads.ts';
import { STREAM_CHUNK_BYTES } from '../../src/limits/protocol.ts';

const FILE = { uploadfilename: 'report.txt', contenttype: 'text/plain' };

async function world(t: TestContext) {
  const parent = await mkdtemp(join(tmpdir(), 'uploads-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const root = join(parent, 'uploads');
  const uploads = await openLocalUploads(root);
  const add = (owner: string, content: string | Buffer) =>
    uploads.add(owner, FILE, async (path) => {
      await writeFile(path, content);
      return Buffer.byteLength(content);
    });
  const filesBelow = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()).map((e) => e.name);
  return { root, uploads, add, filesBelow };
}

describe('the content of an upload', () => {
  it('is read in pieces where it is large', async (t) => {
    const { uploads, add } = await world(t);
    const content = Buffer.alloc(2 * STREAM_CHUNK_BYTES + 1, 'abc');
    const pieces = await Array.fromAsync(uploads.open(await add('ann', content)));
    assert.deepEqual(
      pieces.map((piece) => piece.length),
      [STREAM_CHUNK_BYTES, STREAM_CHUNK_BYTES, 1],
    );
    assert.ok(Buffer.concat(pieces).equals(content));
  });

  it('can be read to its end after a removal', async (t) => {
    const { uploads, add } = await world(t);
    const record = await add('ann', 'x'.repeat(STREAM_CHUNK_BYTES + 1));
    const pieces = uploads.open(record)[Symbol.asyncIterator]();
    await pieces.next();
    await uploads.remove('ann', record.ref);
    assert.equal((await pieces.next()).value?.toString(), 'x');
    assert.equal((await pieces.next()).done, true);
  });

  it('is closed when a download is given up', async (t) => {
    const { uploads, add } = await world(t);
    const { length } = await readdir('/proc/self/fd').catch(() => []);
    for (let i = 0; i < 20; i++) {
      for await (const _ of uploads.open(await add('ann', 'x'.repeat(STREAM_CHUNK_BYTES + 1)))) break;
    }
    const after = await readdir('/proc/self/fd').catch(() => []);
    assert.ok(after.length < length + 10);
  });

  it('that has become shorter fails a download, rather than ending it', async (t) => {
    const { root, uploads, add } = await world(t);
    const record = await add('ann', 'hello');
    const [folder] = await readdir(root);
    await truncate(join(root, folder!, record.ref), 3);
    await assert.rejects(Array.fromAsync(uploads.open(record)), { code: 'internal' });
  });

  it('is read from one byte to another, both included', async (t) => {
    const { root } = await world(t);
    const path = join(root, 'content');
    await writeFile(path, '0123456789');
    const read = async (start: number, end: number) =>
      String(Buffer.concat(await Array.fromAsync(readContent(path, start, end))));
    assert.deepEqual([await read(2, 4), await read(9, 9), await read(0, -1)], ['234', '9', '']);
  });

  it('is private and whole when it is finished, also where nothing was written', async (t) => {
    const { root } = await world(t);
    const path = join(root, 'content');
    assert.equal(await finishContent(path), 0);
    await writeFile(path, 'text');
    const { mode } = await stat(path);
    assert.deepEqual([await finishContent(path), mode & 0o777], [4, 0o600]);
  });

  it('that is gone is not found, and removed without complaint', async (t) => {
    const { root } = await world(t);
    const path = join(root, 'content');
    await removeContent(path);
    await removeRecord(path);
    await assert.rejects(Array.fromAsync(readContent(path, 0, 3)), goneUpload());
  });

  it('that no file descriptor is left for can be read in a while', async (t) => {
    const { root } = await world(t);
    const path = join(root, 'content');
    await writeFile(path, 'text');
    const source = new URL('../../src/fleet/uploads.ts', import.meta.url);
    const code = `
      import { openSync } from 'node:fs';
      const { readContent } = await import(${JSON.stringify(source.href)});
      try {
        for (;;) openSync('/dev/null');
      } catch {}
      const told = await Array.fromAsync(readContent(${JSON.stringify(path)}, 0, 3)).catch(({ code }) => code);
      process._rawDebug(told);
    `;
    const line = 'ulimit -n 200; exec "$0" --input-type=module --eval "$1"';
    // it could not write down what it has run either
    const env = { ...process.env, NODE_V8_COVERAGE: undefined };
    const { stderr } = await promisify(execFile)('sh', ['-c', line, process.execPath, code], { env });
    assert.equal(stderr, 'busy\n');
  });
});

describe('the record of an upload', () => {
  it('is written behind the content', async (t) => {
    const { root, uploads, filesBelow } = await world(t);
    const { ref } = await uploads.add('ann', FILE, async (path) => {
      await writeFile(path, 'x');
      assert.deepEqual(await filesBelow(), [path.slice(-22)]);
      return 1;
    });
    const name = (await filesBelow()).find((file) => file.endsWith('.json'))!;
    const [folder] = await readdir(root);
    assert.equal(JSON.parse(await readFile(join(root, folder!, name), 'utf8')).ref, ref);
  });

  it('counts where it is about the content beside it', async (t) => {
    const { root } = await world(t);
    const folder = 'a'.repeat(64);
    await mkdir(join(root, folder));
    const ref = 'R'.repeat(22);
    const record = { ...FILE, ref, contentlength: 4, createdSeconds: 5 };
    const path = join(root, folder, ref);
    await writeFile(path, 'text');
    await writeRecord(path, record);
    assert.deepEqual(await loadUploads(root), [{ folder, record }]);
    await writeRecord(path, { ...record, ref: 'S'.repeat(22) });
    assert.deepEqual(await loadUploads(root), []);
  });
});

describe('a start', () => {
  it('clears away what a crash has left', async (t) => {
    const { root, add, filesBelow } = await world(t);
    const kept = await add('ann', 'kept');
    const gone = await add('ann', 'gone');
    const cut = await add('ann', 'cut');
    const odd = await add('ann', 'odd');
    const [folder] = await readdir(root);
    const at = (name: string) => join(root, folder!, name);
    await unlink(at(gone.ref));
    await truncate(at(cut.ref), 1);
    await writeFile(at(`${odd.ref}.json`), '{"ref":');
    await writeFile(at('A'.repeat(22)), 'content without a record');
    await writeFile(at(`${'B'.repeat(22)}.json.draft`), '{');
    await mkdir(join(root, 'f'.repeat(64)));
    const uploads = await openLocalUploads(root);
    assert.deepEqual((await filesBelow()).sort(), [kept.ref, `${kept.ref}.json`].sort());
    assert.deepEqual(await readdir(root), [folder]);
    assert.equal((await uploads.list('ann')).length, 1);
  });

  it('touches nothing that is not its own', async (t) => {
    const { root } = await world(t);
    await mkdir(join(root, 'notes'));
    await writeFile(join(root, 'notes', 'mine'), 'text');
    assert.deepEqual(await loadUploads(root), []);
    assert.equal(await readFile(join(root, 'notes', 'mine'), 'utf8'), 'text');
  });
});
