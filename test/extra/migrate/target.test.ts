// What `vestibule copy` sends to an ordinary room server, and how much of it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSessions } from '../../../src/extra/migrate/sessions.ts';
import { openTarget } from '../../../src/extra/migrate/target.ts';
import { MAX_COPIED_MARKS } from '../../../src/limits/backend.ts';
import { SequenceSet } from '../../../src/protocol/sequence-set.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { startAnsweringPeer } from '../../support/answering-peer.ts';

it('sends MAX_COPIED_MARKS single read marks of a user, and tells how many are left', async (t) => {
  const { asked, path } = await startAnsweringPeer(t);
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', new Map());
  t.after(() => sessions.close());
  const numbers = { flags: 2, floor: 0, order: 0, flags2: 0, view: 0 };
  const room = { name: 'Box', ...numbers, password: '', directory: '', admin: '' };
  const target = openTarget(sessions, '/nonexistent');
  for (const [count, lost] of [
    [MAX_COPIED_MARKS, []],
    [MAX_COPIED_MARKS + 1, ['1 read marks of admin']],
  ] as const) {
    asked.length = 0;
    const all = Array.from({ length: count }, (_, i) => i + 1);
    const visit = { user: 'admin', state: 'known', lastRead: 0, view: '', seen: SequenceSet.upTo(count) };
    assert.deepEqual(await target.setVisits(room, [visit], all), lost);
    const marks = asked.filter((line) => line.startsWith('SEEN '));
    assert.deepEqual([marks.length, marks.at(-1)], [MAX_COPIED_MARKS, `SEEN ${MAX_COPIED_MARKS}|1`]);
  }
});
