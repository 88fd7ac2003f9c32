// Rooms as collections, by the documented verbs (gateway/collection), on a server that knows no others.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  changesSince,
  contentsOf,
  findMembers,
  listMembers,
  openCollection,
} from '../../src/gateway/collection/collection.ts';
import type { Member, MemberChanges, Selection } from '../../src/gateway/collection/member.ts';
import { objectsOf } from '../../src/gateway/collection/objects.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import { MAX_OBJECT_BYTES } from '../../src/limits/backend.ts';
import { startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';
import { contextsAt } from '../support/room-context.ts';

const DAY = Date.UTC(2026, 0, 5) / 1000;

const event = (uid: string, start = '20260105T100000Z', extra = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260101T000000Z\r\n` +
  `DTSTART:${start}\r\nDTEND:${start.replace('T10', 'T11')}\r\nSUMMARY:${uid}\r\n${extra}END:VEVENT\r\n` +
  'END:VCALENDAR\r\n';

async function world(t: TestContext) {
  const real = await startRealServer(t, { users: { alice: 4, bob: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const contexts = contextsAt(t, real.path);
  const alice = gateway.as('alice', 'alicepw');
  const put = async (path: string, body: string, type = 'text/calendar; charset=utf-8') => {
    const answer = await alice(path, { method: 'PUT', headers: { 'content-type': type }, body });
    assert.ok(answer.status === 201 || answer.status === 204, `${path} ${answer.status}`);
    return Number(answer.headers.get('etag')!.slice(1, -1));
  };
  return { real, alice, put, contexts, calendar: contexts('alice', 'Calendar') };
}

async function membersOf(context: RoomContext, selection?: Selection): Promise<Member[]> {
  return (await Array.fromAsync((await listMembers(context, selection)).members)).flat();
}

async function told(changes: MemberChanges | undefined) {
  if (!changes) return undefined;
  const changed = (await Array.fromAsync(changes.changed)).flat().map(({ name, msgnum }) => [name, msgnum]);
  return { changed, removed: [...changes.removed].sort() };
}

describe('a collection, by documented verbs', () => {
  it('tells what changed since a token, and nothing twice', async (t) => {
    const { put, alice, calendar } = await world(t);
    const one = await put('r/Calendar/1a', event('1a'));
    const two = await put('r/Calendar/2a', event('2a'));
    const { token: first, members } = await listMembers(calendar);
    assert.deepEqual(
      (await Array.fromAsync(members)).flat().map(({ name, msgnum }) => [name, msgnum]),
      [
        ['1a', one],
        ['2a', two],
      ],
    );
    assert.equal((await openCollection(calendar)).token, first);
    assert.deepEqual(await told(await changesSince(calendar, first)), { changed: [], removed: [] });
    const replaced = await put('r/Calendar/1a', event('1a', '20260106T100000Z'));
    const added = await put('r/Calendar/3a', event('3a'));
    await alice(`r/Calendar/${two}`, { method: 'DELETE' });
    const second = (await changesSince(calendar, first))!;
    assert.notEqual(second.token, first);
    assert.deepEqual(await told(second), {
      changed: [
        ['1a', replaced],
        ['3a', added],
      ],
      removed: ['2a'],
    });
    assert.deepEqual(await told(await changesSince(calendar, second.token)), { changed: [], removed: [] });
  });

  it('takes a token as long as it knows what has gone, and after a restart what has been added', async (t) => {
    const { real, put, alice, calendar } = await world(t);
    await put('r/Calendar/1a', event('1a'));
    const { token } = await openCollection(calendar);
    const added = await put('r/Calendar/2a', event('2a'));
    const restarted = contextsAt(t, real.path)('alice', 'Calendar');
    assert.deepEqual(await told(await changesSince(restarted, token)), { changed: [['2a', added]], removed: [] });
    await alice('r/Calendar/1a', { method: 'DELETE' });
    assert.deepEqual(await told(await changesSince(restarted, token)), { changed: [['2a', added]], removed: ['1a'] });
    const forgetful = contextsAt(t, real.path)('alice', 'Calendar');
    assert.equal(await changesSince(forgetful, token), undefined);
  });

  it('takes no token of another caller, room or key, nor one that was made up', async (t) => {
    const { real, put, contexts, calendar } = await world(t);
    await put('r/Calendar/1a', event('1a'));
    const { token } = await openCollection(calendar);
    const other = contextsAt(t, real.path, Buffer.alloc(32, 2))('alice', 'Calendar');
    await put('r/Calendar/2a', event('2a'));
    for (const context of [contexts('bob', 'Calendar'), contexts('alice', 'Tasks'), other]) {
      assert.equal(await changesSince(context, token), undefined);
    }
    const forged = [
      `${token.slice(0, 20)}zz${token.slice(22)}`,
      'data:,l',
      'data:,',
      '',
      'x',
      `data:,l${'A'.repeat(100_000)}`,
      'data:,1-2',
    ];
    for (const each of forged) assert.equal(await changesSince(calendar, each), undefined, each.slice(0, 20));
    assert.ok(await changesSince(calendar, token));
  });

  it('finds members by each of their names, and none that is not there', async (t) => {
    const { put, calendar } = await world(t);
    const number = await put('r/Calendar/1a', event('1a'));
    await put('r/Calendar/2a', event('2a'));
    const found = await findMembers(calendar, ['1a', '1a.ics', '1a.vcf', String(number), '3a', '999999', '']);
    assert.deepEqual(
      found.map((member) => member?.msgnum),
      [number, number, number, number, undefined, undefined, undefined],
    );
    assert.deepEqual(
      found.slice(0, 4).map((member) => member?.name),
      Array(4).fill('1a'),
    );
  });

  it('reads contents as they were PUT, in order, and then knows what they are', async (t) => {
    const { real, put, calendar } = await world(t);
    const bodies = Array.from({ length: 30 }, (_, i) =>
      event(`u${i}`, `202601${String(i + 1).padStart(2, '0')}T100000Z`),
    );
    for (const [i, body] of bodies.entries()) await put(`r/Calendar/u${i}`, body);
    const members = await membersOf(calendar);
    assert.ok(members.every(({ component, extent }) => component === undefined && extent === undefined));
    const before = real.roundTrips();
    const contents = (await Array.fromAsync(contentsOf(calendar, members.toReversed()))).flat();
    assert.ok(real.roundTrips() - before <= 2, `${real.roundTrips() - before} round trips`);
    assert.deepEqual(
      contents.map(({ bytes }) => bytes.toString()),
      bodies.toReversed(),
    );
    assert.ok(contents.every(({ member }) => member.component === 'VEVENT'));
    const range = { start: DAY, end: DAY + 86_400 };
    assert.deepEqual(
      (await membersOf(calendar, { range })).map(({ name }) => name),
      ['u4'],
    );
    assert.deepEqual(await membersOf(calendar, { component: 'VTODO' }), []);
    assert.equal((await membersOf(calendar, { component: 'VEVENT' })).length, 30);
  });

  it('leaves out contents that are gone, too large, or no objects', async (t) => {
    const { put, alice, calendar } = await world(t);
    const large = (size: number) => {
      const rest = size - event('large', undefined, 'X-A:\r\n').length;
      return event('large', undefined, `X-A:${'x'.repeat(rest)}\r\n`);
    };
    await put('r/Calendar/new', large(MAX_OBJECT_BYTES));
    const gone = await put('r/Calendar/gone', event('gone'));
    await put('r/Calendar/new?subj=letter', 'a letter', 'text/plain');
    const members = await membersOf(calendar, { isSizeWanted: true });
    assert.equal(members.length, 3);
    await alice(`r/Calendar/${gone}`, { method: 'DELETE' });
    const sizes = async () =>
      (await Array.fromAsync(contentsOf(calendar, members))).flat().map(({ bytes }) => bytes.length);
    assert.deepEqual(await sizes(), [MAX_OBJECT_BYTES]);
    const larger = await put('r/Calendar/new', large(MAX_OBJECT_BYTES + 1));
    const replaced = members.map((member) => ({
      ...member,
      msgnum: member.size === MAX_OBJECT_BYTES ? larger : member.msgnum,
      size: undefined,
    }));
    const read = (await Array.fromAsync(contentsOf(calendar, replaced))).flat();
    assert.deepEqual(
      read.map(({ member, bytes }) => [member.msgnum, bytes.length]),
      [],
    );
  });
});

describe('objects of a collection', () => {
  const objectsIn = async (context: RoomContext, members: readonly Member[]) =>
    (await Array.fromAsync(objectsOf(context, members)))
      .flat()
      .map(({ member, kept }) => [member.name, kept.object?.name, /SUMMARY:(.*)\r/.exec(kept.text)?.[1]]);

  it('come in order, whether they are kept or not', async (t) => {
    const { put, calendar } = await world(t);
    for (const name of ['1a', '2a', '3a']) await put(`r/Calendar/${name}`, event(name));
    const members = await membersOf(calendar);
    const all = ['1a', '2a', '3a'].map((name) => [name, 'VCALENDAR', name]);
    assert.deepEqual(await objectsIn(calendar, members.slice(1, 2)), all.slice(1, 2));
    assert.deepEqual(await objectsIn(calendar, members), all);
    assert.deepEqual(await objectsIn(calendar, members), all);
  });

  it('are what is there now, where they were replaced since they were listed', async (t) => {
    const { put, alice, calendar } = await world(t);
    for (const name of ['1a', '2a', '3a']) await put(`r/Calendar/${name}`, event(name));
    const members = await membersOf(calendar);
    await put('r/Calendar/1a', event('1a').replace('SUMMARY:1a', 'SUMMARY:changed'));
    assert.equal((await alice('r/Calendar/2a', { method: 'DELETE' })).status, 204);
    assert.deepEqual(await objectsIn(calendar, members), [
      ['3a', 'VCALENDAR', '3a'],
      ['1a', 'VCALENDAR', 'changed'],
    ]);
  });
});
