// Session keys on the wire: what SKEY gives, what a key is good for, and everything that ends it.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sweepSome } from '../../../../../src/backend/maintenance/removal.ts';
import { sweepSessionKeys } from '../../../../../src/backend/store/keys.ts';
import { openStore, type Store } from '../../../../../src/backend/store/store.ts';
import { RoomServer } from '../../../../../src/backend/wire/server.ts';
import {
  MAX_SESSION_KEYS_PER_USER,
  SESSION_KEY_NOTE_SECONDS,
  SESSION_KEYS_SWEPT_AT_ONCE,
  SESSION_RENEW_SECONDS,
  SESSION_SECONDS,
  sessionKeySeconds,
} from '../../../../../src/limits/sessions.ts';
import { startRoomServer } from '../../../../support/room-server.ts';
import { WireClient } from '../../../../support/wire-client.ts';

const NO_KEY = '540 This session key is not good, or no longer.';

async function world(t: TestContext) {
  const rooms = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const { socketPath, adminSocketPath, store } = rooms;
  const byPassword = (name = 'ann', password = `${name}pw`) => WireClient.login(socketPath, name, password);
  const newKey = async (client: WireClient) => (await client.expect('SKEY new', 200)).line.slice(4);
  const byKey = async (key: string) => {
    const client = await WireClient.connect(socketPath);
    await client.expect(`SKEY login|${key}`, 200);
    return client;
  };
  const tryKey = async (key: string) => {
    const client = await WireClient.connect(socketPath);
    const { line } = await client.ask(`SKEY login|${key}`);
    client.close();
    return line;
  };
  const console = () => WireClient.connect(adminSocketPath);
  const count = () => Number(store.db.prepare('SELECT count(*) AS n FROM session_key').get()!.n);
  return { ...rooms, byPassword, newKey, byKey, tryKey, console, count };
}

/** As if the key had been made, or noted to be used, so long ago. */
function age(store: Store, key: string, seconds: number): void {
  const time = Math.floor(Date.now() / 1000) - seconds;
  store.db.prepare('UPDATE session_key SET used = ? WHERE hash = ?').run(time, hash('sha256', key, 'base64url'));
}

function usedOf(store: Store, key: string): number {
  const row = store.db.prepare('SELECT used FROM session_key WHERE hash = ?').get(hash('sha256', key, 'base64url'));
  return Number(row?.used);
}

