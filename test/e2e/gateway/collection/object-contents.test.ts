// Contents of calendar objects, read many at a time by the documented verbs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentsOf } from '../../../../src/gateway/collection/collection.ts';
import { MAX_OBJECT_BYTES } from '../../../../src/limits/backend.ts';
import { membersOf, ordinaryEvent, ordinaryWorld } from '../../../support/ordinary-world.ts';

const DAY = Date.UTC(2026, 0, 5) / 1000;

describe('contents of members', () => {
  it('are read as they were PUT, in order, and then knows what they are', async (t) => {
    const { real, put, calendar } = await ordinaryWorld(t);
    const bodies = Array.from({ length: 30 }, (_, i) =>
      ordinaryEvent(`u${i}`, `202601${String(i + 1).padStart(2, '0')}T100000Z`),
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

  it('are left out that are gone, too large, or no objects', async (t) => {
    const { put, alice, calendar } = await ordinaryWorld(t);
    const large = (size: number) => {
      const rest = size - ordinaryEvent('large', undefined, 'X-A:\r\n').length;
      return ordinaryEvent('large', undefined, `X-A:${'x'.repeat(rest)}\r\n`);
    };
    await put('r/Calendar/new', large(MAX_OBJECT_BYTES));
    const gone = await put('r/Calendar/gone', ordinaryEvent('gone'));
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
