// Tasks in the groups that a list shows: what is late, what is on today, what comes, what has no date, what is done.

import { addDays } from '../../formats/days.js';

/** @typedef {import('../../formats/calendar.js').CalendarTask} CalendarTask */
/** @typedef {'overdue' | 'today' | 'week' | 'later' | 'none' | 'done'} GroupName */
/** @typedef {'due' | 'priority' | 'title'} Order */

/** @type {GroupName[]} */
export const GROUPS = ['overdue', 'today', 'week', 'later', 'none', 'done'];
/** @type {Order[]} */
export const ORDERS = ['due', 'priority', 'title'];

/** 0 is none, and comes behind the lowest */
const LAST_PRIORITY = 10;

/**
 * @param {CalendarTask} task @param {string} today @param {number} now Unix seconds @returns {GroupName}
 */
export function groupOf({ isDone, due, dueAt }, today, now) {
  if (isDone) return 'done';
  if (!due) return 'none';
  if (dueAt !== undefined && dueAt <= now) return 'overdue';
  if (due.day <= today) return 'today';
  return due.day < addDays(today, 7) ? 'week' : 'later';
}

/**
 * The groups that have something, each in this order; a step is shown with its task, not here.
 * @param {CalendarTask[]} tasks @param {Order} order @param {string} today @param {number} now Unix seconds
 * @returns {[GroupName, CalendarTask[]][]}
 */
export function groupsOf(tasks, order, today, now) {
  const uids = new Set(tasks.map(({ uid }) => uid));
  const own = tasks.filter(({ uid, parent }) => parent === '' || parent === uid || !uids.has(parent));
  const groups = Map.groupBy(own, (task) => groupOf(task, today, now));
  return GROUPS.flatMap((name) => {
    const members = groups.get(name);
    if (!members) return [];
    const compare = name === 'done' ? byDone : COMPARE[order];
    return [/** @type {[GroupName, CalendarTask[]]} */ ([name, members.sort(compare)])];
  });
}

/** Its steps, in the order in which they were written. @param {CalendarTask} task @param {CalendarTask[]} tasks */
export const stepsOf = ({ uid }, tasks) => tasks.filter((step) => step.parent === uid && step.uid !== uid);

/** @param {CalendarTask} a @param {CalendarTask} b */
const byTitle = (a, b) => a.title.localeCompare(b.title) || (a.uid < b.uid ? -1 : 1);
/** @param {CalendarTask} a @param {CalendarTask} b */
const byPriority = (a, b) => (a.priority || LAST_PRIORITY) - (b.priority || LAST_PRIORITY);
/** @param {CalendarTask} a @param {CalendarTask} b */
const byDue = (a, b) =>
  (a.dueAt ?? Number.MAX_SAFE_INTEGER) - (b.dueAt ?? Number.MAX_SAFE_INTEGER) || byPriority(a, b) || byTitle(a, b);
/** @param {CalendarTask} a @param {CalendarTask} b */
const byDone = (a, b) => (b.completedAt ?? 0) - (a.completedAt ?? 0) || byTitle(a, b);

/** @type {Record<Order, (a: CalendarTask, b: CalendarTask) => number>} */
const COMPARE = { due: byDue, priority: (a, b) => byPriority(a, b) || byDue(a, b), title: byTitle };
