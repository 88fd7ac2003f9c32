// A fleet of five gateways behind HAProxy: whichever of them a request comes to, it is the same service; and what one
// of them has acknowledged is there when it is killed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStream, openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { type FleetSite, startFleetSite } from '../support/fleet-site.ts';
import { cookieOf } from '../support/gateway.ts';
import { type Init, sendHttp } from '../support/raw-http.ts';
import type { TestStore } from '../support/redis-server.ts';

const GATEWAYS = 5;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };

const BOB = JSON.stringify({ username: 'bob', password: 'bob' });

const form = (text: string) => {
  const head = 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain';
  return `--x\r\n${head}\r\n\r\n${text}\r\n--x--\r\n`;
};

/** A client of the fleet; `served` is who has answered, request by request. */
function clientOf({ url }: FleetSite, cookie = '') {
  const served: (string | null)[] = [];
  const ask = async (path: string, init: Init = {}) => {
    const answer = await sendHttp(url, `/svc/${path}`, {
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    });
    served.push(answer.headers.get('x-served-by'));
    return answer;
  };
  return { ask, served, cookie };
}

async function logIn(site: FleetSite) {
  const { ask, served } = clientOf(site);
  const body = JSON.stringify({ username: 'alice', password: 'alice' });
  const answer = await ask('a/login', { method: 'POST', headers: JSON_TYPE, body });
  assert.equal(answer.status, 200);
  const client = clientOf(site, cookieOf(answer));
  client.served.push(...served);
  return client;
}

