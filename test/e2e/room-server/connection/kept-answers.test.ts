// Kept answers are those that the room server would give: after each of many changes of every kind, by anybody, reads
// of several users through a pool that keeps answers and one that does not are the same.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer } from '../../../../src/protocol/answer.ts';
import { command } from '../../../../src/protocol/fields.ts';
import { STATUS } from '../../../../src/protocol/status.ts';
import { enterRoomCommand } from '../../../../src/room-server/connection/goto.ts';
import { GUEST, type Identity } from '../../../../src/room-server/connection/identity.ts';
import { Pool } from '../../../../src/room-server/connection/pool.ts';
import { ChangeCounts } from '../../../../src/system/change-counts.ts';
import { postAs } from '../../../support/followers.ts';
import { newSeed, type Random, randomFrom } from '../../../support/random.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const STEPS = 120;
const ROOMS = ['Lobby', 'Public', 'Closed', 'Other', 'Mail', '0000000002.Mail', 'Calendar'];

interface World {
  admin: WireClient;
  ann: WireClient;
  bob: WireClient;
  posted: number[];
}

type Step = (world: World, random: Random) => Promise<unknown>;

const oneOf = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!;
/** answered as it may be: some steps are refused, which changes nothing */
const say = (client: WireClient, line: string) => client.ask(line);
const inRoom = async (client: WireClient, room: string, line: string) => {
  await say(client, `GOTO ${room}`);
  return say(client, line);
};
const someone = ({ admin, ann, bob }: World, random: Random) => oneOf([admin, ann, bob], random);

const STEPS_BY_NAME: Record<string, Step> = {
  post: async (world, random) => world.posted.push(await postAs(world.ann, oneOf(['Public', 'Lobby'], random))),
  mail: (world) => postAs(world.bob, 'Mail', 'ann'),
  delete: (world, random) => inRoom(world.admin, 'Public', `DELE ${oneOf(world.posted, random)}`),
  move: (world, random) => inRoom(world.admin, 'Public', `MOVE ${oneOf(world.posted, random)}|Other|${random(2)}`),
  seen: (world, random) => inRoom(someone(world, random), 'Public', `SEEN ${oneOf(world.posted, random)}|${random(2)}`),
  'last read': (world, random) => inRoom(someone(world, random), 'Public', 'SLRP HIGHEST'),
  forget: (world, random) => inRoom(oneOf([world.ann, world.bob], random), 'Other', 'FORG'),
  enter: (world, random) => say(someone(world, random), `GOTO ${oneOf(ROOMS, random)}`),
  invite: (world, random) =>
    inRoom(world.admin, 'Closed', `${oneOf(['INVT', 'KICK'], random)} ${oneOf(['ann', 'bob'], random)}`),
  'room text': async ({ admin }, random) => {
    await say(admin, 'GOTO Public');
    await admin.send('EINF 1', `text ${random(1000)}\n`);
  },
  'room admin': (world, random) => inRoom(world.admin, 'Public', `SETA ${oneOf(['ann', 'bob'], random)}`),
  rename: async (world) => {
    await inRoom(world.admin, 'Other', 'SETR Another||2|0|0|0');
    await inRoom(world.admin, 'Another', 'SETR Other||2|0|0|0');
  },
  close: (world, random) => inRoom(world.admin, 'Public', `SETR Public||${oneOf(['2', '6', '2'], random)}|0|0|0`),
  remake: async ({ admin }) => {
    await inRoom(admin, 'Other', 'KILL 1');
    await say(admin, 'CRE8 1|Other|0||0|0|0');
  },
  floor: ({ admin }, random) => say(admin, `CFLR Floor ${random(20)}|1`),
  level: ({ admin }, random) => say(admin, `ASUP bob|bobpw|0|0|0|${oneOf(['2', '4', '6'], random)}|3`),
};

/** Where a room cannot be entered the rest is of another one, and is thrown away (Pool.readInRoom). */
function ofRoom(answers: readonly Answer[]): readonly Answer[] {
  return answers[0]!.code === STATUS.done || answers.length === 1 ? answers : answers.slice(0, 1);
}

/** What is read of a room, and of the whole. */
function readsOf(random: Random, posted: readonly number[]): string[][] {
  const numbers = posted.slice(-2).map((number) => command('MSG0', number, 1));
  const rows = [0, 1].map((isDetailed) => command('ROWS', 0, 0, 100, 0, 0, isDetailed));
  const lists = [command('STAT'), command('MSGS', 'ALL'), ...rows, command('GTSN'), command('RINF')];
  const rooms = [oneOf(ROOMS, random), 'Public'].flatMap((name) => {
    const enter = enterRoomCommand({ name, password: '' }, true);
    return [
      [enter, ...lists],
      [enter, ...numbers],
    ];
  });
  return [...rooms, [command('LKRA')], [command('LZRM')], [command('LFLR')]];
}

it('kept answers are what the room server would answer, whatever has changed', async (t) => {
  const seed = newSeed();
  const random = randomFrom(seed);
  const { socketPath, store } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  store.changeCounts = new ChangeCounts();
  const options = { target: { path: socketPath }, clientName: 'test', clientVersion: '1.0.0', isOwn: true };
  const keeping = new Pool({ ...options, changes: store.changeCounts });
  const asking = new Pool(options);
  const [admin, ann, bob] = await Promise.all(
    ['admin', 'ann', 'bob'].map((name) => WireClient.login(socketPath, name, `${name}pw`)),
  );
  t.after(() => {
    for (const each of [keeping, asking, admin!, ann!, bob!]) each.close();
  });
  for (const [name, access] of [
    ['Public', 0],
    ['Closed', 3],
    ['Other', 0],
  ] as const) {
    await admin!.expect(`CRE8 1|${name}|${access}||0|0|0`, 200);
  }
  const world: World = { admin: admin!, ann: ann!, bob: bob!, posted: [await postAs(admin!, 'Public')] };
  const readers: Identity[] = [GUEST, ...['admin', 'ann', 'bob'].map((user) => ({ user, password: `${user}pw` }))];
  const kept = { hits: 0 };
  const done: string[] = [];
  for (let i = 0; i < STEPS; i++) {
    const name = oneOf(Object.keys(STEPS_BY_NAME), random);
    done.push(name);
    await STEPS_BY_NAME[name]!(world, random);
    for (const reader of readers) {
      for (const commands of readsOf(random, world.posted)) {
        const expected = ofRoom(await asking.read(reader, commands));
        const first = await keeping.read(reader, commands);
        const again = await keeping.read(reader, commands);
        if (again === first) kept.hits++;
        const shown = `seed ${seed}, ${reader.user} ${commands.join('').trim()} after ${done.slice(-3)}`;
        assert.deepEqual(ofRoom(first), expected, shown);
        assert.deepEqual(ofRoom(again), expected, shown);
      }
    }
  }
  assert.ok(kept.hits > STEPS, `only ${kept.hits} of them were kept`);
});
