// Under which names members are listed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VIEW } from '../../../src/model.ts';
import { MemberNames } from '../../../src/room-server/citadel/header-facts.ts';

describe('names of members', () => {
  const namesIn = (defaultView: number, rows: readonly (readonly [number, string, string?])[]) => {
    const names = new MemberNames({ defaultView, flags: 0 });
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

  it('are given once, and never what no address can have', () => {
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
      ['7.ics', 'msgs.all.ics', '3.ics', 'stat.ics'],
    );
  });
});
