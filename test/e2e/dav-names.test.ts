// Names of messages when more than one gateway gives them, and what a gateway remembers of messages: never more than
// the room server would still tell.

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Api, behindGateway, startGateway } from '../support/gateway.ts';

const put = (api: Api, path: string, body: string, headers: Record<string, string> = {}) =>
  api(path, { method: 'PUT', headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body });
const numbers = async (api: Api, room: string) => (await (await api(`r/${room}/msgs.all`)).json()) as number[];
const clockSecond = () => Math.floor(Date.now() / 1000);
const text = async (answer: Response) => (await answer.text()).trim();

/** Two gateways in front of one room server, where alice has the room `room` of her own. */
async function twoGateways(t: TestContext, room: string): Promise<[Api, Api]> {
  const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
  const second = await behindGateway(t, first);
  const apis: [Api, Api] = [first.as('alice'), second.as('alice')];
  assert.equal((await apis[0](`r/${room}/`, { method: 'MKCOL' })).status, 201);
  return apis;
}

const NAMES = Array.from({ length: 12 }, (_, i) => `file-${i}.txt`);

describe('two gateways that are sent the same name at the same time', () => {
  it('leave one message, of one of the two', async (t) => {
    const apis = await twoGateways(t, 'Race');
    for (const name of NAMES) {
      const path = `r/Race/${name}`;
      const answers = await Promise.all(apis.map((api, i) => put(api, path, `${name} ${i}`)));
      for (const { status } of answers) assert.ok([201, 204].includes(status), `${status}`);
      const etags = answers.map((answer) => answer.headers.get('etag'));
      for (const api of apis) {
        const read = await api(path);
        const winner = etags.indexOf(read.headers.get('etag'));
        assert.equal(await text(read), `${name} ${winner}`);
      }
    }
    assert.equal((await numbers(apis[0], 'Race')).length, NAMES.length);
  });

  it('create it once where it must be new', async (t) => {
    const apis = await twoGateways(t, 'Once');
    for (const name of NAMES) {
      const path = `r/Once/${name}`;
      const answers = await Promise.all(apis.map((api, i) => put(api, path, `${name} ${i}`, { 'if-none-match': '*' })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 412]);
      const winner = answers.findIndex(({ status }) => status === 201);
      for (const api of apis) assert.equal(await text(await api(path)), `${name} ${winner}`);
    }
    assert.equal((await numbers(apis[0], 'Once')).length, NAMES.length);
  });

  it('replace it once where it must be the one that was read', async (t) => {
    const apis = await twoGateways(t, 'Twice');
    for (const name of NAMES) {
      const path = `r/Twice/${name}`;
      const etag = (await put(apis[0], path, 'before')).headers.get('etag')!;
      const answers = await Promise.all(apis.map((api, i) => put(api, path, `${name} ${i}`, { 'if-match': etag })));
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, 412]);
      const winner = answers.findIndex(({ status }) => status === 204);
      for (const api of apis) assert.equal(await text(await api(path)), `${name} ${winner}`);
    }
    assert.equal((await numbers(apis[0], 'Twice')).length, NAMES.length);
  });
});

