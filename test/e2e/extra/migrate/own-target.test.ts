// A room server of ours as the one that a copy writes to.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { openOwnTarget } from '../../../../src/extra/migrate/own-target.ts';
import { SequenceSet } from '../../../../src/protocol/sequence-set.ts';
import { Connection } from '../../../../src/room-server/connection/connection.ts';
import { copiedRoom } from '../../../support/copy-ends.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { storedContent } from '../../../support/stored-content.ts';

const LOBBY = copiedRoom('Lobby');

async function start(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4 } });
  const open = () => Connection.open({ path: server.adminSocketPath });
  const target = openOwnTarget(await open(), open, tmpdir());
  t.after(() => target.close());
  const put = (text: string, fields: Record<string, string> = {}, room = LOBBY) =>
    target.put(room, new Map(Object.entries({ type: '4', ...fields })), Readable.from([Buffer.from(text)]));
  return { target, put, stored: () => storedContent(server.folder) };
}

describe('a message that is put on a server of ours', () => {
  it('keeps its id, author and time, and is listed by them', async (t) => {
    const { target, put, stored } = await start(t);
    const fields = { msgn: 'id@there', from: 'Zoe', time: '1000000000', subj: 'x', rfca: 'zoe@there' };
    const { msgnum, lost } = await put('\ntext\n', fields);
    assert.deepEqual(lost, []);
    assert.ok((await target.list(LOBBY)).some((one) => one.msgnum === msgnum && one.key === 'id@there'));
    assert.match(
      stored().messages.find((row) => row.includes('id@there'))!,
      /id@there\|1000000000\|4\|Zoe\|.*zoe@there/,
    );
  });

  it('that cannot be sent is refused, and the next one comes', async (t) => {
    const { put } = await start(t);
    await assert.rejects(put('\na\n000\nQUIT\n'), { code: 'conflict', message: 'It contains a line 000.' });
    assert.ok((await put('\na\n0000\n')).msgnum > 0);
  });

  it('may be in another room, too, and is one message', async (t) => {
    const { target, put, stored } = await start(t);
    const attic = copiedRoom('Attic');
    await target.makeRoom(attic);
    const { count } = stored();
    const { msgnum } = await put('\ntext\n', { msgn: 'id@there' });
    assert.equal(await target.refer(attic, msgnum), true);
    assert.deepEqual(
      (await target.list(attic)).map((one) => one.msgnum),
      [msgnum],
    );
    assert.equal(stored().count, count + 1);
  });
});

describe('a room that is made on a server of ours', () => {
  it('is there afterwards, with all its settings', async (t) => {
    const { target, stored } = await start(t);
    const room = copiedRoom('Attic', { flags: 6, view: 6, order: 9, admin: 'ann' });
    assert.equal(await target.hasRoom(room), false);
    assert.equal(await target.makeRoom(room), '');
    assert.equal(await target.hasRoom({ ...room, name: 'ATTIC' }), true);
    assert.match(stored().rooms.find((row) => row.startsWith('Attic|'))!, /^Attic\|6\|0\|Main Floor\|9\|6\|.*\|ann\|/);
    assert.ok(!(await target.makeRoom(copiedRoom('Cellar', { flags: 14, passwordHash: 'scrypt$x' }))));
  });

  it('cannot look like another one', async (t) => {
    const { target } = await start(t);
    await assert.rejects(target.makeRoom(copiedRoom('L0bby')), { code: 'conflict' });
    await target.makeRoom(copiedRoom('Garden'));
    await assert.rejects(target.makeRoom(copiedRoom('Gаrdеn')), { code: 'conflict' }, 'nor like one of the same run');
  });
});

it('read marks are set for those who have none there, and told back', async (t) => {
  const { target, put, stored } = await start(t);
  const { msgnum } = await put('\ntext\n');
  const seen = SequenceSet.upTo(msgnum);
  const visits = [{ user: 'ann', state: 'known', lastRead: msgnum, view: '3', seen }];
  const hall = copiedRoom('Hall');
  await target.makeRoom(hall);
  assert.deepEqual(await target.unvisited(hall, visits), visits);
  assert.deepEqual(await target.setVisits(hall, visits, []), []);
  assert.deepEqual(await target.unvisited(hall, visits), []);
  assert.match(stored().visits.find((row) => row.startsWith('ann in Hall'))!, /: known\|3\|/);
  const unread = [{ ...visits[0]!, seen: undefined, state: 'forgotten' }];
  await target.setVisits(hall, unread, []);
  assert.match(stored().visits.find((row) => row.startsWith('ann in Hall'))!, /: known\|3\|/, 'what is known stays');
});
