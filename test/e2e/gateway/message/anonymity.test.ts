// Who wrote an anonymous message, in front of a room server that tells it in some of its answers (quirk Q22): nobody is
// told but administrators, in the room and wherever the message is copied to.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Api, postedNumber, startGateway } from '../../../support/gateway.ts';
import { startRealServer } from '../../../support/real-server.ts';

const KINDS = [
  ['is_anonymous_only', '****'],
  ['is_anonymous_optional', 'anonymous'],
] as const;

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;
const asJson = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Bob has written anonymously in Masked. */
async function masked(t: TestContext, kind: (typeof KINDS)[number][0]) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const [alice, bob, admin] = [
    gateway.as('alice', 'alicepw'),
    gateway.as('bob', 'bobpw'),
    gateway.as('admin', 'adminpw'),
  ];
  await admin('r/', { method: 'POST', ...asJson({ name: 'Masked' }) });
  await admin('r/Masked/', { method: 'PATCH', ...asJson({ is_anonymous_only: true }) });
  const headers = { 'content-type': 'text/plain' };
  const msgnum = postedNumber(await bob('r/Masked/new?subj=whisper', { method: 'PUT', headers, body: 'a whisper' }));
  if (kind === 'is_anonymous_optional') {
    real.behind.store.prepare(`UPDATE message SET anonymous = 'option' WHERE id = ?`).run(msgnum);
  }
  const asked = () =>
    real.sessions.flatMap(({ commands }) => commands).filter((line) => /^MSG0 [1-9]\d*\|3$/.test(line)).length;
  return { gateway, alice, bob, admin, msgnum, asked };
}

/** All ways to read of a message. */
async function readings(read: Api, room: string, msgnum: number) {
  const list = (await json(read(`r/${room}/mailbox`))) as { msgs?: { msgnum: number; author: string; addr: string }[] };
  const row = list.msgs?.find((each) => each.msgnum === msgnum);
  const found = (await (await read('a/search?q=whisper')).json()) as { room: string; author: string; addr: string }[];
  const hit = found.find((each) => each.room === room);
  const message = await json(read(`r/${room}/${msgnum}/json`));
  const rfc822 = await (await read(`r/${room}/${msgnum}?format=rfc822`)).text();
  const accepted = await (await read(`r/${room}/${msgnum}`, { headers: { accept: 'message/rfc822' } })).text();
  return { row, hit, message, rfc822, accepted };
}

describe('the author of an anonymous message', () => {
  for (const [kind, name] of KINDS) {
    it(`is told to nobody who may not know it, whatever room server is asked (${kind})`, async (t) => {
      const { alice, msgnum } = await masked(t, kind);
      await alice('r/', { method: 'POST', ...asJson({ name: 'Mine', kind: 'personal' }) });
      const headers = { destination: '/svc/r/Mine/' };
      assert.equal((await alice(`r/Masked/${msgnum}`, { method: 'COPY', headers })).status, 201);
      assert.equal((await json(alice('r/Mine/'))).is_room_aide, true);
      for (const room of ['Masked', 'Mine']) {
        const { row, hit, message, rfc822, accepted } = await readings(alice, room, msgnum);
        assert.deepEqual([row?.author, row?.addr], [name, ''], room);
        assert.deepEqual([hit?.author, hit?.addr], [name, ''], room);
        assert.deepEqual([message.from, message.rfca, message.locl], [name, undefined, undefined], room);
        for (const text of [rfc822, accepted]) {
          assert.match(text, /\r\nFrom: .*x@x\.org>\r\n/, room);
          assert.match(text, /\r\n\r\na whisper/, room);
          assert.doesNotMatch(text, /bob/i, room);
        }
        assert.doesNotMatch(JSON.stringify([row, hit, message]), /bob/i, room);
      }
    });
  }

  it('is looked up once for each message of a list', async (t) => {
    const { alice, bob, asked } = await masked(t, 'is_anonymous_only');
    for (let count = 0; count < 250; count++) await bob('r/Masked/new', { method: 'PUT', body: 'more' });
    const before = asked();
    for (const by of [alice, bob, alice]) {
      const { msgs } = (await json(by('r/Masked/mailbox'))) as { msgs: { author: string }[] };
      assert.equal(msgs.filter(({ author }) => author === '****').length, 251);
    }
    assert.equal(asked() - before, 251);
  });

  it('is told to administrators; the names of others are told to all, the second time, too', async (t) => {
    const { gateway, alice, admin, msgnum } = await masked(t, 'is_anonymous_only');
    const seen = await readings(admin, 'Masked', msgnum);
    assert.match(seen.row!.author, /bob/);
    assert.match(String(seen.message.from), /bob/);
    assert.equal(typeof seen.message.rfca, 'string');
    assert.match(seen.rfc822, /^Return-Path: bob\r\n/);
    const own = postedNumber(await alice('r/Lobby/new', { method: 'PUT', body: 'a whisper in the open' }));
    for (let look = 1; look <= 2; look++) {
      const bob = await readings(gateway.as('bob', 'bobpw'), 'Lobby', own);
      assert.equal(bob.row?.author, 'alice');
      assert.equal(bob.hit?.author, 'alice');
      assert.match(bob.rfc822, /^Return-Path: alice\r\n/);
    }
  });
});
