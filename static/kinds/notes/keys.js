// The keys of a board of notes.

import { queryAll } from '../../core/dom.js';
import { t } from '../../core/i18n.js';

/** @import { Command } from '../../core/commands.js' */

/**
 * @param {object} room
 * @param {HTMLElement} room.board
 * @param {HTMLElement} room.filter
 * @param {() => boolean} room.canPost
 * @param {() => boolean} room.canDelete whether there is one to delete
 * @param {() => void} room.add
 * @param {() => void} room.remove
 * @param {() => void} room.back
 * @returns {Command[]}
 */
export function noteCommands({ board, filter, canPost, canDelete, add, remove, back }) {
  const group = t('kind.notes');
  const move = (/** @type {1 | -1} */ by) => () => {
    const all = [...queryAll(board, 'a.sticky')];
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[Math.max(0, Math.min(at + by, all.length - 1))]?.focus();
  };
  const find = () => filter.focus();
  return [
    { id: 'note-new', label: t('notes.new'), group, keys: ['p'], icon: 'plus', run: add, isReady: canPost },
    { id: 'note-filter', label: t('notes.filter'), group, keys: ['l'], icon: 'filter', run: find },
    { id: 'note-next', label: t('notes.next'), group, keys: ['j'], run: move(1) },
    { id: 'note-previous', label: t('notes.previous'), group, keys: ['k'], run: move(-1) },
    { id: 'note-back', label: t('command.back'), group, keys: ['u', 'Escape'], icon: 'arrow-left', run: back },
    {
      id: 'note-delete',
      label: t('notes.delete'),
      group,
      keys: ['#', 'Delete'],
      icon: 'trash',
      run: remove,
      isReady: canDelete,
    },
  ];
}
