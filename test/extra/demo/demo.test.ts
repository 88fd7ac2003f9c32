import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createServerRooms } from '../../../src/backend/maintenance/bootstrap.ts';
import { roomById } from '../../../src/backend/store/rooms.ts';
import { findUser, personalRoom } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { dlat, msg0, msg2 } from '../../../src/backend/verbs/reading.ts';
import { fillDemo } from '../../../src/extra/demo/demo.ts';
import { LOW_PASSWORD_COST } from '../../support/first-start.ts';
import { messageWorld, run } from '../../support/message-session.ts';

describe('the demonstration content', () => {
  it('can be listed and read in every room, with two users and mail between them', async (t) => {
    const w = messageWorld(t);
    createServerRooms(w.store);
    await fillDemo(w.store, LOW_PASSWORD_COST);
    const alice = findUser(w.store, 'alice')!;
    const bob = findUser(w.store, 'bob')!;
    let messages = 0;
    for (const { room } of w.store.db.prepare('SELECT DISTINCT room FROM room_message').all()) {
      const session = w.session(alice, roomById(w.store, Number(room))!);
      const rows = run(session, msgs, 'ALL|||9').split('\n').slice(1, -2);
      for (const row of rows) {
        const number = row.split('|')[0]!;
        assert.match(run(session, msg0, number), /^100 msg:\n([^\n]*\n)+000\n$/);
        assert.match(run(session, msg2, number), /^100 msg:\n/);
        const partNumbers = [...run(session, msg0, `${number}|1`).matchAll(/^part=[^|]*\|[^|]*\|([\d.]+)\|/gm)];
        for (const [, part] of partNumbers) assert.match(run(session, dlat, `${number}|${part}`), /^600 [1-9]/);
        messages++;
      }
    }
    assert.ok(messages >= 40, String(messages));
    assert.equal(personalRoom(w.store, bob, 'Mail').total, 3);
    assert.equal(personalRoom(w.store, alice, 'Mail').total, 2);
    assert.equal(personalRoom(w.store, alice, 'Sent Items').total, 2);
    assert.deepEqual(w.faults, []);
  });
});
