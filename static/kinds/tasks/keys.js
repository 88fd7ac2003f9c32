// The keys of a list of tasks.

import { queryAll } from '../../core/dom.js';
import { t } from '../../core/i18n.js';

/** @import { Command } from '../../core/commands.js' */

/**
 * @param {object} list
 * @param {HTMLElement} list.groups
 * @param {() => boolean} list.canPost
 * @param {() => boolean} list.canDelete whether there is one to delete
 * @param {() => void} list.back
 * @param {() => void} list.remove
 * @returns {Command[]}
 */
export function taskCommands({ groups, canPost, canDelete, back, remove }) {
  const group = t('tasks.keys');
  const links = () => [...queryAll(groups, '.task a')];
  const move = (/** @type {1 | -1} */ by) => () => {
    const all = links();
    const row = document.activeElement?.closest('.task');
    const at = row ? all.findIndex((link) => row.contains(link)) : -1;
    all[Math.max(0, Math.min(at + by, all.length - 1))]?.focus();
  };
  // in a field, or a month, arrows have their own meaning
  const canMove = () => {
    const active = document.activeElement;
    return active === document.body || active?.tagName === 'H1' || groups.contains(active);
  };
  const add = () => document.getElementById('task-add')?.focus();
  return [
    { id: 'task-add', label: t('tasks.add'), group, keys: ['t'], icon: 'plus', run: add, isReady: canPost },
    { id: 'task-next', label: t('tasks.next'), group, keys: ['j', 'ArrowDown'], run: move(1), isReady: canMove },
    { id: 'task-previous', label: t('tasks.previous'), group, keys: ['k', 'ArrowUp'], run: move(-1), isReady: canMove },
    { id: 'task-back', label: t('command.back'), group, keys: ['u', 'Escape'], icon: 'arrow-left', run: back },
    {
      id: 'task-delete',
      label: t('tasks.delete'),
      group,
      keys: ['#', 'Delete'],
      icon: 'trash',
      run: remove,
      isReady: canDelete,
    },
  ];
}
