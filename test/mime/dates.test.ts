import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatHttpDate } from '../../src/http/conditional.ts';
import { MAX_DATE_CHARACTERS } from '../../src/limits/mime.ts';
import { formatDate, parseDate } from '../../src/mime/addresses.ts';

const TIME = 1795221488; // 2026-11-21 00:38:08

describe('dates', () => {
  it('writes RFC 5322 and HTTP dates in UTC', () => {
    assert.equal(formatDate(TIME), 'Sat, 21 Nov 2026 00:38:08 +0000');
    assert.equal(formatHttpDate(TIME), 'Sat, 21 Nov 2026 00:38:08 GMT');
    assert.equal(formatDate(0), 'Thu, 01 Jan 1970 00:00:00 +0000');
    assert.equal(formatDate(1e15), 'Fri, 31 Dec 9999 23:59:59 +0000');
  });

  it('reads the forms that mail uses', () => {
    for (const text of [
      'Sat, 21 Nov 2026 00:38:08 +0000',
      'Sat, 21 Nov 2026 00:38:08 -0000',
      'Sat, 21 Nov 2026 00:38:08 GMT',
      '21 Nov 2026 00:38:08 UT',
      '21 nov 2026 0:38:08 Z',
      'Fri, 20 Nov 2026 19:38:08 -0500 (EST)',
      'Fri, 20 Nov 2026 19:38:08 EST',
      'Fri, 20 Nov 2026 16:38:08 PST',
      'Fri, 20 Nov 2026 17:38:08 PDT',
      'Sat, 21 Nov 2026 06:08:08 +0530',
      'Sat , 21 (the) Nov 26 00 : 38 : 08 GMT',
      'Saturday, 21-Nov-26 00:38:08 GMT',
      '  Sat,21 Nov 2026   00:38:08',
    ]) {
      assert.equal(parseDate(text), TIME, text);
    }
    assert.equal(parseDate('Sat, 21 Nov 2026 00:38 +0000'), TIME - 8);
    assert.equal(parseDate('1 Jan 99 00:00:00 GMT'), 915148800);
    assert.equal(parseDate('1 Jan 103 00:00:00 GMT'), 1041379200);
    assert.equal(parseDate('31 Dec 2016 23:59:60 GMT'), 1483228800);
    assert.equal(parseDate('29 Feb 2024 00:00:00 GMT'), 1709164800);
  });

  it('reads what it writes', () => {
    for (const time of [0, 1, TIME, 253402300799]) {
      assert.equal(parseDate(formatDate(time)), time);
      assert.equal(parseDate(formatHttpDate(time)), time);
    }
  });

  it('refuses what is no date', () => {
    for (const text of [
      '',
      'now',
      '2026-11-21T00:38:08Z',
      '32 Nov 2026 00:00:00 GMT',
      '31 Nov 2026 00:00:00 GMT',
      '29 Feb 2023 00:00:00 GMT',
      '0 Nov 2026 00:00:00 GMT',
      '1 Xyz 2026 00:00:00 GMT',
      '1 Nov 2026 24:00:00 GMT',
      '1 Nov 2026 00:60:00 GMT',
      '1 Nov 2026 00:00:61 GMT',
      '1 Nov 2026 00:00:00 +0060',
      '1 Nov 2026',
    ]) {
      assert.equal(parseDate(text), undefined, text);
    }
  });

  it('reads no text that is longer than any date', () => {
    const date = '1 Nov 2026 00:00:00 GMT';
    assert.notEqual(parseDate(date.padEnd(MAX_DATE_CHARACTERS)), undefined);
    assert.equal(parseDate(date.padEnd(MAX_DATE_CHARACTERS + 1)), undefined);
  });
});
