// Who wrote an anonymous message: nobody is told, administrators included, in the room and wherever the message is
// copied to; by the embedded room server in no answer, and in front of one that tells it in some (quirk Q22).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { VIEW } from '../../../../src/model.ts';
import { ADMIN_PASSWORD, type Api, postedNumber, startGateway } from '../../../support/gateway.ts';
import { openapi } from '../../../support/openapi.ts';
import type { Init } from '../../../support/raw-http.ts';
import { startRealServer } from '../../../support/real-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

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
    it(`is told to nobody, whatever room server is asked (${kind})`, async (t) => {
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

  it('is not told to administrators; the names of others are told to all, the second time, too', async (t) => {
    const { gateway, alice, admin, msgnum } = await masked(t, 'is_anonymous_only');
    const { rfc822, ...seen } = await readings(admin, 'Masked', msgnum);
    assert.deepEqual([seen.row!.author, seen.message.from, seen.message.rfca], ['****', '****', undefined]);
    assert.doesNotMatch(rfc822 + JSON.stringify(seen), /bob/i);
    const own = postedNumber(await alice('r/Lobby/new', { method: 'PUT', body: 'a whisper in the open' }));
    for (let look = 1; look <= 2; look++) {
      const bob = await readings(gateway.as('bob', 'bobpw'), 'Lobby', own);
      assert.equal(bob.row?.author, 'alice');
      assert.equal(bob.hit?.author, 'alice');
      assert.match(bob.rfc822, /^Return-Path: alice\r\n/);
    }
  });

  it('is not found by a search for what he has written', async (t) => {
    const { alice, bob, admin } = await masked(t, 'is_anonymous_only');
    await bob('r/Lobby/new?subj=whisper', { method: 'PUT', body: 'signed' });
    for (const by of [alice, admin]) {
      const { hits } = await json(by('a/hits?q=whisper&from=bob'));
      assert.deepEqual(
        (hits as { room: string }[]).map(({ room }) => room),
        ['Lobby'],
      );
    }
  });

  it('is in no list of versions of a page', async (t) => {
    const { alice, bob, admin } = await masked(t, 'is_anonymous_only');
    await admin('r/', { method: 'POST', ...asJson({ name: 'Pages', view: VIEW.wiki }) });
    await admin('r/Pages/', { method: 'PATCH', ...asJson({ is_anonymous_only: true }) });
    for (const body of ['one', 'two']) await bob('r/Pages/home', { method: 'PUT', body });
    const history = await (await alice('r/Pages/home/history')).text();
    const [{ version }] = JSON.parse(history);
    const shown = await (await alice(`r/Pages/home/history/${version}/json`)).text();
    assert.match(history, /"from":"\*{4}"/);
    assert.doesNotMatch(history + shown, /bob/i);
  });
});

/** Every GET of the document that is about a room, a message or what was found, and what DAV clients ask. */
function questions(room: string, words: Readonly<Record<string, string>>): [string, string, Init?][] {
  const paths = Object.keys(openapi.paths).filter((path) =>
    /^\/(r|p)\/|^\/a\/(start|news|search|hits|biff|im)$/.test(path),
  );
  const filled = paths.map((path) => path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(words[name] ?? room)));
  const queries = ['', '?format=rfc822', '?text=plain', '?q=whisper', '?fields=to,files,snippet', '?q=whisper&files=1'];
  const gets = filled
    .filter((path) => !path.endsWith('/slrp') && !path.endsWith('/members') && !path.startsWith('/p/r/'))
    .flatMap((path) => queries.map((query): [string, string] => ['GET', `${path.slice(1)}${query}`]));
  const headers = { depth: '1', 'content-type': 'application/xml' };
  const dav = ['<allprop xmlns="DAV:"/>', '<propname xmlns="DAV:"/>'].map((wanted): [string, string, Init] => {
    return ['PROPFIND', `r/${room}/`, { headers, body: `<propfind xmlns="DAV:">${wanted}</propfind>` }];
  });
  const wanted = '<sync-token/><sync-level>1</sync-level><prop><getetag/></prop>';
  const sync = `<sync-collection xmlns="DAV:">${wanted}</sync-collection>`;
  return [...gets, ...dav, ['REPORT', `r/${room}/`, { headers, body: sync }]];
}

