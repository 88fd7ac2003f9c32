// Local times made instants, and back (RFC 5545 section 3.3.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { fixedZone, instantOf, lastWhere, localOf, offsetAt } from '../../../src/mime/objects/offsets.ts';
import { at, BERLIN_2026, instant } from './calendars.ts';

describe('a local time', () => {
  it('counts with the offset before a change where it does not exist or exists twice', () => {
    for (const lines of [[], BERLIN_2026]) {
      assert.equal(instant('20260329T013000', 'Europe/Berlin', ...lines), '20260329T0030');
      assert.equal(instant('20260329T023000', 'Europe/Berlin', ...lines), '20260329T0130');
      assert.equal(instant('20260329T030000', 'Europe/Berlin', ...lines), '20260329T0100');
      assert.equal(instant('20261025T023000', 'Europe/Berlin', ...lines), '20261025T0030');
      assert.equal(instant('20261025T030000', 'Europe/Berlin', ...lines), '20261025T0200');
    }
  });

  it('is the same instant and back for every hour of a year', () => {
    for (const name of [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kolkata',
    ]) {
      const zone = namedZone(name)!;
      for (let time = at('20260101'); time < at('20270101'); time += 3600) {
        const back = instantOf(zone, time + offsetAt(zone, time));
        assert.ok(back === time || back === time - 3600 || back === time - 1800, `${name} ${time}`);
      }
    }
  });
});

describe('offsets', () => {
  const HOUR = 3600;
  const zone = {
    name: 'Made',
    near: () => ({
      first: 0,
      changes: [
        { at: 100 * HOUR, before: 0, after: HOUR },
        { at: 200 * HOUR, before: HOUR, after: -HOUR },
      ],
    }),
  };

  it('change at the instant that is given, not a second before', () => {
    const offsets = [0, 100 * HOUR - 1, 100 * HOUR, 200 * HOUR - 1, 200 * HOUR].map((time) => offsetAt(zone, time));
    assert.deepEqual(offsets, [0, 0, HOUR, HOUR, -HOUR]);
    assert.equal(localOf(zone, 200 * HOUR), 199 * HOUR);
    // 199:30 is there twice, and 100:30 not at all
    assert.equal(instantOf(zone, 199.5 * HOUR), 198.5 * HOUR);
    assert.equal(instantOf(zone, 100.5 * HOUR), 100.5 * HOUR);
  });

  it('do not change in a fixed zone', () => {
    const fixed = fixedZone('X', -5 * HOUR);
    assert.deepEqual(
      [offsetAt(fixed, -1e12), instantOf(fixed, 0), localOf(fixed, 0)],
      [-5 * HOUR, 5 * HOUR, -5 * HOUR],
    );
  });

  it('are searched by halves: the last item for which it holds', () => {
    const upTo = (limit: number) => lastWhere([1, 2, 2, 3], (item) => item <= limit);
    assert.deepEqual([0, 1, 2, 3, 9].map(upTo), [-1, 0, 2, 3, 3]);
    assert.equal(
      lastWhere([], () => true),
      -1,
    );
  });
});
