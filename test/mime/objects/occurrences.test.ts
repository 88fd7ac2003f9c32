// Recurrence rules: the examples of RFC 5545 section 3.8.5.3, what they leave open, far ranges and bounds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { parseDateTime } from '../../../src/mime/objects/calendar-time.ts';
import { occurrences, occurrencesAndPauses, PAUSE_STEPS } from '../../../src/mime/objects/occurrences.ts';
import { parseRule } from '../../../src/mime/objects/recurrence-rule.ts';

const DAY = 86_400;
const local = (text: string): number => parseDateTime(text)!.seconds;
const shown = (time: number): string => new Date(time * 1000).toISOString().slice(0, 16).replace(/[-:]/g, '');

interface Range {
  from?: string;
  to?: string;
  isDay?: boolean;
  steps?: number;
}

/** UNTIL is taken as a local time here. */
function all(start: string, text: string, { from, to, isDay = false, steps = MAX_RECURRENCE_STEPS }: Range = {}) {
  const rule = parseRule(text)!;
  assert.ok(rule, text);
  const until = rule.until?.seconds ?? Number.POSITIVE_INFINITY;
  const series = { rule, start: local(start), isDay, until };
  const times = occurrences(
    series,
    from ? local(from) : Number.NEGATIVE_INFINITY,
    to ? local(to) : Number.POSITIVE_INFINITY,
    { steps },
  );
  return [...times].map(shown);
}

/** `199709 2-4,9 / 199710 1` → days, at nine */
function days(text: string, hour = 'T0900'): string[] {
  return text.split(' / ').flatMap((piece) => {
    const [month, dates] = piece.split(' ');
    return dates!.split(',').flatMap((one) => {
      const [low, high = low, step = 1] = one.split(/[-+]/).map(Number);
      const found: string[] = [];
      for (let date = low!; date <= high!; date += step) found.push(`${month}${String(date).padStart(2, '0')}${hour}`);
      return found;
    });
  });
}

