// Many messages at once: as many as a line holds, and what has gone meanwhile is passed over.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COMMAND_BYTES } from '../../src/limits/protocol.ts';
import { deleteMany, markMany, markManyKept, moveMany } from '../../src/room-server/posting.ts';
import { askedServer, failsWith } from '../support/asked-server.ts';

const LONG = Array.from({ length: 1000 }, (_, i) => 100_000_000_000_000 + i);
const GONE = '575 no such message\n';

describe('messages that are deleted or moved', () => {
  it('go out in lines that the room server takes, each of them once', async (t) => {
    const { connect, sent } = await askedServer(t, { DELE: '200 ok\n', MOVE: '200 ok\n' });
    const connection = await connect();
    await deleteMany(connection, LONG);
    const lines = sent(/^DELE/);
    assert.ok(lines.length > 1 && lines.every(({ length }) => length < MAX_COMMAND_BYTES));
    assert.deepEqual(
      lines.flatMap((line) => line.slice('DELE '.length).split(',').map(Number)),
      LONG,
    );
    await moveMany(connection, [1, 2], 'Other');
    await deleteMany(connection, []);
    assert.deepEqual(sent(/^MOVE/), ['MOVE 1,2|Other|0']);
    assert.equal(sent(/^DELE/).length, lines.length);
  });

  it('are not found only where none of them is there', async (t) => {
    const { connect } = await askedServer(t, { DELE: [GONE, '200 ok\n', GONE, GONE, GONE, GONE, GONE, GONE] });
    const connection = await connect();
    await deleteMany(connection, LONG.slice(0, 300));
    await assert.rejects(deleteMany(connection, LONG.slice(0, 300)), failsWith('not_found'));
  });

  it('stop at a refusal, which says why', async (t) => {
    const { connect, sent } = await askedServer(t, { DELE: '550 no\n', MOVE: ['572 no room\n', '574 the same\n'] });
    const connection = await connect();
    await assert.rejects(deleteMany(connection, LONG), failsWith('forbidden', 550));
    assert.equal(sent(/^DELE/).length, 1);
    await assert.rejects(moveMany(connection, [1], 'Nowhere'), failsWith('conflict', 572));
    await assert.rejects(moveMany(connection, [1], 'Box'), failsWith('forbidden', 574));
  });
});

describe('marks', () => {
  it('are set one by one in one write, and looked at behind that', async (t) => {
    const { connect, sent } = await askedServer(t, { SEEN: '200 ok\n', GTSN: ['200 1:9\n', '200 1:3\n'] });
    const connection = await connect();
    await markManyKept(connection, [5, 7], true);
    await markManyKept(connection, [5, 7], false);
    assert.deepEqual(sent(), ['SEEN 5|1', 'SEEN 7|1', 'GTSN', 'SEEN 5|0', 'SEEN 7|0', 'GTSN']);
  });

  it('that an ordinary room server has dropped, or any refuses, are a conflict', async (t) => {
    const { connect } = await askedServer(t, { SEEN: '200 ok\n', GTSN: '200 1:5\n' });
    const connection = await connect();
    await assert.rejects(markManyKept(connection, [5, 7], true), failsWith('conflict'));
    await markMany(connection, [5, 7], true); // ours: 7 has gone
    const full = await askedServer(t, { SEEN: ['200 ok\n', '512 full\n'], GTSN: '200 1:5\n' });
    await assert.rejects(markMany(await full.connect(), [5, 7], true), failsWith('conflict'));
  });
});
