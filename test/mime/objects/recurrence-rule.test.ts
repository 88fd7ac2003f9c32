// Recurrence rules, read (RFC 5545 section 3.3.10).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RULE_CHARACTERS } from '../../../src/limits/mime.ts';
import { MONTHLY, parseRule, ruleParts } from '../../../src/mime/objects/recurrence-rule.ts';

describe('parseRule', () => {
  it('refuses what is none', () => {
    const none = [
      '',
      'FREQ=',
      'FREQ=OFTEN',
      'COUNT=1',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;COUNT=-1',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;UNTIL=tomorrow',
      'FREQ=DAILY;BYMONTH=13',
      'FREQ=DAILY;BYMONTHDAY=0',
      'FREQ=DAILY;BYHOUR=24',
      'FREQ=DAILY;BYDAY=XX',
      'FREQ=DAILY;BYDAY=0MO',
      'FREQ=DAILY;BYDAY=',
      'FREQ=DAILY;WKST=1',
      'RSCALE=CHINESE;FREQ=YEARLY',
    ];
    for (const text of none) assert.equal(parseRule(text), undefined, text);
    assert.ok(parseRule('freq=daily;byday=mo,+1tu;x-more=1;byhour=0,23'));
  });

  it('reads no longer one than the bound', () => {
    const rule = (length: number) => 'FREQ=DAILY'.padEnd(length, ';');
    assert.ok(parseRule(rule(MAX_RULE_CHARACTERS)));
    assert.equal(parseRule(rule(MAX_RULE_CHARACTERS + 1)), undefined);
  });
});

describe('a rule that is read', () => {
  it('has its lists in order, each value once, and its days as numbers', () => {
    const rule = parseRule('FREQ=MONTHLY;BYMONTHDAY=15,-1,+1,15;BYDAY=-1FR,MO,MO;WKST=SU')!;
    assert.equal(rule.frequency, MONTHLY);
    assert.deepEqual(rule.lists, { BYMONTHDAY: [-1, 1, 15] });
    assert.deepEqual(rule.days, [
      { weekday: 5, ordinal: -1 },
      { weekday: 1, ordinal: 0 },
    ]);
    assert.deepEqual([rule.weekStart, rule.interval, rule.count, rule.until], [0, 1, undefined, undefined]);
    assert.equal(parseRule('FREQ=DAILY')!.weekStart, 1, 'a week begins on Monday where nothing is said');
  });

  it('takes the bounds of its lists and nothing beyond', () => {
    for (const [name, low, high] of [
      ['BYSECOND', 0, 60],
      ['BYMINUTE', 0, 59],
      ['BYHOUR', 0, 23],
      ['BYMONTHDAY', -31, 31],
      ['BYYEARDAY', -366, 366],
      ['BYWEEKNO', -53, 53],
      ['BYMONTH', 1, 12],
      ['BYSETPOS', -366, 366],
    ] as const) {
      const isRule = (value: number) => parseRule(`FREQ=YEARLY;${name}=${value}`) !== undefined;
      assert.deepEqual([low - 1, low, high, high + 1].map(isRule), [false, true, true, false], name);
    }
    const isOrdinal = (ordinal: number) => parseRule(`FREQ=YEARLY;BYDAY=${ordinal}MO`) !== undefined;
    assert.deepEqual([-54, -53, 53, 54].map(isOrdinal), [false, true, true, false]);
  });

  it('has parts whose names and values are in upper case', () => {
    assert.deepEqual(
      [...ruleParts(' freq=daily;;count=2;x ')],
      [
        ['FREQ', 'DAILY'],
        ['COUNT', '2'],
        ['X', ''],
      ],
    );
  });
});
