// What was acknowledged survives kill -9: messages, deletions, uploads. The gateway is killed at random moments while
// clients write to it, and started again on the same data folder.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Api, runVestibule, type SpawnedGateway, spawnGateway } from '../support/gateway.ts';
import { newSeed, type Random, randomFrom } from '../support/random.ts';
import { noise } from './bodies.ts';

const ROUNDS = 20;
const WRITERS = 4;
/** the kill follows at once on some acknowledgement, while other writers are in the middle of theirs */
const MAX_ACKNOWLEDGED = 120;
const room = 'r/Town%20Square';

const seed = newSeed();
const random = randomFrom(seed);
const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-'));
after(() => rm(dataFolder, { recursive: true, force: true }));

/** What the gateway has said it has. */
const acknowledged = {
  messages: new Map<number, Buffer>(),
  deleted: new Set<number>(),
  uploads: new Map<string, Buffer>(),
};
/** deletions that were asked for and not answered: both outcomes are right */
const undecided = new Set<number>();
/** of the demo */
const known = new Set<number>();
/** bodies that were sent, so that a message without acknowledgement can be told from a damaged one */
const sent = new Set<string>();

describe('kill -9', () => {
  it(`loses nothing that was acknowledged, ${ROUNDS} times`, async (t) => {
    const empty = await startAgain(t);
    for (const number of await listed(empty.as('alice'))) known.add(number);
    await empty.kill();
    for (let round = 0; round < ROUNDS; round++) {
      const gateway = await startAgain(t);
      const before = acknowledged.messages.size;
      const api = gateway.as('alice');
      assert.equal((await api('r/')).status, 200, 'the log-in takes longer than the rest of a round');
      const enough = Promise.withResolvers<void>();
      let left = 1 + random(MAX_ACKNOWLEDGED);
      const count = () => {
        if (--left === 0) enough.resolve();
      };
      const writers = Promise.all(Array.from({ length: WRITERS }, () => write(api, count)));
      await Promise.race([enough.promise, writers]); // writers end before only with what was answered wrong
      await gateway.kill();
      await writers;
      t.diagnostic(`round ${round}: ${acknowledged.messages.size - before} messages, seed ${seed}`);
      const next = await startAgain(t);
      await check(next.as('alice'), [...acknowledged.messages.keys()].slice(Math.max(0, before - 5)));
      await next.kill();
    }
    const last = await startAgain(t);
    await check(last.as('alice'), [...acknowledged.messages.keys()]);
    assert.ok(acknowledged.messages.size > ROUNDS && acknowledged.uploads.size > 0 && acknowledged.deleted.size > 0);
  });
});

describe('a second instance on the same data folder', () => {
  it('is refused in a line, and the first one goes on', async (t) => {
    const gateway = await startAgain(t);
    const ended = await runVestibule(['--port', '0', '--data', dataFolder]);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^[^\n]*in use[^\n]*\n$/);
    assert.doesNotMatch(ended.err, / at .*\.ts/);
    assert.equal((await gateway.as('alice')('r/')).status, 200);
  });
});

function startAgain(t: Parameters<typeof spawnGateway>[0]): Promise<SpawnedGateway> {
  return spawnGateway(t, ['--data', dataFolder, '--demo']);
}

/** Posts, uploads and deletes until the gateway is gone. */
async function write(api: Api, acknowledge: () => void): Promise<void> {
  const mine: number[] = [];
  try {
    for (;;) {
      const body = someBody(random);
      sent.add(body.toString('latin1'));
      const what = random(6);
      if (what === 0 && mine.length > 0) {
        const number = mine.splice(random(mine.length), 1)[0]!;
        undecided.add(number);
        const { status } = await api(`${room}/${number}`, { method: 'DELETE' });
        assert.equal(status, 204);
        undecided.delete(number);
        acknowledged.messages.delete(number);
        acknowledged.deleted.add(number);
      } else if (what === 1) {
        const response = await api('p?filename=x', { method: 'POST', body });
        const [record] = (await response.json()) as { ref: string }[];
        acknowledged.uploads.set(record!.ref, body);
      } else {
        const headers = { 'content-type': 'application/octet-stream' };
        const response = await api(`${room}/new`, { method: 'PUT', headers, body });
        assert.equal(response.status, 201);
        const number = Number(response.headers.get('etag')!.slice(1, -1));
        acknowledged.messages.set(number, body);
        mine.push(number);
      }
      acknowledge();
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
}

async function check(api: Api, numbers: number[]): Promise<void> {
  const present = new Set(await listed(api));
  for (const number of numbers) {
    if (undecided.has(number)) continue;
    assert.ok(present.has(number), `message ${number} is lost, seed ${seed}`);
    const response = await api(`${room}/${number}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.ok(bytes.equals(acknowledged.messages.get(number)!), `message ${number} is damaged, seed ${seed}`);
  }
  for (const number of acknowledged.deleted) assert.ok(!present.has(number), `message ${number} is back, seed ${seed}`);
  for (const number of present) {
    if (known.has(number) || acknowledged.messages.has(number)) continue;
    const bytes = Buffer.from(await (await api(`${room}/${number}`)).arrayBuffer());
    assert.ok(sent.has(bytes.toString('latin1')), `message ${number} was stored in part, seed ${seed}`);
  }
  for (const [ref, body] of acknowledged.uploads) {
    const response = await api(`p/${ref}`);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(body), `upload ${ref} is lost, seed ${seed}`);
  }
}

async function listed(api: Api): Promise<number[]> {
  return (await (await api(`${room}/msgs.all`)).json()) as number[];
}

/** Mostly small, sometimes larger than what is kept in one piece. */
function someBody(random: Random): Buffer {
  return noise(random, 4 * (1 + (random(8) === 0 ? random(200_000) : random(500))));
}
