// What the doctor says of a store that gateways share, and of the keys.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { parseCommandLine } from '../../../../src/cli/options.ts';
import { examineInfo, examineShared } from '../../../../src/extra/doctor/doctor.ts';
import { freePort, startRedis } from '../../../support/redis-server.ts';

async function findings(words: string[]): Promise<string[]> {
  const line = parseCommandLine(words, {});
  assert.ok(line.command === 'serve');
  const found = await Array.fromAsync(examineShared(line.options));
  return found.map(([level, what, text]) => `${level} ${what}: ${text}`);
}

async function keyFile(t: TestContext, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'keys');
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

it('the doctor says nothing where nothing is shared', async () => {
  assert.deepEqual(await findings([]), []);
});

it('the doctor looks whether a store can be reached, keeps what it is told, and is bounded', async (t) => {
  const store = await startRedis(t, { password: 'secret' });
  const file = await keyFile(t, `${'ab'.repeat(32)}\n`);
  const text = `redis://:(hidden)@127.0.0.1:${store.port}/0`;
  const words = ['--shared', store.url, '--secret-file', file];
  const [keys, version, ...notes] = await findings(words);
  assert.equal(keys, `ok keys: ${file} has one key`);
  assert.match(version!, new RegExp(`^ok shared: ${text.replace(/[()]/g, '\\$&')}: version \\d+\\.\\d+\\.\\d+$`));
  assert.deepEqual(notes, [
    'note shared: its memory is unlimited (maxmemory); uploads may use all of the machine’s memory',
    'note shared: it loses uploads and locks if it is killed; CONFIG SET appendonly yes prevents that',
  ]);
  await store.ask('CONFIG', 'SET', 'maxmemory', '1gb');
  await store.ask('CONFIG', 'SET', 'appendonly', 'yes');
  await store.ask('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  assert.deepEqual((await findings(words)).slice(2), [
    'wrong shared: it evicts data when it is full: CONFIG SET maxmemory-policy noeviction',
  ]);
  await store.ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  assert.equal((await findings(words)).length, 2);
  const wrong = await findings(['--shared', store.url.replace('secret', 'other')]);
  assert.match(
    wrong[0]!,
    /^note shared: each gateway seals cookies with its own key; use the same --secret-file for all$/,
  );
  assert.match(wrong[1]!, /^wrong shared: redis:\/\/:\(hidden\)@.*WRONGPASS/);
  const nobody = await findings(['--shared', `redis://127.0.0.1:${await freePort()}`, '--secret-file', file]);
  assert.match(nobody[1]!, /^wrong shared: .*ECONNREFUSED.*check that it runs, --shared, and its ACL$/);
});

it('the doctor says that a store is too old, and that what goes there can be read on the way', async () => {
  assert.deepEqual(
    [...examineInfo('a', 'redis_version:6.0.16\r\n')].map(([level]) => level),
    ['wrong'],
  );
  assert.deepEqual(
    [...examineInfo('a', 'redis_version:6.2.0\r\n')].map(([level]) => level),
    ['ok'],
  );
  assert.deepEqual(
    [...examineInfo('a', 'redis_version:10.0.1\r\n')].map(([level]) => level),
    ['ok'],
  );
  assert.deepEqual(
    [...examineInfo('a', '')].map(([level]) => level),
    ['wrong'],
  );
});

it('the doctor looks at the keys', async (t) => {
  const two = await keyFile(t, `${'ab'.repeat(32)}\n${'cd'.repeat(32)}\n`);
  assert.deepEqual(await findings(['--secret-file', two]), [`ok keys: ${two} has 2 keys, the first one seals`]);
  await chmod(two, 0o644);
  assert.deepEqual(await findings(['--secret-file', two]), [`wrong keys: others can read ${two}: chmod go= ${two}`]);
  const none = await keyFile(t, 'correct horse\n');
  assert.match((await findings(['--secret-file', none]))[0]!, /must contain one session key per line/);
  assert.match((await findings(['--secret-file', `${none}-missing`]))[0]!, /no such file or folder/);
});
