// Members that get other places: what is sent, in how many steps, and what each refusal means.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type PlaceOptions, placeMembers } from '../../../src/client/collection/placing.ts';
import { UidTaken } from '../../../src/client/posting.ts';
import type { AppError } from '../../../src/errors.ts';
import { MAX_PLACED_MEMBERS } from '../../../src/limits/backend.ts';
import { askedServer, failsWith } from '../../support/asked-server.ts';

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
  assert.deepEqual(await placeMembers(connection, places, { isCopy: true, room: 'Other', mayReplace: true }), [5, 17]);
  assert.deepEqual(sent(/^MEMB/), ['MEMB place|1|Other|1']);
  assert.deepEqual(bodies, ['5|a.txt\n9|\n']);
});

it('many go in steps, and in smaller ones where the server finds them too many', async (t) => {
  const { connection, bodies } = await start(t, rows('-4'), rows('0|1'), rows('0|2'));
  const places = [1, 2].map((msgnum) => ({ msgnum, name: `${msgnum}.txt` }));
  assert.deepEqual(await placeMembers(connection, places, RENAME), [1, 2]);
  assert.deepEqual(bodies, ['1|1.txt\n2|2.txt\n', '1|1.txt\n', '2|2.txt\n']);
});

it('no step has more than the server takes at once', async (t) => {
  const done = (count: number) => rows(...Array.from({ length: count }, () => '0|1'));
  const { connection, bodies } = await start(t, done(MAX_PLACED_MEMBERS), done(1));
  const places = Array.from({ length: MAX_PLACED_MEMBERS + 1 }, () => ({ msgnum: 1, name: 'x' }));
  assert.equal((await placeMembers(connection, places, RENAME)).length, places.length);
  assert.deepEqual(
    bodies.map((body) => body.split('\n').length - 1),
    [MAX_PLACED_MEMBERS, 1],
  );
});

it('one that is too much by itself is refused, not asked for again and again', async (t) => {
  const { connection, bodies } = await start(t, rows('-4'));
  await assert.rejects(placeMembers(connection, [{ msgnum: 1, name: 'x' }], RENAME), failsWith('forbidden'));
  assert.equal(bodies.length, 1);
});

it('each failure has its code', async (t) => {
  for (const [row, code] of [
    ['-3|1', 'bad_request'],
    ['-5|1', 'precondition_failed'],
    ['-7|1', 'forbidden'],
    ['-8|1', 'not_found'],
  ] as const) {
    const { connection } = await start(t, rows(row));
    await assert.rejects(placeMembers(connection, [{ msgnum: 1, name: 'x' }], RENAME), failsWith(code), row);
  }
  const { connection } = await start(t, rows('-6|77'));
  await assert.rejects(placeMembers(connection, [{ msgnum: 1, name: 'x' }], RENAME), (error: AppError) => {
    assert.equal(error.code, 'conflict');
    return error.cause instanceof UidTaken && error.cause.msgnum === 77;
  });
});

it('a name that would be another field is never sent; an answer that lacks one is none', async (t) => {
  const { connection, sent } = await start(t, rows('0|1'));
  for (const name of ['a|b', 'a\nb']) {
    await assert.rejects(placeMembers(connection, [{ msgnum: 1, name }], RENAME), failsWith('bad_request'));
  }
  assert.deepEqual(sent(/^MEMB/), []);
  const places = [1, 2].map((msgnum) => ({ msgnum, name: 'x' }));
  await assert.rejects(placeMembers(connection, places, RENAME), failsWith('backend_protocol'));
});
