// Members that get other places: what is sent, and what each refusal means.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { AppError } from '../../../src/errors.ts';
import type { PlaceOptions } from '../../../src/room-server/collections.ts';
import { memberVerb } from '../../../src/room-server/embedded/members.ts';
import { UidTaken } from '../../../src/room-server/posting.ts';
import { askedServer, failsWith, listing } from '../../support/asked-server.ts';

const RENAME: PlaceOptions = { isCopy: false, room: '', mayReplace: false };
const rows = (...lines: string[]) => `800 send\n${lines.map((line) => `${line}\n`).join('')}000\n`;

async function start(t: TestContext, ...answers: string[]) {
  const server = await askedServer(t, { MEMB: answers });
  return { ...server, connection: await server.connect() };
}

it('members and their new names go out in one text, and their numbers come back', async (t) => {
  const { connection, sent, bodies } = await start(t, rows('0|5', '0|17'));
  const places = [
    { msgnum: 5, name: 'a.txt' },
    { msgnum: 9, name: '' },
  ];
  assert.deepEqual(
    await memberVerb.place(connection, places, { isCopy: true, room: 'Other', mayReplace: true }),
    [5, 17],
  );
  assert.deepEqual(sent(/^MEMB/), ['MEMB place|1|Other|1']);
  assert.deepEqual(bodies, ['5|a.txt\n9|\n']);
});

it('many go in one step, which is refused as a whole', async (t) => {
  const places = Array.from({ length: 100 }, (_, i) => ({ msgnum: i + 1, name: `${i}.txt` }));
  const { connection, bodies } = await start(t, rows(...places.map(({ msgnum }) => `0|${msgnum}`)), rows('-4|0'));
  assert.equal((await memberVerb.place(connection, places, RENAME)).length, places.length);
  await assert.rejects(memberVerb.place(connection, places, RENAME), failsWith('forbidden'));
  assert.equal(bodies.length, 2);
});

it('a folder is moved, copied or removed by one command', async (t) => {
  const { connection, sent } = await start(t, ...Array.from({ length: 4 }, () => listing('0')));
  await memberVerb.placeFolder(connection, 'a/', 'b/', { ...RENAME, isShallow: false });
  await memberVerb.placeFolder(connection, 'a/', 'b/', {
    isCopy: true,
    room: 'Other',
    mayReplace: true,
    isShallow: true,
  });
  await memberVerb.removeFolder(connection, 'a/');
  assert.deepEqual(sent(/^MEMB/), [
    'MEMB tree|move|a/||b/|0|0',
    'MEMB tree|copy|a/|Other|b/|1|1',
    'MEMB tree|remove|a/',
  ]);
});

it('a folder that has changed meanwhile, or is gone, says so', async (t) => {
  const { connection } = await start(t, listing('-9|0'), listing('-8|0'));
  const move = () => memberVerb.placeFolder(connection, 'a/', 'b/', { ...RENAME, isShallow: false });
  await assert.rejects(move(), failsWith('conflict'));
  await assert.rejects(move(), failsWith('not_found'));
});

it('each failure has its code', async (t) => {
  for (const [row, code] of [
    ['-3|1', 'bad_request'],
    ['-5|1', 'precondition_failed'],
    ['-7|1', 'forbidden'],
    ['-8|1', 'not_found'],
  ] as const) {
    const { connection } = await start(t, rows(row));
    await assert.rejects(memberVerb.place(connection, [{ msgnum: 1, name: 'x' }], RENAME), failsWith(code), row);
  }
  const { connection } = await start(t, rows('-6|77'));
  await assert.rejects(memberVerb.place(connection, [{ msgnum: 1, name: 'x' }], RENAME), (error: AppError) => {
    assert.equal(error.code, 'conflict');
    return error.cause instanceof UidTaken && error.cause.msgnum === 77;
  });
});

it('a name that would be another field is never sent; an answer that lacks one is none', async (t) => {
  const { connection, sent } = await start(t, rows('0|1'));
  for (const name of ['a|b', 'a\nb']) {
    await assert.rejects(memberVerb.place(connection, [{ msgnum: 1, name }], RENAME), failsWith('bad_request'));
  }
  assert.deepEqual(sent(/^MEMB/), []);
  const places = [1, 2].map((msgnum) => ({ msgnum, name: 'x' }));
  await assert.rejects(memberVerb.place(connection, places, RENAME), failsWith('backend_protocol'));
});
