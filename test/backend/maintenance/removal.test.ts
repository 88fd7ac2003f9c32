import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { deleteUnfinishedRooms } from '../../../src/backend/maintenance/removal.ts';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { createRoom, roomById, roomByName } from '../../../src/backend/store/rooms.ts';
import { createUser, findUser, personalRoom } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { MESSAGES, world } from '../../support/huge-room.ts';

describe('a user with many rooms who is deleted', () => {
  it('has none at once, and they go in pieces between which others have their turn', async (t) => {
    const { store, server, admin, huge, count, left } = await world(t);
    const ann = createUser(store, 'ann', null);
    const own = [huge, ...Array.from({ length: 100 }, (_, i) => personalRoom(store, ann, `Folder ${i}`))];
    store.transaction(() => {
      for (const { id } of own.slice(1)) {
        const body = finishedBody(store, 1, Buffer.from(`mail in ${id}\n`));
        const fields = { format: 1, author: 'ann', path: 'ann', address: '', room: 'Folder', subject: 's' };
        saveMessage(store, { ...fields, body, rooms: [id] });
      }
      for (const room of own) updateVisit(store, visitOf(store, 1, room.id), { state: 'known' });
    });
    createRoom(store, { name: 'Led', flags: 0, view: 0, admin: ann.id });
    const before = left();
    await admin.expect('GOTO 0000000002.Folder 7', 200);
    await admin.expect('ASUP ann|||||0|', 200);
    assert.equal(left(), before, 'nothing was removed while others waited');
    assert.equal(findUser(store, 'ann'), undefined);
    assert.equal(roomByName(store, 'Led')!.admin, null);
    for (const { id } of own.slice(1)) assert.equal(roomById(store, id), undefined);
    assert.deepEqual((await admin.expect('SRCH mail', 100)).lines, []);
    await admin.expect('MSGS ALL', 550);
    await server.housekeeper.done();
    assert.equal(visitOf(store, 1, own[1]!.id).state, 'none');
    assert.deepEqual([left(), count('message')], [MESSAGES, MESSAGES + 1]);
    assert.equal(count('room WHERE dropped <> 0'), 0);
    assert.deepEqual([...findFaults(store)], []);
  });
});

it('a room that was made unfinished goes at the next start, unless the mark has been taken away', async (t) => {
  const { store, server, admin, huge } = await world(t);
  const names = ['Half', 'Full', 'Plain'];
  for (const name of names) await admin.expect(`CRE8 1|${name}|4||0||0${name === 'Plain' ? '' : '|1'}`, 200);
  await admin.expect('GOTO Full', 200);
  assert.deepEqual(await admin.send('PROP set|', 'unfinished\n'), ['0']);
  await admin.expect('GOTO Half', 200);
  deleteUnfinishedRooms(server);
  await admin.expect('MSGS ALL', 550);
  const there = names.filter((name) => roomByName(store, `0000000001.${name}`));
  assert.deepEqual([there, roomById(store, huge.id)], [['Full', 'Plain'], huge]);
  await server.housekeeper.done();
  assert.deepEqual([...findFaults(store)], []);
});
