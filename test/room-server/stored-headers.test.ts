// Numbers, UIDs and times of all messages of a room, and stored header lines of many.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEuids, readStoredHeaders, storedHeadersOf } from '../../src/room-server/messages.ts';
import { ANN, askedServer, BOX, listing } from '../support/asked-server.ts';

describe('the list of a room', () => {
  it('has a row for each message; a UID may hold bars, or be missing', async (t) => {
    const { pool, sent } = await askedServer(t, { MSGS: listing('5|a|b@x|1795221150', '7||6', '0|x|1', 'no row') });
    const { entered: room, rows } = await listEuids(pool, ANN, BOX);
    assert.equal(room.name, 'Box');
    assert.deepEqual(rows, [
      { msgnum: 5, euid: 'a|b@x', time: 1795221150 },
      { msgnum: 7, euid: '', time: 6 },
    ]);
    assert.deepEqual(sent(/^MSGS/), ['MSGS ALL|||4']);
  });
});

describe('stored headers', () => {
  const answers = { 'MSG2 5|1': listing('Subject: five', 'X-A: folded', ' on'), 'MSG2 6|1': '550 gone\n' };

  it('come in order, with nothing for messages that have gone', async (t) => {
    const { pool, sent, connect } = await askedServer(t, answers);
    const headers = await readStoredHeaders(pool, ANN, BOX, [5, 6]);
    assert.deepEqual(
      headers[0]?.map(({ name, value }) => [name, value.replace(/\s+/g, ' ')]),
      [
        ['Subject', 'five'],
        ['X-A', 'folded on'],
      ],
    );
    assert.deepEqual([headers.length, headers[1]], [2, undefined]);
    assert.deepEqual(sent(), ['GOTO Box||1', 'MSG0 0|3', 'MSG2 5|1', 'MSG2 6|1'], 'behind a list of this room');
    assert.deepEqual(await storedHeadersOf(await connect(), [6, 5]), [undefined, headers[0]]);
  });

  it('of nothing are nothing', async (t) => {
    const { pool } = await askedServer(t, answers);
    assert.deepEqual(await readStoredHeaders(pool, ANN, BOX, []), []);
  });
});
