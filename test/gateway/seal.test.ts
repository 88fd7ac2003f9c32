import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  loadOrCreateKey,
  newSessionId,
  parseKey,
  parseKeys,
  Sealer,
  type SessionData,
} from '../../src/gateway/seal.ts';
import { MAX_CACHE_ENTRIES, MAX_COOKIE_BYTES, MAX_SESSION_KEYS } from '../../src/limits/sessions.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = 1_700_000_000;
const DATA: SessionData = {
  id: newSessionId(),
  user: 'Ünal Ünsal',
  password: 'pass|wörd "\\',
  inbox: 42,
  issued: NOW,
  expires: NOW + 100,
};
const clock = { apis: ['Date' as const], now: NOW * 1000 };

describe('sealed cookie', () => {
  it('opens to what was sealed, under the same key only', (t) => {
    t.mock.timers.enable(clock);
    const cookie = new Sealer(KEY).seal(DATA);
    assert.deepEqual(new Sealer(Buffer.from(KEY)).open(cookie), DATA);
    assert.equal(new Sealer(Buffer.alloc(32, 8)).open(cookie), undefined);
  });

  it('opens under any of several keys, and is sealed under the first', (t) => {
    t.mock.timers.enable(clock);
    const other = Buffer.alloc(32, 8);
    const both = new Sealer(other, KEY);
    assert.deepEqual(both.open(new Sealer(KEY).seal(DATA)), DATA);
    assert.deepEqual(new Sealer(other).open(both.seal(DATA)), DATA);
    assert.equal(new Sealer(KEY).open(both.seal(DATA)), undefined);
    const content = Buffer.from('content');
    assert.ok(both.isSigned(content, new Sealer(KEY).sign(content).subarray(0, 16)));
    assert.deepEqual(both.sign(content), new Sealer(other).sign(content));
    assert.equal(new Sealer(KEY).isSigned(content, both.sign(content)), false);
  });

  it('tells nothing of its content and is new each time', () => {
    const sealer = new Sealer(KEY);
    const cookie = sealer.seal(DATA);
    assert.match(cookie, /^[A-Za-z0-9_-]+$/);
    assert.ok(!Buffer.from(cookie, 'base64url').includes('pass'));
    assert.notEqual(sealer.seal(DATA), cookie);
  });

  it('does not open when any bit is changed', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const bytes = Buffer.from(sealer.seal(DATA), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1 << (i % 8);
      assert.equal(sealer.open(changed.toString('base64url')), undefined, `byte ${i}`);
    }
  });

  it('does not open when it is cut anywhere or longer', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const cookie = sealer.seal(DATA);
    for (let length = 0; length < cookie.length; length++)
      assert.equal(sealer.open(cookie.slice(0, length)), undefined);
    for (const more of ['A', 'AAAA', '=', ' ', '\n', '.', '*']) assert.equal(sealer.open(cookie + more), undefined);
  });

  it('opens in one spelling only', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const cookie = sealer.seal(DATA);
    const standard = Buffer.from(cookie, 'base64url').toString('base64');
    assert.equal(sealer.open(`${cookie.slice(0, 10)}!${cookie.slice(10)}`), undefined);
    assert.equal(sealer.open(` ${cookie}`), undefined);
    assert.equal(sealer.open(`${standard}=`), undefined);
    assert.deepEqual(sealer.open(cookie), DATA);
  });

  it('answers undefined to garbage', () => {
    const sealer = new Sealer(KEY);
    const garbage = ['', 'AQ', 'x'.repeat(MAX_COOKIE_BYTES), 'x'.repeat(100_000), '\0', 'é'.repeat(50), '{}', '%00'];
    for (const cookie of garbage) assert.equal(sealer.open(cookie), undefined);
    for (let i = 0; i < 500; i++) {
      const bytes = Buffer.concat([Buffer.of(1), randomBytes(randomInt(100))]);
      assert.equal(sealer.open(bytes.toString('base64url')), undefined, bytes.toString('hex'));
    }
  });

  it('does not open when it has expired, opened before or not', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const cookie = sealer.seal(DATA);
    t.mock.timers.tick(99_999);
    assert.deepEqual(sealer.open(cookie), DATA);
    t.mock.timers.tick(1);
    assert.equal(sealer.open(cookie), undefined);
    assert.equal(new Sealer(KEY).open(cookie), undefined);
  });

  it('is opened once while it is in use', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const cookie = sealer.seal(DATA);
    const first = sealer.open(cookie);
    assert.equal(sealer.open(cookie), first);
    assert.ok(Object.isFrozen(first));
  });

  it('gives way to others in the memory of the sealer when it is not used', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    const [used, unused] = [sealer.seal(DATA), sealer.seal(DATA)];
    const [usedData, unusedData] = [sealer.open(used), sealer.open(unused)];
    for (let i = 0; i < MAX_CACHE_ENTRIES - 1; i++) {
      sealer.open(sealer.seal(DATA));
      if (i === 0) assert.equal(sealer.open(used), usedData);
    }
    assert.equal(sealer.open(used), usedData);
    assert.notEqual(sealer.open(unused), unusedData);
    assert.deepEqual(sealer.open(unused), unusedData);
  });

  it('is at most MAX_COOKIE_BYTES long', (t) => {
    t.mock.timers.enable(clock);
    const sealer = new Sealer(KEY);
    let longest = '';
    let length = 2000;
    assert.throws(
      () => {
        for (; ; length++) longest = sealer.seal({ ...DATA, password: 'p'.repeat(length) });
      },
      { code: 'bad_request' },
    );
    assert.ok(longest.length <= MAX_COOKIE_BYTES && longest.length >= MAX_COOKIE_BYTES - 1);
    assert.equal(sealer.open(longest)?.password?.length, length - 1);
  });

  it('needs a key of 32 bytes', () => {
    for (const length of [0, 16, 31, 33]) assert.throws(() => new Sealer(Buffer.alloc(length)), { name: 'AppError' });
  });
});

