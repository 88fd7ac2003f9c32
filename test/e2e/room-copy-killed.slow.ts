// A room that is copied is there with all of its messages or not at all, also where the server is killed meanwhile
// (RFC 4918 section 9.8). Run: npm run test:slow

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../../scripts/generate.ts';
import type { Api } from '../support/gateway.ts';
import { spawnGateway } from '../support/gateway.ts';
import { newSeed, randomFrom } from '../support/random.ts';

const MESSAGES = 3000;
const ROUNDS = 6;

const seed = newSeed();
const random = randomFrom(seed);

it('COPY of a room leaves all of it or nothing', { timeout: 600_000 }, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await fillFolder(folder, { rooms: 1, messages: 0, users: 2, largeRoom: MESSAGES, seed: 1 }, () => {});
  const start = () => spawnGateway(t, ['--data', folder]);

  const first = await start();
  const began = performance.now();
  assert.equal((await copy(first.as(READER, PASSWORD), 'Whole')).status, 201);
  const wholeMs = performance.now() - began;
  await first.kill();

  let cuts = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const gateway = await start();
    const copied = copy(gateway.as(READER, PASSWORD), `Copy ${round}`).then(
      ({ status }) => status,
      () => undefined,
    );
    await setTimeout(random(Math.ceil(wholeMs)));
    await gateway.kill();
    const status = await copied;
    if (status === undefined) cuts++;
    else assert.equal(status, 201);

    const next = await start();
    const api = next.as(READER, PASSWORD);
    assert.equal((await numbers(api, 'Whole'))?.length, MESSAGES, 'what was acknowledged stays');
    const there = await numbers(api, `Copy ${round}`);
    if (status === 201 || there) assert.equal(there?.length, MESSAGES, `round ${round}, seed ${seed}`);
    await next.kill();
  }
  t.diagnostic(`${cuts} of ${ROUNDS} were cut`);
  assert.ok(cuts > 0, `seed ${seed}`);
});

function copy(api: Api, to: string): Promise<Response> {
  return api(`r/${LARGE_ROOM}/`, { method: 'COPY', headers: { destination: `/svc/r/${encodeURIComponent(to)}/` } });
}

/** Of the messages in a room; undefined where there is none of this name. */
async function numbers(api: Api, room: string): Promise<number[] | undefined> {
  const answer = await api(`r/${encodeURIComponent(room)}/msgs.all`);
  if (answer.status === 404) return undefined;
  assert.equal(answer.status, 200);
  return (await answer.json()) as number[];
}
