// Attacks on what each may have a share of.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { deliverSome, pendingDeliveries, queueDelivery } from '../../src/backend/content/scheduling.ts';
import { Chats } from '../../src/backend/session/notices.ts';
import { deliverInstant, takesMessageOf } from '../../src/backend/session/session.ts';
import { makeSessionKey, storeAppPassword } from '../../src/backend/store/keys.ts';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { localLocks } from '../../src/fleet/locks.ts';
import { openLocalUploads, UPLOAD_BOUNDS } from '../../src/fleet/uploads.ts';
import { Spools } from '../../src/gateway/spools.ts';
import { Outgoing } from '../../src/http/outgoing.ts';
import {
  MAX_CHATTED_LINES,
  MAX_INSTANT_MESSAGES,
  MAX_PENDING_DELIVERIES,
  MAX_ROOMS_PER_USER,
} from '../../src/limits/backend.ts';
import { MAX_LOCKS_PER_USER } from '../../src/limits/dav.ts';
import {
  MAX_EVENT_STREAMS_PER_USER,
  MAX_PACKED_STREAMS,
  MAX_SPOOLED_BODIES_PER_USER,
  MAX_WAITING_INSTANT_CHARS,
} from '../../src/limits/http.ts';
import {
  MAX_APP_PASSWORDS_PER_USER,
  MAX_LOGIN_FAILURES,
  MAX_SESSION_KEYS_PER_USER,
  MAX_UPLOADS_PER_USER,
} from '../../src/limits/sessions.ts';
import { setBounds } from '../../src/limits/settable.ts';
import { InstantMailbox } from '../../src/room-server/instant-mailbox.ts';
import { WATCH_TIMES } from '../../src/room-server/watch/watch.ts';
import { Watches } from '../../src/room-server/watch/watches.ts';
import { BoundedMap } from '../../src/system/bounded-map.ts';
import { ConnectionSlots, type SlotUser } from '../../src/system/connection-slots.ts';
import { localThrottle } from '../../src/system/throttle.ts';
import { type Attack, attackShare, MANY, type Outcome, type Who } from './attacks.ts';
import { startFollowing } from './followers.ts';
import type { Ending } from './gateway.ts';
import { messageWorld } from './message-session.ts';
import { startRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

async function folderFor(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'attack-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

function peopleIn(t: Ending) {
  const w = messageWorld(t as TestContext);
  const users = { mallory: w.user('mallory'), ann: w.user('ann'), bob: w.user('bob') };
  const lobby = w.room('Lobby');
  return { w, users, sessionOf: (who: keyof typeof users) => w.session(users[who], lobby) };
}

async function attackSessions(t: Ending): Promise<Outcome> {
  const { server } = await startRoomServer(t, { users: { mallory: 4, ann: 4 } });
  const listener = await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listener.address() as { port: number };
  const most = 5;
  setBounds({ 'line-sessions-of-account': most });
  const clients: WireClient[] = [];
  return attackShare({
    most,
    async take(who) {
      const client = await WireClient.login({ host: '127.0.0.1', port }, who, `${who}pw`);
      clients.push(client);
    },
  });
}

async function attackGuesses(): Promise<Outcome> {
  const throttle = localThrottle();
  const keys = (who: Who) => ['account:ann', `address:192.0.2.${who.length}`];
  await throttle.check(keys('ann'));
  await throttle.succeeded(keys('ann')); // she has been there before
  return attackShare({
    most: MAX_LOGIN_FAILURES,
    async take(who) {
      if ((await throttle.check(keys(who))) > 0) return false;
      await (who === 'ann' ? throttle.succeeded(keys(who)) : throttle.failed(keys(who)));
      return true;
    },
  });
}

async function attackInstantMemory(): Promise<Outcome> {
  const pool = { takeInstantMessages: async () => [], listenForInstantMessages: () => () => {} };
  const mailbox = new InstantMailbox(pool as never);
  const CHARS = 100_000;
  const send = (sender: Who, owner: string, n: number) => {
    const text = (sender === 'ann' ? 'hello' : 'x'.repeat(CHARS)) + n;
    const message = { id: `${sender}${n}`, time: 1, sender, address: '', isBroadcast: false, text };
    mailbox.hear({ from: 'elsewhere', owner, come: [message], taken: [] });
  };
  const bob = { user: 'bob', password: '' };
  const heard: { owner: string }[] = [];
  const other = new InstantMailbox(
    { ...pool, takeInstantMessages: async () => [{ text: '0|1|0|x|n|a', lines: ['x'] }] } as never,
    async (change) => void heard.push(change),
  );
  await other.take(bob);
  const { owner } = heard[0]!;
  send('ann', owner, 0);
  for (let n = 0; n < (3 * MAX_WAITING_INSTANT_CHARS) / CHARS; n++) send('mallory', `victim ${n}`, n);
  const texts = (await mailbox.take(bob)).map(({ text }) => text);
  if (texts[0] !== 'hello0') throw new Error('her message is gone');
  return { waited: 0, begunAfterGone: 0 };
}

async function attackChats(): Promise<Outcome> {
  const chats = new Chats();
  const [lobby, ...rooms] = Array.from({ length: 1000 }, () => ({}) as StoredRoom);
  for (let n = 0; n < 100; n++) chats.say(lobby!, 'ann', [String(n)]);
  for (const room of rooms)
    chats.say(room, 'mallory', Array(Math.ceil((2 * MAX_CHATTED_LINES) / rooms.length)).fill('x'));
  if (chats.lineAfter(lobby!, 0)?.text !== '0') throw new Error('her lines are gone');
  return { waited: 0, begunAfterGone: 0 };
}

async function attackCaches(): Promise<Outcome> {
  const cache = new BoundedMap<string, number>(10);
  let made = 0;
  const get = (key: string) => {
    const known = cache.get(key);
    if (known === undefined) cache.set(key, ++made);
    return cache.get(key);
  };
  get('ann');
  for (let n = 0; n < MANY; n++) get(`mallory ${n}`);
  made = 0;
  if (get('ann') === undefined || made > 1) throw new Error('made more than once');
  return { waited: 0, begunAfterGone: 0 };
}

export const SHARE_ATTACKS = {
  connections: () => {
    const slots = new ConnectionSlots({ max: () => 2 * MANY, maxPerClient: MANY, displaceAfterMs: 1e9 });
    return attackShare({
      most: MANY,
      take(who) {
        const user: SlotUser = { address: who, client: who, since: 0, loggedIn: 1, close() {} };
        return slots.enter(user, true) === undefined;
      },
    });
  },
  sessions: attackSessions,
  guesses: attackGuesses,
  answers: async () => {
    const outgoing = new Outgoing(100, 100);
    const open = new AbortController().signal;
    const leaving = new AbortController();
    const take = (who: Who, gone: AbortSignal) => outgoing.enter({ turnKey: who, gone }, new Uint8Array(10), 10);
    const held = await Promise.all(Array.from({ length: 5 }, () => take('mallory', leaving.signal)));
    const waiting = Array.from({ length: MANY }, () => take('mallory', leaving.signal).catch(() => 'refused'));
    await take('ann', open);
    leaving.abort(new Error('left'));
    const ends = await Promise.all(waiting);
    for (const { leave } of held) leave();
    if (outgoing.bytes.held !== 10 || outgoing.bytes.waiting !== 0) throw new Error('something of his is kept');
    return { waited: 0, begunAfterGone: ends.filter((end) => end !== 'refused').length };
  },
  compression: async () => {
    const outgoing = new Outgoing();
    for (let n = 0; n < MAX_PACKED_STREAMS; n++) outgoing.enterPackedStream();
    if (outgoing.enterPackedStream() !== undefined) throw new Error('it has no bound');
    return { waited: 0, begunAfterGone: 0 };
  },
  bodies: async (t) => {
    const spools = new Spools(await folderFor(t), 1e9);
    return attackShare({
      most: MAX_SPOOLED_BODIES_PER_USER,
      take: (who) => spools.take(who, (async function* () {})()),
    });
  },
  uploads: async (t) => {
    const uploads = await openLocalUploads(await folderFor(t), { ...UPLOAD_BOUNDS, bytes: 100 });
    const record = { uploadfilename: 'x', contenttype: 'text/plain' };
    return attackShare({
      most: MAX_UPLOADS_PER_USER,
      take: (who) =>
        uploads.add(who, record, async (path, maxBytes) => {
          await writeFile(path, 'x'.repeat(Math.min(10, maxBytes)));
          return Math.min(10, maxBytes);
        }),
    });
  },
  streams: async (t) => {
    const { pool } = await startFollowing(t as TestContext, false);
    const watches = new Watches(pool, new InstantMailbox(pool), WATCH_TIMES, 2 * MAX_EVENT_STREAMS_PER_USER);
    t.after(() => watches.close());
    const names = { mallory: 'bob', ann: 'ann' };
    return attackShare({
      most: MAX_EVENT_STREAMS_PER_USER,
      take: (who) => watches.follow({ user: names[who], password: `${names[who]}pw` }, {}),
    });
  },
  locks: () => {
    const locks = localLocks();
    let n = 0;
    const lock = { collection: 'c', isShared: false, isDeep: false, ownerXml: '' };
    return attackShare({
      most: MAX_LOCKS_PER_USER,
      take: async (account) => 'taken' in (await locks.add({ ...lock, account, name: `n${n++}` }, 60)),
    });
  },
  appPasswords: async (t) => {
    const { w, users } = peopleIn(t);
    return attackShare({
      most: MAX_APP_PASSWORDS_PER_USER,
      take: (who) => storeAppPassword(w.store, { user: users[who].id, name: 'x', scope: 'feed', room: 1 }),
    });
  },
  sessionKeys: async (t) => {
    const { w, users } = peopleIn(t);
    makeSessionKey(w.store, users.ann.id);
    const count = () => Number(w.store.get`SELECT count(*) AS n FROM session_key WHERE user = ${users.ann.id}`!.n);
    for (let n = 0; n < MAX_SESSION_KEYS_PER_USER + MANY; n++) makeSessionKey(w.store, users.mallory.id);
    if (count() !== 1) throw new Error('hers has ended');
    return { waited: 0, begunAfterGone: 0 };
  },
  rooms: async (t) => {
    setBounds({ 'rooms-of-user': 10 });
    const { socketPath } = await startRoomServer(t, { users: { mallory: 4, ann: 4 } });
    const [mallory, ann] = await Promise.all(
      ['mallory', 'ann'].map((who) => WireClient.login(socketPath, who, `${who}pw`)),
    );
    let n = 0;
    return attackShare({
      most: MAX_ROOMS_PER_USER,
      take: async (who) => (await (who === 'ann' ? ann : mallory)!.text(`CRE8 1|${who} ${n++}|0`)).startsWith('200'),
    });
  },
  invitations: async (t) => {
    const { w, users } = peopleIn(t);
    const recipients = Array(MAX_PENDING_DELIVERIES).fill(users.bob.id);
    w.store.transaction(() => {
      for (const recipient of recipients) {
        queueDelivery(w.store, { sender: users.mallory.id, text: '', recipients: [recipient], isRefresh: false });
      }
    });
    // a guest replies to her events again and again, which tells the other guests
    const told = { sender: users.ann.id, text: '', recipients: [users.bob.id], isRefresh: true };
    w.store.transaction(() => recipients.forEach(() => void queueDelivery(w.store, told)));
    const left = (who: Who) => MAX_PENDING_DELIVERIES - pendingDeliveries(w.store, users[who].id, 1e9);
    if (left('mallory') > 0 || left('ann') < MAX_PENDING_DELIVERIES) throw new Error('charged to another');
    const queued = () =>
      Number(w.store.get`SELECT count(*) AS n FROM scheduling_message WHERE sender = ${users.ann.id}`!.n);
    const before = queued();
    let waited = 0;
    while (queued() === before) {
      deliverSome(w.store, () => true);
      waited++;
    }
    return { waited: waited - 1, begunAfterGone: 0 };
  },
  instantMessages: async (t) => {
    const { sessionOf } = peopleIn(t);
    const bob = sessionOf('bob');
    return attackShare({
      most: MAX_INSTANT_MESSAGES / 2,
      wants: MAX_INSTANT_MESSAGES / 2,
      take(who) {
        const isTaken = takesMessageOf(sessionOf(who), bob);
        deliverInstant(sessionOf(who), [bob], 'x', 0);
        return isTaken;
      },
    });
  },
  instantMemory: attackInstantMemory,
  chat: attackChats,
  caches: attackCaches,
} satisfies Record<string, Attack>;
