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

const GATEWAYS = 5;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };

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
  return { ask, served };
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
