// What the bodies of one account may take on disk together.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { Spools } from '../../src/gateway/spools.ts';

/** numbers of users, as accountOf of the pool gives them */
const ANN = '2';
const BOB = '3';

async function start(t: TestContext, maxBytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spools-test-'));
  t.after(() => rm(folder, { recursive: true }));
  return { folder, spools: new Spools(folder, maxBytes) };
}

async function* body(...sizes: number[]) {
  for (const size of sizes) yield Buffer.alloc(size);
}

it('takes as many bytes of one account as allowed and not one more', async (t) => {
  const { spools } = await start(t, 1000);
  const held = await spools.take(ANN, body(400, 200));
  const rest = await spools.take(ANN, body(400));
  await assert.rejects(spools.take(ANN, body(1)), { code: 'too_many_requests', retryAfterSeconds: 10 });
  assert.equal((await spools.take(BOB, body(1000))).size, 1000);
  await rest[Symbol.asyncDispose]();
  await rest[Symbol.asyncDispose]();
  await assert.rejects(spools.take(ANN, body(401)), { code: 'too_many_requests' });
  await (await spools.take(ANN, body(400)))[Symbol.asyncDispose]();
  await held[Symbol.asyncDispose]();
  await (await spools.take(ANN, body(1000)))[Symbol.asyncDispose]();
});

it('counts bodies while they come, and leaves nothing of one that is refused or breaks off', async (t) => {
  const { spools, folder } = await start(t, 300_000);
  const gate = Promise.withResolvers<void>();
  const counted = Promise.withResolvers<void>();
  async function* slow() {
    yield Buffer.alloc(200_000);
    counted.resolve();
    await gate.promise;
    throw new Error('gone');
  }
  const coming = spools.take(ANN, slow());
  await counted.promise;
  await assert.rejects(spools.take(ANN, body(90_000, 90_000)), { code: 'too_many_requests' });
  gate.resolve();
  await assert.rejects(coming, { message: 'gone' });
  assert.deepEqual(await readdir(folder), []);
  await (await spools.take(ANN, body(300_000)))[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(folder), []);
});
