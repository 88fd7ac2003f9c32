// Answers behind a text that the client has sent, of rooms that are too large for one piece.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StreamReply, TextReply } from '../../../../src/backend/session/reply.ts';
import { finishedBody } from '../../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../../src/backend/store/messages.ts';
import { msgs } from '../../../../src/backend/verbs/message-lists.ts';
import {
  BACKEND_HIGH_WATER_BYTES,
  BACKEND_LIST_PAGE_ROWS,
  MAX_HEADER_TEXT_BYTES,
} from '../../../../src/limits/backend.ts';
import { messageWorld } from '../../../support/message-session.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('MSGS with lines of the client', () => {
  it('gives the chosen columns of a room in full, however much it is', async (t) => {
    const { socketPath } = await startRoomServer(t);
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Box|0', 200);
    await admin.expect('GOTO Box', 200);
    const subject = 's'.repeat(MAX_HEADER_TEXT_BYTES);
    const count = Math.ceil(BACKEND_HIGH_WATER_BYTES / MAX_HEADER_TEXT_BYTES) + 10;
    admin.write(`ENT0 1|||0|${subject}||0\nx\n000\n`.repeat(count));
    for (let i = 0; i < count; i++) await admin.line();
    const columns = await admin.send('MSGS ALL|||8', 'subj');
    assert.deepEqual([columns.length, columns.at(-1)!.length > MAX_HEADER_TEXT_BYTES], [count, true]);
    assert.equal((await admin.send('MSGS ALL||1|9', `subj|${subject}`)).length, count);
    await admin.expect('NOOP', 200);
  });

  it('pauses between pages on which nothing matches', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box');
    const body = finishedBody(w.store, 1, Buffer.from('x\n'));
    const message = { format: 1, author: 'x', path: 'x', address: '', room: 'Box', subject: 's' };
    w.store.transaction(() => {
      for (let i = 0; i < 3 * BACKEND_LIST_PAGE_ROWS; i++) saveMessage(w.store, { ...message, body, rooms: [box.id] });
    });
    let time = 0;
    t.mock.method(performance, 'now', () => (time += 1000));
    const { text } = msgs(w.session(undefined, box), 'ALL||1') as TextReply;
    text.write(Buffer.from('from|nobody\n'));
    const pieces = [...(text.end() as StreamReply).stream];
    assert.equal(pieces.join(''), '000\n');
    assert.ok(pieces.length > 3, `${pieces.length} pieces for three pages`);
  });
});
