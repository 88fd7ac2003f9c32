// Times and durations as they are written (RFC 5545 sections 3.3.5 and 3.3.6).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { durationText, utcText } from '../../../src/mime/objects/calendar-time.ts';

describe('values that are written', () => {
  it('are as RFC 5545 has them', () => {
    assert.deepEqual([0, 59, 3600, 86_400, 90_061, -900].map(durationText), [
      'PT0S',
      'PT59S',
      'PT1H',
      'P1D',
      'P1DT1H1M1S',
      '-PT15M',
    ]);
    assert.equal(utcText(0), '19700101T000000Z');
    assert.equal(utcText(Number.POSITIVE_INFINITY), '99991231T235959Z');
    assert.equal(utcText(Number.NEGATIVE_INFINITY), '00000101T000000Z');
  });
});
