// Two gateways with one room server and one Redis: what is done at one counts at the other, and while Redis is away
// what does not need it goes on.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, basic, behindGateway, type Ending, startGateway } from '../support/gateway.ts';
import { startRedis } from '../support/redis-server.ts';
import { answersOnMany, apart, startWorkers } from '../support/several-processes.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

async function startPair(t: Ending, more: string[] = []) {
  const store = await startRedis(t, { words: ['--appendonly', 'yes'], password: 'secret' });
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  t.after(() => rm(folder, { recursive: true }));
  const keys = join(folder, 'keys');
  await writeFile(keys, `${'ab'.repeat(32)}\n`);
  const words = ['--shared', store.url, '--secret-file', keys, ...more];
  const one = await startGateway(t, { demo: true, options: [...words, '--line-listen', 'tcp://127.0.0.1:0'] });
  const other = await behindGateway(t, one, words);
  return { store, one, other, keys };
}

async function logIn(api: Api, username: string, password = username): Promise<Response> {
  return api('a/login', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ username, password }) });
}

const cookieIn = (answer: Response) => answer.headers.getSetCookie()[0]!.split(';')[0]!;

/** Who a session belongs to at a gateway; '': to nobody. */
async function nameAt(api: Api, cookie: string): Promise<string> {
  const answer = await api('a/whoami', { headers: { cookie } });
  return ((await answer.json()) as { username: string }).username;
}

const upload = (api: Api, headers: Record<string, string>) =>
  api('p?filename=a.txt', { method: 'POST', headers: { 'content-type': 'text/plain', ...headers }, body: 'content' });

const post = (api: Api, headers: Record<string, string>) =>
  api('r/Lobby/new?subj=Hello', {
    method: 'PUT',
    headers: { 'content-type': 'text/plain', ...headers },
    body: 'Hello.',
  });

/** A stream of `here`, whose page asks `there`, and asks both of them in turn. */
async function instantMessagesReach(here: Api, there: Api): Promise<void> {
  const cookie = cookieIn(await logIn(here, 'alice'));
  const bob = cookieIn(await logIn(there, 'bob'));
  const taken = async (api: Api) => {
    const messages = (await (await api('a/im', { headers: { cookie } })).json()) as { text: string }[];
    return messages.map(({ text }) => text);
  };
  const send = async (text: string) => {
    const headers = { ...JSON_TYPE, cookie: bob };
    const answer = await there('a/im', { method: 'POST', headers, body: JSON.stringify({ to: 'alice', text }) });
    assert.equal(answer.status, 204);
  };
  const stream = await openEvents(here, 'a/events', { cookie });
  // only the session of the stream is there to get it
  await send('One?');
  assert.deepEqual((await stream.next('im')).data, { waiting: true });
  assert.deepEqual(await taken(there), ['One?']);
  // by now each has a session that gets a copy
  for (let times = 0; times < 4; times++) assert.deepEqual([...(await taken(here)), ...(await taken(there))], []);
  for (const text of ['Two?', 'Two?', 'Three?']) {
    await send(text);
    await stream.next('im');
  }
  assert.deepEqual(await taken(there), ['Two?', 'Two?', 'Three?']);
  for (let times = 0; times < 4; times++) assert.deepEqual([...(await taken(here)), ...(await taken(there))], []);
  stream.close();
}

