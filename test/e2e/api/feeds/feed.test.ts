// A room as a feed: what is in it, to whom it is given, and how long.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readXml } from '../../../../src/dav/xml-read.ts';
import { FEED_ENTRIES, MAX_FEED_TEXT_BYTES } from '../../../../src/limits/http.ts';
import { MAX_LOGIN_FAILURES } from '../../../../src/limits/sessions.ts';
import { type Api, postedNumber, spawnGateway, startBoth, startGateway, withCookie } from '../../../support/gateway.ts';

const gateway = await startGateway({ after }, { demo: true });
const alice = gateway.as('alice');
const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

interface Entry {
  id: string;
  title: string;
  author: string;
  updated: string;
  link: string;
  content: string | undefined;
}

interface Parsed {
  id: string;
  title: string;
  updated: string;
  links: Record<string, string>;
  entries: Entry[];
}

type Element = NonNullable<ReturnType<typeof readXml>>;

async function read(answer: Response): Promise<Parsed> {
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const root = readXml(Buffer.from(await answer.arrayBuffer()));
  const children = (of: Element, name: string) =>
    of.content.filter((piece): piece is Element => typeof piece !== 'string' && piece.name === name);
  const text = (of: Element, name: string) => children(of, name)[0]?.content.join('') ?? '';
  const link = (of: Element, rel: string) =>
    children(of, 'link')
      .find(({ attributes }) => attributes.get('rel') === rel)
      ?.attributes.get('href') ?? '';
  return {
    id: text(root, 'id'),
    title: text(root, 'title'),
    updated: text(root, 'updated'),
    links: { self: link(root, 'self'), alternate: link(root, 'alternate') },
    entries: children(root, 'entry').map((entry) => ({
      id: text(entry, 'id'),
      title: text(entry, 'title'),
      author: text(children(entry, 'author')[0]!, 'name'),
      updated: text(entry, 'updated'),
      link: link(entry, 'alternate'),
      content: children(entry, 'content').length === 0 ? undefined : text(entry, 'content'),
    })),
  };
}

const newRoom = async (name: string, kind = 'public') => {
  const made = await alice('r/', { method: 'POST', ...json({ name, kind }) });
  assert.equal(made.status, 201);
  return name;
};

const post = async (room: string, subject: string, body: string, type = 'text/plain') => {
  const path = `r/${room}/new?${new URLSearchParams({ subj: subject })}`;
  return postedNumber(await alice(path, { method: 'PUT', headers: { 'content-type': type }, body }));
};

async function makeFeed(api: Api, room: string): Promise<{ id: number; feed: string; secret: string }> {
  const made = await api('a/app-passwords', { method: 'POST', ...json({ name: 'reader', scope: 'feed', room }) });
  assert.equal(made.status, 201);
  return (await made.json()) as { id: number; feed: string; secret: string };
}

