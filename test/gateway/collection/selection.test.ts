// Which members are listed, and under which names.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Member, memberHref, type Selection } from '../../../src/gateway/collection/member.ts';
import { MemberNames } from '../../../src/gateway/collection/member-names.ts';
import { isSelected } from '../../../src/gateway/collection/selection.ts';
import { VIEW } from '../../../src/model.ts';

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

describe('names of members', () => {
  const namesIn = (defaultView: number, rows: readonly (readonly [number, string, string?])[]) => {
    const names = new MemberNames({ defaultView });
    return rows.map(([msgnum, euid, name]) => names.take({ msgnum, euid }, { name }));
  };

  it('are what a client has given, else the UID with an ending, else the number', () => {
    assert.deepEqual(
      namesIn(VIEW.calendar, [
        [1, 'u', 'a.ics'],
        [2, 'v'],
        [3, ''],
      ]),
      ['a.ics', 'v.ics', '3.ics'],
    );
    assert.deepEqual(
      namesIn(VIEW.addressBook, [
        [1, 'u.vcf'],
        [2, 'v'],
        [3, ''],
      ]),
      ['u.vcf', 'v.vcf', '3.vcf'],
    );
    assert.deepEqual(
      namesIn(VIEW.notes, [
        [1, 'u'],
        [2, ''],
      ]),
      ['u', '2'],
      'no programs ask for endings',
    );
    assert.deepEqual(
      namesIn(VIEW.board, [
        [1, 'u', 'a.txt'],
        [2, 'v'],
      ]),
      ['a.txt', '2'],
      'no room with UIDs',
    );
  });

  it('are given once, and never what means something else', () => {
    assert.deepEqual(
      namesIn(VIEW.calendar, [
        [1, 'u', 'a'],
        [2, 'v', 'a'],
        [3, 'v'],
      ]),
      ['a', 'v.ics', '3.ics'],
    );
    assert.deepEqual(
      namesIn(VIEW.calendar, [
        [1, '7'],
        [2, 'msgs.all'],
        [3, 'a|b'],
        [4, 'stat'],
      ]),
      ['7.ics', '2.ics', '3.ics', 'stat.ics'],
    );
  });

  it('are encoded in addresses, once, with folders in files rooms only', () => {
    assert.equal(memberHref('/svc/r/F/', { name: 'a b/ü@%.txt' }, 'files'), '/svc/r/F/a%20b/%C3%BC%40%25.txt');
    assert.equal(memberHref('/svc/r/F/', { name: 'a/b' }, 'calendar'), '/svc/r/F/a%2Fb');
  });
});
