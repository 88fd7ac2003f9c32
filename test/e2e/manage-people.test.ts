// Who is online, instant messages, recipient completion, search.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MAX_INSTANT_MESSAGE_BYTES } from '../../src/limits/backend.ts';
import { MAX_INSTANT_MESSAGE_LINE_BYTES } from '../../src/limits/http.ts';
import { ADMIN_PASSWORD, type Api, postedNumber, startBoth, type TestGateway, withCookie } from '../support/gateway.ts';
import { WireClient } from '../support/wire-client.ts';

type Rows = Record<string, unknown>[];

const names = ['carol', 'dave', 'erin', 'frank'];
const users = names.flatMap((name) => [0, 1].map((i) => ({ name: `${name}${i}`, password: `${name}${i}` })));
const gateways = await startBoth({ after }, { demo: true, users });
const [[, first]] = gateways as [[string, TestGateway]];

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  const [carol, dave, erin, frank] = names.map((user) => `${user}${index}`) as [string, string, string, string];
  const wire = (user: string, password = user) =>
    WireClient.login(join(first.dataFolder, 'citadel.socket'), user, password);

  describe(`who is online on ${name}`, () => {
    it('is told by user, and hosts only to oneself and to administrators', async () => {
      const client = await wire(carol);
      await client.expect('IDEN 0|1|1|Text client|home.example', 200);
      await client.expect('GOTO Town Square', 200);
      const seenBy = async (api: Api) => {
        const people = (await json(api, 'a/who')) as Rows;
        const found = people.find((person) => person.username === carol) as { sessions: Rows; last_activity: number };
        assert.equal(typeof found.last_activity, 'number');
        return found.sessions.find((session) => session.client === 'Text client')!;
      };
      const { session, last_activity: lastActivity, ...rest } = await seenBy(bob);
      assert.deepEqual(rest, { room: 'Town Square', client: 'Text client' });
      assert.deepEqual([typeof session, typeof lastActivity], ['number', 'number']);
      assert.equal((await seenBy(admin)).host, 'home.example');
      assert.equal((await seenBy(gateway.as(carol))).host, 'home.example');
      await client.expect('GOTO Mail', 200);
      assert.equal((await seenBy(bob)).room, '', 'a room that bob may not know');
      client.close();
      const everybody = (await json(bob, 'a/who')) as Rows;
      assert.equal(everybody.filter((person) => person.username === 'bob').length, 1, 'once, whatever he has open');
      assert.equal((await nobody('a/who')).status, 401);
    });
  });

  describe(`instant messages on ${name}`, () => {
    const send = (api: Api, to: unknown, text: unknown) =>
      api('a/im', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text }),
      });

    it('arrive once at a user who asks for them, however many connections he has', async () => {
      const daves = gateway.as(dave);
      assert.deepEqual(await json(daves, 'a/im'), []);
      await Promise.all(['r/', 'f/', 'r/Lobby/1', 'u/bob/userpic'].map((path) => daves(path)));
      assert.equal((await send(bob, dave, 'Grüße 🌱\n 000\na|b')).status, 204);
      assert.equal((await send(alice, dave.toUpperCase(), 'second')).status, 204);
      const messages = (await json(daves, 'a/im')) as Rows;
      assert.deepEqual(
        messages.map(({ from, text, is_broadcast: isBroadcast }) => [from, text, isBroadcast]),
        [
          ['bob', 'Grüße 🌱\n 000\na|b', false],
          ['alice', 'second', false],
        ],
      );
      assert.equal(typeof messages[0]!.time, 'number');
      assert.match(String(messages[0]!.addr), /^bob@/);
      assert.deepEqual(await json(daves, 'a/im'), [], 'what was fetched is gone');
    });

    it('reach the clients of the line protocol', async () => {
      const client = await wire(erin);
      assert.equal((await send(bob, erin, 'hello')).status, 204);
      const { line, lines } = await client.expect('GEXP', 100);
      assert.match(line, /\|bob\|/);
      assert.deepEqual(lines, ['hello']);
      client.close();
    });

    it('are refused for those who would not get them', async () => {
      assert.equal((await gateway.as(frank)('r/')).status, 200, 'he is here, but does not ask');
      assert.equal((await send(bob, frank, 'hello')).status, 409);
      assert.equal((await send(bob, 'no such user', 'hello')).status, 404);
    });

    it('go to everybody from administrators only', async () => {
      await json(gateway.as(dave), 'a/im');
      assert.equal((await send(bob, 'broadcast', 'all')).status, 403);
      assert.equal((await send(admin, 'broadcast', 'all of you')).status, 204);
      const [message] = (await json(gateway.as(dave), 'a/im')) as Rows;
      assert.deepEqual([message?.text, message?.is_broadcast], ['all of you', true]);
    });

    it('are bounded, and hold nothing that the line protocol cannot carry', async () => {
      const daves = gateway.as(dave);
      await json(daves, 'a/im');
      for (const text of ['', ' \n', '000', 'a\n000\nQUIT', 'a\0', 7, undefined]) {
        assert.equal((await send(bob, dave, text)).status, 400, JSON.stringify(text));
      }
      for (const to of ['', 'a|b', 'a\nb', 7, undefined]) assert.equal((await send(bob, to, 'x')).status, 400);
      assert.equal((await send(bob, dave, 'x'.repeat(MAX_INSTANT_MESSAGE_LINE_BYTES + 1))).status, 400);
      const filled = (size: number) => `${'x'.repeat(99)}\n`.repeat(size / 100 + 1).slice(0, size);
      assert.equal((await send(bob, dave, filled(MAX_INSTANT_MESSAGE_BYTES))).status, 413);
      assert.deepEqual(await json(daves, 'a/im'), []);
      assert.equal((await send(bob, dave, filled(MAX_INSTANT_MESSAGE_BYTES - 1))).status, 204);
      assert.equal((await send(bob, dave, 'x'.repeat(MAX_INSTANT_MESSAGE_LINE_BYTES))).status, 204);
      assert.equal(((await json(daves, 'a/im')) as Rows).length, 2);
    });

    it('are fetched by the own pages only, and not by HEAD', async () => {
      const browser = await withCookie(gateway, dave);
      assert.equal((await browser('a/im')).status, 200);
      assert.equal((await send(bob, dave, 'kept')).status, 204);
      assert.equal((await browser('a/im', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
      assert.equal((await browser('a/im', { method: 'HEAD' })).status, 200);
      assert.deepEqual(
        ((await json(browser, 'a/im')) as Rows).map(({ text }) => text),
        ['kept'],
      );
      assert.equal((await nobody('a/im')).status, 401);
      assert.equal((await send(nobody, dave, 'x')).status, 401);
    });
  });

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
