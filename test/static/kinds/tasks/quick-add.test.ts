// What a line says of a new task, in the four languages.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { groupOf, groupsOf, stepsOf } from '../../../../static/kinds/tasks/groups.js';
// @ts-expect-error: the web client has no types
import { readQuickTask } from '../../../../static/kinds/tasks/quick-add.js';

// a Sunday
const TODAY = '2026-11-22';

const CASES: [
  locale: string,
  text: string,
  title: string,
  day?: string | undefined,
  time?: string | undefined,
  isUrgent?: boolean,
][] = [
  ['en-GB', 'Order tables fri', 'Order tables', '2026-11-27'],
  ['en-GB', 'Order tables tomorrow at 9am !', 'Order tables', '2026-11-23', '09:00', true],
  ['en-GB', '! Pay 24/12', 'Pay', '2026-12-24', undefined, true],
  ['en-GB', 'Pay 3/2', 'Pay', '2027-02-03'],
  ['en-US', 'Rent 12/01/2026 5:30pm', 'Rent', '2026-12-01', '17:30'],
  ['en-GB', 'Call Sunday', 'Call', '2026-11-29'],
  ['en-GB', 'Do it in 3 days', 'Do it', '2026-11-25'],
  ['en-GB', 'Ring 18:30', 'Ring', TODAY, '18:30'],
  ['de', 'Müll raus Fr um 18 Uhr', 'Müll raus', '2026-11-27', '18:00'],
  ['de', 'Kuchen 24.12.', 'Kuchen', '2026-12-24'],
  ['de', 'Anna anrufen übermorgen !', 'Anna anrufen', '2026-11-24', undefined, true],
  ['fr', 'Arroser demain à 18h30', 'Arroser', '2026-11-23', '18:30'],
  ['fr', 'Payer dans 2 semaines', 'Payer', '2026-12-06'],
  ['fr', 'Payer ven', 'Payer', '2026-11-27'],
  ['es', 'Regar pasado mañana a las 18:00', 'Regar', '2026-11-24', '18:00'],
  ['es', 'Pagar el vie', 'Pagar', '2026-11-27'],
  // words that only look so, and what would leave no title
  ['en-GB', 'tomorrow', 'tomorrow'],
  ['en-GB', 'in 3 days', 'in 3 days'],
  ['en-GB', 'Fix bug 1.25', 'Fix bug 1.25'],
  ['en-GB', 'Friday lunch menu', 'Friday lunch menu'],
  ['en-GB', 'Buy 25:00', 'Buy 25:00'],
  ['en-GB', '', ''],
];

describe('a line for a new task', () => {
  for (const [locale, text, title, day, time, isUrgent = false] of CASES) {
    it(`says what it says: ${JSON.stringify(text)} in ${locale}`, () => {
      const reader = { language: locale.slice(0, 2), locale, today: TODAY };
      assert.deepEqual(readQuickTask(text, reader), { title, day, time, isUrgent });
    });
  }

  it('may be long', () => {
    const text = `${'word '.repeat(20_000)}tomorrow`;
    assert.equal(readQuickTask(text, { language: 'en', locale: 'en', today: TODAY }).day, '2026-11-23');
  });
});

describe('groups of tasks', () => {
  const NOW = Date.UTC(2026, 10, 22, 12) / 1000;
  const task = (uid: string, fields: object = {}) => ({
    ...{ uid, title: uid, parent: '', isDone: false, due: undefined, dueAt: undefined, priority: 0 },
    ...fields,
  });
  const due = (day: string, dueAt: number) => ({ due: { day }, dueAt });

  it('go by what is late, today, soon, later, without a date, done', () => {
    const groupAt = (fields: object) => groupOf(task('x', fields), TODAY, NOW);
    assert.equal(groupAt(due('2026-11-20', NOW - 9e4)), 'overdue');
    assert.equal(groupAt({ due: { day: TODAY, time: '09:00' }, dueAt: NOW - 3600 }), 'overdue');
    assert.equal(groupAt(due(TODAY, NOW + 3600)), 'today');
    assert.equal(groupAt(due('2026-11-28', NOW + 6e5)), 'week');
    assert.equal(groupAt(due('2026-11-29', NOW + 7e5)), 'later');
    assert.equal(groupAt({}), 'none');
    assert.equal(groupAt({ ...due('2026-11-20', NOW - 9e4), isDone: true }), 'done');
  });

  it('have steps with their task, and in their own right where that is gone', () => {
    const tasks = [task('a'), task('b', { parent: 'a' }), task('c', { parent: 'gone' }), task('d', { parent: 'd' })];
    const [[, members]] = groupsOf(tasks, 'title', TODAY, NOW);
    assert.deepEqual(
      members.map(({ uid }: { uid: string }) => uid),
      ['a', 'c', 'd'],
    );
    assert.deepEqual(stepsOf(tasks[0], tasks), [tasks[1]]);
    assert.deepEqual(stepsOf(tasks[3], tasks), []);
  });

  it('are in the order that is chosen', () => {
    const tasks = [
      task('a', { ...due('2026-12-24', NOW + 3e6), priority: 9 }),
      task('b', { ...due('2026-12-23', NOW + 2e6), priority: 0 }),
      task('c', { ...due('2026-12-25', NOW + 4e6), priority: 1 }),
    ];
    const order = (by: string) =>
      groupsOf(tasks, by, TODAY, NOW)[0][1]
        .map(({ uid }: { uid: string }) => uid)
        .join('');
    assert.deepEqual([order('due'), order('priority'), order('title')], ['bac', 'cab', 'abc']);
  });
});
