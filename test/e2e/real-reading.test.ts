// What reading costs a real server and the way to it (support/real-server.ts): round trips, and lists that are dear to
// it.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { createRoom } from '../../src/backend/store/rooms.ts';
import { EVENTS_CHECK_MS } from '../../src/limits/http.ts';
// @ts-expect-error: the web client has no types
import { answerTo } from '../../static/formats/answer-to.js';
import { openEvents, type ServerEvent } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { LOST, type RealServer, type RealServerOptions, startRealServer } from '../support/real-server.ts';
import { WireClient } from '../support/wire-client.ts';

async function inFrontOfReal(t: TestContext, options: RealServerOptions = {}) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 }, ...options });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  return { real, gateway, alice: gateway.as('alice', 'alicepw') };
}

/**
 * Kinds of mail whose length nothing tells, and one whose length the list of parts does; [body, content as GET sends
 * it].
 */
const MAILS = [
  ['Content-type: text/plain\n\nas it is\n', 'as it is\n'],
  [
    'Content-type: text/plain; charset=utf-8\nContent-transfer-encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n',
    'Grüße\n',
  ],
  ['Content-type: application/octet-stream\nContent-transfer-encoding: base64\n\nAAECAwQFBgcICQ==\n', '0123456789'],
  [
    'Content-type: multipart/mixed; boundary="b"\n\n--b\nContent-type: text/plain\n\none\n--b--\n',
    '--b\r\nContent-type: text/plain\r\n\r\none\r\n--b--\r\n',
  ],
] as const;

it('an answer goes where a real server says in rep2', async (t) => {
  const rewrite = ({ command, reply }: { command: string; reply: string }) =>
    /^MSG[04] [1-9]/.test(command)
      ? reply.replace(/^(from=.*\n)/m, '$1rep2="Desk, Sales" <desk@x.example>, bob@y.example\n')
      : reply;
  const { alice } = await inFrontOfReal(t, { rewrite });
  const put = await alice('r/Lobby/new?subj=asks', { method: 'PUT', body: 'Where?' });
  const read = await (await alice(`r/Lobby/${postedNumber(put)}/json`)).json();
  assert.deepEqual((read as { reply_to: string[] }).reply_to, ['"Desk, Sales" <desk@x.example>', 'bob@y.example']);
  const nobody = { username: '', email: '', addresses: [] };
  assert.deepEqual(answerTo(read, nobody, 'reply').to, ['"Desk, Sales" <desk@x.example>', 'bob@y.example']);
});

/** Puts so many messages into a new room, as other programs do: their numbers. */
function fill({ behind }: RealServer, name: string, count: number): number[] {
  const { store } = behind;
  return store.transaction(() => {
    const room = createRoom(store, { name, view: 0, flags: 0, password: '', floor: 0, admin: 1 });
    return Array.from({ length: count }, (_, i) => {
      const body = finishedBody(store, 4, Buffer.from(MAILS[i % MAILS.length]![0]));
      const fields = { author: 'bob', path: 'bob', address: 'bob@example.org', room: name, subject: `mail ${i}` };
      return saveMessage(store, { ...fields, format: 4, body, rooms: [room.id] });
    });
  });
}

async function listed(api: Api): Promise<number[]> {
  const response = await api('r/Box/', { method: 'PROPFIND', headers: { depth: '1' } });
  assert.equal(response.status, 207);
  const text = await response.text();
  return Array.from(text.matchAll(/<D:getcontentlength>(\d+)</g), (match) => Number(match[1]));
}

const lengths = (count: number) =>
  Array.from({ length: count }, (_, i) => MAILS[i % MAILS.length]![1].length + extra(i));
/** bytes of UTF-8 beyond the characters */
const extra = (i: number) => (i % MAILS.length === 1 ? 2 : 0);

