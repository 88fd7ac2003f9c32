// A wiki of a real server, where the history of each page lies as a message beside it (support/real-wiki.ts, quirk
// Q63): nobody sees it but as the history of the page.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../src/backend/store/bodies.ts';
import { saveMessage } from '../../src/backend/store/messages.ts';
import { copyToRoom, messageByEuid } from '../../src/backend/store/references.ts';
import { createRoom, roomByName } from '../../src/backend/store/rooms.ts';
import { MAX_WIKIS_ASKED } from '../../src/limits/protocol.ts';
import { VIEW } from '../../src/model.ts';
import { openEvents } from '../support/event-stream.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';

const NAME = 'Über uns/a b';

async function withWiki(t: TestContext, names: readonly string[] = ['Wiki']) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 } });
  const { store } = real.behind;
  for (const name of names) {
    createRoom(store, { name, view: VIEW.wiki, flags: 0, password: '', floor: 0, admin: 1 });
  }
  createRoom(store, { name: 'Box', view: VIEW.board, flags: 0, password: '', floor: 0, admin: 1 });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const [alice, bob, admin] = [
    gateway.as('alice', 'alicepw'),
    gateway.as('bob', 'bobpw'),
    gateway.as('admin', 'adminpw'),
  ];
  return { real, alice, bob, admin };
}

function put(api: Api, page: string, body: string, room = 'Wiki'): Promise<Response> {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return api(`r/${room}/${encodeURIComponent(page)}`, { method: 'PUT', headers, body });
}

async function json<T>(api: Api, path: string): Promise<T> {
  const answer = await api(path);
  assert.equal(answer.status, 200, path);
  return (await answer.json()) as T;
}

/** Number of the message that holds the history of a page. */
function historyOf(real: RealServer, page: string, room?: string): number {
  return numberOf(real, `${page}_HISTORY_`, room);
}

function numberOf({ behind: { store } }: RealServer, euid: string, room = 'Wiki'): number {
  const number = messageByEuid(store, roomByName(store, room)!.id, euid);
  assert.ok(number, `the room server has ${euid}`);
  return number;
}

async function hasNews(api: Api, room = 'Wiki'): Promise<boolean> {
  const rooms = await json<{ name: string; hasnewmsgs: boolean }[]>(api, 'r/');
  return rooms.find(({ name }) => name === room)!.hasnewmsgs;
}

const commandsOf = ({ sessions }: RealServer) => sessions.flatMap(({ commands }) => commands);

