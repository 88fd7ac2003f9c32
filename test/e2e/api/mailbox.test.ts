// GET r/:room/mailbox by pages: numbers, ends, unread ones, what rows show.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_DETAILED_ROWS, MAX_ROWS_AT_ONCE } from '../../../src/limits/backend.ts';
import { MAX_WHOLE_LIST_ROWS } from '../../../src/limits/http.ts';
import { askedServer, entered, listing, ownInfo } from '../../support/asked-server.ts';
import { turnsIn } from '../../support/counted-turns.ts';
import { type Api, postedNumber, startBoth, startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });
interface Page {
  msgs: { msgnum: number; to?: string; files?: number; snippet?: string }[];
}

const json = async (api: Api, path: string) => (await (await api(path)).json()) as Page;
const numbersOf = ({ msgs }: Page) => msgs.map(({ msgnum }) => msgnum);

for (const [index, [name, gateway]] of gateways.entries()) {
  const room = `Pages${index}`;
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');

  it(`gives pages on ${name}, with what rows show`, async () => {
    await bob('r/', { method: 'POST', body: JSON.stringify({ name: room, kind: 'public' }) });
    const posted: number[] = [];
    for (let i = 0; i < 5; i++) {
      posted.push(postedNumber(await bob(`r/${room}/new?subj=s${i}`, { method: 'PUT', body: `text ${i}\n> quoted` })));
    }
    const [a, b, c, d, e] = posted;
    const page = async (query: string) => numbersOf(await json(alice, `r/${room}/mailbox?${query}`));
    assert.deepEqual(await page('last=2'), [d, e]);
    assert.deepEqual(await page(`before=${d}&last=2`), [b, c]);
    assert.deepEqual(await page(`after=${a}&before=${e}`), [b, c, d]);
    assert.deepEqual(await page(`before=${d}&limit=2`), [a, b]);
    await alice(`r/${room}/slrp?last=${c}`);
    assert.deepEqual(await page('unread=1'), [d, e]);
    const whole = await json(alice, `r/${room}/mailbox`);
    assert.deepEqual(await json(alice, `r/${room}/mailbox?last=100`), whole, 'rows are the same as those of the whole');
    assert.equal(whole.msgs[0]!.snippet, undefined);
    const { msgs } = await json(alice, `r/${room}/mailbox?last=1&fields=to,files,snippet`);
    assert.deepEqual([msgs[0]!.to, msgs[0]!.files, msgs[0]!.snippet], ['', 0, 'text 4']);
  });

  it(`refuses on ${name} what makes no page`, async () => {
    const refused = ['last=0', 'limit=0&unread=1', 'last=x', 'last=1&limit=1', 'fields=body', 'unread=0', 'before=-1'];
    for (const query of refused) assert.equal((await alice(`r/Lobby/mailbox?${query}`)).status, 400, query);
  });
}

it('has at most so many rows, fewer with what they show', async () => {
  const [[, gateway]] = gateways as [[string, (typeof gateways)[number][1]]];
  const bob = gateway.as('bob');
  await bob('r/', { method: 'POST', body: JSON.stringify({ name: 'Many', kind: 'public' }) });
  for (let i = 0; i <= MAX_ROWS_AT_ONCE; i++) await bob('r/Many/new', { method: 'PUT', body: 'x' });
  assert.equal(numbersOf(await json(bob, 'r/Many/mailbox?last=100000')).length, MAX_ROWS_AT_ONCE);
  assert.equal(numbersOf(await json(bob, 'r/Many/mailbox?last=100000&fields=to')).length, MAX_DETAILED_ROWS);
  assert.equal(
    numbersOf(await json(bob, 'r/Many/mailbox')).length,
    MAX_ROWS_AT_ONCE + 1,
    'the whole list has no bound',
  );
});

it('breaks off a long list whose room is closed to the reader in its middle', async (t) => {
  const row = (number: number) => `${number}|1795221150|ann|vm|ann@vm|s|1||0`;
  const highest = 2 * MAX_ROWS_AT_ONCE;
  const rows = Array.from({ length: MAX_ROWS_AT_ONCE }, (_, i) => row(i + 1));
  for (const [second, isWhole] of [
    [listing(row(highest)), true],
    ['550 closed\n', false],
  ] as const) {
    const GOTO = entered('Box', { highest, total: highest });
    const { server } = await askedServer(t, { GOTO, INFO: ownInfo(), ROWS: [listing(...rows), second] });
    const gateway = await startGateway(t, { backend: `unix:${server.path}` });
    const list = async () => numbersOf(await json(gateway.as('ann', 'secret'), 'r/Box/mailbox'));
    if (isWhole) assert.equal((await list()).length, MAX_ROWS_AT_ONCE + 1);
    else await assert.rejects(list(), { message: /aborted|terminated/ });
  }
});

it('makes a list that came as one answer piece by piece where it is long', async (t) => {
  for (const count of [MAX_WHOLE_LIST_ROWS, MAX_WHOLE_LIST_ROWS + 1]) {
    const rows = Array.from({ length: count }, (_, i) => `${i + 1}|1795221150|ann|vm|ann@vm|s|1||`);
    const { server } = await askedServer(t, { GTSN: '200 1:2\n', MSGS: listing(...rows), MSG0: listing('from=ann') });
    const gateway = await startGateway(t, { backend: `unix:${server.path}` });
    const ann = gateway.as('ann', 'secret');
    const turns = await turnsIn(t, async () => (await ann('r/Box/mailbox')).arrayBuffer());
    assert.ok(turns >= count / 20, `others had ${turns} turns`);
    const answer = await ann('r/Box/mailbox');
    assert.equal(answer.headers.has('content-length'), count === MAX_WHOLE_LIST_ROWS);
    const { msgs } = (await answer.json()) as { msgs: { msgnum: number; seen: boolean }[] };
    assert.deepEqual(
      msgs.map(({ msgnum, seen }) => [msgnum, seen]),
      rows.map((_, i) => [i + 1, i < 2]),
    );
  }
});

it('gives pages of a server that has none, and leaves out what that does not tell', async (t) => {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const alice = gateway.as('alice', 'alicepw');
  await alice('r/', { method: 'POST', body: JSON.stringify({ name: 'Box', kind: 'public' }) });
  const posted: number[] = [];
  for (let i = 0; i < 4; i++) posted.push(postedNumber(await alice('r/Box/new', { method: 'PUT', body: `t${i}` })));
  const page = await json(alice, 'r/Box/mailbox?last=2&fields=snippet');
  assert.deepEqual(numbersOf(page), posted.slice(2));
  assert.equal('snippet' in page.msgs[0]!, false);
  assert.deepEqual(numbersOf(await json(alice, `r/Box/mailbox?before=${posted[2]}&limit=1`)), posted.slice(0, 1));
});
