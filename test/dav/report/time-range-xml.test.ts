// Ranges of time in reports.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readClosedRange, readTimeRange } from '../../../src/dav/report/wanted.ts';
import { refuses, xmlOf } from './bodies.ts';

const [START, END] = ['20260104T000000Z', '20260105T000000Z'];
const at = (day: number) => Date.UTC(2026, 0, day) / 1000;
const range = (attributes: string) => xmlOf(`<C:time-range ${attributes}/>`);

it('A range has a start, an end, or both, in UTC', () => {
  assert.deepEqual(readTimeRange(range(`start="${START}" end="${END}"`)), { start: at(4), end: at(5) });
  assert.deepEqual(readTimeRange(range(`start="${START}"`)), { start: at(4), end: Number.POSITIVE_INFINITY });
  assert.deepEqual(readTimeRange(range(`end="${END}"`)), { start: Number.NEGATIVE_INFINITY, end: at(5) });
});

it('What is none is undefined: empty, turned round, no time, a local time, a day', () => {
  for (const attributes of [
    '',
    `start="${START}" end="${START}"`,
    `start="${END}" end="${START}"`,
    'start="20261304T000000Z"',
    'start="20260104T000000"',
    'start="20260104"',
    `start=" ${START}"`,
  ]) {
    assert.equal(readTimeRange(range(attributes)), undefined, attributes);
  }
});

it('A closed range has both', () => {
  assert.deepEqual(readClosedRange(range(`start="${START}" end="${END}"`)), { start: at(4), end: at(5) });
  for (const attributes of [`start="${START}"`, `end="${END}"`, '']) {
    refuses(() => readClosedRange(range(attributes)), 'bad_request', attributes);
  }
});
