// One task of a list: ticked off by its circle, opened by its words.

import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { addDays, formatDay, today } from '../../formats/days.js';
import { icon } from '../../ui/icon.js';
import { waitingMark } from '../../ui/waiting.js';

/** @typedef {import('../../formats/calendar.js').CalendarTask} CalendarTask */

/** priorities up to this one matter more than others (RFC 5545 section 3.8.1.9) */
const LAST_HIGH = 4;

/**
 * @param {CalendarTask} task
 * @param {object} options
 * @param {string} options.href
 * @param {boolean} [options.isCurrent]
 * @param {boolean} [options.isWaiting] for the connection
 * @param {boolean} options.canChange
 * @param {CalendarTask[]} [options.steps]
 * @param {(isDone: boolean, box: HTMLInputElement) => unknown} options.tick
 */
export function taskRow(task, { href, isCurrent = false, isWaiting = false, canChange, steps = [], tick }) {
  const title = task.title || t('tasks.untitled');
  const done = steps.filter(({ isDone }) => isDone).length;
  return element(
    'li',
    { class: 'task', 'data-uid': task.uid, 'data-done': task.isDone, 'aria-current': isCurrent ? 'true' : undefined },
    doneBox(task, canChange, tick),
    element('a', { class: 'clip', href, dir: 'auto' }, title),
    task.priority > 0 && task.priority <= LAST_HIGH && icon('flag', { size: 'small', label: t('tasks.urgent') }),
    steps.length > 0 &&
      element('span', { class: 'muted small nums' }, t('tasks.steps-done', { done, count: steps.length })),
    task.rule !== '' && icon('repeat', { size: 'small', label: t('tasks.repeats') }),
    isWaiting && waitingMark(),
    dueChip(task),
  );
}

/**
 * @param {CalendarTask} task
 * @param {boolean} canChange
 * @param {(isDone: boolean, box: HTMLInputElement) => unknown} tick
 */
export function doneBox(task, canChange, tick) {
  /** @type {HTMLInputElement} */
  const box = element('input', {
    type: 'checkbox',
    class: 'check',
    'data-round': true,
    'aria-label': t('tasks.done-one', { title: task.title || t('tasks.untitled') }),
    checked: task.isDone,
    disabled: !canChange,
    on: { change: () => tick(box.checked, box) },
  });
  return box;
}

/** @param {CalendarTask} task */
function dueChip({ due, dueAt, isDone }) {
  if (!due) return false;
  const isLate = !isDone && dueAt !== undefined && dueAt <= Date.now() / 1000;
  const isToday = !isDone && due.day === today();
  const tone = isLate ? 'danger' : isToday ? 'brass' : undefined;
  return element('span', { class: 'chip', 'data-tone': tone, title: dayText(due.day, 'full') }, dueText(due));
}

/** As short as it stays clear. @param {{ day: string, time?: string }} due */
export function dueText({ day, time }) {
  const now = today();
  const clock = time === undefined ? '' : timeText(time);
  if (day === now) return clock || t('tasks.today');
  const isSoon = day > now && day < addDays(now, 7);
  /** @type {Intl.DateTimeFormatOptions} */
  const short = isSoon ? { weekday: 'short' } : { day: 'numeric', month: 'short' };
  const said = formatDay(day, locale, day.slice(0, 4) === now.slice(0, 4) || isSoon ? short : { dateStyle: 'medium' });
  return isSoon && clock ? `${said} ${clock}` : said;
}

/** @param {string} day @param {'full' | 'long'} dateStyle */
export const dayText = (day, dateStyle) => formatDay(day, locale, { dateStyle });

/** `18:00` as the reader writes it. @param {string} time */
export const timeText = (time) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.parse(`2026-01-01T${time.slice(0, 5)}:00Z`),
  );
