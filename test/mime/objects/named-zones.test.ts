// Time zones by their names.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ZONE_NAME_CHARACTERS } from '../../../src/limits/mime.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { offsetAt } from '../../../src/mime/objects/offsets.ts';
import { instant } from './calendars.ts';

describe('a time in a zone that is known by name', () => {
  it('has the offset of its season, by the name of the zone', () => {
    assert.equal(instant('20260320T120000', 'America/New_York'), '20260320T1600');
    assert.equal(instant('20260101T120000', 'US/Eastern'), '20260101T1700');
    assert.equal(instant('20260701T120000', '/example.org/Olson/Europe/Berlin'), '20260701T1000');
    assert.equal(instant('20260701T120000', 'europe/berlin'), '20260701T1000');
    assert.equal(instant('90000701T120000', 'Europe/Berlin'), '90000701T1000');
    assert.equal(instant('20260701T120000', 'Nowhere'), '20260701T1200', 'as a floating time');
    assert.equal(instant('20260701T120000Z', 'Europe/Berlin'), '20260701T1200');
  });

  it('has the rule of its zone for ever', () => {
    const zone = namedZone('Europe/Berlin')!;
    const format = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hourCycle: 'h23', hour: '2-digit' });
    for (let year = 2095; year < 2140; year++) {
      for (let date = 24; date <= 31; date++) {
        const noon = Date.UTC(year, 2, date, 12) / 1000;
        assert.equal(12 + offsetAt(zone, noon) / 3600, Number(format.format(noon * 1000)), `${year}-03-${date}`);
      }
    }
  });

  it('a name of a zone is no longer than the bound', () => {
    const name = (length: number) => `${'x'.repeat(length - '/Europe/Berlin'.length)}/Europe/Berlin`;
    assert.equal(namedZone(name(MAX_ZONE_NAME_CHARACTERS))?.name, 'Europe/Berlin');
    assert.equal(namedZone(name(MAX_ZONE_NAME_CHARACTERS + 1)), undefined);
  });
});
