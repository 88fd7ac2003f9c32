// What goes to a room server when rooms are changed, and what must never go: SETR replaces all it is sent,
// and a floor number that is not in the list ends a real server (quirks Q2 and Q4).

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ROOM_FLAG, ROOM_FLAG2 } from '../../src/model.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { createRoom, editRoom, type RoomChange } from '../../src/room-server/room-admin.ts';
import { type Answers, faultServer } from '../support/fault-server.ts';

const ANN = { user: 'ann', password: 'secret' };
const BOX = { name: 'Box', password: '' };
const KEPT = { set: 0, clear: 0 };
const NOTHING: RoomChange = {
  name: undefined,
  kind: undefined,
  password: undefined,
  floor: undefined,
  order: undefined,
  view: undefined,
  flags: KEPT,
  flags2: KEPT,
  admin: undefined,
  currentView: undefined,
};
const goto = (name: string, flags: number, isPersonal: 0 | 1 = 0) =>
  `200 ${name}|0|0|0|${flags}|0|0|${isPersonal}|0|0|1|3|3|0|8|1795221150|\n`;
const ANSWERS: Answers = {
  'GOTO Box||1': goto('Box', 14),
  'GOTO _BASEROOM_||1': goto('Lobby', 2),
  GETR: '200 Box|pass|files|46|1|64|3|8|\n',
  LRMS:
    '100 Rooms\nLobby|2|0|0|0|302|0|0|1795221150|\nBoard|2|0|0|0|302|0|0|1795221150|\n' +
    'Box|46|1|64|8|302|3|3|1795221150|\nDen|6|0|64|0|302|0|0|1795221150|\nHall|2|0|0|0|20|0|0|1795221150|\n000\n',
  LFLR: '100 Known floors:\n0|Main|3\n1|Attic|1\n000\n',
  SETR: '200 Ok\n',
  SETA: '200 Ok\n',
  CRE8: '200 created\n',
  VIEW: '200 ok\n',
  'QUSR bob': '200 bob\n',
  QUSR: '570 No such user.\n',
};

async function start(t: TestContext, answers: Answers = {}) {
  const server = await faultServer({ ...ANSWERS, ...answers }, []);
  const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1' });
  t.after(async () => {
    pool.close();
    await server.close();
  });
  const sent = (verb: RegExp) => server.received.flat().filter((line) => verb.test(line));
  const edit = (change: Partial<RoomChange>) => editRoom(pool, ANN, BOX, { ...NOTHING, ...change });
  return { pool, sent, edit };
}

describe('SETR', () => {
  const cases: [string, Partial<RoomChange>, string][] = [
    ['a name', { name: 'New' }, 'SETR New|pass|files|46|0|-1'],
    ['a floor', { floor: 0 }, 'SETR Box|pass|files|46|0|0'],
    ['a password', { password: 'other' }, 'SETR Box|other|files|46|0|-1'],
    ['a kind', { kind: 'public' }, 'SETR Box||files|34|0|-1'],
    ['a flag', { flags: { set: ROOM_FLAG.readOnly, clear: 0 } }, 'SETR Box|pass|files|8238|0|-1'],
    ['an order', { order: 7 }, 'SETR Box|pass|files|46|0|-1|7|3|8'],
    ['a view', { view: 0 }, 'SETR Box|pass|files|46|0|-1|64|0|8'],
    ['a second flag', { flags2: { set: 0, clear: ROOM_FLAG2.subjectRequired } }, 'SETR Box|pass|files|46|0|-1|64|3|0'],
  ];
  for (const [what, change, command] of cases) {
    it(`sends back all that stays when ${what} changes`, async (t) => {
      const { sent, edit } = await start(t);
      assert.equal(await edit(change), change.name ?? 'Box');
      assert.deepEqual(sent(/^SETR/), [command]);
    });
  }

  it('is made from what GOTO tells where the owner of a personal room may not read the settings', async (t) => {
    const { sent, edit } = await start(t, {
      'GOTO Box||1': goto('Box', 16390, 1),
      GETR: '550 This command requires Admin or Room Admin access.\n',
    });
    await edit({ view: 5 });
    assert.deepEqual(sent(/^SETR/), ['SETR Box|||16390|0|-1|0|5|8']);
    await assert.rejects(edit({ admin: 'bob' }), { code: 'forbidden' });
  });

  it('is not sent without settings to send back', async (t) => {
    for (const answer of ['550 no\n', '200 |||2|0|64|0|0|\n', '200 Box\n']) {
      const { sent, edit } = await start(t, { GETR: answer });
      await assert.rejects(edit({ order: 1 }));
      assert.deepEqual(sent(/^SETR/), [], answer);
    }
  });

  it('is not sent for what concerns only oneself, nor for no change', async (t) => {
    const { sent, edit } = await start(t);
    await edit({ currentView: 4 });
    await edit({});
    assert.deepEqual(sent(/^(SETR|GETR|VIEW)/), ['VIEW 4']);
  });

  it('is sent only when the new room admin is somebody', async (t) => {
    const { sent, edit } = await start(t);
    await assert.rejects(edit({ order: 1, admin: 'nobody' }), { code: 'bad_request' });
    assert.deepEqual(sent(/^SET/), []);
    await edit({ order: 1, admin: 'bob' });
    await edit({ admin: '' });
    assert.deepEqual(sent(/^SET/), ['SETR Box|pass|files|46|0|-1|1|3|8', 'SETA bob', 'SETA']);
  });
});

describe('a floor number that the room server has not listed', () => {
  it('is never sent', async (t) => {
    const { pool, sent, edit } = await start(t);
    for (const floor of [2, 15, 16, 99, -1]) {
      await assert.rejects(edit({ floor }), { code: 'bad_request' });
      const room = { name: 'N', kind: 'public', password: '', floor, view: 0 } as const;
      await assert.rejects(createRoom(pool, ANN, room), { code: 'bad_request' });
    }
    assert.deepEqual(sent(/^(SETR|CRE8)/), []);
  });
});
