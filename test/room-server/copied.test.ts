// Whether a copy has brought something to a room server: told by whether the name of its room is free.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BROUGHT_ROOM, isCopyTarget } from '../../src/room-server/rooms.ts';
import { ANN, askedServer } from '../support/asked-server.ts';

for (const [answer, expected] of [
  ['574 exists already', true],
  ['200 may be made', false],
  ['550 may make no rooms', undefined],
  ['530 unknown', undefined],
] as const) {
  it(`is ${expected} where the server says ${answer}`, async (t) => {
    const { pool, sent } = await askedServer(t, { CRE8: `${answer}\n` });
    assert.equal(await isCopyTarget(pool, ANN), expected);
    assert.deepEqual(sent(/^CRE8/), [`CRE8 0|${BROUGHT_ROOM}`], 'nothing is made');
  });
}
