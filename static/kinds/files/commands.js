// The keys of a room of files.

import { t } from '../../core/i18n.js';

/** @import { FileFacts } from '../../api/files.js' */
/** @import { Command } from '../../core/commands.js' */

/**
 * @param {{ upload: () => unknown, newFolder: () => unknown, up: () => void, targets: () => FileFacts[],
 *   rename: (file: FileFacts) => unknown, remove: (files: FileFacts[]) => unknown, move: (files: FileFacts[]) => unknown,
 *   download: (files: FileFacts[]) => unknown, canChange: boolean, step: (by: 1 | -1) => void }} room
 * @returns {Command[]}
 */
export function fileCommands({ upload, newFolder, up, targets, rename, remove, move, download, canChange, step }) {
  const group = t('kind.files');
  const has = () => targets().length > 0;
  const canTake = () => canChange && has();
  return [
    { id: 'upload', label: t('files.upload'), group, keys: ['Shift+U', 'U'], icon: 'upload', run: upload },
    { id: 'new-folder', label: t('files.new-folder'), group, keys: ['F'], icon: 'folder', run: newFolder },
    { id: 'back', label: t('files.up'), group, keys: ['u', 'Escape'], icon: 'arrow-left', run: up },
    { id: 'next', label: t('files.next'), group, keys: ['j'], run: () => step(1) },
    { id: 'previous', label: t('files.previous'), group, keys: ['k'], run: () => step(-1) },
    {
      id: 'rename',
      label: t('files.rename'),
      group,
      keys: ['F2'],
      icon: 'edit',
      run: () => rename(targets()[0]),
      isReady: canTake,
    },
    {
      id: 'delete',
      label: t('files.delete'),
      group,
      keys: ['#', 'Delete'],
      icon: 'trash',
      run: () => remove(targets()),
      isReady: canTake,
    },
    {
      id: 'move',
      label: t('files.move'),
      group,
      keys: ['v'],
      icon: 'folder',
      run: () => move(targets()),
      isReady: canTake,
    },
    {
      id: 'download',
      label: t('files.download'),
      group,
      keys: ['d'],
      icon: 'download',
      run: () => download(targets()),
      isReady: has,
    },
  ];
}
