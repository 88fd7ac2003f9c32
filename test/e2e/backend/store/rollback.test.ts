import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRoomServer, type TestRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** Lets the database grow by `pages` more pages, as if the disk were full then. */
function fillDisk({ store }: TestRoomServer, pages = 0): void {
  const size = Number(store.db.prepare('PRAGMA page_count').get()!.page_count);
  store.db.exec(`PRAGMA max_page_count = ${size + pages}`);
}

function freeDisk({ store }: TestRoomServer): void {
  store.db.exec('PRAGMA max_page_count = 1073741823');
}

/** Makes every change of this table fail as a full disk would, after what the transaction did before it. */
function failAt({ store }: TestRoomServer, change: string): () => void {
  store.db.exec(`CREATE TEMP TRIGGER fail BEFORE ${change} BEGIN SELECT raise(ROLLBACK, 'broken'); END`);
  return () => store.db.exec('DROP TRIGGER fail');
}

describe('a change that fails', () => {
  it('leaves a room as it was, for those who stand in it too', async (t) => {
    const world = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    const ann = await WireClient.login(world.socketPath, 'ann', 'annpw');
    await admin.expect('CRE8 1|Team|0', 200);
    for (const client of [admin, ann]) await client.expect('GOTO Team', 200);
    const [first] = await admin.send('ENT0 1||0|1|x||1', 'one');
    const before = await ann.text('GOTO Team');
    const members = await ann.text('MEMB list');

    for (const [change, line] of [
      ['DELETE ON room', 'KILL 1'],
      ['DELETE ON message', `DELE ${first}`],
      ['UPDATE OF name ON room', 'SETR Other|||8194|1'],
      ['DELETE ON room_message', `MOVE ${first}|Lobby|0`],
      ['INSERT ON removed_member', `DELE ${first}`],
      ['UPDATE OF sequence ON room', `DELE ${first}`],
    ] as const) {
      const repair = failAt(world, change);
      await admin.expect(line, 510);
      repair();
      assert.equal(await ann.text('GOTO Team'), before, line);
      assert.equal(await ann.text('MEMB list'), members, line);
      assert.equal(
        await admin.text('LKRA 0'),
        await (await WireClient.login(world.socketPath, 'admin', 'adminpw')).text('LKRA 0'),
      );
    }
    const [second] = await ann.send('ENT0 1||0|1|y||1', 'two');
    assert.ok(Number(second) > Number(first));
    assert.match(await admin.text('STAT'), /^200 Team\|/);
    assert.match(await admin.text('GOTO Team'), /^200 Team\|2\|2\|/);
  });

  it('leaves users as they were', async (t) => {
    const world = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    await admin.expect('GOTO 0000000002.Calendar', 200);
    for (const [change, line] of [
      ['DELETE ON user', 'ASUP ann|||||0'],
      ['UPDATE OF name ON user', 'RENU ann|Anna'],
      ['INSERT ON room', 'CREU cy|pw'],
    ] as const) {
      const repair = failAt(world, change);
      await admin.expect(line, 510);
      repair();
    }
    await admin.expect('QUSR cy', 570);
    await admin.expect('QUSR Anna', 570);
    assert.match(await admin.text('AGUP ann'), /^200 ann\|\|10768\|0\|0\|4\|/);
    const ann = await WireClient.login(world.socketPath, 'ann', 'annpw');
    await ann.expect('GOTO Calendar', 200);
    // The administrator still stands in the room that ann enters.
    const event = 'Content-type: text/calendar\n\nBEGIN:VEVENT\nUID:x\nEND:VEVENT';
    const [number] = await admin.send('ENT0 1||0|4|x||1', event);
    assert.equal(await ann.text('EUID x'), `200 ${number}`);
    assert.match(await ann.text('GOTO Calendar'), /^200 Calendar\|1\|1\|/);
    await admin.expect('CREU cy|pw', 200);
  });

  it('leaves read marks and settings as they were', async (t) => {
    const world = await startRoomServer(t, { users: { ann: 4 } });
    const ann = await WireClient.login(world.socketPath, 'ann', 'annpw');
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    await ann.expect('SLRP 1', 200);
    let repair = failAt(world, 'UPDATE ON visit');
    await ann.expect('SLRP 0', 510);
    repair();
    assert.equal(await ann.text('GTSN'), '200 *:1');
    await admin.expect('CONF PUTVAL|c_humannode|here', 200);
    repair = failAt(world, 'UPDATE ON config');
    await admin.expect('CONF PUTVAL|c_humannode|there', 510);
    repair();
    assert.equal(await admin.text('CONF GETVAL|c_humannode'), '200 here|');
  });
});

describe('a full disk', () => {
  it('refuses what is written, and lets people log in and read', async (t) => {
    const world = await startRoomServer(t, { users: { ann: 4 } });
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Vault|2|sesame', 200);
    await admin.expect('GOTO Vault', 200);
    const [number] = await admin.send('ENT0 1||0|1|x||1', 'kept');
    fillDisk(world, 3);
    const body = 'x'.repeat(900_000);
    const refused = await admin.send('ENT0 1||0|1|y||1', body);
    assert.deepEqual(refused, ['-1', 'The disk is full.', '']);
    world.store.db.exec('PRAGMA query_only = ON');
    await admin.expect('CRE8 1|More|0', 513);
    const ann = await WireClient.login(world.socketPath, 'ann', 'annpw');
    await ann.expect('GOTO Vault|sesame', 200);
    assert.deepEqual((await ann.text(`MSG0 ${number}`)).split('\n').slice(-1), ['kept']);
    world.store.db.exec('PRAGMA query_only = OFF');
    freeDisk(world);
    // Of all that failed, whoever runs the server is told once.
    assert.deepEqual(world.faults.map(String), ['Error: The disk is full. Changes are refused until it is mended.']);
    const [after] = await admin.send('ENT0 1||0|1|y||1', body);
    assert.ok(Number(after) > Number(number));
    assert.equal(world.store.db.prepare('PRAGMA integrity_check').get()!.integrity_check, 'ok');
    assert.equal(world.store.db.prepare('SELECT count(*) AS n FROM blob WHERE complete = 0').get()!.n, 0);
  });
});
