// Who has read a message has read it where it is moved to, and to everybody else it is new: on the embedded room server
// for all users, on any other one for who moves it.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { VIEW } from '../../src/model.ts';
import { type Api, postedNumber, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const embedded = await startGateway({ after }, { demo: true });
const real = await startRealServer({ after }, { users: { alice: 4, bob: 4 } });
const inFront = await startGateway({ after }, { backend: `unix:${real.path}` });
const servers = [
  { name: 'the embedded room server', isOwn: true, alice: embedded.as('alice'), bob: embedded.as('bob') },
  { name: 'another one', isOwn: false, alice: inFront.as('alice', 'alicepw'), bob: inFront.as('bob', 'bobpw') },
];

const json = (method: string, body: unknown) => ({ method, body: JSON.stringify(body) });
const newIn = async (api: Api, room: string) => (await (await api(`r/${room}/msgs.new`)).json()) as number[];
const allIn = async (api: Api, room: string) => (await (await api(`r/${room}/msgs.all`)).json()) as number[];
const made = async (api: Api, name: string, kind: string, view: number = VIEW.board) => {
  const status = (await api('r/', json('POST', { name, kind, view }))).status;
  assert.ok(status === 201 || status === 409);
  return name;
};
const post = async (api: Api, room: string) =>
  postedNumber(await api(`r/${room}/new`, { method: 'PUT', body: `text ${Math.random()}` }));
const mark = async (api: Api, room: string, msgnum: number, seen: boolean) =>
  assert.equal((await api(`r/${room}/%7C${msgnum}`, json('PATCH', { seen }))).status, 204);

/** The ways to move a message; each answers its number there. */
const WAYS: Readonly<Record<string, (api: Api, from: string, to: string, numbers: number[]) => Promise<unknown>>> = {
  'many at once': async (api, from, to, msgnums) =>
    assert.equal((await api(`r/${from}/mailbox`, json('PATCH', { msgnums, move_to: to }))).status, 204),
  MOVE: async (api, from, to, numbers) => {
    for (const number of numbers) {
      const headers = { destination: `/svc/r/${to}/` };
      assert.equal((await api(`r/${from}/${number}`, { method: 'MOVE', headers })).status, 201);
    }
  },
};

for (const { name, isOwn, alice, bob } of servers) {
  for (const [way, move] of Object.entries(WAYS)) {
    it(`is kept on ${name} on the way to the trash, to the archive and back: ${way}`, async () => {
      await made(alice, 'Archive', 'personal', VIEW.mailbox);
      const box = await made(alice, `Box ${way}`.replaceAll(' ', ''), 'personal');
      const [read, unread] = [await post(alice, box), await post(alice, box)];
      await mark(alice, box, read, true);
      await mark(alice, box, unread, false);
      // all that is there already counts as read, also under the numbers that are about to come
      for (const [from, to] of [
        [box, 'Trash'],
        ['Trash', 'Archive'],
        ['Archive', box],
      ] as const) {
        await alice(`r/${to}/slrp?last=${unread + 1000}`);
        await move(alice, from, to, [read, unread]);
        const there = await newIn(alice, to);
        assert.deepEqual([there.includes(read), there.includes(unread)], [false, true], `${from} to ${to}`);
      }
    });

    it(`is kept on ${name} for each user who knows the room: ${way}`, { skip: !isOwn }, async () => {
      const [from, to] = [
        await made(alice, `From${way.length}`, 'public'),
        await made(alice, `To${way.length}`, 'public'),
      ];
      const [one, two] = [await post(alice, from), await post(alice, from)];
      await mark(bob, from, one, true);
      await mark(alice, from, two, true);
      await mark(alice, from, one, false);
      await move(alice, from, to, [one, two]);
      assert.deepEqual(await allIn(bob, to), [one, two]);
      assert.deepEqual([await newIn(alice, to), await newIn(bob, to)], [[one], [two]]);
    });
  }

  it(`of who copies a message goes along on ${name}`, async () => {
    const [from, to] = [await made(alice, 'CopiedFrom', 'public'), await made(alice, 'CopiedTo', 'public')];
    const number = await post(bob, from);
    await mark(alice, from, number, true);
    const headers = { destination: `/svc/r/${to}/` };
    assert.equal((await alice(`r/${from}/${number}`, { method: 'COPY', headers })).status, 201);
    assert.deepEqual([await newIn(alice, to), await newIn(bob, to)], [[], [number]]);
  });

  it(`of what is named is kept on ${name} when it is moved under another name`, async () => {
    const [from, to] = [await made(alice, 'NamedFrom', 'personal'), await made(alice, 'NamedTo', 'personal')];
    assert.equal((await alice(`r/${from}/a.txt`, { method: 'PUT', body: 'text' })).status, 201);
    for (const isRead of [true, false]) {
      const [there, here] = isRead ? [to, from] : [from, to];
      const [number] = await allIn(alice, here);
      await mark(alice, here, number!, isRead);
      const headers = { destination: `/svc/r/${there}/b${isRead}.txt` };
      const source = isRead ? 'a.txt' : 'btrue.txt';
      assert.equal((await alice(`r/${here}/${source}`, { method: 'MOVE', headers })).status, 201);
      assert.deepEqual((await newIn(alice, there)).length, isRead ? 0 : 1);
    }
  });

  it(`of files go along on ${name} with the folder that is moved or copied`, async () => {
    const [from, to] = [
      await made(alice, 'FolderFrom', 'personal', VIEW.files),
      await made(alice, 'FolderTo', 'personal', VIEW.files),
    ];
    assert.equal((await alice(`r/${from}/docs/`, { method: 'MKCOL' })).status, 201);
    for (const file of ['read.txt', 'unread.txt']) {
      assert.equal((await alice(`r/${from}/docs/${file}`, { method: 'PUT', body: file })).status, 201);
    }
    const unreadIn = async (room: string) =>
      Promise.all((await newIn(alice, room)).map(async (number) => (await alice(`r/${room}/${number}`)).text()));
    await mark(alice, from, (await allIn(alice, from)).at(-1)!, false);
    assert.deepEqual(await unreadIn(from), ['unread.txt']);
    for (const [method, source, target] of [
      ['COPY', `${from}/docs/`, `${to}/copied/`],
      ['MOVE', `${from}/docs/`, `${to}/moved/`],
    ] as const) {
      const headers = { destination: `/svc/r/${target}` };
      assert.equal((await alice(`r/${source}`, { method, headers })).status, 201);
    }
    assert.deepEqual(await unreadIn(to), ['unread.txt', 'unread.txt']);
  });

  it(`of a room that is copied go along on ${name}`, async () => {
    const from = await made(alice, 'WholeFrom', 'public');
    const numbers: number[] = [];
    for (let i = 0; i < 5; i++) numbers.push(await post(bob, from));
    for (const read of [[0], [0, 1, 3], [0, 1, 2, 3, 4], [4], []]) {
      for (let i = 0; i < 5; i++) await mark(alice, from, numbers[i]!, read.includes(i));
      const to = `Whole${read.join('') || 'None'}`;
      const copied = await alice(`r/${from}/`, { method: 'COPY', headers: { destination: `/svc/r/${to}/` } });
      assert.equal(copied.status, 201);
      assert.deepEqual(await allIn(alice, to), numbers);
      assert.deepEqual(
        await newIn(alice, to),
        numbers.filter((_, i) => !read.includes(i)),
      );
    }
  });
}

it('what one has sent, drafted, archived or thrown away is no news', async () => {
  for (const { alice } of servers) {
    const box = await made(alice, 'NewsBox', 'personal');
    for (const room of ['Trash', 'Archive', 'Drafts']) {
      const number = await post(alice, box);
      await mark(alice, box, number, false);
      const moved = await alice(`r/${box}/mailbox`, json('PATCH', { msgnums: [number], move_to: room }));
      assert.equal(moved.status, 204);
      assert.ok((await newIn(alice, room)).includes(number));
    }
    assert.equal((await alice('r/_MAIL_/new?mailto=bob', { method: 'PUT', body: 'sent' })).status, 201);
    const news = (await (await alice('a/news')).json()) as { room: string }[];
    for (const room of ['Trash', 'Archive', 'Drafts', 'Sent Items']) {
      assert.ok(!news.some((each) => each.room === room), room);
    }
  }
});