describe('a session key', () => {
  it('logs in as the password does, and is another one each time', async (t) => {
    const { byPassword, newKey, socketPath } = await world(t);
    const ann = await byPassword();
    const [one, two] = [await newKey(ann), await newKey(ann)];
    assert.match(one, /^[\w-]{43}$/, '256 bits');
    assert.notEqual(one, two);
    for (const key of [one, two, one]) {
      const client = await WireClient.connect(socketPath);
      assert.match((await client.ask(`SKEY login|${key}`)).line, /^200 ann\|4\|0\|0\|10768\|2\|\d+$/);
      await client.expect('GOTO Mail', 200);
      await client.expect('SKEY login|x', 541);
    }
  });

  it('is kept as a hash only: nothing on the disk has it', async (t) => {
    const { byPassword, newKey, byKey, folder, count } = await world(t);
    const key = await newKey(await byPassword());
    await byKey(key);
    assert.equal(count(), 1);
    const bytes = ['vestibule.db', 'vestibule.db-wal'].map((name) => readFileSync(join(folder, name), 'latin1')).join();
    assert.ok(bytes.includes(hash('sha256', key, 'base64url')), 'its hash is there');
    for (const secret of [key, Buffer.from(key, 'base64url').toString('latin1')]) assert.ok(!bytes.includes(secret));
  });

  it('is nobody’s when it is guessed, cut, longer, a hash, or nothing', async (t) => {
    const { byPassword, newKey, tryKey } = await world(t);
    const key = await newKey(await byPassword());
    const other = key.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const wrong of ['', 'x', other, key.slice(1), `${key}A`, ` ${key}`, hash('sha256', key, 'base64url'), '%'])
      assert.equal(await tryKey(wrong), NO_KEY, wrong);
    assert.match(await tryKey(key), /^200 ann/);
  });

  it('is for those who have logged in by password: a stolen key gives neither a second nor a password', async (t) => {
    const { byPassword, newKey, byKey, socketPath, console, count } = await world(t);
    await (await WireClient.connect(socketPath)).expect('SKEY new', 520);
    await (await console()).expect('SKEY new', 520);
    const anns = await byKey(await newKey(await byPassword()));
    const admins = await byKey(await newKey(await byPassword('admin')));
    for (const [client, line] of [
      [anns, 'SKEY new'],
      [anns, 'SETP stolen'],
      [anns, 'SETP GENERATE_RANDOM_PASSWORD'],
      [admins, 'SKEY new'],
      [admins, 'ASUP admin|stolen'],
      [admins, 'ASUP Admin|adminpw'],
    ] as const) {
      assert.equal(await client.text(line), '550 This takes a log-in with the password.', line);
    }
    for (const line of ['SKEY', 'SKEY x', 'SKEY NEW', 'SKEY end|x|y|z']) {
      const { code } = await (await byPassword('bob')).ask(line);
      assert.equal(code, 512, line);
    }
    assert.equal(count(), 2);
    await byPassword();
    await byPassword('admin');
    await admins.expect('ASUP ann|another', 200);
    await byPassword('ann', 'another');
  });

  it('does not count as a call, and neither RWHO nor a profile shows it', async (t) => {
    const { byPassword, newKey, byKey, console, store } = await world(t);
    const key = await newKey(await byPassword());
    const client = await byKey(key);
    await byKey(key);
    const seen = await Promise.all(
      ['RWHO', 'LIST', 'RBIO ann', 'GREG _SELF_', 'AGUP ann'].map(async (line) => (await console()).text(line)),
    );
    assert.match(seen[0]!, /ann\|.*\|SKEY\|/, 'the verb, and nothing behind it');
    for (const text of [...seen, await client.text('RWHO')]) {
      assert.ok(!text.includes(key) && !text.includes(hash('sha256', key, 'base64url')));
    }
    const { calls } = store.db.prepare("SELECT calls FROM user WHERE key = 'ann'").get()!;
    assert.equal(calls, 1, 'that of the password');
  });

  it('is no longer that of one who has logged out and in by password', async (t) => {
    const { byPassword, newKey, byKey, tryKey } = await world(t);
    const key = await newKey(await byPassword());
    const client = await byKey(key);
    await client.expect('LOUT', 200);
    await client.expect('USER ann', 300);
    await client.expect('PASS annpw', 200);
    await client.expect('SKEY end', 512);
    await newKey(client);
    assert.match(await tryKey(key), /^200 /);
  });

  it('is noted to be used, with the time of the call, only now and then', async (t) => {
    const { byPassword, newKey, tryKey, store } = await world(t);
    const key = await newKey(await byPassword());
    const lastCall = () => Number(store.db.prepare("SELECT last_call AS t FROM user WHERE key = 'ann'").get()!.t);
    store.db.exec('UPDATE user SET last_call = 1');
    for (const [seconds, isNoted] of [
      [SESSION_KEY_NOTE_SECONDS - 30, false],
      [SESSION_KEY_NOTE_SECONDS, true],
    ] as const) {
      age(store, key, seconds);
      const before = usedOf(store, key);
      await tryKey(key);
      assert.deepEqual([usedOf(store, key) !== before, lastCall() !== 1], [isNoted, isNoted], `${seconds}`);
    }
  });
});

