// Which members are listed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Member, Selection } from '../../src/room-server/collections.ts';
import { isSelected } from '../../src/room-server/collections.ts';

const member = (facts: Partial<Member>) => ({ name: 'a', component: undefined, extent: undefined, ...facts }) as Member;
const named = (names: readonly string[], selection: Selection) =>
  names.filter((name) => isSelected(member({ name }), selection, 'files'));

describe('a selection of members', () => {
  it('of a folder has what lies directly in it', () => {
    const names = ['a', 'a.txt', 'a/', 'a/b', 'a/b/', 'a/b/c', 'ab/', 'ab/c'];
    assert.deepEqual(named(names, {}), ['a', 'a.txt', 'a/', 'ab/']);
    assert.deepEqual(named(names, { folder: 'a/' }), ['a/b', 'a/b/']);
    assert.deepEqual(named(names, { folder: 'a/b/' }), ['a/b/c']);
    assert.deepEqual(named(names, { folder: 'none/' }), []);
    assert.equal(isSelected(member({ name: 'a/b' }), { folder: '' }, 'messages'), true, 'a slash is part of the name');
  });

  it('of a component or a time leaves in what is not known', () => {
    const isIn = (facts: Partial<Member>, selection: Selection) => isSelected(member(facts), selection, 'calendar');
    assert.equal(isIn({ component: 'VTODO' }, { component: 'VEVENT' }), false);
    assert.equal(isIn({ component: 'VEVENT' }, { component: 'VEVENT' }), true);
    assert.equal(isIn({}, { component: 'VEVENT' }), true);
    const range = { start: 10, end: 20 };
    const within = (start: number, end: number) => isIn({ extent: { start, end } }, { range });
    assert.deepEqual(
      [within(0, 9), within(0, 10), within(20, 30), within(21, 30), within(Number.NEGATIVE_INFINITY, 5)],
      [false, true, true, false, false],
    );
    assert.equal(within(0, Number.POSITIVE_INFINITY), true);
    assert.equal(isIn({}, { range }), true);
  });
});