describe('a feed', () => {
  it('has the newest messages, the latest first, as safe HTML, with ids that stay', async () => {
    const room = await newRoom('Feed1');
    await post(room, 'First <b>&', 'One & two < three');
    const page = '<p>Hello<script>alert(1)</script> <a href="https://example.org/?a&amp;b" onclick="x()">there</a></p>';
    const second = await post(room, '', page, 'text/html');
    const feed = await read(await alice(`r/${room}/feed`));
    assert.equal(feed.title, room);
    assert.equal(feed.links.self, `${gateway.url}svc/r/${room}/feed`);
    assert.equal(feed.links.alternate, `${gateway.url}svc/a/landing.html#/r/${room}`);
    const [latest, first] = feed.entries;
    assert.equal(feed.entries.length, 2);
    assert.equal(first!.title, 'First <b>&');
    assert.match(first!.content!, /One &amp; two &lt; three/);
    assert.match(latest!.title, /^Hello/, 'without a subject the first words');
    assert.doesNotMatch(latest!.content!, /script|onclick/);
    assert.match(latest!.content!, /<a [^>]*href="https:\/\/example\.org\/\?a&amp;b"/);
    assert.equal(latest!.link, `${feed.links.alternate}/${second}`);
    assert.equal(latest!.author, 'alice');
    assert.match(latest!.updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(feed.updated, latest!.updated);
    const again = await read(await alice(`r/${room}/feed`));
    assert.deepEqual(again, feed);
    const ids = [feed.id, ...feed.entries.map(({ id }) => id)];
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('has so many entries, and of a long one no text', async () => {
    const room = await newRoom('Feed2');
    assert.deepEqual((await read(await alice(`r/${room}/feed`))).entries, []);
    for (let n = 1; n <= FEED_ENTRIES; n++) await post(room, `No. ${n}`, 'text');
    assert.equal((await read(await alice(`r/${room}/feed`))).entries.length, FEED_ENTRIES);
    await post(room, 'long', 'x'.repeat(MAX_FEED_TEXT_BYTES));
    const { entries } = await read(await alice(`r/${room}/feed`));
    assert.deepEqual([entries.length, entries[0]!.title, entries[0]!.content], [FEED_ENTRIES, 'long', undefined]);
    assert.deepEqual([entries[1]!.title, entries.at(-1)!.title], [`No. ${FEED_ENTRIES}`, 'No. 2']);
  });

  it('takes nothing of a long text to where all requests are answered', async (t) => {
    const room = await newRoom('Feed9');
    await post(room, 'long', '<p>'.repeat(200_000), 'text/html');
    const parse = t.mock.method(JSON, 'parse');
    const { entries } = await read(await alice(`r/${room}/feed`));
    assert.deepEqual([entries.length, entries[0]!.content], [1, undefined]);
    const lengths = parse.mock.calls.map(({ arguments: [text] }) => String(text).length);
    assert.ok(Math.max(...lengths) < 1000, `${Math.max(...lengths)} characters were read at once`);
  });

  it('is not sent again where nothing has changed', async () => {
    const room = await newRoom('Feed3');
    const number = await post(room, 'x', 'text');
    const first = await alice(`r/${room}/feed`);
    const etag = first.headers.get('etag')!;
    const modified = first.headers.get('last-modified')!;
    await first.text();
    const ask = (headers: Record<string, string>) => alice(`r/${room}/feed`, { headers });
    assert.equal((await ask({ 'if-none-match': etag })).status, 304);
    assert.equal((await ask({ 'if-modified-since': modified })).status, 304);
    const seen = { method: 'PATCH', ...json({ seen: false }) };
    assert.ok((await alice(`r/${room}/${number}`, seen)).ok);
    assert.equal((await ask({ 'if-none-match': etag })).status, 304, 'what one has read is no change');
    assert.equal((await alice(`r/${room}/feed`, { method: 'HEAD' })).headers.get('etag'), etag);
    await post(room, 'y', 'text');
    const changed = await ask({ 'if-none-match': etag });
    assert.equal(changed.status, 200);
    await alice(`r/${room}/${number}`, { method: 'DELETE' });
    assert.equal((await ask({ 'if-none-match': changed.headers.get('etag')! })).status, 200);
  });

  it('is for who may read the room, each time', async () => {
    assert.equal((await gateway.api('r/Lobby/feed')).status, 401);
    assert.equal((await gateway.as('bob')('r/_MAIL_/feed')).status, 200, 'his own');
    const room = await newRoom('Feed4', 'invitation');
    await post(room, 'secret', 'text');
    const bob = gateway.as('bob');
    assert.equal((await bob(`r/${room}/feed`)).status, 404);
    assert.equal((await alice(`r/${room}/members/bob`, { method: 'PUT' })).status, 204);
    const { feed } = await makeFeed(bob, room);
    assert.equal((await gateway.api(feed)).status, 200);
    assert.equal((await alice(`r/${room}/members/bob`, { method: 'DELETE' })).status, 204);
    assert.equal((await gateway.api(feed)).status, 404, 'put out');
  });
});

describe('the address of a feed', () => {
  it('opens its one room, for reading, and nothing else', async () => {
    const room = await newRoom('Feed 5 & more');
    await post(encodeURIComponent(room), 'x', 'text');
    const page = await withCookie(gateway, 'alice');
    const { id, feed, secret } = await makeFeed(page, room);
    assert.match(feed, /^\/svc\/r\/Feed%205%20%26%20more\/feed\?user=alice&token=[a-z2-9-]{29}$/);
    const answer = await gateway.api(feed);
    assert.equal(answer.headers.getSetCookie().length, 0);
    const { title, links } = await read(answer);
    assert.equal(title, room);
    assert.ok(!links.self!.includes(secret));
    assert.equal((await gateway.api(feed, { method: 'HEAD' })).status, 200);
    const query = feed.slice(feed.indexOf('?'));
    for (const path of ['r/Lobby/feed', 'r/_MAIL_/feed']) {
      assert.equal((await gateway.api(`${path}${query}`)).status, 404, path);
    }
    const reader = gateway.as('alice', secret);
    assert.equal((await reader(feed.slice('/svc/'.length, feed.indexOf('?')))).status, 200, 'by Basic, too');
    for (const path of ['r/', 'a/whoami', `r/${encodeURIComponent(room)}/mailbox`, 'r/Lobby/1']) {
      assert.equal((await reader(path)).status, 403, path);
      if (path.startsWith('r/')) assert.equal((await gateway.api(`${path}${query}`)).status, 401, path);
    }
    const listed = (await (await page('a/app-passwords')).json()) as { id: number; room?: string; used?: number }[];
    const entry = listed.find((one) => one.id === id)!;
    assert.equal(entry.room, room);
    assert.ok(entry.used! > 0);
    assert.equal((await page(`a/app-passwords/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await gateway.api(feed)).status, 401);
  });

  it('takes no other password than one of a feed', async () => {
    const made = await alice('a/app-passwords', { method: 'POST', ...json({ name: 'x', scope: 'all' }) });
    const { secret } = (await made.json()) as { secret: string };
    for (const [user, token] of [
      ['alice', 'alice'],
      ['alice', secret],
      ['alice', 'wrong'],
      ['', 'x'],
      ['nobody', 'x'],
    ]) {
      const query = new URLSearchParams({ user: user!, token: token! });
      assert.equal((await gateway.api(`r/Lobby/feed?${query}`)).status, 401, `${user} ${token}`);
    }
  });

  it('is not for pages elsewhere, nor for pictures of a message, whose guesses count against nobody', async () => {
    const { feed } = await makeFeed(alice, 'Lobby');
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { origin: 'https://elsewhere.example' },
    ];
    for (let i = 0; i <= MAX_LOGIN_FAILURES; i++) {
      for (const headers of foreign) {
        assert.equal((await gateway.api(`r/Lobby/feed?user=bob&token=${i}`, { headers })).status, 403);
      }
    }
    const logIn = { method: 'POST', ...json({ username: 'bob', password: 'bob' }) };
    assert.equal((await gateway.api('a/login', logIn)).status, 200);
    for (const headers of foreign) assert.equal((await gateway.api(feed, { headers })).status, 403);
    for (const site of ['none', 'same-origin']) {
      assert.equal((await gateway.api(feed, { headers: { 'sec-fetch-site': site } })).status, 200);
    }
  });

  it('goes on when the room gets another name, and ends with the room', async () => {
    const room = await newRoom('Feed6');
    const { feed } = await makeFeed(alice, room);
    assert.equal((await alice(`r/${room}/`, { method: 'PATCH', ...json({ name: 'Feed7' }) })).status, 204);
    assert.equal((await gateway.api(feed.replace('Feed6', 'Feed7'))).status, 200);
    assert.equal((await alice('r/Feed7/', { method: 'DELETE' })).status, 204);
    assert.ok([401, 404].includes((await gateway.api(feed.replace('Feed6', 'Feed7'))).status));
  });

  it('is in no log', async (t) => {
    const spawned = await spawnGateway(t, ['--demo', '--log-requests', '--data', `${gateway.dataFolder}/another`]);
    const { feed, secret } = await makeFeed(spawned.as('alice'), 'Lobby');
    assert.equal((await fetch(new URL(feed, spawned.url))).status, 200);
    for (let times = 0; !spawned.said.err.includes(':room/feed') && times < 100; times++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.match(spawned.said.err, /GET \/svc\/r\/:room\/feed 200/);
    assert.ok(!spawned.said.err.includes(secret) && !spawned.said.out.includes(secret));
  });
});

it('another room server has feeds without addresses of their own', async (t) => {
  const second = (await startBoth(t, { demo: true }))[1]![1];
  const answer = await second.as('alice')('r/Lobby/feed');
  assert.ok((await read(answer)).entries.length > 0);
  const made = await second.as('alice')('a/app-passwords', {
    method: 'POST',
    ...json({ name: 'reader', scope: 'feed', room: 'Lobby' }),
  });
  assert.equal(made.status, 404);
});
