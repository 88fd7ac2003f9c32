// What every driver of a room server does (decision 18): a case for each method of the interface, run on the embedded
// server and on one that behaves as a real Citadel does. What a server lacks has to be refused with the error that it
// declares. With CITADEL_URL (unix:/path, users alice/alicepw and bob/bobpw) it runs on a real one, too.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { ACCESS, VIEW } from '../../src/model.ts';
import type { Connection } from '../../src/room-server/connection/connection.ts';
import type { RoomRef } from '../../src/room-server/connection/goto.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { serverOf } from '../../src/room-server/driver.ts';
import { readSmallPart } from '../../src/room-server/message-content.ts';
import { moveMany, type Posting } from '../../src/room-server/posting.ts';
import { createPersonalRoom } from '../../src/room-server/room-admin.ts';
import { listRooms } from '../../src/room-server/rooms.ts';
import type { Capability, RoomServer, SearchQuestion } from '../../src/room-server/server.ts';
import { startRealServer } from '../support/real-server.ts';
import { startRoomServer } from '../support/room-server.ts';

const ALICE = { user: 'alice', password: 'alicepw' };
const users = { alice: 4, bob: 4 };
const MAX_BYTES = 100_000;

interface World {
  name: string;
  pool: Pool;
  server: RoomServer;
  /** its bound of a message is MAX_BYTES */
  isBounded: boolean;
}

const poolAt = (path: string, isEmbedded = false) => {
  const pool = new Pool({ target: { path }, clientName: 'test', clientVersion: '1', isEmbedded });
  after(() => pool.close());
  return pool;
};

async function worlds(): Promise<World[]> {
  const embedded = await startRoomServer({ after }, { users });
  embedded.store.setConfig('c_maxmsglen', String(MAX_BYTES));
  const standIn = await startRealServer({ after }, { users, maxMessageBytes: MAX_BYTES });
  const pools: [name: string, pool: Pool][] = [
    ['the embedded server', poolAt(embedded.socketPath, true)],
    ['an embedded server behind an address', poolAt(embedded.socketPath)],
    ['an ordinary server', poolAt(standIn.path)],
  ];
  const real = process.env.CITADEL_URL;
  if (real !== undefined) pools.push(['a real one', poolAt(real.slice('unix:'.length))]);
  return Promise.all(
    pools.map(async ([name, pool]) => {
      return { name, pool, server: await serverOf(pool, ALICE), isBounded: name !== 'a real one' };
    }),
  );
}

async function newRoom({ pool }: World, view: number = VIEW.board): Promise<RoomRef> {
  const name = `Room ${randomUUID().slice(0, 8)}`;
  await createPersonalRoom(pool, ALICE, name, view);
  return { name, password: '' };
}

const PLAIN: Posting = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };

async function post(
  { pool, server }: World,
  room: RoomRef,
  text: string,
  { type = 'text/plain', name = '', ...posting }: Partial<Posting> & { type?: string; name?: string } = {},
): Promise<number> {
  const naming = name === '' ? '' : `X-Vestibule-Name: ${name}\n`;
  async function* body() {
    yield Buffer.from(`Content-type: ${type}\n${naming}\n${text}\n`);
  }
  const posted = await pool.withRoom(ALICE, room, (connection) =>
    server.messages.post(connection, { ...PLAIN, ...posting }, body()),
  );
  return posted.msgnum;
}

const inRoom = <T>({ pool }: World, room: RoomRef, use: (connection: Connection) => Promise<T>): Promise<T> =>
  pool.withRoom(ALICE, room, use);

/** Does it, or has it refused as the server declares. */
async function unlessLacking({ server }: World, capability: Capability, does: () => Promise<unknown>): Promise<void> {
  const lack = server.lacks[capability];
  if (!lack) await does();
  else
    await assert.rejects(
      does(),
      (error) => error instanceof AppError && error.code === lack[0] && error.message === lack[1],
    );
}

const event = (uid: string) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y', 'BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z']
    .concat('DTSTART:20260102T100000Z', 'DURATION:PT1H', 'SUMMARY:s', 'END:VEVENT', 'END:VCALENDAR')
    .join('\n');
const card = (uid: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, 'FN:Ann Example', 'N:Example;Ann;;;', 'X-OWN:1', 'END:VCARD'].join('\n');
const CALENDAR = { type: 'text/calendar' };

