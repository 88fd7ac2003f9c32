// A room's feed in python3-feedparser, of Debian's package of this name: what readers are built on. It asks by itself,
// at the address with the secret in it, again with what it has been told, and after the feed has been ended.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { needPrograms, newHome } from '../support/programs.ts';

const PYTHON = '/usr/bin/python3';
needPrograms([[PYTHON, '-c', 'import feedparser']], 'python3-feedparser');

const SCRIPT = `
import feedparser, json, sys
feed = feedparser.parse(sys.argv[1], etag=sys.argv[2] or None)
entries = [{
  "id": one.id, "title": one.title, "author": one.author, "link": one.link,
  "time": one.updated_parsed[:6], "content": one.content[0].value, "type": one.content[0].type,
} for one in feed.entries]
print(json.dumps({
  "status": feed.get("status"), "etag": feed.get("etag"), "version": feed.version, "is_wrong": bool(feed.bozo),
  "title": feed.feed.get("title"), "links": [[one.rel, one.href] for one in feed.feed.get("links", [])],
  "entries": entries,
}))
`;

interface Parsed {
  status: number;
  etag: string;
  version: string;
  is_wrong: boolean;
  title: string;
  links: [string, string][];
  entries: { id: string; title: string; author: string; link: string; time: number[]; content: string; type: string }[];
}

it('python3-feedparser reads a room, asks for what is new, and is told when the feed has ended', async () => {
  const gateway = await startGateway({ after }, { demo: true });
  const alice = gateway.as('alice');
  const home = await newHome({ after });
  const headers = { 'content-type': 'application/json' };
  const made = await alice('a/app-passwords', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'feedparser', scope: 'feed', room: 'Town Square' }),
  });
  const { id, feed: path } = (await made.json()) as { id: number; feed: string };
  const address = new URL(path, gateway.url).href;
  const read = async (etag = ''): Promise<Parsed> => {
    return JSON.parse(await home.must(PYTHON, ['-c', SCRIPT, address, etag])) as Parsed;
  };
  const subject = 'Grüße & <b>more</b> \u{1f600}';
  const body = '<p>Fish &amp; chips <a href="2">here</a></p>';
  await alice(`r/Town%20Square/new?${new URLSearchParams({ subj: subject })}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body,
  });
  const first = await read();
  assert.deepEqual([first.status, first.version, first.is_wrong], [200, 'atom10', false]);
  assert.equal(first.title, 'Town Square');
  assert.deepEqual(Object.fromEntries(first.links), {
    self: `${gateway.url}svc/r/Town%20Square/feed`,
    alternate: `${gateway.url}svc/a/landing.html#/r/Town%20Square`,
  });
  const latest = first.entries[0]!;
  assert.equal(latest.author, 'alice');
  assert.match(latest.content, /Fish &amp; chips/);
  assert.ok(Math.abs(Date.UTC(latest.time[0]!, latest.time[1]! - 1, latest.time[2]) - Date.now()) < 2 * 86_400_000);
  assert.match(latest.title, /Grüße &/);
  assert.equal(new Set(first.entries.map((one) => one.id)).size, first.entries.length);
  assert.equal((await read(first.etag)).status, 304);
  assert.equal((await alice(`a/app-passwords/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await read()).status, 401);
});