describe('session id', () => {
  it('is 128 random bits', () => {
    assert.match(newSessionId(), /^[\w-]{22}$/);
    assert.notEqual(newSessionId(), newSessionId());
  });
});

describe('session key', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'key-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('is read as hex or base64', () => {
    for (let i = 0; i < 20; i++) {
      const key = randomBytes(32);
      for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
        assert.deepEqual(parseKey(text), key, text);
        assert.deepEqual(parseKey(` ${text}\n`), key, text);
      }
      assert.deepEqual(parseKey(key.toString('hex').toUpperCase()), key);
    }
  });

  it('may be one of several, a line each, and MAX_SESSION_KEYS at most', () => {
    const line = (i: number) => Buffer.alloc(32, i).toString('hex');
    assert.deepEqual(parseKeys(`# new\n${line(1)}\r\n\n  ${line(2)}\n`), [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
    assert.equal(parseKeys(lines(MAX_SESSION_KEYS)).length, MAX_SESSION_KEYS);
    for (const text of ['', '# nothing\n', lines(MAX_SESSION_KEYS + 1), `${line(1)}\nshort\n`]) {
      assert.throws(() => parseKeys(text), { code: 'bad_request' });
    }
  });

  it('is refused when it is not exactly 32 bytes', () => {
    const wrong = [31, 33, 16, 64].flatMap((n) => [
      Buffer.alloc(n).toString('hex'),
      Buffer.alloc(n).toString('base64'),
    ]);
    for (const text of ['', 'secret', 'g'.repeat(64), `${'A'.repeat(42)}B`, `${'A'.repeat(43)}==`, ...wrong]) {
      assert.throws(() => parseKey(text), { name: 'AppError', message: /32 bytes/ }, text);
    }
  });

  it('is created once, for its owner alone, and read after that', async () => {
    const path = join(folder, 'new', 'session.key');
    const key = await loadOrCreateKey(path);
    assert.equal(key.length, 32);
    assert.deepEqual(await loadOrCreateKey(path), key);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('is the same for gateways that start together, and no draft stays', async () => {
    const path = join(folder, 'together', 'session.key');
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateKey(path)));
    for (const key of keys) assert.deepEqual(key, keys[0]);
    assert.deepEqual(await readdir(join(folder, 'together')), ['session.key']);
  });

  it('is never replaced when its file is damaged', async () => {
    const path = join(folder, 'damaged.key');
    await writeFile(path, 'abc');
    await assert.rejects(loadOrCreateKey(path), { name: 'AppError' });
  });
});