describe('five gateways', () => {
  it('let log in at one, listen at another, upload, attach and log out at three more, and refuse at all', async (t) => {
    const site = await startFleetSite(t, GATEWAYS);
    const { ask, served } = await logIn(site);
    const events = await openEvents(ask, 'a/events?room=Lobby');
    const sent = await ask('p', { method: 'POST', headers: FORM, body: form('hello') });
    assert.equal(sent.status, 201);
    const [{ ref }] = (await sent.json()) as [{ ref: string }];
    const posted = await ask(`r/Lobby/new?subj=Fleet&att=${ref}`, { method: 'PUT', body: 'See the file.' });
    assert.equal(posted.status, 201);
    const number = Number(/\d+/.exec(posted.headers.get('etag')!)![0]);
    assert.deepEqual((await events.next('message')).data, { room: 'Lobby', msgs: [number] });
    assert.equal((await ask('a/logout', { method: 'POST' })).status, 204);
    assert.deepEqual([...served].sort(), ['g1', 'g2', 'g3', 'g4', 'g5']);
    // by all, the one with the stream, too
    served.length = 0;
    for (let i = 0; i < GATEWAYS; i++) {
      assert.equal((await ask('r/Lobby/x', { method: 'PUT', body: 'x' })).status, 401);
      assert.equal(((await (await ask('a/whoami')).json()) as { logged_in: boolean }).logged_in, false);
    }
    assert.equal(new Set(served).size, GATEWAYS);
    const reader = await logIn(site);
    const parts = await (await reader.ask(`r/Lobby/${number}/json`)).text();
    assert.match(parts, /a\.txt/);
    events.close();
  });

  for (const [how, away, back] of [
    ['is stopped', (store: TestStore) => store.stop(), (store: TestStore) => store.start()],
    ['hangs', async (store: TestStore) => store.hang(), async (store: TestStore) => store.wake()],
  ] as const) {
    it(`go on reading and posting while Redis ${how}, say what does not work, and recover by themselves`, async (t) => {
      const site = await startFleetSite(t, 3);
      const { ask, served } = await logIn(site);
      const [gone, leaving] = [await logIn(site), await logIn(site)];
      assert.equal((await gone.ask('a/logout', { method: 'POST' })).status, 204);
      await away(site.store);
      const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' };
      served.length = 0;
      const rounds = Array.from({ length: 2 * site.gateways.length }, async () => {
        assert.equal((await ask('r/Lobby/msgs.all')).status, 200);
        assert.equal((await ask('r/Lobby/new', post)).status, 201);
        assert.equal((await gone.ask('r/Lobby/new', post)).status, 401, 'what is known stays refused');
        for (const refused of [
          await ask('p', { method: 'POST', headers: FORM, body: form('lost') }),
          await clientOf(site).ask('a/login', { method: 'POST', headers: JSON_TYPE, body: BOB }),
          await leaving.ask('a/logout', { method: 'POST' }),
        ]) {
          assert.equal(refused.status, 503);
          assert.ok(Number(refused.headers.get('retry-after')) > 0);
          assert.match(await refused.text(), /state shared by the gateways is unreachable/);
        }
        assert.equal((await ask('r/Lobby/new', post)).status, 201, 'nobody was logged out');
      });
      await Promise.all(rounds);
      assert.equal(new Set(served).size, site.gateways.length);
      await back(site.store);
      // at each of them
      const works = async () => {
        const tries = site.gateways.map(() => ask('p', { method: 'POST', headers: FORM, body: form('kept') }));
        const answers = await Promise.all(
          tries.map(async (each) => `${(await each).status} ${await (await each).text()}`),
        );
        return answers.filter((each) => !each.startsWith('201 '));
      };
      await eventually(works, []);
      // a store that hung may do in the end what it was asked meanwhile
      if (how === 'is stopped') assert.equal((await leaving.ask('r/Lobby/new', post)).status, 201);
      const bob = async () =>
        (await clientOf(site).ask('a/login', { method: 'POST', headers: JSON_TYPE, body: BOB })).status;
      await eventually(bob, 200);
      await eventually(async () => (await ask('a/logout', { method: 'POST' })).status, 204);
      for (const _ of site.gateways) assert.equal((await ask('r/Lobby/new', post)).status, 401);
      for (const { said } of site.gateways) assert.doesNotMatch(said.err, /fault|Error| {4}at /);
    });
  }

  it('go on with a Redis that has lost all: who was logged out stays so, and uploads are gone', async (t) => {
    const site = await startFleetSite(t, 3);
    const [{ ask }, gone] = [await logIn(site), await logIn(site)];
    assert.equal((await gone.ask('a/logout', { method: 'POST' })).status, 204);
    const upload = () => ask('p', { method: 'POST', headers: FORM, body: form('hello') });
    const [{ ref }] = (await (await upload()).json()) as [{ ref: string }];
    await site.store.stop();
    await site.store.start(); // it keeps nothing on its disk
    assert.equal(await site.store.ask('EXISTS', `vestibule:upload:${ref}:0`), 0);
    const put = { method: 'PUT', body: 'x' };
    await eventually(async () => (await upload()).status, 201);
    await eventually(() => site.store.ask('ZCARD', 'vestibule:{fleet}:revoked'), 1);
    for (const _ of site.gateways) {
      assert.equal((await gone.ask('r/Lobby/new', put)).status, 401);
      assert.equal((await ask('r/Lobby/new', put)).status, 201);
      assert.equal((await ask(`p/${ref}`)).status, 404);
    }
    const [again] = (await (await upload()).json()) as [{ ref: string }];
    for (const _ of site.gateways) assert.equal((await ask(`p/${again.ref}`)).status, 200);
    // a gateway that never knew of the log-out has it from the others
    const late = await site.restart(0);
    const init = { ...put, headers: { cookie: gone.cookie } };
    await eventually(async () => (await sendHttp(late.url, '/svc/r/Lobby/new', init)).status, 401);
  });

  it('are killed one after the other: clients go on at the others, and nothing acknowledged is lost', async (t) => {
    const site = await startFleetSite(t, GATEWAYS);
    const { ask } = await logIn(site);
    // her own room, in which she may replace what was stored but never acknowledged
    const room = JSON.stringify({ name: 'Fleet', kind: 'public' });
    assert.equal((await ask('r/', { method: 'POST', headers: JSON_TYPE, body: room })).status, 201);
    const posts = new Map<string, string>();
    const uploads = new Map<string, string>();
    let failures = 0;
    let isOver = false;

    /** Does it until it is acknowledged, as a program does that is told 502, or nothing. */
    async function untilDone(send: () => Promise<Response>): Promise<Response> {
      for (let attempt = 0; attempt < 50; attempt++) {
        const answer = await send().catch(() => undefined);
        if (answer && answer.status < 300) return answer;
        failures++;
        if (answer) assert.ok([502, 503, 504].includes(answer.status), `${answer.status} ${await answer.text()}`);
        await sleep(50);
      }
      throw new Error('it was never acknowledged');
    }
    async function post(worker: number) {
      for (let i = 0; !isOver; i++) {
        const [name, text] = [`post-${worker}-${i}.txt`, `text ${worker} ${i}`];
        await untilDone(() => ask(`r/Fleet/${name}`, { method: 'PUT', body: text }));
        posts.set(name, text);
      }
    }
    async function upload() {
      for (let i = 0; !isOver; i++) {
        const text = `upload ${i} `.repeat(20_000);
        const answer = await untilDone(() => ask('p', { method: 'POST', headers: FORM, body: form(text) }));
        const [{ ref }] = (await answer.json()) as [{ ref: string }];
        uploads.set(ref, text);
        if (i >= 20) await sleep(100);
      }
    }
    const heard = new Set<number>();
    let isListening = true;
    let stream: EventStream | undefined;
    /** As a browser: it comes again with the last id that it has seen. */
    async function listen() {
      let last = '';
      while (isListening) {
        const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
        const events = await openEvents(ask, 'a/events?room=Fleet', headers).catch(() => sleep(50));
        if (!events) continue;
        stream = events;
        for (let block = await events.block(); block; block = await events.block()) {
          if (block.id !== '') last = block.id;
          if (block.event === 'message') for (const each of (block.data as { msgs: number[] }).msgs) heard.add(each);
        }
        events.close();
      }
    }
    t.after(() => {
      isOver = true;
      isListening = false;
      stream?.close();
    });
    const running = [post(1), post(2), post(3), upload()];
    const listening = listen();
    for (const gateway of site.gateways.slice(0, GATEWAYS - 1)) {
      const before = posts.size;
      await eventually(async () => posts.size > before + 5, true);
      await gateway.kill();
      const after = posts.size;
      await eventually(async () => posts.size > after + 5, true);
    }
    isOver = true;
    const last = await untilDone(() => ask('r/Fleet/last.txt', { method: 'PUT', body: 'last' }));
    await eventually(async () => heard.has(Number(/\d+/.exec(last.headers.get('etag')!)![0])), true);
    isListening = false;
    stream?.close();
    await Promise.all([...running, listening]);
    assert.ok(posts.size > 4 * 10 && uploads.size > 0, `${posts.size} posts, ${uploads.size} uploads`);
    t.diagnostic(`${posts.size} posts, ${uploads.size} uploads, ${failures} sent again`);
    for (const [name, text] of posts) assert.equal(await (await ask(`r/Fleet/${name}`)).text(), text, name);
    for (const [ref, text] of uploads) assert.equal(await (await ask(`p/${ref}`)).text(), text);
    // who was told 201 once has posted once
    const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
    const headers = { depth: '1', 'content-type': 'application/xml' };
    const list = await (await ask('r/Fleet/', { method: 'PROPFIND', headers, body })).text();
    const names = [...list.matchAll(/post-\d+-\d+\.txt/g)].map(([name]) => name);
    assert.equal(names.length, new Set(names).size);
  });
});