describe('a session key ends', () => {
  it('with SKEY end, and with it every session of the key and no other one', async (t) => {
    const { byPassword, newKey, byKey, tryKey, count } = await world(t);
    const ann = await byPassword();
    const [key, kept] = [await newKey(ann), await newKey(ann)];
    const [own, same, other, bob] = [await byKey(key), await byKey(key), await byKey(kept), await byPassword('bob')];
    await ann.expect('SKEY end', 512);
    await bob.expect('SKEY end', 512);
    own.write('SKEY end\nNOOP\n');
    assert.equal(await own.rest(), '200 The session key has ended.\n');
    assert.equal(await same.rest(), '');
    for (const client of [ann, other, bob]) await client.expect('NOOP', 200);
    assert.deepEqual([await tryKey(key), count()], [NO_KEY, 1]);
    assert.match(await tryKey(kept), /^200 /);
  });

  it('with the password, whoever changes it, but not with one that stays', async (t) => {
    const { byPassword, newKey, byKey, tryKey, console } = await world(t);
    const bobs = await newKey(await byPassword('bob'));
    let password = 'annpw';
    for (const [who, line, next] of [
      ['own', 'SETP second', 'second'],
      ['admin', 'ASUP ann|third', 'third'],
      ['console', 'ASUP ann|fourth', 'fourth'],
    ] as const) {
      const ann = await byPassword('ann', password);
      const key = await newKey(ann);
      const session = await byKey(key);
      await (await console()).expect(`ASUP ann|${password}`, 200);
      await (await console()).expect('ASUP ann||||||', 200);
      await session.expect('NOOP', 200);
      const by = who === 'own' ? ann : who === 'admin' ? await byPassword('admin') : await console();
      await by.expect(line, 200);
      assert.equal(await tryKey(key), NO_KEY, who);
      assert.equal(await session.rest(), '', who);
      // whoever has changed it goes on, with a new key
      if (who === 'own') assert.match(await tryKey(await newKey(ann)), /^200 /);
      password = next;
    }
    assert.match(await tryKey(bobs), /^200 /, 'nobody else’s');
  });

  it('with the name and with the account, whether the user is there or not', async (t) => {
    const { byPassword, newKey, byKey, tryKey, console, count, server } = await world(t);
    const [ann, bob] = [await byPassword(), await byPassword('bob')];
    const [anns, bobs] = [await newKey(ann), await newKey(bob)];
    for (const client of [ann, bob]) await client.expect('QUIT', 200);
    while (server.sessions.size > 0) await new Promise(setImmediate);
    const by = await console();
    await by.expect('RENU ann|anna', 200);
    assert.equal(await tryKey(anns), NO_KEY);
    const there = await byKey(bobs);
    await by.expect('ASUP bob|||||0', 200);
    assert.equal(await there.rest(), '');
    assert.equal(await tryKey(bobs), NO_KEY);
    const next = await byPassword('anna', 'annpw');
    await newKey(next);
    await next.expect('QUIT', 200);
    while (server.sessions.size > 1) await new Promise(setImmediate);
    await by.expect('VALI anna|0', 200);
    assert.equal(count(), 0);
    await by.expect('CREU ann|annpw', 200);
    assert.equal(await tryKey(anns), NO_KEY, 'another account of that name');
    const last = await byPassword('admin');
    const admins = await newKey(last);
    await last.expect('ASUP admin|||||0', 200);
    assert.equal(await tryKey(admins), NO_KEY, 'the account goes with this session, its key before');
    await last.expect('NOOP', 200);
  });

  it('when nobody has used it for so long, not a second before', async (t) => {
    const { byPassword, newKey, tryKey, store } = await world(t);
    const ann = await byPassword();
    const [old, expired] = [await newKey(ann), await newKey(ann)];
    // some seconds for a slow machine
    age(store, old, sessionKeySeconds() - 30);
    age(store, expired, sessionKeySeconds());
    assert.match(await tryKey(old), /^200 /);
    assert.equal(await tryKey(expired), NO_KEY);
    assert.ok(Date.now() / 1000 - usedOf(store, old) < 30, 'it lives on when it is used');
    assert.ok(sessionKeySeconds() > SESSION_SECONDS + SESSION_KEY_NOTE_SECONDS, 'later than a cookie of the last use');
    assert.ok(SESSION_KEY_NOTE_SECONDS < SESSION_RENEW_SECONDS / 2);
  });

  it('and is swept when it has expired, so many in one go', async (t) => {
    const { store, byPassword, newKey, count, tryKey } = await world(t);
    const kept = await newKey(await byPassword());
    const insert = store.db.prepare('INSERT INTO session_key (hash, user, used) VALUES (?, 2, 1)');
    for (let i = 0; i < SESSION_KEYS_SWEPT_AT_ONCE + 1; i++) insert.run(`expired ${i}`);
    assert.equal(sweepSessionKeys(store), true);
    assert.equal(count(), 2);
    while (sweepSome(store));
    assert.equal(count(), 1);
    assert.match(await tryKey(kept), /^200 /);
  });

  it('when its user makes MAX_SESSION_KEYS_PER_USER newer ones: the one unused for longest', async (t) => {
    const { byPassword, newKey, byKey, tryKey, store, count } = await world(t);
    const bobs = await newKey(await byPassword('bob'));
    const ann = await byPassword();
    const [first, second] = [await newKey(ann), await newKey(ann)];
    ann.write('SKEY new\n'.repeat(MAX_SESSION_KEYS_PER_USER - 2));
    for (let i = 2; i < MAX_SESSION_KEYS_PER_USER; i++) assert.match(await ann.line(), /^200 /);
    assert.equal(count(), MAX_SESSION_KEYS_PER_USER + 1);
    age(store, second, 10);
    const [used, unused] = [await byKey(first), await byKey(second)];
    await newKey(ann);
    assert.equal(await unused.rest(), '', 'a session that was open with it');
    assert.equal(await tryKey(second), NO_KEY);
    await used.expect('NOOP', 200);
    assert.equal(count(), MAX_SESSION_KEYS_PER_USER + 1);
    assert.match(await tryKey(bobs), /^200 /, 'nobody else’s');
    await newKey(ann);
    assert.equal(await tryKey(first), NO_KEY, 'the oldest of those that are used alike');
  });
});

it('session keys, and their ends, are there after the server has gone and come again', async (t) => {
  const { byPassword, newKey, byKey, folder, close } = await world(t);
  const ann = await byPassword();
  const [key, ended] = [await newKey(ann), await newKey(ann)];
  await (await byKey(ended)).expect('SKEY end', 200);
  await close();
  const store = openStore(folder);
  const server = new RoomServer(store);
  t.after(async () => {
    await server.close();
    store.close();
  });
  const path = join(folder, 'again.socket');
  await server.listen({ path });
  const client = await WireClient.connect(path);
  await client.expect(`SKEY login|${ended}`, 540);
  await client.expect(`SKEY login|${key}`, 200);
});
