import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_FLOOR_NAME_BYTES, MAX_FLOORS } from '../../../src/limits/backend.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

async function answers(client: WireClient, expected: [string, string | RegExp][]): Promise<void> {
  for (const [line, reply] of expected) {
    const got = await client.text(line);
    if (typeof reply === 'string') assert.equal(got, reply, line);
    else assert.match(got, reply, line);
  }
}

async function people(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4, cal: 4, pref: 5, boss: 6, newbie: 1 } });
  const login = (name: string) => WireClient.login(server.socketPath, name, `${name}pw`);
  return { ...server, login };
}

describe('floors', () => {
  it('are made, renamed and removed by administrators', async (t) => {
    const { login } = await people(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    await answers(boss, [
      ['CFLR', '512 Blank floor name not allowed.'],
      ['CFLR Attic', '200 ok to create...'],
      ['CFLR Attic|1', '200 1'],
      ['CFLR attic|1', "574 Floor 'Attic' already exists."],
      ['EFLR', '200 Ok'],
      ['EFLR 1|Loft', '200 Ok'],
      ['EFLR 7|Nope', '561 Floor 7 is not in use.'],
      ['EFLR 99|Nope', '561 Floor 99 is not in use.'],
      ['EFLR 1|main floor', "574 Floor 'Main Floor' already exists."],
      [`CFLR ${'n'.repeat(MAX_FLOOR_NAME_BYTES + 1)}|1`, /^512 /],
      ['LFLR', '100 Known floors:\n0|Main Floor|52\n1|Loft|0'],
      ['CRE8 1|Up|0||1', /^200/],
      ['LKRA 1', /^100 Known rooms:\nUp\|2\|1\|64\|0\|486\|0\|0\|\d+\|$/],
      ['KFLR 1|1', '561 Cannot delete; floor contains 1 rooms.'],
      ['GOTO Up', /^200/],
      ['KILL 1', /^200/],
      ['KFLR 1|0', '200 Ok to delete...'],
      ['KFLR 1|1', '200 Ok'],
      ['KFLR 1|1', '561 Floor 1 not in use.'],
      ['KFLR 99|1', '561 Floor 99 not in use.'],
    ]);
    for (const line of ['CFLR x|1', 'EFLR 0|x', 'KFLR 0|1']) {
      assert.equal(await ann.text(line), '550 This command requires Admin access.');
    }
    assert.equal(await ann.text('LKRA 7'), '100 Known rooms:');
  });

  it('are sixteen at most', async (t) => {
    const { adminSocketPath } = await startRoomServer(t);
    const admin = await WireClient.connect(adminSocketPath);
    for (let num = 1; num < MAX_FLOORS; num++) assert.equal(await admin.text(`CFLR F${num}|1`), `200 ${num}`);
    assert.equal(await admin.text('CFLR F16|1'), '561 There is no space available for a new floor.');
    await admin.expect('KFLR 3|1', 200);
    assert.equal(await admin.text('CFLR F16|1'), '200 3');
  });
});

const SECRET = 'zebra';
const BODY = `Content-type: text/plain; charset=utf-8\n\n${SECRET} stripes\n`;

interface World {
  admin: WireClient;
  /** number of the message in the room */
  number: number;
  login(name: string): Promise<WireClient>;
  guest(): Promise<WireClient>;
  store: Awaited<ReturnType<typeof startRoomServer>>['store'];
}

/** The room Vault of this kind (CRE8) with banner, message, event id and room admin `cy`; `more`: QRflags on top. */
async function vault(t: TestContext, kind: number, more = 0, view = 0): Promise<World> {
  const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4, cy: 4, dan: 5, new: 1, bad: 2 } });
  const login = (name: string) => WireClient.login(socketPath, name, `${name}pw`);
  const admin = await login('admin');
  await admin.expect(`CRE8 1|Vault|${kind}|sesame|0|0|${view}`, 200);
  await admin.expect('GOTO Vault|sesame', 200);
  if (more > 0) {
    const flags = Number((await admin.text('GETR')).split('|')[3]);
    await admin.expect(`SETR Vault|sesame||${flags | more}|0`, 200);
  }
  await admin.send('EINF 1', `banner ${SECRET}`);
  const [confirmed] = await admin.send(`ENT0 1|||4|${SECRET} subject||1|||page`, BODY);
  await admin.expect('SETA cy', 200);
  return { admin, number: Number(confirmed), login, guest: () => WireClient.connect(socketPath), store };
}

describe('floors', () => {
  it('are made, named and removed by administrators alone', async (t) => {
    const { admin, login, guest } = await vault(t, 0);
    const { line } = await admin.expect('CFLR Loft|1', 200);
    const floor = line.split(' ')[1]!;
    const before = (await admin.ask('LFLR')).lines;
    for (const client of [
      await login('ann'),
      await login('cy'),
      await login('dan'),
      await login('new'),
      await guest(),
    ]) {
      for (const command of ['CFLR Attic|1', 'CFLR Attic|0', `EFLR ${floor}|Mine`, `KFLR ${floor}|1`, 'KFLR 0|1']) {
        const { code } = await client.ask(command);
        assert.ok(code === 550 || code === 520, `${command}: ${code}`);
      }
    }
    assert.deepEqual((await admin.ask('LFLR')).lines, before);
  });
});
