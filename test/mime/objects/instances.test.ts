// The instances of recurring components.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { at, event, instances } from './calendars.ts';

describe('instances', () => {
  const year = { start: at('20260301'), end: at('20260401') };

  it('keep their local time over a change of offset', () => {
    const daily = ['DTSTART;TZID=Europe/Berlin:20260328T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
    assert.deepEqual(instances(event(...daily)), ['20260328T0800-0900', '20260329T0700-0800', '20260330T0700-0800']);
  });

  it('are exact with an end, nominal with a duration', () => {
    const start = 'DTSTART;TZID=Europe/Berlin:20260328T120000';
    const one = (...lines: string[]) => instances(event(start, 'RRULE:FREQ=DAILY;COUNT=1', ...lines));
    assert.deepEqual(one('DURATION:P1D'), ['20260328T1100-1000']);
    assert.deepEqual(one('DURATION:PT24H'), ['20260328T1100-1100']);
    assert.deepEqual(one('DTEND;TZID=Europe/Berlin:20260329T120000'), ['20260328T1100-1000']);
  });

  it('are whole days in whatever zone', () => {
    const lines = event('DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330', 'RRULE:FREQ=WEEKLY;COUNT=2');
    assert.deepEqual(instances(lines, { floating: namedZone('Europe/Berlin')! }), [
      '20260327T2300-2200',
      '20260403T2200-2200',
    ]);
  });

  it('are changed by overrides, singly and from one on', () => {
    const daily = event('DTSTART:20260301T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=5');
    const one = event('RECURRENCE-ID:20260302T090000Z', 'DTSTART:20260302T110000Z', 'SUMMARY: moved');
    assert.deepEqual(instances([...daily, ...one]), [
      '20260302T1100- moved',
      '20260301T0900-1000',
      '20260303T0900-1000',
      '20260304T0900-1000',
      '20260305T0900-1000',
    ]);
    const future = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000Z',
      'DTSTART:20260304T100000Z',
      'DURATION:PT30M',
      'SUMMARY: later',
    );
    assert.deepEqual(instances([...daily, ...one, ...future]), [
      '20260302T1100- moved',
      '20260304T1000-1030 later',
      '20260301T0900-1000',
      '20260305T1000-1030 later',
      '20260306T1000-1030 later',
    ]);
    assert.deepEqual(
      instances([...daily, ...future], { range: { start: at('20260306'), end: at('20260307') } }).at(-1),
      '20260306T1000-1030 later',
    );
    const earlier = future.map((line) => line.replace('DTSTART:20260304', 'DTSTART:20260301'));
    assert.ok(
      instances([...daily, ...earlier], { range: { start: at('20260302'), end: at('20260302T120000') } }).includes(
        '20260302T1000-1030 later',
      ),
      'the one of the fourth',
    );
    assert.deepEqual(instances(one), ['20260302T1100- moved'], 'an override by itself');
  });

  it('that began before the range are among those in it', () => {
    const long = event('DTSTART:20200101T000000Z', 'DURATION:P40D', 'RRULE:FREQ=MONTHLY');
    assert.ok(instances(long, { range: year }).includes('20260201T0000-0000'));
  });

  it('are found soon in a far range, and end where the budget does', () => {
    const rule = event('DTSTART:19700101T000000Z', 'RRULE:FREQ=MINUTELY');
    const range = { start: at('20260301'), end: at('20260301T000100') };
    assert.ok(instances(rule, { range, steps: 10_000 }).includes('20260301T0000-'));
    assert.ok(instances(rule, { steps: 1000 }).length < 1000);
    const never = event('DTSTART:20260101T000000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30');
    assert.deepEqual(instances(never, { steps: MAX_RECURRENCE_STEPS }), ['20260101T0000-']);
  });

  it('of tasks are due as long after each start as after the first', () => {
    const task = [
      'BEGIN:VTODO',
      'DTSTART:20260301T090000Z',
      'DUE:20260301T100000Z',
      'RRULE:FREQ=DAILY;COUNT=2',
      'END:VTODO',
    ];
    assert.deepEqual(instances(task, { kind: 'VTODO' }), ['20260301T0900-1000', '20260302T0900-1000']);
    assert.deepEqual(instances(['BEGIN:VTODO', 'DUE:20260301T100000Z', 'END:VTODO'], { kind: 'VTODO' }), ['-1000']);
  });
});
