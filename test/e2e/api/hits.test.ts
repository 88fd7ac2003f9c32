// GET a/hits: a search by pages, with excerpts and what narrows it.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_HITS_AT_ONCE } from '../../../src/limits/backend.ts';
import { turnsIn } from '../../support/counted-turns.ts';
import { type Api, postedNumber, startBoth, startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';

interface Page {
  total: number;
  is_cut: boolean;
  by_view: { default_view: number; total: number }[];
  hits: {
    room: string;
    msgnum: number;
    excerpt?: string;
    marks?: [number, number][];
    files?: number;
    seen?: boolean;
  }[];
}

const WITH_FILE = [
  '--b',
  'Content-Type: text/plain',
  '',
  'a quince with a plan',
  '--b',
  'Content-Type: text/plain; name=plan.txt',
  'Content-Disposition: attachment; filename=plan.txt',
  '',
  'x',
  '--b--',
  '',
].join('\r\n');

const INLINE_FILE = WITH_FILE.replace('Disposition: attachment', 'Disposition: inline');

const gateways = await startBoth({ after }, { demo: true });
const pageOf = async (api: Api, query: string) => (await (await api(`a/hits?${query}`)).json()) as Page;
const numbersOf = ({ hits }: Page) => hits.map(({ msgnum }) => msgnum);

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const [room, other] = [`Orchard${index}`, `Shed${index}`];
  const word = `quince${index}`;
  const post = async (api: Api, where: string, body: string) =>
    postedNumber(await api(`r/${where}/new`, { method: 'PUT', body }));

  it(`finds on ${name} page by page, and marks the words`, async (t) => {
    for (const each of [room, other]) {
      await alice('r/', { method: 'POST', body: JSON.stringify({ name: each, kind: 'public' }) });
    }
    await bob(`r/${room}/`);
    await bob(`r/${other}/`);
    const [one, two] = [await post(alice, room, `a ${word} here`), await post(bob, room, `Two: ${word.toUpperCase()}`)];
    const three = await post(bob, other, `${'word '.repeat(80)} ${word}tree and more`);
    assert.ok((await turnsIn(t, () => pageOf(alice, `q=${word}`))) >= 2);
    const all = await pageOf(alice, `q=${word}`);
    assert.deepEqual([all.total, all.is_cut, numbersOf(all)], [2, false, [two, one]]);
    const [hit] = all.hits;
    assert.deepEqual(
      hit!.marks!.map(([start, end]) => hit!.excerpt!.slice(start, end)),
      [word.toUpperCase()],
    );
    const begun = await pageOf(alice, `q=${word.slice(0, 5)}&begun=1&from=bob`);
    assert.ok(numbersOf(begun).includes(three));
    const long = (await pageOf(alice, `q=${word}&begun=1&room=${other}`)).hits[0]!;
    assert.match(long.excerpt!, /^….* quince\dtree and more$/);
    assert.deepEqual(
      long.marks!.map(([start, end]) => long.excerpt!.slice(start, end)),
      [`${word}tree`],
    );
    const second = await pageOf(alice, `q=${word}&begun=1&offset=1&limit=1`);
    assert.deepEqual([second.total, numbersOf(second)], [3, [two]], 'the total is that of all pages');
  });

  it(`narrows on ${name} by room, author, time and files`, async () => {
    const filed = postedNumber(
      await bob(`r/${room}/new`, {
        method: 'PUT',
        headers: { 'content-type': 'multipart/mixed; boundary=b' },
        body: WITH_FILE.replace('quince', word),
      }),
    );
    const numbers = async (query: string) => numbersOf(await pageOf(alice, `q=${word}&${query}`));
    assert.deepEqual(await numbers('files=1'), [filed]);
    const inline = postedNumber(
      await bob(`r/${room}/new`, {
        method: 'PUT',
        headers: { 'content-type': 'multipart/mixed; boundary=b' },
        body: INLINE_FILE.replace('quince', word),
      }),
    );
    assert.deepEqual(await numbers('files=1'), [inline, filed]);
    assert.equal((await pageOf(alice, `q=${word}&files=1`)).hits[0]!.files, 1);
    assert.equal((await numbers('from=BOB')).length, 3);
    assert.equal((await numbers('from=al%25')).length, 0, 'no sign of the author is a pattern');
    assert.deepEqual(await numbers(`room=${room}&from=alice`), await numbers('from=alice'));
    assert.deepEqual(await numbers(`room=${other}`), []);
    const tasks = `Chores${index}`;
    await alice('r/', { method: 'POST', body: JSON.stringify({ name: tasks, kind: 'public', view: 4 }) });
    const chore = await post(alice, tasks, `a ${word} chore`);
    const chores = await pageOf(alice, `q=${word}&views=4,3`);
    assert.deepEqual([chores.total, numbersOf(chores)], [1, [chore]]);
    const byView = new Map(chores.by_view.map(({ default_view, total }) => [default_view, total]));
    assert.deepEqual([byView.get(4), byView.get(0)], [1, (await pageOf(alice, `q=${word}&views=0`)).total]);
    const now = Math.floor(Date.now() / 1000);
    assert.equal((await numbers(`since=${now + 1000}`)).length, 0);
    assert.equal((await numbers(`until=${now + 1000}&since=${now - 1000}`)).length, 5);
  });

  it(`refuses on ${name} what is no question`, async () => {
    for (const [query, status] of [
      ['', 400],
      ['q=x&limit=0', 400],
      [`q=x&limit=${MAX_HITS_AT_ONCE}`, 200],
      [`q=x&limit=${MAX_HITS_AT_ONCE + 1}`, 400],
      ['q=x&offset=10001', 400],
      ['q=x&files=0', 400],
      ['q=x&room=a%7Cb', 400],
      ['q=x&views=4,', 400],
      ['q=x&views=4%7C', 400],
      ['q=x&room=Nowhere', 404],
    ] as const) {
      assert.equal((await alice(`a/hits?${query}`)).status, status, query);
    }
    assert.equal((await fetch(`${gateway.url}svc/a/hits?q=x`)).status, 401);
  });
}

it('finds by the documented verbs, and does not say what these do not tell', async (t) => {
  const real = await startRealServer(t, { users: { alice: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const alice = gateway.as('alice', 'alicepw');
  await alice('r/', { method: 'POST', body: JSON.stringify({ name: 'Box', kind: 'public' }) });
  const posted = postedNumber(await alice('r/Box/new', { method: 'PUT', body: 'a medlar' }));
  const { total, hits } = await pageOf(alice, 'q=medlar&room=box&from=alice');
  assert.deepEqual([total, hits[0]?.msgnum, hits[0]?.excerpt], [1, posted, undefined]);
  assert.equal((await pageOf(alice, 'q=medlar&from=bob')).total, 0);
  const filed = postedNumber(
    await alice('r/Box/new', {
      method: 'PUT',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: INLINE_FILE.replace('quince', 'medlar'),
    }),
  );
  assert.deepEqual(numbersOf(await pageOf(alice, 'q=medlar&files=1')), [filed]);
});