const WEEKDAYS = 'SU,MO,TU,WE,TH,FR,SA';
/** DTSTART, one or more rules that mean the same, days; `to` where the rule has no end */
const EXAMPLES: readonly [start: string, rules: string | string[], expected: string, to?: string][] = [
  ['19970902', 'FREQ=DAILY;COUNT=10', '199709 2-11'],
  ['19970902', 'FREQ=DAILY;UNTIL=19971224T000000Z', '199709 2-30 / 199710 1-31 / 199711 1-30 / 199712 1-23'],
  ['19970902', 'FREQ=DAILY;INTERVAL=2', '199709 2-30+2 / 199710 2-30+2 / 199711 1-29+2 / 199712 1-3+2', '19971204'],
  ['19970902', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '199709 2,12,22 / 199710 2,12'],
  [
    '19980101',
    [`FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=${WEEKDAYS}`, 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1'],
    '199801 1-31 / 199901 1-31 / 200001 1-31',
  ],
  ['19970902', 'FREQ=WEEKLY;COUNT=10', '199709 2-30+7 / 199710 7-28+7 / 199711 4'],
  ['19970902', 'FREQ=WEEKLY;UNTIL=19971224T000000Z', '199709 2-30+7 / 199710 7-28+7 / 199711 4-25+7 / 199712 2-23+7'],
  [
    '19970902',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '199709 2,16,30 / 199710 14,28 / 199711 11,25 / 199712 9,23 / 199801 6,20 / 199802 3,17',
    '19980218',
  ],
  [
    '19970902',
    ['FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH'],
    '199709 2,4,9,11,16,18,23,25,30 / 199710 2',
  ],
  [
    '19970901',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '199709 1,3,5,15,17,19,29 / 199710 1,3,13,15,17,27,29,31 / 199711 10,12,14,24,26,28 / 199712 8,10,12,22',
  ],
  ['19970902', 'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '199709 2,4,16,18,30 / 199710 2,14,16'],
  [
    '19970905',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '199709 5 / 199710 3 / 199711 7 / 199712 5 / 199801 2 / 199802 6 / 199803 6 / 199804 3 / 199805 1 / 199806 5',
  ],
  ['19970905', 'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', '199709 5 / 199710 3 / 199711 7 / 199712 5'],
  [
    '19970907',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '199709 7,28 / 199711 2,30 / 199801 4,25 / 199803 1,29 / 199805 3,31',
  ],
  [
    '19970922',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '199709 22 / 199710 20 / 199711 17 / 199712 22 / 199801 19 / 199802 16',
  ],
  [
    '19970928',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '199709 28 / 199710 29 / 199711 28 / 199712 29 / 199801 29 / 199802 26',
    '19980301',
  ],
  [
    '19970902',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '199709 2,15 / 199710 2,15 / 199711 2,15 / 199712 2,15 / 199801 2,15',
  ],
  [
    '19970930',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '199709 30 / 199710 1,31 / 199711 1,30 / 199712 1,31 / 199801 1,31 / 199802 1',
  ],
  ['19970910', 'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15', '199709 10-15 / 199903 10-13'],
  [
    '19970902',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '199709 2-30+7 / 199711 4-25+7 / 199801 6-27+7 / 199803 3-31+7',
    '19980401',
  ],
  [
    '19970610',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '199706 10 / 199707 10 / 199806 10 / 199807 10 / 199906 10 / 199907 10 / ' +
      '200006 10 / 200007 10 / 200106 10 / 200107 10',
  ],
  [
    '19970310',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '199703 10 / 199901 10 / 199902 10 / 199903 10 / 200101 10 / 200102 10 / 200103 10 / ' +
      '200301 10 / 200302 10 / 200303 10',
  ],
  [
    '19970101',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '199701 1 / 199704 10 / 199707 19 / 200001 1 / 200004 9 / 200007 18 / 200301 1 / 200304 10 / 200307 19 / 200601 1',
  ],
  ['19970519', 'FREQ=YEARLY;BYDAY=20MO', '199705 19 / 199805 18 / 199905 17', '20000101'],
  ['19970512', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '199705 12 / 199805 11 / 199905 17', '20000101'],
  ['19970313', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '199703 13,20,27 / 199803 5,12,19,26 / 199903 4,11,18,25', '20000101'],
  [
    '19970605',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '199706 5-26+7 / 199707 3-31+7 / 199708 7-28+7 / 199806 4-25+7 / 199807 2-30+7 / 199808 6-27+7',
    '19990101',
  ],
  // DTSTART counts though the rule does not have it; the example takes it out with EXDATE
  [
    '19970902',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    '199709 2 / 199802 13 / 199803 13 / 199811 13 / 199908 13 / 200010 13',
    '20001231',
  ],
  [
    '19970913',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '199709 13 / 199710 11 / 199711 8 / 199712 13 / 199801 10 / 199802 7 / 199803 7 / 199804 11 / 199805 9 / 199806 13',
    '19980701',
  ],
  [
    '19961105',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '199611 5 / 200011 7 / 200411 2',
    '20050101',
  ],
  ['19970904', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '199709 4 / 199710 7 / 199711 6'],
  [
    '19970929',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '199709 29 / 199710 30 / 199711 27 / 199712 30 / 199801 29 / 199802 26 / 199803 30',
    '19980401',
  ],
  ['19970805', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '199708 5,10,19,24'],
  ['19970805', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '199708 5,17,19,31'],
  ['20070115', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '200701 15,30 / 200702 15 / 200703 15,30'],
];

describe('the examples of RFC 5545', () => {
  for (const [start, rules, expected, to] of EXAMPLES) {
    for (const rule of [rules].flat()) {
      it(rule, () => {
        assert.deepEqual(all(`${start}T090000`, rule, to ? { to } : {}), days(expected));
      });
      it(`${rule}, looked at from its third`, () => {
        const wanted = days(expected);
        const from = `${wanted[2]}00`;
        assert.deepEqual(all(`${start}T090000`, rule, to ? { from, to } : { from }), wanted.slice(2));
      });
    }
  }

  it('times of a day', () => {
    const times = (text: string) => text.split(',').map((time) => `19970902T${time}`);
    const at = (rule: string, range: Range = {}) => all('19970902T090000', rule, range);
    // in New York 17:00 UTC is 13:00: the RFC lists 15:00 by mistake
    assert.deepEqual(at('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T130000'), times('0900,1200'));
    assert.deepEqual(at('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000'), times('0900,1200,1500'));
    assert.deepEqual(at('FREQ=MINUTELY;INTERVAL=15;COUNT=6'), times('0900,0915,0930,0945,1000,1015'));
    assert.deepEqual(at('FREQ=MINUTELY;INTERVAL=90;COUNT=4'), times('0900,1030,1200,1330'));
    const slots = ['19970902', '19970903'].flatMap((day) =>
      [9, 10, 11, 12, 13, 14, 15, 16].flatMap((hour) =>
        ['00', '20', '40'].map((minute) => `${day}T${String(hour).padStart(2, '0')}${minute}`),
      ),
    );
    for (const rule of [
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    ]) {
      assert.deepEqual(at(rule, { to: '19970904' }), slots, rule);
    }
  });
});

describe('what the examples leave open', () => {
  const CASES: readonly [start: string, rule: string, expected: string, range?: Range][] = [
    ['20240229T090000', 'FREQ=YEARLY;COUNT=3', '202402 29 / 202802 29 / 203202 29'],
    ['20240131T090000', 'FREQ=MONTHLY;COUNT=4', '202401 31 / 202403 31 / 202405 31 / 202407 31'],
    ['20240102T090000', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=4', '202401 2 / 202412 30 / 202512 29 / 202701 4'],
    ['20240107T090000', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;COUNT=3', '202401 7 / 202501 5 / 202601 4'],
    ['20231231T090000', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU;COUNT=3', '202312 31 / 202412 29 / 202601 4'],
    ['20240103T090000', 'FREQ=YEARLY;BYWEEKNO=2;COUNT=3', '202401 3,10 / 202501 8'],
    ['20261228T090000', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=2', '202612 28 / 203212 27'],
    ['20240101T090000', 'FREQ=YEARLY;BYYEARDAY=-1;COUNT=3', '202401 1 / 202412 31 / 202512 31'],
    ['20240101T090000', 'FREQ=YEARLY;BYDAY=-1SU;COUNT=3', '202401 1 / 202412 29 / 202512 28'],
    ['20240101T090000', 'FREQ=DAILY;BYMONTHDAY=-1;BYDAY=WE;COUNT=3', '202401 1,31 / 202407 31'],
    ['20240101T090000', 'FREQ=WEEKLY;BYMONTH=2;BYDAY=MO,TH;COUNT=4', '202401 1 / 202402 1,5,8'],
    ['20240101T090000', 'FREQ=MONTHLY;BYHOUR=9;BYDAY=MO;BYSETPOS=1,-1;COUNT=4', '202401 1,29 / 202402 5,26'],
    ['20240101T090000', 'FREQ=HOURLY;BYDAY=WE;BYHOUR=9;COUNT=3', '202401 1,3,10'],
    ['20240101T090000', 'FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=3', '202401 1-3'],
    ['20240101T090000', 'FREQ=MINUTELY;INTERVAL=1440;BYSETPOS=1;COUNT=3', '202401 1-3'],
    ['20240101T090000', 'FREQ=HOURLY;INTERVAL=48', '203001 1,3', { from: '20300101', to: '20300104' }],
    ['19000101T090000', 'FREQ=SECONDLY;INTERVAL=86400', '203001 1-3', { from: '20300101', to: '20300104' }],
    ['19000101T090000', 'FREQ=DAILY;COUNT=1000000', '203001 1-3', { from: '20300101', to: '20300104' }],
    ['19000102T090000', 'FREQ=WEEKLY;BYDAY=MO,FR;COUNT=20000', '203001 4,7', { from: '20300101', to: '20300108' }],
  ];
  for (const [start, rule, expected, range] of CASES) {
    it(`${start} ${rule}`, () => assert.deepEqual(all(start, rule, range), days(expected)));
  }

  it('a day has no hours to recur in', () => {
    assert.deepEqual(all('20240101', 'FREQ=DAILY;BYHOUR=9;COUNT=2', { isDay: true }), days('202401 1-2', 'T0000'));
    assert.deepEqual(all('20240101', 'FREQ=HOURLY;COUNT=2', { isDay: true }), days('202401 1', 'T0000'));
  });

  it('a count that was skipped ends where the whole one does', () => {
    const rules = [
      'FREQ=WEEKLY;BYDAY=SU,WE,SA;BYHOUR=7,9;COUNT=50',
      'FREQ=DAILY;INTERVAL=3;BYMINUTE=0,30;COUNT=50',
      'FREQ=HOURLY;INTERVAL=7;BYMINUTE=0,30;COUNT=50',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=20',
    ];
    for (const rule of rules) {
      const whole = all('20240103T090000', rule);
      for (const index of [1, 5, 17, 19]) {
        const from = `${whole[index]!}00`;
        assert.deepEqual(all('20240103T090000', rule, { from }), whole.slice(index), `${rule} from ${from}`);
      }
    }
  });
});

describe('a rule that costs', () => {
  it('ends though it never matches, and says so in its budget', () => {
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=31;BYSETPOS=5',
      'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
      'FREQ=SECONDLY;BYHOUR=1;BYSECOND=0;BYSETPOS=2',
    ]) {
      const series = { rule: parseRule(rule)!, start: local('20240101T090000'), isDay: false, until: Infinity };
      const budget = { steps: MAX_RECURRENCE_STEPS };
      const found = [...occurrences(series, local('20240101T090001'), Infinity, budget)];
      assert.deepEqual(found, [], rule);
      assert.ok(budget.steps > -10_000, rule);
    }
  });

  it('may be left for a while where it has looked at much and found nothing', () => {
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYMONTH=1;BYHOUR=1,2;BYMINUTE=3,4;BYSECOND=5,6;COUNT=90000',
    ]) {
      const series = { rule: parseRule(rule)!, start: local('20240101T000000'), isDay: false, until: Infinity };
      const budget = { steps: MAX_RECURRENCE_STEPS };
      let before = budget.steps;
      for (const _ of occurrencesAndPauses(
        series,
        local(rule.includes('COUNT') ? '24000101T000000' : '20240101T000001'),
        Infinity,
        budget,
      )) {
        assert.ok(before - budget.steps <= 2 * PAUSE_STEPS, `${rule}: ${before - budget.steps} steps in a row`);
        before = budget.steps;
      }
      assert.ok(before - budget.steps <= 2 * PAUSE_STEPS, rule);
      assert.ok(before < MAX_RECURRENCE_STEPS / 2, rule);
    }
  });

  it('stops at its last step', () => {
    // two for each day: to look at it, and at its time
    assert.equal(all('20240101T090000', 'FREQ=DAILY', { steps: 20 }).length, 10);
    assert.equal(all('20240101T090000', 'FREQ=DAILY', { steps: 22 }).length, 11);
  });

  it('takes few steps to a far range', () => {
    for (const rule of ['FREQ=SECONDLY', 'FREQ=HOURLY', 'FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=MONTHLY', 'FREQ=YEARLY']) {
      const series = { rule: parseRule(rule)!, start: local('00010101T000000'), isDay: false, until: Infinity };
      const budget = { steps: 1000 };
      const from = local('20260101T000000');
      const [first] = occurrences(series, from, from + 400 * DAY, budget);
      assert.ok(first! >= from && first! < from + 32 * DAY, rule);
      assert.ok(budget.steps > 900, rule);
    }
  });
});