const LINES = (number: number) => [
  ...[`MSG0 ${number}`, `MSG0 ${number}|1`, `MSG2 ${number}`, `MSG2 ${number}|1`, `MSG2 ${number}|3`, `MSG4 ${number}`],
  ...['MSGS ALL|||1', 'MSGS ALL|||9', 'MSGS ALL|||4', 'ROWS 0|0|9|0|0|1', 'FIND 9|whisper', 'HITS 0|9||||||||whisper'],
  ...['MEMB list', 'MSGS SEARCH|whisper||9', `OPNA ${number}|1`, 'FIND 9|zorro', 'MSGS SEARCH|zorro||9'],
];

describe('the author of an anonymous message at the embedded room server', () => {
  for (const kind of ['board', 'mailbox', 'wiki', 'files', 'notes'] as const) {
    it(`is in no answer about a room of the view ${kind}, to administrators neither`, async (t) => {
      const users = ['zorro', 'alice'].map((name) => ({ name, password: name }));
      const gateway = await startGateway(t, { users, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
      const [zorro, alice, admin] = [gateway.as('zorro'), gateway.as('alice'), gateway.as('admin', ADMIN_PASSWORD)];
      assert.equal(
        (await admin('r/', { method: 'POST', ...asJson({ name: 'Masked', view: VIEW[kind] }) })).status,
        201,
      );
      await admin('r/Masked/', { method: 'PATCH', ...asJson({ is_anonymous_only: true }) });
      const { hostname: host, port } = new URL(gateway.lineUrl!);
      const line = (name: string, password = name) => WireClient.login({ host, port: Number(port) }, name, password);
      // another program writes header fields of its own
      const fields = ['From: Zorro <zorro@home>', 'Sender: zorro', 'Reply-To:\n zorro', 'X-Originating-User: zorro'];
      const body = `${fields.join('\n')}\nReceived: from zorro\nContent-Type: text/plain\n\na whisper\n`;
      const writer = await line('zorro');
      await writer.expect('GOTO Masked', 200);
      const logIn = { method: 'POST', ...asJson({ username: 'zorro', password: 'zorro' }) };
      const posted = async () => (await json(gateway.api('a/login', logIn))).posted;
      const before = await posted();
      const [number] = await writer.send('ENT0 1||0|4|whisper||1', body);
      const put = await zorro('r/Masked/whisper.txt', { method: 'PUT', body: 'a whisper' });
      assert.ok(put.ok, String(put.status));
      assert.equal(await posted(), before, 'what he has posted is not counted');
      await writer.expect('QUIT', 200);
      for (const by of [alice, admin]) {
        for (const message of [number!, 'whisper.txt']) {
          const words = { message, part: '1', selector: 'all', version: '1', id: '1' };
          for (const [method, path, init] of questions('Masked', words)) {
            const answer = await by(path, { method, ...init });
            const text = JSON.stringify([...answer.headers]) + (await answer.text());
            // what nobody finds names what was looked for
            assert.doesNotMatch(text, /zorro/i, `${method} ${path}`);
          }
        }
        const found = (await json(by('a/hits?q=whisper&from=zorro'))).total;
        const named = await (await by('a/search?q=zorro')).json();
        assert.deepEqual([found, named], [0, []]);
      }
      for (const reader of [await line('alice'), await line('admin', ADMIN_PASSWORD)]) {
        await reader.expect('GOTO Masked', 200);
        for (const asked of LINES(Number(number))) {
          const { bytes, lines } = await reader.ask(asked);
          assert.doesNotMatch(`${bytes} ${lines.join('\n')}`, /zorro/i, asked);
        }
        await reader.expect('QUIT', 200);
      }
    });
  }
});
