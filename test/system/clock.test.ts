import assert from 'node:assert/strict';
import { it } from 'node:test';
import { now, writtenTime } from '../../src/system/clock.ts';

it('counts whole Unix seconds: one begins when it is full, not when it is half over', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_999 });
  assert.equal(now(), 1_700_000_000);
  t.mock.timers.tick(1);
  assert.equal(now(), 1_700_000_001);
});
it('a time is the nearest whose year has four digits', () => {
  const written = [0, 1_700_000_000.5, -62_167_219_200, -62_167_219_201, 253_402_300_799, 253_402_300_800, -1e15, 1e15];
  assert.deepEqual(
    written.map((seconds) => writtenTime(seconds).toISOString()),
    [
      '1970-01-01T00:00:00.000Z',
      '2023-11-14T22:13:20.500Z',
      ...Array(2).fill('0000-01-01T00:00:00.000Z'),
      ...Array(2).fill('9999-12-31T23:59:59.000Z'),
      '0000-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.000Z',
    ],
  );
});
