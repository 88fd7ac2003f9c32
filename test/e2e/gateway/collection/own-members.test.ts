// A room of the embedded room server as a collection, while others change it: by MEMB, without HTTP.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../../src/backend/store/messages.ts';
import { renameMember } from '../../../../src/backend/store/moving.ts';
import { FORMAT } from '../../../../src/backend/store/records.ts';
import { messageByName, removeFromRoom } from '../../../../src/backend/store/references.ts';
import { createRoom, updateRoom } from '../../../../src/backend/store/rooms.ts';
import { findUser } from '../../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../../src/backend/store/visits.ts';
import {
  changesSince,
  contentsOf,
  findMembers,
  listMembers,
  openCollection,
} from '../../../../src/gateway/collection/collection.ts';
import type { RoomContext } from '../../../../src/gateway/room-context.ts';
import { MAX_MEMBERS_AT_ONCE } from '../../../../src/limits/backend.ts';
import { VIEW } from '../../../../src/model.ts';
import type { Member } from '../../../../src/room-server/collections.ts';
import { event } from '../../../support/member-world.ts';
import { contextsAt } from '../../../support/room-context.ts';
import { startRoomServer } from '../../../support/room-server.ts';

async function world(t: TestContext, view: number) {
  const { store, socketPath } = await startRoomServer(t, { users: { ann: 4, ben: 4 } });
  const room = createRoom(store, { name: 'Box', view, flags: 0 });
  const put = (name: string, body = name): number => {
    const type = view === VIEW.calendar ? 'text/calendar' : 'text/plain';
    const stored = `Content-Type: ${type}\nX-Vestibule-Name: ${encodeURIComponent(name)}\n\n${body}`;
    return saveMessage(store, {
      ...{ format: FORMAT.mime, author: 'ann', path: 'ann', address: '', room: 'Box', subject: name },
      euid: view === VIEW.calendar ? name : '',
      body: finishedBody(store, FORMAT.mime, Buffer.from(stored)),
      rooms: [room.id],
      mayReplace: true,
    });
  };
  const fill = (count: number) =>
    store.transaction(() => Array.from({ length: count }, (_, i) => put(`f${i}`, 'same')));
  const rename = (from: string, to: string) =>
    store.transaction(() => {
      const msgnum = messageByName(store, room.id, from)!;
      renameMember(store, { source: room.id, msgnum, target: room.id, name: to });
    });
  const contextOf = contextsAt(t, socketPath);
  return { store, room, put, fill, rename, contextOf, context: contextOf('ann', 'Box') };
}

async function namesOf(members: AsyncIterable<readonly Member[]>): Promise<string[]> {
  return (await Array.fromAsync(members)).flat().map(({ name, msgnum }) => `${name} ${msgnum}`);
}

describe('a list of members', () => {
  it('has each name once, and lacks none, though members are replaced while it is read', async (t) => {
    const { store, room, put, fill, rename, context } = await world(t, VIEW.files);
    const count = MAX_MEMBERS_AT_ONCE * 4;
    const numbers = fill(count);
    const last = count - 1;
    const { members, token } = await listMembers(context);
    const pages = members[Symbol.asyncIterator]();
    const seen: string[] = [];
    const add = (batch: readonly Member[]) => seen.push(...batch.map(({ name, msgnum }) => `${name} ${msgnum}`));
    add((await pages.next()).value);
    // what has been listed, what has not, what is gone, what is new, and names that go round
    put('f0', 'again');
    const replaced = put(`f${last}`, 'again');
    removeFromRoom(store, room.id, [numbers[last - 1]!]);
    put('new');
    rename('f1', 'other');
    rename(`f${last - 2}`, 'f1');
    for (let next = await pages.next(); !next.done; next = await pages.next()) add(next.value);
    const expected = numbers.map((number, i) => `f${i} ${number}`).toSpliced(last - 2, 3, `f${last} ${replaced}`);
    assert.deepEqual(seen.toSorted(), expected.toSorted());
    const changes = (await changesSince(context, token))!;
    const other = messageByName(store, room.id, 'other');
    assert.deepEqual((await namesOf(changes.changed)).map((each) => each.split(' ')[0]).sort(), [
      ...['f0', 'f1', `f${last}`, 'new', 'other'],
    ]);
    assert.equal(other, numbers[1]);
    assert.deepEqual([...changes.removed].sort(), [`f${last - 2}`, `f${last - 1}`].sort());
  });

  it('tells by its token what has changed since, and nothing where nothing has', async (t) => {
    const { put, context, room, store } = await world(t, VIEW.files);
    put('a');
    const { token } = await openCollection(context);
    const none = (await changesSince(context, token))!;
    assert.deepEqual([none.token, await namesOf(none.changed), none.removed], [token, [], []]);
    const b = put('b');
    removeFromRoom(store, room.id, [messageByName(store, room.id, 'a')!]);
    const some = (await changesSince(context, token))!;
    assert.deepEqual([await namesOf(some.changed), some.removed], [[`b ${b}`], ['a']]);
    assert.equal(some.token, (await listMembers(context)).token);
    for (const odd of ['', 'data:,1', 'data:,x-1', token.replace(/-\d+/, '-99'), token.replace(',', ',9'), `${token} `])
      assert.equal(await changesSince(context, odd), undefined, odd);
  });
});

