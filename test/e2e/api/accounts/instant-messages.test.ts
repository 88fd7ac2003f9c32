// Instant messages.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MAX_INSTANT_MESSAGE_BYTES } from '../../../../src/limits/backend.ts';
import { MAX_INSTANT_MESSAGE_LINE_BYTES } from '../../../../src/limits/http.ts';
import { ADMIN_PASSWORD, type Api, startBoth, type TestGateway, withCookie } from '../../../support/gateway.ts';
import { WireClient } from '../../../support/wire-client.ts';

type Rows = Record<string, unknown>[];

const names = ['dave', 'erin', 'frank'];
const users = names.flatMap((name) => [0, 1].map((i) => ({ name: `${name}${i}`, password: `${name}${i}` })));
const gateways = await startBoth({ after }, { demo: true, users });
const [[, first]] = gateways as [[string, TestGateway]];

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  const [dave, erin, frank] = names.map((user) => `${user}${index}`) as [string, string, string];
  const wire = (user: string, password = user) =>
    WireClient.login(join(first.dataFolder, 'citadel.socket'), user, password);

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

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

async function json(api: Api, path: string): Promise<unknown> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return response.json();
}
