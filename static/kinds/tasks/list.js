// The groups of a list of tasks, and where the focus is in them while they change.

import { element, query, queryAll } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { icon } from '../../ui/icon.js';

/** @typedef {import('../../formats/calendar.js').CalendarTask} CalendarTask */
/** @typedef {import('./groups.js').GroupName} GroupName */

/** @param {GroupName} name @param {CalendarTask[]} members @param {(task: CalendarTask) => HTMLElement} row */
export const group = (name, members, row) =>
  element(
    'section',
    { class: 'stack', 'data-gap': '1', 'aria-labelledby': `tasks-${name}` },
    element('h2', { class: 'section', id: `tasks-${name}` }, t(`tasks.group-${name}`), ' ', count(members)),
    element('ul', { class: 'flush' }, members.map(row)),
  );

/** @param {unknown[]} members */
const count = ({ length }) => element('span', { class: 'badge', 'data-tone': 'quiet' }, String(length));

/** @param {HTMLElement} node @param {string} uid */
export const rowOf = (node, uid) => query(node, `.task[data-uid="${CSS.escape(uid)}"]`);

/** What gives the focus back to the row that has it now, or to the one that takes its place. @param {HTMLElement} node */
export function focusIn(node) {
  const active = document.activeElement;
  const row = /** @type {HTMLElement | null} */ (node.contains(active) ? (active?.closest('.task') ?? null) : null);
  const place = row ? [...queryAll(node, '.task')].indexOf(row) : -1;
  const isBox = active instanceof HTMLInputElement;
  return () => {
    if (!row || (active?.isConnected && document.activeElement === active)) return;
    const rows = [...queryAll(node, '.task')];
    const target = rowOf(node, row.dataset.uid ?? '') ?? rows[Math.min(place, rows.length - 1)];
    if (target) query(target, isBox ? 'input' : 'a')?.focus();
  };
}

/**
 * Those that are done, folded until they are asked for.
 * @param {CalendarTask[]} members @param {boolean} isOpen
 * @param {(task: CalendarTask) => HTMLElement} row @param {(isOpen: boolean) => void} toggled
 */
export function doneGroup(members, isOpen, row, toggled) {
  const node = element(
    'details',
    { class: 'done-tasks', open: isOpen },
    element(
      'summary',
      { class: 'section group' },
      t('tasks.done'),
      count(members),
      icon('chevron-down', { size: 'small' }),
    ),
    element('ul', { class: 'flush' }, isOpen ? members.map(row) : []),
  );
  node.addEventListener('toggle', () => toggled(node.open));
  return node;
}