describe('a wiki of a real server', () => {
  it('has pages only in lists, counts and a PROPFIND', async (t) => {
    const { real, alice, bob } = await withWiki(t);
    const [first, other] = [postedNumber(await put(alice, 'home', 'one')), postedNumber(await put(alice, NAME, 'two'))];
    const list = (selector: string, api = bob) => json<number[]>(api, `r/Wiki/msgs.${selector}`);
    assert.ok(historyOf(real, 'home') < first && historyOf(real, NAME) < other);
    assert.deepEqual(await list('all'), [first, other]);
    const again = await put(alice, 'home', 'three');
    assert.equal(again.status, 204);
    const home = Number(/\d+/.exec(again.headers.get('etag')!)![0]);
    for (const selector of ['all', 'new', 'last|9', 'last|2', 'first|2', `gt|${first}`, `lt|${home + 1}`]) {
      assert.deepEqual(await list(selector), [other, home], selector);
    }
    assert.deepEqual([await list('last|1'), await list('first|1')], [[home], [other]]);
    assert.deepEqual(await list('search|home'), [home]);
    await bob(`r/Wiki/slrp?last=${other}`, { headers: { 'x-requested-with': 'test' } });
    assert.deepEqual([await list('old'), await list('new')], [[other], [home]]);

    const mailbox = await json<Record<string, unknown>>(bob, 'r/Wiki/mailbox');
    assert.deepEqual([mailbox.total_messages, mailbox.new_messages], [2, 1]);
    assert.deepEqual(
      (mailbox.msgs as { msgnum: number; subject: string; seen: boolean }[]).map(({ msgnum, subject, seen }) => [
        msgnum,
        subject,
        seen,
      ]),
      [
        [other, NAME, true],
        [home, 'home', false],
      ],
    );
    const room = await json<Record<string, unknown>>(bob, 'r/Wiki/');
    assert.deepEqual([room.total_messages, room.new_messages, room.highest_msgnum], [2, 1, home]);

    const found = await bob('r/Wiki/', { method: 'PROPFIND', headers: { depth: '1' } });
    const hrefs = Array.from((await found.text()).matchAll(/<D:href>([^<]*)</g), ([, href]) => href);
    assert.deepEqual(hrefs, ['/svc/r/Wiki/', `/svc/r/Wiki/${encodeURIComponent(NAME)}`, '/svc/r/Wiki/home']);
  });

  it('has pages only among what is found', async (t) => {
    const { alice, bob } = await withWiki(t);
    const number = postedNumber(await put(alice, 'seedlings', 'In April.'));
    const post = postedNumber(await alice('r/Box/new?subj=seedlings_HISTORY_', { method: 'PUT', body: 'Not a page.' }));
    const found = await json<{ room: string; msgnum: number }[]>(bob, 'a/search?q=seedlings');
    assert.deepEqual(
      found.map(({ room, msgnum }) => [room, msgnum]),
      [
        ['Box', post],
        ['Wiki', number],
      ],
    );
  });

  it('tells of new pages only, as they come and when a stream goes on', async (t) => {
    const { real, alice, bob } = await withWiki(t);
    const stream = await openEvents(bob, 'a/events?room=Wiki');
    t.after(() => stream.close());
    const numbers = [postedNumber(await put(alice, 'home', 'one')), postedNumber(await put(alice, NAME, 'two'))];
    const told: number[] = [];
    while (told.length < numbers.length) {
      told.push(...((await stream.next('message')).data as { msgs: number[] }).msgs);
    }
    assert.deepEqual(told, numbers);
    const after = historyOf(real, 'home') - 1;
    const later = await openEvents(bob, `a/events?room=Wiki&after=${after}`);
    t.after(() => later.close());
    assert.deepEqual((await later.next('message')).data, { room: 'Wiki', msgs: numbers });
  });

  it('has news while a page is unread, not while a history is', async (t) => {
    const { real, alice, bob, admin } = await withWiki(t);
    const [first, second] = [
      postedNumber(await put(alice, 'home', 'one')),
      postedNumber(await put(alice, NAME, 'two')),
    ];
    assert.equal(await hasNews(bob), true);
    await bob(`r/Wiki/slrp?last=${first}`, { headers: { 'x-requested-with': 'test' } });
    assert.equal(await hasNews(bob), true);
    assert.equal((await admin(`r/Wiki/${second}`, { method: 'DELETE' })).status, 204);
    assert.ok(historyOf(real, NAME) > first, 'which is the highest message there');
    assert.equal(await hasNews(bob), false);
    const { new_messages } = await json<Record<string, unknown>>(bob, 'r/Wiki/');
    assert.equal(new_messages, 0);
    const headers = { 'content-type': 'application/json' };
    await bob(`r/Wiki/${first}`, { method: 'PATCH', headers, body: '{"seen":false}' });
    assert.equal(await hasNews(bob), true);
  });

  it(`is asked whether a page is new while the caller knows at most ${MAX_WIKIS_ASKED} with news`, async (t) => {
    const names = Array.from({ length: MAX_WIKIS_ASKED + 1 }, (_, i) => `Wiki ${String(i).padStart(3, '0')}`);
    const { real, bob, admin } = await withWiki(t, names);
    const { store } = real.behind;
    for (const name of names) {
      const body = finishedBody(store, 4, Buffer.from('Content-type: text/plain\n\nx\n'));
      const fields = { author: 'Citadel', path: 'Citadel', address: '', euid: 'a_HISTORY_', subject: 'a_HISTORY_' };
      const rooms = [roomByName(store, name)!.id];
      store.transaction(() => saveMessage(store, { ...fields, format: 4, room: name, body, rooms }));
    }
    const news = async () => {
      const rooms = await json<{ name: string; hasnewmsgs: boolean }[]>(bob, 'r/');
      return rooms.filter(({ name, hasnewmsgs }) => hasnewmsgs && names.includes(name)).map(({ name }) => name);
    };
    assert.deepEqual(await news(), [names.at(-1)], 'of one more it is told what the room server tells');
    assert.equal((await admin(`r/${encodeURIComponent(names.at(-1)!)}/`, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await news(), []);
  });

  it('keeps its record of a page from being opened, deleted, moved, copied or marked by number or name', async (t) => {
    const { real, alice, admin } = await withWiki(t);
    await put(alice, 'home', 'one');
    const history = historyOf(real, 'home');
    // one's own page is read
    const ownMark = `SEEN ${numberOf(real, 'home')}|1`;
    const there = { destination: '/svc/r/Box/' };
    const mark = { headers: { 'content-type': 'application/json' }, body: '{"seen":true}' };
    for (const name of [history, 'home_HISTORY_', 'home_HISTORY_.ics']) {
      for (const [method, path, init] of [
        ['GET', '', {}],
        ['HEAD', '', {}],
        ['GET', '/json', {}],
        ['GET', '/1', {}],
        ['GET', '/history', {}],
        ['PROPFIND', '', { headers: { depth: '0' } }],
        ['PATCH', '', mark],
        ['COPY', '', { headers: there }],
        ['MOVE', '', { headers: there }],
        ['DELETE', '', {}],
      ] as const) {
        const before = real.roundTrips();
        const answer = await admin(`r/Wiki/${name}${path}`, { method, ...init });
        assert.equal(answer.status, 404, `${method} ${name}${path}`);
        assert.ok(real.roundTrips() - before < 8, `${method} ${name}${path}: ${real.roundTrips() - before}`);
      }
    }
    // another client may have copied it elsewhere, where it is a message as any
    const { store } = real.behind;
    copyToRoom(store, roomByName(store, 'Wiki')!.id, roomByName(store, 'Box')!.id, [history]);
    for (const [room, status] of [
      ['Box', 200],
      ['Wiki', 404],
    ] as const) {
      assert.equal((await admin(`r/${room}/${history}`)).status, status, room);
    }
    const uploads = await admin(`p/Wiki/${history}`, { headers: { 'x-requested-with': 'test' } });
    assert.equal(uploads.status, 404);
    assert.equal(historyOf(real, 'home'), history);
    const changes = commandsOf(real).filter((line) => /^(DELE|MOVE|SEEN) /.test(line) && line !== ownMark);
    assert.deepEqual(changes, []);
  });

  it('tells the history of a page by its name and by its number', async (t) => {
    const { alice, bob } = await withWiki(t);
    await put(alice, 'home', '<p>one</p>');
    await put(alice, 'home', '<p>two</p>');
    const [number] = await json<number[]>(bob, 'r/Wiki/msgs.all');
    const versions = await json<{ version: string; from: string }[]>(bob, 'r/Wiki/home/history');
    assert.deepEqual(
      versions.map(({ from }) => from),
      ['alice'],
    );
    assert.deepEqual(await json(bob, `r/Wiki/${number}/history`), versions);
    const path = `r/Wiki/home/history/${versions[0]!.version}`;
    assert.equal(await (await bob(path)).text(), '<p>two</p>', 'a real server keeps no other (Q15)');
    const { text } = await json<{ text: string }>(bob, `${path}/json`);
    assert.match(text, /^<p>two<\/p>/);
  });

  it('takes no page whose name is that of a history', async (t) => {
    const { real, alice } = await withWiki(t);
    await put(alice, 'home', 'one');
    const history = historyOf(real, 'home');
    for (const name of ['home_HISTORY_', 'other_HISTORY_', '_HISTORY_']) {
      const answer = await put(alice, name, 'x');
      assert.equal(answer.status, 400, name);
      assert.match(((await answer.json()) as { detail: string }).detail, /cannot end in _HISTORY_/);
    }
    assert.equal((await json<number[]>(alice, 'r/Wiki/msgs.all')).length, 1);
    assert.equal((await put(alice, 'home_HISTORY', 'x')).status, 201);
    assert.equal((await put(alice, 'note_HISTORY_', 'x', 'Box')).status, 201, 'a file is no page');
    assert.equal((await put(alice, 'home_HISTORY_', 'x', 'Notes')).status, 201, 'nor is a note');
    for (const method of ['COPY', 'MOVE']) {
      for (const [place, status] of [
        ['Wiki/', 400],
        ['Wiki/home_HISTORY_', 400],
        ['Nowhere/', 409],
      ] as const) {
        const headers = { destination: `/svc/r/${place}` };
        assert.equal((await alice('r/Notes/home_HISTORY_', { method, headers })).status, status, `${method} ${place}`);
      }
    }
    assert.equal(historyOf(real, 'home'), history);
  });

  it('brings the histories along when the room is copied, and shows them there no more than here', async (t) => {
    const { real, alice, bob } = await withWiki(t);
    const number = postedNumber(await put(alice, 'home', 'one'));
    const copied = await bob('r/Wiki/', { method: 'COPY', headers: { destination: '/svc/r/Mine/' } });
    assert.equal(copied.status, 201);
    assert.deepEqual(await json(bob, 'r/Mine/msgs.all'), [number]);
    const { store } = real.behind;
    const rooms = store.prepare('SELECT count(*) AS n FROM room_message WHERE message = ?');
    assert.equal(rooms.get(historyOf(real, 'home'))!.n, 2);
  });

  it('costs other rooms nothing, and the list of rooms two short questions', async (t) => {
    const { real, alice, bob } = await withWiki(t);
    for (const path of ['r/Box/a', 'r/Box/b']) await alice(path, { method: 'PUT', body: path });
    await put(alice, 'home', 'one');
    const lists = () => commandsOf(real).filter((line) => line.startsWith('MSGS ALL|||4'));
    const [number] = await json<number[]>(bob, 'r/Box/msgs.all');
    for (const path of ['msgs.all', 'msgs.new', 'mailbox', '', `${number}`, `${number}/json`]) {
      await bob(`r/Box/${path}`); // what kind of server it is, is known then
      const before = real.roundTrips();
      assert.equal((await bob(`r/Box/${path}`)).status, 200, path);
      assert.equal(real.roundTrips() - before, 1, path);
    }
    assert.equal(await hasNews(bob), true);
    const before = real.roundTrips();
    assert.equal(await hasNews(bob), true);
    assert.equal(real.roundTrips() - before, 3);
    assert.deepEqual(lists(), []);
    const stream = await openEvents(bob, 'a/events?room=Box');
    t.after(() => stream.close());
    await alice('r/Box/c', { method: 'PUT', body: 'c' });
    await stream.next('message');
    assert.deepEqual(lists(), []);
  });
});