describe('a list that is kept', () => {
  const batchesOf = async (context: RoomContext, folder = '') =>
    Array.fromAsync((await listMembers(context, { folder })).members);

  it('is given again as long as nothing has changed, and no longer', async (t) => {
    const { put, rename, store, room, context } = await world(t, VIEW.files);
    put('a');
    put('b');
    const first = await batchesOf(context);
    assert.equal((await batchesOf(context))[0], first[0]);
    const changes = [
      () => put('c'),
      () => put('a', 'other'),
      () => rename('b', 'd'),
      () => removeFromRoom(store, room.id, [messageByName(store, room.id, 'c')!]),
    ];
    const after = [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'c', 'd'],
      ['a', 'd'],
    ];
    for (const [i, change] of changes.entries()) {
      change();
      const names = (await batchesOf(context)).flat().map(({ name }) => name);
      assert.deepEqual(names.sort(), after[i]);
    }
  });

  it('is shared by all who may read the room, and shown to nobody else', async (t) => {
    const { put, store, room, contextOf } = await world(t, VIEW.files);
    put('a');
    const [first] = await batchesOf(contextOf('ann', 'Box'));
    await batchesOf(contextOf('ben', 'Box'));
    assert.equal((await batchesOf(contextOf('ben', 'Box')))[0]![0]!.msgnum, first![0]!.msgnum);
    const ben = findUser(store, 'ben')!;
    store.transaction(() => updateVisit(store, visitOf(store, ben.id, room.id), { state: 'locked_out' }));
    await assert.rejects(batchesOf(contextOf('ben', 'Box')), { code: 'not_found' });
    assert.equal((await batchesOf(contextOf('ann', 'Box')))[0], first);
  });

  it('is not that of the room which had the name before', async (t) => {
    const { put, store, room, context } = await world(t, VIEW.files);
    put('a');
    await batchesOf(context);
    store.transaction(() => updateRoom(store, room, { name: 'Old' }));
    createRoom(store, { name: 'Box', view: VIEW.files, flags: 0 });
    assert.deepEqual(await batchesOf(context), []);
  });

  it('has what is in the folder that is asked for, also when the room becomes one without folders', async (t) => {
    const { put, store, room, context } = await world(t, VIEW.files);
    put('a');
    put('x/');
    put('x/b');
    const names = async (folder: string) => (await batchesOf(context, folder)).flat().map(({ name }) => name);
    for (let time = 0; time < 2; time++) {
      assert.deepEqual([await names(''), await names('x/')], [['a', 'x/'], ['x/b']]);
    }
    store.transaction(() => updateRoom(store, room, { view: VIEW.board }));
    assert.deepEqual(await names(''), ['a', 'x/', 'x/b']);
  });
});

describe('members of a calendar', () => {
  it('are found by name and UID, chosen by time, and read many at a time', async (t) => {
    const { put, context } = await world(t, VIEW.calendar);
    const starts = ['20240501T100000Z', '20240601T100000Z', '20240701T100000Z'];
    const texts = starts.map((start, i) => event(`uid${i}`, start));
    const numbers = texts.map((text, i) => put(`uid${i}`, text.replaceAll('\r\n', '\n')));
    const found = await findMembers(context, ['uid1.ics', String(numbers[2]), 'a|b', 'x'.repeat(5000), 'none']);
    assert.deepEqual(
      found.map((member) => member?.msgnum),
      [numbers[1], numbers[2], undefined, undefined, undefined],
    );
    const range = { start: Date.UTC(2024, 5) / 1000, end: Date.UTC(2024, 6) / 1000 };
    const { members } = await listMembers(context, { component: 'VEVENT', range });
    assert.deepEqual(await namesOf(members), [`uid1 ${numbers[1]}`]);
    const all = (await Array.fromAsync((await listMembers(context)).members)).flat();
    assert.deepEqual(all[0]!.extent, { start: Date.UTC(2024, 4, 1, 10) / 1000, end: Date.UTC(2024, 4, 1, 11) / 1000 });
    const contents = (await Array.fromAsync(contentsOf(context, all))).flat();
    assert.deepEqual(
      contents.map(({ member, bytes }) => [member.msgnum, bytes.toString()]),
      numbers.map((number, i) => [number, texts[i]!.replaceAll('\r\n', '\n')]),
    );
    const gone = { ...all[0]!, msgnum: 9999 };
    assert.equal((await Array.fromAsync(contentsOf(context, [gone, all[1]!]))).flat().length, 1);
  });

  it('are found in one question however many names it has', async (t) => {
    const { put, context } = await world(t, VIEW.calendar);
    const number = put('uid', event('uid').replaceAll('\r\n', '\n'));
    const names = Array.from({ length: 2500 }, (_, i) => (i % 100 === 0 ? 'uid' : `${'n'.repeat(30)}${i}`));
    const found = await findMembers(context, names);
    assert.equal(found.length, names.length);
    assert.ok(found.every((member, i) => member?.msgnum === (i % 100 === 0 ? number : undefined)));
    assert.deepEqual(await findMembers(context, []), []);
  });
});
