// Finding messages and people.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_SEARCH_RESULTS } from '../../../src/limits/backend.ts';
import { askedServer, listing, ownInfo } from '../../support/asked-server.ts';
import { turnsIn } from '../../support/counted-turns.ts';
import { ADMIN_PASSWORD, type Api, postedNumber, startBoth, startGateway } from '../../support/gateway.ts';

type Rows = Record<string, unknown>[];

const users = [0, 1].map((i) => ({ name: `carol${i}`, password: `carol${i}` }));
const gateways = await startBoth({ after }, { demo: true, users });

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  const carol = `carol${index}`;

  describe(`completing a recipient on ${name}`, () => {
    const card = (fn: string, ...addresses: string[]) =>
      [
        'BEGIN:VCARD',
        'VERSION:3.0',
        `UID:${fn}${index}`,
        `FN:${fn}`,
        ...addresses.map((a) => `EMAIL:${a}`),
        'END:VCARD',
        '',
      ].join('\r\n');
    let count = 0;
    const put = (api: Api, room: string, text: string) =>
      api(`r/${room}/card-${index}-${++count}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/vcard; charset=utf-8' },
        body: text,
      });

    it('finds own contacts, users, and the Global Address Book where it may be read', async () => {
      const own = gateway.as(carol);
      await put(own, 'Contacts', card('Zelda Öttl', `zelda${index}@one.example`, `z${index}@two.example`));
      await put(own, 'Contacts', card(`Smith\\, "Bob" ${index}`, `smith${index}@one.example`));
      await put(admin, 'Global%20Address%20Book', card('Zelda Global', `global${index}@one.example`));
      const complete = async (api: Api, text: string) =>
        (await json(api, `a/complete?q=${encodeURIComponent(text)}`)) as Rows;
      assert.deepEqual(await complete(own, 'zELDA Ö'), [
        {
          name: 'Zelda Öttl',
          addr: `zelda${index}@one.example`,
          recipient: `Zelda Öttl <zelda${index}@one.example>`,
        },
        { name: 'Zelda Öttl', addr: `z${index}@two.example`, recipient: `Zelda Öttl <z${index}@two.example>` },
      ]);
      assert.deepEqual(await complete(own, `SMITH${index}@`), [
        {
          name: `Smith, "Bob" ${index}`,
          addr: `smith${index}@one.example`,
          recipient: `"Smith, \\"Bob\\" ${index}" <smith${index}@one.example>`,
        },
      ]);
      const users = await complete(own, carol.slice(1));
      assert.deepEqual(
        users.map((user) => user.name),
        [carol],
      );
      assert.match(String(users[0]!.recipient), new RegExp(`^${carol} <${carol}@`));
      assert.deepEqual(await complete(own, `global${index}`), [], 'not for her');
      assert.equal((await complete(admin, `global${index}`)).length, 1);
      assert.deepEqual(await complete(bob, 'Zelda Ö'), [], 'contacts of others');
      await put(own, 'Contacts', card('Zelda New', `new${index}@one.example`));
      assert.equal((await complete(own, `new${index}@`)).length, 1, 'a card that came since');
    });

    it('needs something to look for, and a log-in', async () => {
      for (const query of ['', '?q=', '?q=%20', '?q=%7C'])
        assert.equal((await alice(`a/complete${query}`)).status, 400);
      assert.equal((await nobody('a/complete?q=a')).status, 401);
    });
  });

  describe(`searching all rooms on ${name}`, () => {
    it('finds what the caller may read, latest first', async () => {
      const word = `xylophon${index}${Math.random().toString(36).slice(2)}`;
      const post = async (room: string, subject: string) =>
        postedNumber(
          await alice(`r/${room}/new?subj=${encodeURIComponent(subject)}`, { method: 'PUT', body: `a ${word}` }),
        );
      const open = await post('Town%20Square', 'Grüße');
      const secret = await post('Drafts', 'mine');
      const found = (await json(alice, `a/search?q=${word.toUpperCase()}`)) as Rows;
      assert.deepEqual(
        found.map(({ room, msgnum, subject, author }) => [room, msgnum, subject, author]),
        [
          ['Drafts', secret, 'mine', 'alice'],
          ['Town Square', open, 'Grüße', 'alice'],
        ],
      );
      assert.deepEqual([typeof found[0]!.time, typeof found[0]!.addr], ['number', 'string']);
      assert.deepEqual(
        ((await json(bob, `a/search?q=${word}%7Ca`)) as Rows).map(({ msgnum }) => msgnum),
        [open],
      );
      assert.deepEqual(await json(alice, `a/search?q=${word}%20nowhere`), []);
    });

    it('needs something to look for, and a log-in', async () => {
      for (const query of ['', '?q=', '?q=%20']) assert.equal((await alice(`a/search${query}`)).status, 400, query);
      assert.equal((await nobody('a/search?q=a')).status, 401);
    });
  });

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

async function json(api: Api, path: string): Promise<unknown> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return response.json();
}

it('has MAX_SEARCH_RESULTS hits, whatever a room server sends, and makes them in turns with others', async (t) => {
  for (const count of [MAX_SEARCH_RESULTS, MAX_SEARCH_RESULTS + 1]) {
    const rows = Array.from({ length: count }, (_, i) => `${i + 1}|1795221150|ann|vm|ann@vm|s|1||Box|`);
    const { server } = await askedServer(t, { INFO: ownInfo(), FIND: listing(...rows) });
    const gateway = await startGateway(t, { backend: `unix:${server.path}` });
    const ann = gateway.as('ann', 'secret');
    let found: Rows = [];
    const turns = await turnsIn(t, async () => {
      found = (await json(ann, 'a/search?q=a')) as Rows;
    });
    assert.equal(found.length, MAX_SEARCH_RESULTS);
    assert.ok(turns >= MAX_SEARCH_RESULTS, `others had ${turns} turns`);
  }
});
