// A message that is slow to make ready for reading, over HTTP: its readers get a clear answer, everybody else is
// served.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { MAX_RENDERINGS_PER_CALLER, MAX_WAITING_RENDERINGS_PER_CALLER } from '../../src/limits/http.ts';
import { BULK_TURN_BYTES } from '../../src/limits/protocol.ts';
import { requestTurns } from '../../src/system/turn-queue.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { gate, largeText, spawnTestRenderer } from '../support/render-threads.ts';

const headers = { 'content-type': 'text/plain; charset=utf-8' };
const room = 'r/Lobby';
const spawned: Worker[] = [];
const spawnRenderer = () => {
  const worker = spawnTestRenderer();
  spawned.push(worker);
  return worker;
};
const gateway = await startGateway({ after }, { demo: true, spawnRenderer });
const [alice, bob] = [gateway.as('alice'), gateway.as('bob')];

async function post(order: string, api: Api = alice): Promise<string> {
  return `${room}/${postedNumber(await api(`${room}/new`, { method: 'PUT', headers, body: largeText(order) }))}`;
}

describe('while a message is made ready', () => {
  it('answers to others are noted: what takes much then rests', async () => {
    const before = requestTurns.shortCount;
    for (const [path, status] of [
      ['a/whoami', 200],
      [`${room}/msgs.all`, 200],
      ['nowhere', 404],
    ] as const) {
      const response = await bob(path);
      assert.equal(response.status, status);
      await response.text();
    }
    await eventually(async () => requestTurns.shortCount - before, 3);
  });

  it('long requests of others are not', async () => {
    const before = requestTurns.shortCount;
    for (let i = 0; i < 3; i++) {
      const body = 'x'.repeat(BULK_TURN_BYTES + 1);
      assert.equal((await bob(`${room}/new`, { method: 'PUT', headers, body })).status, 201);
    }
    await (await bob('a/whoami')).text();
    await eventually(async () => requestTurns.shortCount - before, 1);
  });

  it('long answers to others are not', async () => {
    const body = 'x'.repeat(BULK_TURN_BYTES);
    const before = requestTurns.shortCount;
    const number = postedNumber(await bob(`${room}/new`, { method: 'PUT', headers, body }));
    await eventually(async () => requestTurns.shortCount - before, 1);
    for (let i = 0; i < 3; i++) assert.ok((await (await bob(`${room}/${number}`)).text()).length >= body.length);
    await (await bob('a/whoami')).text();
    await eventually(async () => requestTurns.shortCount - before, 2);
  });

  it('all else is answered, and larger messages of others are made ready', async (t) => {
    const { order, release } = gate(t);
    const slow = await post(order);
    const other = await post('another', bob);
    const done: string[] = [];
    const ask = async (name: string, asked: Promise<Response>) => {
      const response = await asked;
      assert.equal(response.status, 200, name);
      await response.text();
      done.push(name);
    };
    const slowly = ask('slow', alice(`${slow}/json`));
    await ask('whoami', alice('a/whoami'));
    await ask('content', alice(slow));
    await ask('other', bob(`${other}/json`));
    assert.deepEqual(done, ['whoami', 'content', 'other']);
    release();
    await slowly;
  });

  it('so many others of one caller wait, and one more when a client has gone', async (t) => {
    const { order, release } = gate(t);
    const count = MAX_RENDERINGS_PER_CALLER + MAX_WAITING_RENDERINGS_PER_CALLER;
    const views = ['', '?text=plain', '?remote=1', '?text=plain&remote=1'];
    const paths: string[] = [];
    for (let i = 0; i < count; i += views.length) {
      const path = await post(order);
      paths.push(...views.map((view) => `${path}/json${view}`));
    }
    const more = `${await post('one more')}/json`;
    const leaving = new AbortController();
    const asked = paths.slice(0, count - 1).map((path) => alice(path));
    const left = assert.rejects(alice(paths[count - 1]!, { signal: leaving.signal }));
    const oneMore = () =>
      alice(more, { signal: AbortSignal.timeout(500) }).then(
        ({ status, headers: fields }) => `${status} ${fields.get('retry-after')}`,
        () => 'waits',
      );
    await eventually(oneMore, '503 5');
    leaving.abort();
    await left;
    await eventually(oneMore, 'waits');
    release();
    for (const response of await Promise.all(asked)) assert.equal(response.status, 200);
  });
});

describe('a message that breaks the thread it is made ready in', () => {
  it('is refused with words, is logged, and can be downloaded', async () => {
    const path = await post('!exit');
    gateway.faults.length = 0;
    const response = await alice(`${path}/json`);
    assert.equal(response.status, 500);
    const problem = (await response.json()) as { detail: string };
    assert.match(problem.detail, /could not be rendered. It can still be downloaded/);
    assert.ok(gateway.faults.length > 0);
    const whole = await alice(path);
    assert.equal(whole.status, 200);
    assert.equal(await whole.text(), largeText('!exit'));
    assert.equal((await alice(`${await post('next')}/json`)).status, 200);
  });
});

describe('a gateway', () => {
  it('stops while a message is made ready', async (t) => {
    const own = await startGateway(t, { demo: true, spawnRenderer });
    const count = spawned.length;
    const api = own.as('alice');
    const answer = await api(`${room}/new`, { method: 'PUT', headers, body: largeText('!loop') });
    const leaving = new AbortController();
    const asked = api(`${room}/${postedNumber(answer)}/json`, { signal: leaving.signal }).catch(() => 'left');
    await eventually(async () => spawned.length, count + 1);
    leaving.abort();
    await asked;
    await own.close();
    assert.equal(spawned.at(-1)!.threadId, -1);
  });
});