describe('PROPFIND in front of a real server', () => {
  it('learns the lengths of 2,000 messages in twenty round trips, log-in included', async (t) => {
    const { real, alice } = await inFrontOfReal(t);
    fill(real, 'Box', 2000);
    const before = real.roundTrips();
    const began = performance.now();
    const told = await listed(alice);
    t.diagnostic(`${real.roundTrips() - before} round trips, ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(told.slice(0, 8), lengths(8));
    assert.deepEqual(told, lengths(2000));
    assert.ok(real.roundTrips() - before <= 20, `${real.roundTrips() - before} round trips`);
    const again = real.roundTrips();
    assert.deepEqual(await listed(alice), told);
    assert.equal(real.roundTrips() - again, 1, 'what is known is not read again');
  });

  it('a part that is answered twice puts no other length wrong (Q6)', async (t) => {
    const { real, alice } = await inFrontOfReal(t, {
      rewrite: ({ command, reply }) => (command.startsWith('DLAT') ? reply + reply : reply),
    });
    fill(real, 'Box', 12);
    assert.deepEqual(await listed(alice), lengths(12));
  });

  it('a connection that is lost meanwhile is had anew', async (t) => {
    let lost = 0;
    const { real, alice } = await inFrontOfReal(t, {
      rewrite: ({ command, reply }) => (command.startsWith('DLAT') && lost++ === 1 ? LOST : reply),
    });
    fill(real, 'Box', 12);
    assert.deepEqual(await listed(alice), lengths(12));
    assert.ok(lost > 1);
  });
});

describe('reading in front of a real server', () => {
  it('asks for no list that scattered read marks make slow, and chooses from all numbers itself (Q58)', async (t) => {
    const { real, gateway, alice } = await inFrontOfReal(t);
    const numbers = fill(real, 'Box', 20);
    const list = async (selector: string) => (await (await alice(`r/Box/msgs.${selector}`)).json()) as number[];
    for (const n of [3, 7, 8, 15]) {
      const headers = { 'content-type': 'application/json' };
      await alice(`r/Box/${numbers[n]}`, { method: 'PATCH', headers, body: '{"seen":true}' });
    }
    const read = [3, 7, 8, 15].map((n) => numbers[n]!);
    assert.deepEqual(await list('all'), numbers);
    assert.deepEqual(await list('old'), read);
    assert.deepEqual(
      await list('new'),
      numbers.filter((number) => !read.includes(number)),
    );
    assert.deepEqual(await list('last|3'), numbers.slice(-3));
    assert.deepEqual(await list('last|0'), []);
    assert.deepEqual(await list('last|21'), numbers);
    assert.deepEqual(await list('first|3'), numbers.slice(0, 3));
    assert.deepEqual(await list(`gt|${numbers[16]}`), numbers.slice(17));
    assert.deepEqual(await list(`lt|${numbers[2]}`), numbers.slice(0, 2));
    for (const path of ['', '/json', '?format=rfc822'])
      assert.equal((await alice(`r/Box/${numbers[2]}${path}`)).status, 200);
    const bob = gateway.as('bob', 'bobpw');
    const biff = async () => ((await (await bob('a/biff')).json()) as { new: number }).new;
    assert.equal(await biff(), 0);
    await alice('r/_MAIL_/new?mailto=bob', { method: 'PUT', body: 'hello' });
    await alice('r/_MAIL_/new?mailto=bob', { method: 'PUT', body: 'again' });
    assert.equal(await biff(), 2);
    assert.equal(await biff(), 0);
    const admin = gateway.as('admin', 'adminpw');
    assert.equal((await admin('r/Box/note.txt', { method: 'PUT', body: 'one' })).status, 201);
    assert.equal(
      (await admin('r/Box/note.txt', { method: 'PUT', headers: { 'if-match': '*' }, body: 'two' })).status,
      204,
    );
    assert.deepEqual(real.dearLists(), []);
  });

  it('asks for read marks only where an answer shows them', async (t) => {
    const { real, alice } = await inFrontOfReal(t);
    const [number] = fill(real, 'Box', 4);
    const asked = () => real.sessions.flatMap(({ commands }) => commands.filter((line) => line === 'GTSN')).length;
    for (const path of [`${number}`, `${number}?format=rfc822`, `${number}/1`, 'msgs.all', 'msgs.last|2']) {
      assert.equal((await alice(`r/Box/${path}`)).status, 200, path);
    }
    await listed(alice);
    assert.equal(asked(), 0);
    for (const path of [`${number}/json`, 'mailbox', 'msgs.new']) {
      const before = asked();
      assert.equal((await alice(`r/Box/${path}`)).status, 200, path);
      assert.equal(asked() - before, 1, path);
    }
  });
});

describe('the rooms of a real server', () => {
  it('are listed by one scan, and a room tells without another whether it was forgotten', async (t) => {
    const { real, alice } = await inFrontOfReal(t);
    fill(real, 'Box', 1);
    const isZapped = async () => ((await (await alice('r/Box/')).json()) as { is_zapped: boolean }).is_zapped;
    const scans = () =>
      real.sessions.flatMap(({ commands }) => commands).filter((line) => /^(LKRA|LKRN|LKRO|LRMS|LZRM)/.test(line));
    assert.equal((await alice('r/')).status, 200);
    assert.deepEqual(scans(), ['LRMS -1']);
    for (let i = 0; i < 5; i++) assert.equal(await isZapped(), false);
    assert.deepEqual(scans(), ['LRMS -1', 'LZRM -1']);
    for (const wanted of [true, false]) {
      const body = JSON.stringify({ is_zapped: wanted });
      assert.equal((await alice('r/Box/', { method: 'PATCH', body })).status, 204);
      assert.equal(await isZapped(), wanted);
    }
  });

  it('that were deleted are in no list, and cannot be entered', async (t) => {
    const { gateway, alice } = await inFrontOfReal(t);
    const admin = gateway.as('admin', 'adminpw');
    const created = await admin('r/Garden/', { method: 'MKCOL' });
    assert.equal(created.status, 201);
    assert.equal((await admin('r/Garden/', { method: 'DELETE' })).status, 204);
    for (const api of [admin, alice]) {
      for (const [path, init] of [
        ['r/', {}],
        ['a/start', {}],
        ['r/', { method: 'PROPFIND', headers: { depth: '1' } }],
      ] as const) {
        const text = await (await api(path, init)).text();
        assert.match(text, /Lobby/);
        assert.doesNotMatch(text, /Garden/, path);
      }
    }
    assert.equal((await admin('r/9999999999.6b00e572.0001.Garden/')).status, 404);
  });
});

/** Before the rooms are looked into whatever the list of rooms tells. */
async function soon(event: Promise<ServerEvent>): Promise<unknown> {
  const timer = new AbortController();
  const late = setTimeout(EVENTS_CHECK_MS / 2, undefined, timer).then(() => assert.fail('not told'));
  late.catch(() => undefined);
  const { data } = await Promise.race([event, late]);
  timer.abort();
  return data;
}

describe('events in front of a real server', () => {
  it('tell at once what this gateway has posted, moved and mailed, before any list tells of it', async (t) => {
    const frozen = new Map<string, string>();
    const { real, gateway, alice } = await inFrontOfReal(t, {
      // the list of rooms tells of no change
      rewrite({ session, command, reply }) {
        if (!command.startsWith('LKRA')) return reply;
        const first = frozen.get(session.user) ?? reply;
        frozen.set(session.user, first);
        return first;
      },
    });
    const [known] = fill(real, 'Box', 4);
    fill(real, 'Other', 0);
    const [admin, bob] = [gateway.as('admin', 'adminpw'), gateway.as('bob', 'bobpw')];
    const [box, other] = [await openEvents(alice, 'a/events?room=Box'), await openEvents(alice, 'a/events?room=Other')];
    t.after(() => {
      box.close();
      other.close();
    });
    // until the rooms themselves are asked no more, but every EVENTS_CHECK_MS
    const looks = async () => {
      const asked = real.sessions.flatMap(({ commands }) => commands).filter((line) => /^(LKRA|MSGS)/.test(line));
      return asked.slice(-3).every((line) => line.startsWith('LKRA'));
    };
    await eventually(looks, true);
    const number = postedNumber(await bob('r/Box/new', { method: 'PUT', body: 'new' }));
    assert.deepEqual(await soon(box.next('message')), { room: 'Box', msgs: [number] });
    const copied = await admin(`r/Box/${known}`, { method: 'COPY', headers: { destination: '/svc/r/Other/' } });
    assert.equal(copied.status, 201);
    assert.deepEqual(await soon(other.next('message')), { room: 'Other', msgs: [known] });
    await bob('r/_MAIL_/new?mailto=alice', { method: 'PUT', body: 'mail' });
    for (const stream of [box, other]) assert.deepEqual(await soon(stream.next('biff')), { new: 1 });
    assert.deepEqual(real.dearLists(), []);
  });

  it('tell what came another way', async (t) => {
    const { real, alice } = await inFrontOfReal(t);
    const stream = await openEvents(alice, 'a/events?room=Lobby');
    t.after(() => stream.close());
    const bob = await WireClient.login(real.behind.socketPath, 'bob', 'bobpw');
    t.after(() => bob.close());
    await bob.expect('GOTO Lobby', 200);
    const [number] = await bob.send('ENT0 1|||4|hello||1', 'Content-type: text/plain\n\nx\n');
    assert.deepEqual((await stream.next('message')).data, { room: 'Lobby', msgs: [Number(number)] });
    assert.deepEqual(real.dearLists(), []);
  });
});
