import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { openLocalUploads, type UploadRecord, type Uploads } from '../../src/fleet/uploads.ts';
import { MAX_FILE_NAME_BYTES } from '../../src/limits/http.ts';
import {
  MAX_CONTENT_TYPE_BYTES,
  MAX_UPLOAD_BYTES_PER_USER,
  MAX_UPLOADS_PER_USER,
  MAX_UPLOADS_UNDER_WAY_PER_USER,
  UPLOAD_SECONDS,
} from '../../src/limits/sessions.ts';

const FILE = { uploadfilename: 'report.txt', contenttype: 'text/plain' };

describe('uploads', () => {
  let root: string;
  let uploads: Uploads;
  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'uploads-')), 'uploads');
    uploads = await openLocalUploads(root);
  });
  afterEach(() => rm(join(root, '..'), { recursive: true }));

  const add = (owner: string, content: string | Buffer) =>
    uploads.add(owner, FILE, async (path) => {
      await writeFile(path, content);
      return Buffer.byteLength(content);
    });
  /** A file with a hole: takes its length of the quota and nothing of the disk. */
  const addHole = (owner: string, bytes: number) =>
    uploads.add(owner, FILE, async (path) => {
      await (await open(path, 'w')).close();
      await truncate(path, bytes);
      return bytes;
    });
  const read = async (record: UploadRecord, start?: number, end?: number) =>
    Buffer.concat(await Array.fromAsync(uploads.open(record, start, end))).toString();
  const filesBelow = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()).map((e) => e.name);

  it('gives back what was added', async () => {
    const record = await add('ann', 'hello');
    assert.deepEqual(record, { ...FILE, ref: record.ref, contentlength: 5 });
    const found = await uploads.get('ann', record.ref);
    assert.deepEqual(found, { ...record, createdSeconds: found?.createdSeconds });
    assert.ok(Math.abs(found!.createdSeconds - Date.now() / 1000) < 60);
    assert.equal(await read(found!), 'hello');
  });

  it('gives refs of 128 bits that fit a path segment and a list', async () => {
    const refs = await Promise.all(Array.from({ length: 10 }, async () => (await add('ann', 'x')).ref));
    for (const ref of refs) assert.match(ref, /^[A-Za-z0-9_-]{22}$/);
    assert.equal(new Set(refs).size, refs.length);
  });

  it('gives the bytes of a range, both ends included', async () => {
    const record = await add('ann', '0123456789');
    assert.equal(await read(record, 2, 4), '234');
    assert.equal(await read(record, 9, 9), '9');
    assert.equal(await read(record, 5), '56789');
  });

  it('takes an empty file, written or not', async () => {
    for (const record of [await add('ann', ''), await uploads.add('ann', FILE, async () => 0)]) {
      assert.equal(record.contentlength, 0);
      assert.equal(await read(record), '');
    }
  });

  it('shows an upload to nobody else', async () => {
    const { ref } = await add('ann', 'hello');
    assert.equal(await uploads.get('bob', ref), undefined);
    assert.equal(await uploads.remove('bob', ref), false);
    assert.deepEqual(await uploads.list('bob'), []);
    assert.ok(await uploads.get('ann', ref));
  });

  it('finds nothing by a ref that is no ref', async () => {
    await add('ann', 'hello');
    for (const ref of ['', '.', '..', '../x', '__proto__', '/etc/passwd', 'A'.repeat(22), 'A'.repeat(10_000), 'a\0b']) {
      assert.equal(await uploads.get('ann', ref), undefined);
      assert.equal(await uploads.remove('ann', ref), false);
      const record = { ...FILE, ref, contentlength: 1 };
      await assert.rejects(read(record), { code: 'not_found' });
    }
  });

  it('takes any owner', async () => {
    for (const owner of ['', '../../x', 'a/b', 'a\0b', 'Ünal', 'x'.repeat(5000)]) {
      const { ref } = await add(owner, owner);
      assert.equal(await read((await uploads.get(owner, ref))!), owner);
    }
  });

  it('keeps folders and files to their owner', async () => {
    const { ref } = await uploads.add('ann', FILE, async (path) => {
      await writeFile(path, 'x', { mode: 0o666 });
      return 1;
    });
    const [folder] = await readdir(root);
    assert.equal((await stat(root)).mode & 0o777, 0o700);
    assert.equal((await stat(join(root, folder!))).mode & 0o777, 0o700);
    assert.equal((await stat(join(root, folder!, ref))).mode & 0o777, 0o600);
    assert.equal((await stat(join(root, folder!, `${ref}.json`))).mode & 0o777, 0o600);
  });

  it('removes an upload with its files', async () => {
    const record = await add('ann', 'hello');
    assert.equal(await uploads.remove('ann', record.ref), true);
    assert.equal(await uploads.get('ann', record.ref), undefined);
    assert.equal(await uploads.remove('ann', record.ref), false);
    assert.deepEqual(await filesBelow(), []);
    await assert.rejects(read(record), { code: 'not_found' });
  });

  it('says true to only one of two removals', async () => {
    const { ref } = await add('ann', 'hello');
    const answers = await Promise.all([uploads.remove('ann', ref), uploads.remove('ann', ref)]);
    assert.deepEqual(answers.sort(), [false, true]);
  });

  it('leaves nothing behind when saving fails', async () => {
    const fault = new AppError('request_timeout', 'The client stopped sending.');
    const failing = uploads.add('ann', FILE, async (path) => {
      await writeFile(path, 'hel');
      throw fault;
    });
    await assert.rejects(failing, fault);
    const short = uploads.add('ann', FILE, async (path) => {
      await writeFile(path, 'hel');
      return 5;
    });
    await assert.rejects(short, { code: 'internal' });
    assert.deepEqual(await filesBelow(), []);
    assert.deepEqual(await uploads.list('ann'), []);
  });

  it('says that the disk is full, or that no file can be opened, and when to come again', async () => {
    const failing = (code: string) =>
      uploads.add('ann', FILE, async () => {
        throw Object.assign(new Error(`${code}: made up`), { code });
      });
    for (const code of ['ENOSPC', 'EDQUOT']) {
      await assert.rejects(failing(code), { name: 'AppError', code: 'insufficient_storage' });
    }
    for (const code of ['EMFILE', 'ENFILE']) {
      await assert.rejects(failing(code), { name: 'AppError', code: 'busy', retryAfterSeconds: 5 });
    }
    assert.deepEqual(await filesBelow(), []);
  });

  it('knows its uploads after a start, oldest first', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const refs: string[] = [];
    for (let i = 0; i < 5; i++) {
      refs.push((await add('ann', `content ${i}`)).ref);
      t.mock.timers.tick(1000);
    }
    const before = await uploads.list('ann');
    uploads = await openLocalUploads(root);
    assert.deepEqual(await uploads.list('ann'), before);
    assert.deepEqual(
      before.map((record) => record.ref),
      refs,
    );
    assert.equal(await read((await uploads.get('ann', refs[3]!))!), 'content 3');
  });

  it('hides an upload when it expires and removes it in a sweep or at a start', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const first = await add('ann', 'first');
    t.mock.timers.tick(1000);
    const second = await add('ann', 'second');
    t.mock.timers.tick(UPLOAD_SECONDS * 1000 - 1001);
    assert.ok(await uploads.get('ann', first.ref));
    t.mock.timers.tick(1);
    assert.equal(await uploads.get('ann', first.ref), undefined);
    assert.equal(await uploads.remove('ann', first.ref), false);
    assert.deepEqual(
      (await uploads.list('ann')).map((record) => record.ref),
      [second.ref],
    );
    await uploads.sweep();
    assert.deepEqual((await filesBelow()).sort(), [second.ref, `${second.ref}.json`].sort());
    t.mock.timers.tick(1000);
    uploads = await openLocalUploads(root);
    assert.deepEqual(await filesBelow(), []);
  });

  it('takes MAX_UPLOADS_PER_USER uploads of one owner and not one more', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const { ref } = await add('ann', '');
    const [folder] = await readdir(root);
    const record = JSON.parse(await readFile(join(root, folder!, `${ref}.json`), 'utf8'));
    const place = async (other: string) => {
      await writeFile(join(root, folder!, other), '');
      await writeFile(join(root, folder!, `${other}.json`), JSON.stringify({ ...record, ref: other }));
    };
    await Promise.all(Array.from({ length: MAX_UPLOADS_PER_USER - 2 }, (_, i) => place(String(i).padStart(22, '0'))));
    uploads = await openLocalUploads(root);
    await add('ann', '');
    await assert.rejects(add('ann', ''), { code: 'insufficient_storage' });
    await add('bob', '');
    await uploads.remove('ann', ref);
    await add('ann', '');
    t.mock.timers.tick(UPLOAD_SECONDS * 1000);
    await add('ann', '');
    assert.equal((await uploads.list('ann')).length, 1);
  });

  it('takes MAX_UPLOAD_BYTES_PER_USER of one owner and not a byte more, also after a start', async () => {
    await assert.rejects(addHole('ann', MAX_UPLOAD_BYTES_PER_USER + 1), { code: 'too_large' });
    await add('ann', 'x');
    await assert.rejects(addHole('ann', MAX_UPLOAD_BYTES_PER_USER), { code: 'insufficient_storage' });
    const { ref } = await addHole('ann', MAX_UPLOAD_BYTES_PER_USER - 1);
    uploads = await openLocalUploads(root);
    await assert.rejects(add('ann', ''), { code: 'insufficient_storage' });
    await uploads.remove('ann', ref);
    await uploads.add('ann', FILE, async (_path, maxBytes) => {
      assert.equal(maxBytes, MAX_UPLOAD_BYTES_PER_USER - 1);
      return 0;
    });
  });

  it('counts uploads that end together', async () => {
    const half = MAX_UPLOAD_BYTES_PER_USER / 2;
    const ends = await Promise.allSettled([1, 2, 3, 4].map(() => addHole('ann', half)));
    assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 2);
    assert.equal((await uploads.list('ann')).length, 2);
  });

  it('counts nothing for an upload that failed after it was written', async () => {
    await add('ann', '');
    for (let i = 0; i < 2; i++) {
      const broken = uploads.add('ann', FILE, async () => MAX_UPLOAD_BYTES_PER_USER);
      await assert.rejects(broken, { code: 'internal' });
    }
    await add('ann', 'x');
  });

  it('lets MAX_UPLOADS_UNDER_WAY_PER_USER uploads of one owner run at once', async () => {
    const gate = Promise.withResolvers<void>();
    const running = Array.from({ length: MAX_UPLOADS_UNDER_WAY_PER_USER }, () =>
      uploads.add('ann', FILE, async () => {
        await gate.promise;
        return 0;
      }),
    );
    await turn();
    await assert.rejects(add('ann', ''), { code: 'busy', retryAfterSeconds: 1 });
    await add('bob', '');
    gate.resolve();
    await Promise.all(running);
    await add('ann', '');
  });

  it('refuses a name or a type that is too long or holds control characters', async () => {
    const none = async () => 0;
    const name = 'é'.repeat((MAX_FILE_NAME_BYTES - 1) / 2);
    await uploads.add('ann', { ...FILE, uploadfilename: `${name}x` }, none);
    await uploads.add('ann', { ...FILE, contenttype: 't'.repeat(MAX_CONTENT_TYPE_BYTES) }, none);
    for (const change of [
      { uploadfilename: `${name}xx` },
      { uploadfilename: 'a\r\nb' },
      { contenttype: 't'.repeat(MAX_CONTENT_TYPE_BYTES + 1) },
      { contenttype: 'text/plain\r\nX: y' },
    ]) {
      await assert.rejects(uploads.add('ann', { ...FILE, ...change }, none), { code: 'bad_request' });
    }
  });
});
