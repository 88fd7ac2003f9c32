// Where the calendar of the web client puts its events, and what its addresses mean.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { barsOf, blocksOf, timeOf } from '../../../../static/kinds/calendar/layout.js';
// @ts-expect-error: the web client has no types
import { daysInSight, parseCalendarRoute, stepped } from '../../../../static/kinds/calendar/routes.js';

const at = (startTime: string, endTime: string, firstDay = '2026-11-22', lastDay = firstDay) => ({
  firstDay,
  lastDay,
  startTime,
  endTime,
});

const days = (firstDay: string, lastDay = firstDay) => ({ firstDay, lastDay });

describe('blocks of a day', () => {
  const places = (events: ReturnType<typeof at>[], day = '2026-11-22') =>
    blocksOf(events, day).map(({ from, to, column, columns }: Record<string, number>) => [
      timeOf(from),
      timeOf(to),
      column,
      columns,
    ]);

  it('stand side by side where they overlap, and alone where they do not', () => {
    assert.deepEqual(places([at('09:00', '11:00'), at('10:00', '12:00'), at('11:00', '11:30'), at('13:00', '14:00')]), [
      ['09:00', '11:00', 0, 2],
      ['10:00', '12:00', 1, 2],
      ['11:00', '11:30', 0, 2],
      ['13:00', '14:00', 0, 1],
    ]);
  });

  const spans = (events: ReturnType<typeof at>[], isTight: boolean) =>
    blocksOf(events, '2026-11-22', isTight).map(({ column, span }: Record<string, number>) => [column, span]);

  it('lie over the columns behind their own that are free', () => {
    const events = [at('09:00', '10:00'), at('09:00', '09:45'), at('09:30', '10:30'), at('10:00', '11:00')];
    assert.deepEqual(spans(events, false), [
      [0, 1],
      [1, 1],
      [2, 1],
      [0, 2],
    ]);
  });

  it('lie over all but titles where there is no room for columns', () => {
    assert.deepEqual(spans([at('09:00', '12:30'), at('10:00', '11:00'), at('10:30', '18:00')], true), [
      [0, 3],
      [1, 2],
      [2, 1],
    ]);
    const close = [at('09:00', '10:00'), at('09:00', '09:30'), at('09:15', '10:00'), at('09:45', '11:00')];
    assert.deepEqual(spans(close, true), [
      [0, 1],
      [1, 1],
      [2, 1],
      [1, 1],
    ]);
  });

  it('are high enough to be pressed, also before midnight', () => {
    assert.deepEqual(places([at('09:00', '09:00'), at('23:55', '23:55')]), [
      ['09:00', '09:25', 0, 1],
      ['23:35', '24:00', 0, 1],
    ]);
  });

  it('go on over midnight', () => {
    const night = at('22:00', '02:00', '2026-11-22', '2026-11-23');
    assert.deepEqual(places([night]), [['22:00', '24:00', 0, 1]]);
    assert.deepEqual(places([night], '2026-11-23'), [['00:00', '02:00', 0, 1]]);
    assert.deepEqual(places([at('22:00', '00:00')]), [['22:00', '24:00', 0, 1]]);
  });
});

it('bars take the first lane that is free, the longer one first', () => {
  const events = [
    days('2026-11-21', '2026-11-24'),
    days('2026-11-23'),
    days('2026-11-25'),
    days('2026-11-28', '2026-12-02'),
  ];
  const bars = barsOf(events, '2026-11-23', 7);
  assert.deepEqual(
    bars.map(({ from, days: count, lane, isBegun, goesOn }: Record<string, unknown>) => [
      from,
      count,
      lane,
      isBegun,
      goesOn,
    ]),
    [
      [0, 2, 0, true, false],
      [0, 1, 1, false, false],
      [2, 1, 0, false, false],
      [5, 2, 0, false, true],
    ],
  );
});

describe('addresses of a calendar', () => {
  const usual = { view: 'week', today: '2026-11-22' } as const;
  const parse = (...rest: string[]) => parseCalendarRoute(rest, usual);

  it('name a view and a day, or leave them to the device', () => {
    assert.deepEqual(parse(), { view: 'week', day: '2026-11-22' });
    assert.deepEqual(parse('month', '2026-05'), { view: 'month', day: '2026-05-01' });
    assert.deepEqual(parse('agenda'), { view: 'agenda', day: '2026-11-22' });
    assert.deepEqual(parse('38'), { view: 'week', day: '2026-11-22', msgnum: 38 });
    assert.equal(parse('month', '2026-13'), undefined);
    assert.equal(parse('decade'), undefined);
  });

  it('lead from one span of days to the next', () => {
    assert.deepEqual(daysInSight('week', '2026-11-22', 1), { first: '2026-11-16', last: '2026-11-22' });
    assert.deepEqual(daysInSight('week', '2026-11-22', 7), { first: '2026-11-22', last: '2026-11-28' });
    assert.deepEqual(daysInSight('month', '2026-11-22', 1), { first: '2026-10-26', last: '2026-12-06' });
    assert.equal(stepped('month', '2026-01-31', 1), '2026-02-28');
    assert.equal(stepped('week', '2026-01-01', -1), '2025-12-25');
  });
});