/** A word that nothing else holds. */
const newWord = () => `w${randomUUID().replaceAll('-', '').slice(0, 12)}`;
const question = (words: string): SearchQuestion => ({
  ...{ words, room: '', author: '', since: 0, until: 0, hasFiles: false, isLastBegun: false },
  views: [],
});

/** A files room with a file and a folder that holds another one. */
async function filesIn(world: World): Promise<{ room: RoomRef; file: number }> {
  const room = await newRoom(world, VIEW.files);
  const file = await post(world, room, 'hello', { name: 'a.txt' });
  await post(world, room, '', { name: 'folder/' }).catch(() => 0);
  await post(world, room, 'inner', { name: 'folder/b.txt' });
  return { room, file };
}

/** A case in a room whose members have names. */
const named = (use: (world: World, at: { room: RoomRef; file: number }) => Promise<unknown>) => (world: World) =>
  unlessLacking(world, 'memberNames', async () =>
    use(
      world,
      world.server.lacks.memberNames ? { room: { name: 'Calendar', password: '' }, file: 1 } : await filesIn(world),
    ),
  );

const SIGNER = { sign: () => Buffer.alloc(32, 1), isSigned: () => true };
const at = ({ pool }: World, room: RoomRef) => ({ pool, identity: ALICE, room });

const namesIn = async (world: World, room: RoomRef) => {
  const { members } = await world.server.members.list(at(world, room), { isDeep: true }, SIGNER);
  return (await Array.fromAsync(members))
    .flat()
    .map(({ name }) => name)
    .sort();
};

/** A room with one file. */
async function withFile(world: World) {
  const room = await newRoom(world, world.server.rooms.folderView);
  const file = await post(world, room, 'hello', { name: 'a.txt', subject: 'a.txt' });
  return { at: at(world, room), room, file, members: world.server.members };
}

const boxed = (use: (world: World) => Promise<unknown>) => (world: World) =>
  unlessLacking(world, 'scheduling', () => use(world));
const withApps = (use: (world: World) => Promise<unknown>) => (world: World) =>
  unlessLacking(world, 'appPasswords', () => use(world));
const onConnection = <T>({ pool }: World, use: (connection: Connection) => Promise<T>) =>
  pool.withConnection(ALICE, use);

type Case = (world: World) => Promise<unknown>;
type Groups = Omit<RoomServer, 'lacks'>;

