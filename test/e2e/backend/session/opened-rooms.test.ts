// Passwords of rooms on the embedded server: how they are kept, who may try them and how often, and who is let in
// without another look. On an address where clients come in themselves, as with --line-listen.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { OpenedRooms } from '../../../../src/backend/session/attempts.ts';
import { MIGRATIONS } from '../../../../src/backend/store/schema.ts';
import { openStore } from '../../../../src/backend/store/store.ts';
import { MAX_OPENED_ROOMS, MAX_ROOM_PASSWORD_BYTES } from '../../../../src/limits/backend.ts';
import { LOGIN_WINDOW_SECONDS, MAX_LOGIN_FAILURES } from '../../../../src/limits/sessions.ts';
import { localThrottle } from '../../../../src/system/throttle.ts';
import { messageWorld } from '../../../support/message-session.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const PASSWORD = 'Sesame-17-open';

/** Rooms Vault and Safe with the password, made by admin; `login` comes from an address of its own. */
async function vaults(t: TestContext) {
  const rooms = await startRoomServer(t, { users: { ann: 4, bob: 4, cal: 4 } });
  const clock = { seconds: 0 };
  const throttle = localThrottle(() => clock.seconds);
  const listener = await rooms.server.listen({ host: '127.0.0.1', port: 0 }, false, throttle);
  const { port } = listener.address() as AddressInfo;
  const login = (name: string, localAddress = '127.0.0.1') =>
    WireClient.login({ host: '127.0.0.1', port, localAddress }, name, `${name}pw`);
  const admin = await WireClient.login(rooms.socketPath, 'admin', 'adminpw');
  for (const room of ['Vault', 'Safe']) await admin.expect(`CRE8 1|${room}|2|${PASSWORD}`, 200);
  return { ...rooms, clock, login, admin };
}

async function codes(client: WireClient, lines: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const line of lines) found.push((await client.ask(line)).code);
  return found;
}

const wrongs = (room: string, count: number) => Array.from({ length: count }, (_, i) => `GOTO ${room}|wrong${i}|1`);
const all = (code: number, count: number) => Array.from({ length: count }, () => code);