describe('two gateways that share a Redis', () => {
  it('have the same sessions, uploads, locks and counts', async (t) => {
    const { one, other } = await startPair(t, ['--admin-listen', 'tcp://127.0.0.1:0']);
    const cookie = cookieIn(await logIn(one.api, 'alice'));
    assert.equal(await nameAt(other.api, cookie), 'alice');
    const [{ ref }] = (await (await upload(other.api, { cookie })).json()) as [{ ref: string }];
    assert.equal(await (await one.api(`p/${ref}`, { headers: { cookie } })).text(), 'content');
    for (const { adminUrl } of [one, other]) {
      const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
      assert.match(metrics, /^vestibule_event_streams 0$/m);
      assert.doesNotMatch(metrics, /^vestibule_upload/m, 'no gateway says that there are none');
    }

    assert.equal((await one.api('a/logout', { method: 'POST', headers: { cookie } })).status, 204);
    assert.equal(await nameAt(other.api, cookie), '');
    assert.equal(await nameAt(one.api, cookie), '');

    for (let i = 0; i < 10; i++) assert.equal((await logIn((i % 2 ? one : other).api, 'bob', 'wrong')).status, 401);
    assert.equal((await logIn(one.api, 'bob', 'bob')).status, 429);
    assert.equal((await logIn(other.api, 'bob', 'bob')).status, 429);
  });

  it('are one with all their further processes', async (t) => {
    const store = await startRedis(t);
    const gateway = await startWorkers(t, 3, ['--shared', store.url]);
    const api = apart(gateway);
    const cookie = cookieIn(await logIn(api, 'alice'));
    const headers = { headers: { cookie } };
    const name = async (answer: Response) => ((await answer.json()) as { username: string }).username;
    assert.deepEqual(await answersOnMany(api, 'a/whoami', name, headers), ['alice']);
    const [{ ref }] = (await (await upload(api, { cookie })).json()) as [{ ref: string }];
    assert.deepEqual(await answersOnMany(api, `p/${ref}`, (answer) => answer.text(), headers), ['content']);
    assert.equal((await api('a/logout', { method: 'POST', ...headers })).status, 204);
    assert.deepEqual(await answersOnMany(api, 'a/whoami', name, headers), ['']);
  });

  it('go on reading and posting while it is away, say what does not work, and recover by themselves', async (t) => {
    const { store, one, other } = await startPair(t);
    const cookie = cookieIn(await logIn(one.api, 'alice'));
    const gone = cookieIn(await logIn(other.api, 'alice'));
    await other.api('a/logout', { method: 'POST', headers: { cookie: gone } });
    await store.stop();
    for (const { api } of [one, other]) {
      assert.equal(await nameAt(api, cookie), 'alice');
      assert.equal(await nameAt(api, gone), '', 'what is known stays refused');
      assert.equal((await post(api, { cookie })).status, 201);
      assert.equal((await api('r/Lobby/msgs.all', { headers: { cookie } })).status, 200);
      for (const refused of [
        await upload(api, { cookie }),
        await logIn(api, 'bob'),
        await api('a/logout', { method: 'POST', headers: { cookie } }),
        await api('r/', { headers: { authorization: basic('bob') } }),
      ]) {
        assert.equal(refused.status, 503);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
        assert.match(
          ((await refused.json()) as { detail: string }).detail,
          /^The state shared by the gateways is unreachable/,
        );
      }
      assert.equal(await nameAt(api, cookie), 'alice', 'nobody was logged out');
    }
    await store.start();
    await eventually(async () => (await upload(other.api, { cookie })).status, 201);
    await eventually(async () => (await logIn(one.api, 'bob')).status, 200); // each connects again by itself
    assert.equal((await one.api('a/logout', { method: 'POST', headers: { cookie } })).status, 204);
    await eventually(() => nameAt(other.api, cookie), ''); // its bell may not be heard again yet
    assert.deepEqual([...one.faults, ...other.faults], []);
  });

  it('start while it is away, and take no cookie before they know who has logged out', async (t) => {
    const { store, one, other } = await startPair(t);
    const cookie = cookieIn(await logIn(one.api, 'alice'));
    await other.close();
    await store.stop();
    await other.restart();
    assert.equal((await other.api('a/whoami', { headers: { cookie } })).status, 503);
    assert.equal((await other.api('a/whoami')).status, 200, 'guests are served');
    assert.equal(await nameAt(one.api, cookie), 'alice');
    await store.start();
    await eventually(() => nameAt(other.api, cookie), 'alice');
  });

  it('give an instant message to the page that waits, once, whichever of them it asks', async (t) => {
    const { one, other } = await startPair(t);
    await instantMessagesReach(one.api, other.api);
  });

  it('give it to the page of any of their further processes', async (t) => {
    const store = await startRedis(t);
    const shared = await startWorkers(t, 2, ['--shared', store.url]);
    await instantMessagesReach(apart(shared), apart(shared));
    const alone = await startWorkers(t, 2);
    await instantMessagesReach(apart(alone), apart(alone));
  });

  it('open the cookies of each other while a key is replaced', async (t) => {
    const { one, other, keys } = await startPair(t);
    const before = cookieIn(await logIn(one.api, 'alice'));
    await writeFile(keys, `${'cd'.repeat(32)}\n${'ab'.repeat(32)}\n`);
    await other.restart();
    assert.equal(await nameAt(other.api, before), 'alice');
    const after = cookieIn(await logIn(other.api, 'alice'));
    assert.equal(await nameAt(one.api, after), '', 'it does not know the new key yet');
    await one.restart();
    assert.equal(await nameAt(one.api, after), 'alice');
    await writeFile(keys, `${'cd'.repeat(32)}\n`);
    await one.restart();
    assert.equal(await nameAt(one.api, after), 'alice');
    assert.equal(await nameAt(one.api, before), '');
  });
});