/** A method without a case does not compile, nor does it pass. */
const CASES: { [G in keyof Groups]: { [M in keyof Groups[G]]: Case } } = {
  rooms: {
    folderView: async (world) => {
      const room = await newRoom(world, world.server.rooms.folderView);
      const { entered } = await world.pool.readInRoom(ALICE, room, []);
      assert.equal(entered.defaultView, world.server.rooms.folderView);
    },
    read: async (world) => {
      const room = await newRoom(world);
      await post(world, room, 'x');
      const { entered, hasInfo, isForgotten } = await world.server.rooms.read(world.pool, ALICE, room);
      assert.deepEqual([entered.name, entered.totalMessages, hasInfo, isForgotten], [room.name, 1, false, false]);
    },
    setForgotten: async (world) => {
      const room = await newRoom(world);
      const isForgotten = async () => (await world.server.rooms.read(world.pool, ALICE, room)).isForgotten;
      const isKnown = async () =>
        (await listRooms(world.pool, ALICE)).some(
          ({ name, access }) => name === room.name && (access & ACCESS.known) !== 0,
        );
      assert.equal(await isForgotten(), false);
      for (const wanted of [true, false]) {
        await world.server.rooms.setForgotten(world.pool, ALICE, room, wanted);
        assert.deepEqual([await isForgotten(), await isKnown()], [wanted, !wanted]);
      }
    },
    withNews: async ({ pool, server }) => {
      const rows = await listRooms(pool, ALICE);
      assert.deepEqual(await server.rooms.withNews(pool, ALICE, rows), rows);
    },
    counts: async (world) => {
      const room = await newRoom(world);
      await post(world, room, 'x');
      const counts = await world.server.rooms.counts(world.pool, ALICE);
      if (counts.size > 0) assert.equal(counts.get(room.name)?.total, 1);
    },
    isNeeded: async (world) => {
      const { entered } = await world.pool.readInRoom(ALICE, await newRoom(world), []);
      assert.equal(await world.server.rooms.isNeeded(world.pool, ALICE, entered), false);
    },
    finish: async ({ pool, server }) => {
      const name = `Room ${randomUUID().slice(0, 8)}`;
      await createPersonalRoom(pool, ALICE, name, VIEW.board, !server.lacks.unfinishedRooms);
      await server.rooms.finish(pool, ALICE, name);
      assert.equal((await pool.readInRoom(ALICE, { name, password: '' }, [])).entered.name, name);
    },
  },
  messages: {
    keepsCards: async (world) => {
      const room = await newRoom(world, VIEW.addressBook);
      const msgnum = await post(world, room, card(randomUUID()), { type: 'text/vcard' });
      const { bytes } = await readSmallPart(world.pool, ALICE, room, msgnum, '1');
      if (world.server.messages.keepsCards) assert.match(String(bytes), /X-OWN:1/);
    },
    requireWhole: async (world) => {
      if (!world.isBounded) return;
      const room = await newRoom(world);
      const before = (await world.pool.readInRoom(ALICE, room, [])).entered;
      const text = `${'x'.repeat(70)}\n`.repeat(MAX_BYTES / 50);
      const store = async () => {
        const msgnum = await post(world, room, text);
        const sent = { header: 26, total: 26 + text.length, attachments: 0, isAsPut: false, isMail: false };
        await inRoom(world, room, (connection) =>
          world.server.messages.requireWhole(connection, before, msgnum, sent, () => {}),
        );
      };
      await assert.rejects(store(), { code: 'too_large' });
    },
    keepingMarks: async (world) => {
      const { pool, server } = world;
      const [from, to] = [await newRoom(world), await newRoom(world)];
      const msgnum = await post(world, from, 'x');
      await server.messages.setSeen(pool, ALICE, from, msgnum, true);
      const move = () => inRoom(world, from, (connection) => moveMany(connection, [msgnum], to.name));
      await server.messages.keepingMarks(at(world, from), [msgnum], to, move);
      assert.equal((await server.messages.head(pool, ALICE, to, msgnum, true)).seen, true);
    },
    moveMany: async (world) => {
      const { pool, server } = world;
      const [from, to] = [await newRoom(world), await newRoom(world)];
      const msgnum = await post(world, from, 'x');
      await server.messages.moveMany(at(world, from), [msgnum, 999_999], to.name, async () => false);
      assert.deepEqual(await server.messages.numbers(pool, ALICE, to, { kind: 'all' }), [msgnum]);
    },
    isLostByReference: async ({ server }) => {
      const head = { fields: new Map([['exti', 'u']]), headers: [] };
      assert.equal(server.messages.isLostByReference(head, { defaultView: VIEW.board }), false);
    },
    numbers: async (world) => {
      const { pool, server } = world;
      const room = await newRoom(world);
      const [first, second, third] = [
        await post(world, room, 'a'),
        await post(world, room, 'b'),
        await post(world, room, 'c'),
      ];
      const numbers = (selector: Parameters<typeof server.messages.numbers>[3]) =>
        server.messages.numbers(pool, ALICE, room, selector);
      assert.deepEqual(await numbers({ kind: 'all' }), [first, second, third]);
      assert.deepEqual(await numbers({ kind: 'first', number: 1 }), [first]);
      assert.deepEqual(await numbers({ kind: 'last', number: 2 }), [second, third]);
      assert.deepEqual(await numbers({ kind: 'gt', number: first }), [second, third]);
      assert.deepEqual(await numbers({ kind: 'lt', number: third }), [first, second]);
      await server.messages.setSeen(pool, ALICE, room, first, true);
      await server.messages.setSeen(pool, ALICE, room, second, false);
      assert.ok((await numbers({ kind: 'new' })).includes(second));
      assert.ok((await numbers({ kind: 'old' })).includes(first));
    },
    page: async (world) => {
      const room = await newRoom(world);
      const numbers = [await post(world, room, 'a'), await post(world, room, 'b'), await post(world, room, 'c')];
      const page = { above: 0, below: 0, limit: 2, isFromEnd: true, isUnreadOnly: false, isDetailed: true };
      const { entered, rows } = await world.server.messages.page(world.pool, ALICE, room, page);
      assert.deepEqual(
        [entered.name, rows.map(({ msgnum, from }) => [msgnum, from])],
        [room.name, numbers.slice(1).map((msgnum) => [msgnum, 'alice'])],
      );
    },
    list: async (world) => {
      const room = await newRoom(world);
      const numbers = [await post(world, room, 'a'), await post(world, room, 'b'), await post(world, room, 'c')];
      const slice = { above: numbers[0]!, limit: Number.POSITIVE_INFINITY };
      const { first, rest } = await world.server.messages.list(world.pool, ALICE, room, slice);
      const more = rest ? (await Array.fromAsync(rest)).flat() : [];
      assert.deepEqual(
        [...first.rows, ...more].map(({ msgnum }) => msgnum),
        numbers.slice(1),
      );
    },
    euids: async (world) => {
      const room = await newRoom(world, VIEW.calendar);
      const uid = randomUUID();
      const msgnum = await post(world, room, event(uid), CALENDAR);
      const { rows } = await world.server.messages.euids(world.pool, ALICE, room);
      assert.deepEqual(
        rows.map((row) => [row.msgnum, row.euid]),
        [[msgnum, uid]],
      );
    },
    head: async (world) => {
      const room = await newRoom(world);
      const msgnum = await post(world, room, 'x', { subject: 'About' });
      const head = await world.server.messages.head(world.pool, ALICE, room, msgnum, true);
      assert.deepEqual([head.fields.get('subj'), head.parts.length, typeof head.seen], ['About', 1, 'boolean']);
      await assert.rejects(world.server.messages.head(world.pool, ALICE, room, 999_999), { code: 'not_found' });
    },
    liveFields: async (world) => {
      const room = await newRoom(world);
      const msgnum = await post(world, room, 'x', { subject: 'About' });
      const { fields, entered } = await world.server.messages.liveFields(world.pool, ALICE, room, msgnum);
      assert.deepEqual([fields.get('subj'), entered.name], ['About', room.name]);
    },
    isHidden: async ({ server }) => {
      assert.equal(server.messages.isHidden({ defaultView: VIEW.wiki }, 'home'), false);
      assert.equal(server.messages.isHidden({ defaultView: VIEW.board }, 'home_HISTORY_'), false);
    },
    requireShown: async (world) => {
      const room = await newRoom(world);
      const msgnum = await post(world, room, 'x');
      const { entered } = await world.pool.readInRoom(ALICE, room, []);
      await inRoom(world, room, (connection) => world.server.messages.requireShown(connection, entered, msgnum));
    },
    post: async (world) => {
      const room = await newRoom(world);
      const msgnum = await post(world, room, 'x', { isRead: true });
      assert.equal((await world.server.messages.head(world.pool, ALICE, room, msgnum, true)).seen, true);
      await assert.rejects(post(world, { name: 'Nowhere', password: '' }, 'x'), { code: 'not_found' });
    },
    setSeen: async (world) => {
      const { pool, server } = world;
      const room = await newRoom(world);
      const msgnum = await post(world, room, 'x');
      for (const isSeen of [true, false]) {
        await server.messages.setSeen(pool, ALICE, room, msgnum, isSeen);
        assert.equal((await server.messages.head(pool, ALICE, room, msgnum, true)).seen, isSeen);
      }
      await assert.rejects(server.messages.setSeen(pool, ALICE, room, 999_999, true), { code: 'not_found' });
    },
    markMany: async (world) => {
      const { pool, server } = world;
      const room = await newRoom(world);
      const numbers = [await post(world, room, 'a'), await post(world, room, 'b')];
      await inRoom(world, room, (connection) => server.messages.markMany(connection, numbers, true));
      assert.deepEqual(await server.messages.numbers(pool, ALICE, room, { kind: 'old' }), numbers);
    },
    hiddenVersions: async ({ server }) => {
      const versions = [{ uuid: 'u', time: 1, author: 'ann' }];
      assert.deepEqual(server.messages.hiddenVersions({ flags: 0 }, versions), versions);
    },
  },
  members: {
    open: async (world) => {
      const { at, members } = await withFile(world);
      assert.match((await members.open(at, SIGNER)).token, /^data:,/);
    },
    list: async (world) => {
      const { room } = await withFile(world);
      assert.deepEqual(await namesIn(world, room), ['a.txt']);
    },
    changesSince: async (world) => {
      const { at, room, members } = await withFile(world);
      const { token } = await members.open(at, SIGNER);
      await post(world, room, 'x', { name: 'c.txt', subject: 'c.txt' });
      const changes = await members.changesSince(at, token, SIGNER);
      const changed = (await Array.fromAsync(changes!.changed)).flat();
      assert.deepEqual([changed.map(({ name }) => name), changes!.removed], [['c.txt'], []]);
    },
    find: async (world) => {
      const { at, file, members } = await withFile(world);
      const found = await members.find(at, ['a.txt', 'none']);
      assert.deepEqual(
        found.map((each) => each?.msgnum),
        [file, undefined],
      );
    },
    one: async (world) => {
      const { at, file, members } = await withFile(world);
      const { msgnum, size } = await members.one(at, 'a.txt', { isSizeWanted: true });
      assert.deepEqual([msgnum, size], [file, 6]);
      await assert.rejects(members.one(at, 'none', { isSizeWanted: true }), { code: 'not_found' });
    },
    nameOf: async (world) => {
      const { at, members } = await withFile(world);
      assert.equal(await members.nameOf(at, await members.read(at, 'a.txt', {})), 'a.txt');
    },
    number: async (world) => {
      const { at, file, members } = await withFile(world);
      assert.equal(await members.number(at, 'a.txt'), file);
      await assert.rejects(members.number(at, 'none'), { code: 'not_found' });
    },
    read: async (world) => {
      const { at, file, members } = await withFile(world);
      for (const segment of ['a.txt', `|${file}`]) {
        const { msgnum, head } = await members.read(at, segment, { isSeenAsked: true });
        assert.deepEqual([msgnum, head.parts.length, typeof head.seen], [file, 1, 'boolean']);
      }
      await assert.rejects(members.read(at, 'none', {}), { code: 'not_found' });
    },
    contents: async (world) => {
      const room = await newRoom(world, VIEW.calendar);
      await post(world, room, event(randomUUID()), CALENDAR);
      const { members } = world.server;
      const [listed] = await Array.fromAsync((await members.list(at(world, room), {}, SIGNER)).members);
      const [read] = await Array.fromAsync(members.contents(at(world, room), listed!));
      assert.match(String(read![0]!.bytes), /^BEGIN:VCALENDAR/);
    },
    named: async (world) => {
      const { room, file, members } = await withFile(world);
      const { entered } = await world.pool.readInRoom(ALICE, room, []);
      const named = (name: string) => inRoom(world, room, (connection) => members.named(connection, entered, name));
      assert.deepEqual([await named('a.txt'), await named('none')], [[file], []]);
    },
    settleName: async (world) => {
      const { at, room, file, members } = await withFile(world);
      const { entered: before } = await world.pool.readInRoom(ALICE, room, []);
      const msgnum = await post(world, room, 'again', { name: 'a.txt', subject: 'a.txt' });
      const posted = { name: 'a.txt', msgnum, before, existing: [file], isConditional: false };
      assert.ok(await inRoom(world, room, (connection) => members.settleName(at, connection, posted)));
      assert.equal(await members.number(at, 'a.txt'), msgnum);
      assert.deepEqual(await namesIn(world, room), ['a.txt']);
    },
    place: named(async (world, { room, file }) => {
      const options = { isCopy: false, room: '', mayReplace: false };
      const places = [{ msgnum: file, name: 'z.txt' }];
      await inRoom(world, room, (connection) => world.server.members.place(connection, places, options));
      assert.ok((await namesIn(world, room)).includes('z.txt'));
    }),
    placeFolder: named(async (world, { room }) => {
      const options = { isCopy: true, room: '', mayReplace: false, isShallow: false };
      await inRoom(world, room, (connection) =>
        world.server.members.placeFolder(connection, 'folder/', 'other/', options),
      );
      assert.ok((await namesIn(world, room)).includes('other/b.txt'));
    }),
    removeFolder: async (world) => {
      if (world.server.rooms.folderView !== VIEW.files) return; // only a room with a directory has folders there
      const { at, room, members } = await withFile(world);
      await post(world, room, ' ', { name: 'folder/', subject: 'folder/', type: 'httpd/unix-directory' });
      await post(world, room, 'inner', { name: 'folder/b.txt', subject: 'folder/b.txt' });
      const [folder] = await members.find(at, ['folder/']);
      assert.deepEqual(await members.removeFolder(at, folder!), []);
      const names = await namesIn(world, room);
      assert.ok(names.includes('a.txt') && !names.includes('folder/'), names.join());
    },
    quota: async (world) => {
      const quota = await world.server.members.quota(world.pool, ALICE, await newRoom(world));
      assert.ok(quota === undefined || quota.available > 0);
    },
  },
  properties: {
    of: async (world) => {
      const { pool, server } = world;
      assert.deepEqual(await server.properties.of(pool, ALICE, await newRoom(world), ''), []);
    },
    all: async (world) => {
      const pages = await Array.fromAsync(world.server.properties.all(world.pool, ALICE, await newRoom(world)));
      assert.deepEqual(
        pages.flatMap((page) => [...page]),
        [],
      );
    },
    ofRooms: async (world) => {
      const room = await newRoom(world);
      const rooms = await world.server.properties.ofRooms(world.pool, ALICE);
      assert.ok(rooms === undefined || rooms.has(room.name));
    },
    change: async (world) => {
      const { pool, server } = world;
      const room = await newRoom(world);
      const property = { namespace: 'urn:x', name: 'colour', value: '<colour xmlns="urn:x">red</colour>' };
      await unlessLacking(world, 'properties', async () => {
        await inRoom(world, room, (connection) => server.properties.change(connection, '', [property]));
        assert.deepEqual(await server.properties.of(pool, ALICE, room, ''), [property]);
      });
    },
  },
  search: {
    page: async (world) => {
      const [room, word] = [await newRoom(world), newWord()];
      const msgnum = await post(world, room, word);
      const { hits, total } = await world.server.search.page(world.pool, ALICE, question(word), 0, 10);
      assert.deepEqual([hits.map((hit) => [hit.room, hit.msgnum]), total], [[[room.name, msgnum]], 1]);
    },
    everywhere: async (world) => {
      const [room, word] = [await newRoom(world), newWord()];
      const msgnum = await post(world, room, word);
      const { found } = await world.server.search.everywhere(world.pool, ALICE, word);
      assert.deepEqual(
        found.map((hit) => [hit.room, hit.msgnum]),
        [[room.name, msgnum]],
      );
    },
    inRoom: async (world) => {
      const [room, word] = [await newRoom(world), newWord()];
      const msgnum = await post(world, room, word);
      assert.deepEqual((await world.server.search.inRoom(world.pool, ALICE, room, word)).numbers, [msgnum]);
    },
  },
  accounts: {
    passwordBounds: async ({ server }) => {
      assert.ok(server.accounts.passwordBounds.user > 0 && server.accounts.passwordBounds.room > 0);
    },
    profile: async ({ pool, server }) => {
      const { name, level } = await server.accounts.profile(pool, ALICE, 'alice');
      assert.deepEqual([name, level], ['alice', 4]);
      await assert.rejects(server.accounts.profile(pool, ALICE, 'nobody'), { code: 'not_found' });
    },
    newMailSince: async (world) => {
      const { pool, server } = world;
      const { inbox, count } = await server.accounts.newMailSince(pool, ALICE, undefined);
      assert.equal(count, 0);
      await post(world, { name: 'Mail', password: '' }, 'x', { recipients: 'alice' });
      const later = await server.accounts.newMailSince(pool, ALICE, inbox);
      assert.ok(later.count === 1 && later.inbox > inbox);
    },
    suggest: async ({ pool, server }) => {
      assert.ok((await server.accounts.suggest(pool, ALICE, 'bob')).some(({ recipient }) => recipient.includes('bob')));
    },
    beginSession: async (world) => {
      const { pool, server } = world;
      const session = await onConnection(world, (connection) => server.accounts.beginSession(connection, ALICE));
      assert.equal((await pool.identify(session)).name, 'alice');
      await server.accounts.endSession(pool, session);
    },
    endSession: async (world) => {
      const { pool, server } = world;
      const session = await onConnection(world, (connection) => server.accounts.beginSession(connection, ALICE));
      for (let i = 0; i < 2; i++) await server.accounts.endSession(pool, session);
      assert.equal((await pool.identify(ALICE)).name, 'alice');
    },
    makeAppPassword: withApps(async (world) => {
      const made = await onConnection(world, (connection) =>
        world.server.accounts.makeAppPassword(connection, 'dav', 'phone'),
      );
      assert.ok(made.id > 0 && made.secret !== '');
    }),
    listAppPasswords: withApps(async (world) => {
      const { accounts } = world.server;
      const name = newWord();
      await onConnection(world, (connection) => accounts.makeAppPassword(connection, 'dav', name));
      const rows = await onConnection(world, (connection) => accounts.listAppPasswords(connection));
      assert.equal(rows.at(-1)?.name, name);
    }),
    endAppPassword: withApps((world) =>
      onConnection(world, async (connection) => {
        const { accounts } = world.server;
        const { id } = await accounts.makeAppPassword(connection, 'dav', 'old');
        await accounts.endAppPassword(connection, id);
        assert.ok(!(await accounts.listAppPasswords(connection)).some((row) => row.id === id));
      }),
    ),
  },
  scheduling: {
    prepare: boxed((world) =>
      inRoom(world, { name: 'Calendar', password: '' }, async (connection) => {
        const text = `${event('u').replace('VERSION', 'METHOD:REQUEST\nVERSION')}\n`;
        const messages = [{ recipients: ['mailto:nobody@elsewhere'], text }];
        const statuses = await world.server.scheduling.prepare(connection, 'u', true, 0, messages);
        assert.deepEqual([...statuses.keys()], ['mailto:nobody@elsewhere']);
        await world.server.scheduling.drop(connection);
      }),
    ),
    drop: boxed((world) => onConnection(world, (connection) => world.server.scheduling.drop(connection))),
    tags: async (world) => {
      assert.equal((await world.server.scheduling.tags(at(world, await newRoom(world, VIEW.calendar)))).size, 0);
    },
    tagOf: async (world) => {
      const tag = await world.server.scheduling.tagOf(at(world, await newRoom(world, VIEW.calendar)), 999_999);
      assert.equal(tag, world.server.lacks.scheduling && '"999999"');
    },
    invitations: async (world) => {
      const room = await newRoom(world, VIEW.calendar);
      await post(world, room, event(randomUUID()), CALENDAR);
      assert.deepEqual(await world.server.scheduling.invitations(at(world, room), 5), []);
    },
    find: async ({ pool, server }) => {
      assert.equal(await server.scheduling.find(pool, ALICE, randomUUID()), undefined);
    },
    placeFor: async ({ pool, server }) => {
      for (const [isTask, room] of [
        [false, 'Calendar'],
        [true, 'Tasks'],
      ] as const) {
        const place = await server.scheduling.placeFor(pool, ALICE, randomUUID(), isTask);
        assert.deepEqual(place, { room, msgnum: undefined });
      }
    },
    inboxRoom: boxed(async ({ pool, server }) => {
      assert.notEqual(await server.scheduling.inboxRoom(pool, ALICE), '');
    }),
    defaultCalendar: boxed(async ({ pool, server }) => {
      assert.equal(await server.scheduling.defaultCalendar(pool, ALICE), 'Calendar');
    }),
    setDefaultCalendar: boxed(async ({ pool, server }) => {
      await server.scheduling.setDefaultCalendar(pool, ALICE, 'Calendar');
      await assert.rejects(server.scheduling.setDefaultCalendar(pool, ALICE, 'Mail'), { code: 'conflict' });
    }),
    busyTimes: async ({ pool, server }) => {
      const range = { start: 1_780_000_000, end: 1_780_003_600 };
      const found = await server.scheduling.busyTimes(pool, ALICE, range, ['mailto:nobody@elsewhere']);
      assert.deepEqual(
        found.map(({ address, periods }) => [address, periods]),
        [['mailto:nobody@elsewhere', []]],
      );
      assert.notEqual(found[0]!.status, '2.0');
    },
  },
  events: {
    hasOurClock: async ({ pool, server }) => {
      assert.equal(server.events.hasOurClock(pool), pool.isEmbedded);
    },
    above: async (world) => {
      const room = await newRoom(world);
      const [first, second] = [await post(world, room, 'a'), await post(world, room, 'b')];
      const { listed, highest } = await world.server.events.above(world.pool, ALICE, room, first);
      assert.deepEqual([listed.includes(second), highest], [true, second]);
    },
  },
};

for (const world of await worlds()) {
  describe(`${world.name} does what is asked of`, () => {
    const { lacks: _, ...groups } = world.server;
    for (const [group, methods] of Object.entries(groups)) {
      const cases = CASES[group as keyof Groups] as Readonly<Record<string, Case>>;
      for (const method of Object.keys(methods)) {
        it(`${group}.${method}`, async () => {
          assert.ok(cases[method], 'no case for it');
          await cases[method](world);
        });
      }
    }
  });
}