describe('what a gateway remembers of a message', () => {
  it('follows a name to the message that has it now', async (t) => {
    const [here, there] = await twoGateways(t, 'Follow');
    const path = 'r/Follow/a.txt';
    await put(here, path, 'one');
    for (const round of ['two', 'three']) {
      assert.equal((await here(path)).status, 200, 'remembered');
      await put(there, path, round);
      assert.equal(await text(await here(path)), round);
    }
    await there(path, { method: 'MOVE', headers: { destination: '/svc/r/Follow/b.txt' } });
    assert.equal((await here(path)).status, 404);
    assert.equal(await text(await here('r/Follow/b.txt')), 'three');
    await there('r/Follow/b.txt', { method: 'DELETE' });
    for (const method of ['GET', 'HEAD', 'PROPFIND', 'DELETE']) {
      const answer = await here('r/Follow/b.txt', { method, headers: { depth: '0' } });
      assert.equal(answer.status, 404, method);
    }
  });

  it('is not what another message has that got its number when the room server was put back', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = (await behindGateway(t, first)).as('alice');
    await second('r/Reused/', { method: 'MKCOL' });
    const database = join(first.dataFolder, 'vestibule.db');
    const told = async () => {
      const listed = await second('r/Reused/', { method: 'PROPFIND', headers: { depth: '1' } });
      const names = [...(await listed.text()).matchAll(/<D:href>[^<]*\/([^</]+)<\/D:href>/g)].map(([, name]) => name);
      const path = `r/Reused/${(await numbers(second, 'Reused'))[0]}`;
      const { subj, text } = (await (await second(`${path}/json?text=plain`)).json()) as Record<string, string>;
      return [names, subj, text!.trim(), (await (await second(path)).text()).trim()];
    };
    await first.close();
    await copyFile(database, `${database}.kept`);
    await first.restart();
    await put(first.as('alice'), 'r/Reused/old.txt', 'old');
    const postedIn = clockSecond();
    assert.deepEqual(await told(), [['old.txt'], 'old.txt', 'old', 'old']);
    await first.close();
    await copyFile(`${database}.kept`, database);
    await first.restart();
    while (clockSecond() === postedIn) await setTimeout(20); // a backup is never put back within a second
    await put(first.as('alice'), 'r/Reused/new.txt', 'new');
    for (let round = 0; round < 2; round++) assert.deepEqual(await told(), [['new.txt'], 'new.txt', 'new', 'new']);
    assert.equal((await second('r/Reused/old.txt')).status, 404);
  });

  it('may be kept by a browser under its number; under its name there may soon be another one', async (t) => {
    const alice = (await startGateway(t, { demo: true })).as('alice');
    await alice('r/Kept/', { method: 'MKCOL' });
    const number = (await put(alice, 'r/Kept/a.txt', 'one')).headers.get('etag')!.slice(1, -1);
    const caching = async (path: string) => (await alice(`r/Kept/${path}`)).headers.get('cache-control');
    for (const rest of ['', '/1', '?format=rfc822']) {
      assert.match((await caching(`%7C${number}${rest}`))!, /^private, max-age=\d+, immutable$/);
      assert.equal(await caching(`a.txt${rest}`), 'private, no-cache');
    }
  });

  it('is told to nobody who may not read it, and no longer to who no longer may', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const [alice, bob] = [gateway.as('alice'), gateway.as('bob')];
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Club', kind: 'invitation' });
    assert.equal((await alice('r/', { method: 'POST', headers: json, body })).status, 201);
    const number = (await put(alice, 'r/Club/plan.txt', 'secret')).headers.get('etag')!.slice(1, -1);
    const paths = [number, 'plan.txt', `${number}/json`, `${number}/1`].map((name) => `r/Club/${name}`);
    const all = (api: Api) => Promise.all(paths.map(async (path) => (await api(path)).status));
    for (let round = 0; round < 2; round++) assert.deepEqual(await all(alice), [200, 200, 200, 200]);
    assert.deepEqual(await all(bob), [404, 404, 404, 404]);
    assert.equal((await alice('r/Club/members/bob', { method: 'PUT' })).status, 204);
    for (let round = 0; round < 2; round++) assert.deepEqual(await all(bob), [200, 200, 200, 200]);
    assert.equal((await alice('r/Club/members/bob', { method: 'DELETE' })).status, 204);
    assert.deepEqual(await all(bob), [404, 404, 404, 404]);
    // the number is no key to it in another room either
    for (const path of paths) assert.equal((await bob(path.replace('Club', 'Lobby'))).status, 404, path);
    assert.equal((await alice(`r/Club/${number}`, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await all(alice), [404, 404, 404, 404]);
  });
});