describe('the password of a room', () => {
  it('is kept as a hash, and told to nobody', async (t) => {
    const { admin, store, adminSocketPath, folder } = await vaults(t);
    await admin.expect('GOTO Vault', 200);
    assert.match(await admin.text('GETR'), /^200 Vault\|\|\|14\|/);
    await admin.expect(`SETR Vault|${PASSWORD}2||14|0`, 200);
    const operator = await WireClient.connect(adminSocketPath);
    await operator.expect(`XFER room|Chest|14|0|64|0|0|${PASSWORD}3||admin`, 200);
    assert.ok((await operator.ask('XFER rooms')).lines.every((line) => !line.includes('Sesame')));
    const kept = store.db.prepare("SELECT password FROM room WHERE password <> ''").all();
    assert.equal(kept.length, 3);
    for (const { password } of kept) assert.match(String(password), /^scrypt\$/);
    for (const file of await readdir(folder)) {
      if (file.startsWith('vestibule')) assert.ok(!(await readFile(join(folder, file))).includes('Sesame'), file);
    }
  });

  it('that an older release kept readable is a hash from the start on, and nothing stays in the file', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'older-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'vestibule.db');
    const db = new DatabaseSync(file);
    db.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1; INSERT INTO floor (num, name, key) VALUES (0, 'Main', 'main');
      INSERT INTO room (name, key, flags, floor, sort_order, view, password, created, changed)
      VALUES ('Vault', 'vault', 14, 0, 64, 0, '${PASSWORD}', 1, 1), ('Lobby ', 'lobby ', 2, 0, 64, 0, '', 1, 1);
      INSERT INTO user (name, key, level, flags, created, last_call) VALUES ('Al Ice', 'alice', 4, 0, 1, 1)`);
    db.close();
    assert.ok((await readFile(file)).includes('Sesame'));
    const store = openStore(folder);
    const keys = (table: string) => store.db.prepare(`SELECT look_key FROM ${table} ORDER BY id`).all();
    assert.deepEqual(
      [...keys('room'), ...keys('user')].map(({ look_key: key }) => key),
      ['vault', 'lobby', 'allce'],
    );
    const [hash, none] = store.db.prepare('SELECT password FROM room ORDER BY id').all();
    assert.match(String(hash!.password), /^scrypt\$/);
    assert.equal(none!.password, '');
    store.close();
    for (const each of await readdir(folder)) {
      assert.ok(!(await readFile(join(folder, each))).includes('Sesame'), each);
    }
    openStore(folder).close();
  });

  it('is compared letter by letter, and opens the room to who has it', async (t) => {
    const { login } = await vaults(t);
    const ann = await login('ann');
    const tries = ['', PASSWORD.toLowerCase(), ` ${PASSWORD}`, PASSWORD.slice(0, 9), `${PASSWORD}\\`, PASSWORD];
    const lines = tries.map((password) => `GOTO Vault|${password}|1`);
    assert.deepEqual(await codes(ann, lines), [540, 540, 540, 540, 540, 200]);
  });

  it('stays where SETR brings none or the same one, and whoever it has let in may stay', async (t) => {
    const { admin, login } = await vaults(t);
    const ann = await login('ann');
    await ann.expect(`GOTO Vault|${PASSWORD}|1`, 200);
    await admin.expect('GOTO Vault', 200);
    for (const settings of [
      'Vault|||14|0',
      `Vault|${PASSWORD}||14|0`,
      'Vaults||files|46|0',
      `Vault|${PASSWORD}||14|0`,
    ]) {
      await admin.expect(`SETR ${settings}`, 200);
      await ann.expect('MSGS ALL', 100);
    }
    await admin.expect('SETR Vault|other||14|0', 200);
    await ann.expect('MSGS ALL', 550);
    await ann.expect('GOTO Lobby', 200);
    assert.deepEqual(await codes(ann, [`GOTO Vault|${PASSWORD}|1`, 'GOTO Vault|other|1']), [540, 200]);
  });

  it('is needed where a room is made or turned into one that has one', async (t) => {
    const { admin } = await vaults(t);
    await admin.expect('CRE8 1|Open|0', 200);
    await admin.expect('GOTO Open', 200);
    assert.deepEqual(await codes(admin, ['CRE8 1|None|2|', 'CRE8 0|None|2|', 'SETR Open|||14|0', 'GOTO None']), [
      ...[512, 512, 512, 572],
    ]);
    const long = 'p'.repeat(MAX_ROOM_PASSWORD_BYTES);
    assert.deepEqual(await codes(admin, [`SETR Open|${long}p||14|0`, `SETR Open|${long}||14|0`]), [512, 200]);
  });

  it('costs one look a user while the room has it, however many requests bring it', async (t) => {
    let looks = 0;
    const { scrypt } = crypto;
    crypto.scrypt = ((...args: Parameters<typeof scrypt>) => {
      looks++;
      return scrypt(...args);
    }) as typeof scrypt;
    syncBuiltinESMExports();
    t.after(() => {
      crypto.scrypt = scrypt;
      syncBuiltinESMExports();
    });
    const { admin, login } = await vaults(t);
    const ann = [await login('ann'), await login('ann')];
    const bob = await login('bob');
    const looksFor = async (...lines: [WireClient, string, number][]) => {
      looks = 0;
      for (const [client, line, code] of lines) await client.expect(line, code);
      return looks;
    };
    const right = `GOTO Vault|${PASSWORD}|1`;
    assert.equal(await looksFor([ann[0]!, right, 200], [ann[0]!, right, 200], [ann[1]!, right, 200]), 1);
    assert.equal(await looksFor([bob, right, 200]), 1, 'of one user nothing follows for another');
    assert.equal(await looksFor([bob, 'GOTO Vault|wrong|1', 540], [bob, 'GOTO Vault||1', 540]), 1);
    await admin.expect('GOTO Vault', 200);
    await admin.expect('SETR Vault|other||14|0', 200);
    assert.equal(await looksFor([ann[0]!, right, 540]), 1);
    // what is remembered is bounded
    const world = messageWorld(t);
    const openedRooms = new OpenedRooms();
    const [room, user] = [world.room('Lobby'), world.user('cid')];
    const asker = { turnKey: '', gone: new AbortController().signal };
    const guesser = (id: number) => ({ user: { ...user, id }, address: '', throttle: undefined, ...asker });
    for (let i = 0; i <= MAX_OPENED_ROOMS; i++) openedRooms.add(guesser(i), room, 'x');
    const has = (id: number) => openedRooms.has(guesser(id), room, 'x');
    assert.deepEqual([has(0), has(1), has(MAX_OPENED_ROOMS)], [false, true, true]);
  });
});

describe('who tries passwords of a room', () => {
  it('is stopped after as many as there may be failed log-ins, the right one too, and may go on later', async (t) => {
    const { login, clock } = await vaults(t);
    const ann = await login('ann');
    assert.deepEqual(await codes(ann, wrongs('Vault', MAX_LOGIN_FAILURES)), all(540, MAX_LOGIN_FAILURES));
    assert.match(
      await ann.text(`GOTO Vault|${PASSWORD}|1`),
      /^550 Too many wrong passwords\. Try again in \d+ seconds\.$/,
    );
    clock.seconds += LOGIN_WINDOW_SECONDS;
    await ann.expect(`GOTO Vault|${PASSWORD}|1`, 200);
  });

  it('gets no further with other connections, accounts or addresses; nor with log-ins from his address', async (t) => {
    const { login } = await vaults(t);
    const dan = await login('cal', '127.0.0.9');
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      const client = await login(i % 2 ? 'ann' : 'bob', `127.0.0.${i + 2 === 9 ? 20 : i + 2}`);
      await client.expect(`GOTO Vault|wrong${i}|1`, 540);
    }
    await dan.expect(`GOTO Vault|${PASSWORD}|1`, 550); // the room
    await dan.expect(`GOTO Safe|${PASSWORD}|1`, 200);
    for (const room of ['Vault', 'Safe'])
      await (await login('bob', '127.0.0.30')).expect(`GOTO ${room}|${PASSWORD}`, room === 'Vault' ? 550 : 200);
    // one address
    const ann = await login('ann', '127.0.0.40');
    await codes(ann, wrongs('Safe', MAX_LOGIN_FAILURES));
    const other = await WireClient.connect({
      host: '127.0.0.1',
      port: ann.socket.remotePort!,
      localAddress: '127.0.0.40',
    });
    await other.expect('USER bob', 300);
    await other.expect('PASS bobpw', 550);
  });

  it('has his own count taken back by the right one, not that of the room or of the address', async (t) => {
    const { login, clock } = await vaults(t);
    const ann = await login('ann');
    await codes(ann, wrongs('Vault', MAX_LOGIN_FAILURES - 1));
    await ann.expect(`GOTO Vault|${PASSWORD}|1`, 200);
    await (await login('bob', '127.0.0.2')).expect('GOTO Vault|wrong|1', 540);
    await (await login('cal', '127.0.0.3')).expect(`GOTO Vault|${PASSWORD}|1`, 550);
    await ann.expect('GOTO Safe|wrong|1', 540);
    await ann.expect(`GOTO Safe|${PASSWORD}|1`, 550);
    // whom the room knows, or who has opened it, is not asked
    await ann.expect(`GOTO Vault|${PASSWORD}|1`, 200);
    clock.seconds += LOGIN_WINDOW_SECONDS;
    await ann.expect(`GOTO Safe|${PASSWORD}`, 200);
    await codes(await login('bob', '127.0.0.2'), wrongs('Safe', MAX_LOGIN_FAILURES));
    await ann.expect('GOTO Safe', 200);
  });

  it('is not counted for coming without one', async (t) => {
    const { login } = await vaults(t);
    const ann = await login('ann');
    const none = Array.from({ length: MAX_LOGIN_FAILURES + 1 }, () => 'GOTO Vault||1');
    await codes(ann, [...none, `GOTO Vault|${'x'.repeat(MAX_ROOM_PASSWORD_BYTES + 1)}`]);
    await ann.expect(`GOTO Vault|${PASSWORD}|1`, 200);
  });
});

describe('who tries names of rooms that are not listed', () => {
  it('finds none after ten that were none; what he and others know stays open', async (t) => {
    const { admin, login, socketPath } = await vaults(t);
    for (const room of ['Speakeasy', 'Cellar']) await admin.expect(`CRE8 1|${room}|1`, 200);
    const ann = await WireClient.login(socketPath, 'ann', 'annpw'); // through a gateway, or not
    await ann.expect('GOTO Cellar||1', 200);
    const names = Array.from({ length: MAX_LOGIN_FAILURES }, (_, i) => `GOTO Speakeas${i}||1`);
    assert.deepEqual(await codes(ann, names), all(572, names.length));
    const again = await login('ann');
    for (const client of [ann, again]) {
      assert.equal(await client.text('GOTO Speakeasy||1'), "572 room 'Speakeasy' not found");
      assert.deepEqual(await codes(client, ['GOTO Cellar||1', 'GOTO Lobby', 'GOTO _MAIL_']), [200, 200, 200]);
    }
    const bob = await login('bob');
    await bob.expect('GOTO Speakeasy', 200);
    await bob.expect('GOTO Lobby', 200);
    await codes(bob, names);
    await bob.expect('GOTO Speakeasy', 200);
  });

  it('may miss fewer', async (t) => {
    const { admin, login } = await vaults(t);
    await admin.expect('CRE8 1|Speakeasy|1', 200);
    const ann = await login('ann');
    const names = Array.from({ length: MAX_LOGIN_FAILURES - 1 }, (_, i) => `GOTO none ${i}`);
    // one that is asked for again and again is one
    await codes(ann, [...names, ...names.map(() => names.at(-1)!)]);
    await ann.expect('GOTO Speakeasy||1', 200);
  });
});
