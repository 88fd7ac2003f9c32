// Rooms as collections, by the documented verbs, on a server that knows no others.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changesSince,
  findMembers,
  listMembers,
  openCollection,
} from '../../../../src/gateway/collection/collection.ts';
import { changesTold, ordinaryEvent, ordinaryWorld } from '../../../support/ordinary-world.ts';
import { contextsAt } from '../../../support/room-context.ts';

describe('a collection, by documented verbs', () => {
  it('tells what changed since a token, and nothing twice', async (t) => {
    const { put, alice, calendar } = await ordinaryWorld(t);
    const one = await put('r/Calendar/1a', ordinaryEvent('1a'));
    const two = await put('r/Calendar/2a', ordinaryEvent('2a'));
    const { token: first, members } = await listMembers(calendar);
    assert.deepEqual(
      (await Array.fromAsync(members)).flat().map(({ name, msgnum }) => [name, msgnum]),
      [
        ['1a', one],
        ['2a', two],
      ],
    );
    assert.equal((await openCollection(calendar)).token, first);
    assert.deepEqual(await changesTold(await changesSince(calendar, first)), { changed: [], removed: [] });
    const replaced = await put('r/Calendar/1a', ordinaryEvent('1a', '20260106T100000Z'));
    const added = await put('r/Calendar/3a', ordinaryEvent('3a'));
    await alice(`r/Calendar/${two}`, { method: 'DELETE' });
    const second = (await changesSince(calendar, first))!;
    assert.notEqual(second.token, first);
    assert.deepEqual(await changesTold(second), {
      changed: [
        ['1a', replaced],
        ['3a', added],
      ],
      removed: ['2a'],
    });
    assert.deepEqual(await changesTold(await changesSince(calendar, second.token)), { changed: [], removed: [] });
  });

  it('takes a token as long as it knows what has gone, and after a restart what has been added', async (t) => {
    const { real, put, alice, calendar } = await ordinaryWorld(t);
    await put('r/Calendar/1a', ordinaryEvent('1a'));
    const { token } = await openCollection(calendar);
    const added = await put('r/Calendar/2a', ordinaryEvent('2a'));
    const restarted = contextsAt(t, real.path)('alice', 'Calendar');
    assert.deepEqual(await changesTold(await changesSince(restarted, token)), {
      changed: [['2a', added]],
      removed: [],
    });
    await alice('r/Calendar/1a', { method: 'DELETE' });
    assert.deepEqual(await changesTold(await changesSince(restarted, token)), {
      changed: [['2a', added]],
      removed: ['1a'],
    });
    const forgetful = contextsAt(t, real.path)('alice', 'Calendar');
    assert.equal(await changesSince(forgetful, token), undefined);
  });

  it('takes no token of another caller, room or key, nor one that was made up', async (t) => {
    const { real, put, contexts, calendar } = await ordinaryWorld(t);
    await put('r/Calendar/1a', ordinaryEvent('1a'));
    const { token } = await openCollection(calendar);
    const other = contextsAt(t, real.path, Buffer.alloc(32, 2))('alice', 'Calendar');
    await put('r/Calendar/2a', ordinaryEvent('2a'));
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
    const { put, calendar } = await ordinaryWorld(t);
    const number = await put('r/Calendar/1a', ordinaryEvent('1a'));
    await put('r/Calendar/2a', ordinaryEvent('2a'));
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
});
