// The keys of an address book.

import { t } from '../../core/i18n.js';

/** @import { Command } from '../../core/commands.js' */

/**
 * @param {object} room
 * @param {HTMLElement} room.filter
 * @param {() => boolean} room.canPost
 * @param {() => { uid: string, canChange: boolean, canDelete: boolean } | undefined} room.chosen
 * @param {(uid: string) => void} room.edit
 * @param {() => void} room.add
 * @param {() => void} room.write
 * @param {() => void} room.remove
 * @param {() => void} room.back
 * @returns {Command[]}
 */
export function contactCommands({ filter, canPost, chosen, edit, add, write, remove, back }) {
  const group = t('kind.contacts');
  const change = () => edit(chosen()?.uid ?? '');
  const canChange = () => chosen()?.canChange ?? false;
  const canDelete = () => chosen()?.canDelete ?? false;
  const isOpen = () => chosen() !== undefined;
  const find = () => filter.focus();
  return [
    { id: 'contact-filter', label: t('contacts.filter'), group, keys: ['l'], icon: 'filter', run: find },
    {
      id: 'contact-new',
      label: t('contacts.new'),
      group,
      keys: ['p'],
      icon: 'person-plus',
      run: add,
      isReady: canPost,
    },
    {
      id: 'contact-edit',
      label: t('contacts.edit'),
      group,
      keys: ['e'],
      icon: 'edit',
      run: change,
      isReady: canChange,
    },
    { id: 'contact-write', label: t('contacts.write'), group, keys: ['m'], icon: 'mail', run: write, isReady: isOpen },
    {
      id: 'contact-delete',
      label: t('contacts.delete'),
      group,
      keys: ['#', 'Delete'],
      icon: 'trash',
      run: remove,
      isReady: canDelete,
    },
    { id: 'contact-back', label: t('command.back'), group, keys: ['u', 'Escape'], icon: 'arrow-left', run: back },
  ];
}
