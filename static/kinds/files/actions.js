// What can be done with files and folders: new folder, rename, move, copy, delete, download.

import { copyFile, deleteFile, filePath, folderOf, isTaken, makeFolder, moveFile, nameOf } from '../../api/files.js';
import { messageOf, Problem } from '../../api/request.js';
import { t } from '../../core/i18n.js';
import { draftAt } from '../../model/drafts.js';
import { later, settle } from '../../model/pending.js';
import { openDialog } from '../../ui/dialog.js';
import { field, line } from '../../ui/form.js';
import { announce, BULK_UNDO_SECONDS, offerBack, offerUndo, tellProblem } from '../../ui/notices.js';
import { openPicker } from '../../ui/picker.js';
import { showToast } from '../../ui/toast.js';
import { downloadAll, saveAs } from './archive.js';

/** @import { FileFacts } from '../../api/files.js' */
/** @import { Draft } from '../../model/drafts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/**
 * A name for it; undefined where it was left. `act` does it: what it throws is shown in the dialog.
 * @param {string} title @param {string} verb @param {string} value @param {(name: string) => Promise<unknown>} act
 * @param {Draft} draft
 */
async function askName(title, verb, value, act, draft) {
  const input = line('main-cell', value, { required: true, dir: 'auto', maxlength: '200', spellcheck: 'false' });
  const attempt = async () => {
    const name = input.value.trim();
    if (name === '' || name.includes('/') || name === '.' || name === '..') return t('files.bad-name');
    if (name === value) return undefined;
    try {
      await act(name);
      return undefined;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return isTaken(problem) ? t('files.taken') : messageOf(problem);
    }
  };
  const asked = openDialog({
    title,
    body: field(t('files.name'), input),
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: verb, kind: 'primary', value: 'yes' },
    ],
    attempt,
    draft,
  });
  // what stands behind the last dot says what it is, and stays
  const dot = value.lastIndexOf('.');
  if (input.value === value) input.setSelectionRange(0, dot > 0 ? dot : value.length);
  return (await asked) === 'yes' ? input.value.trim() : undefined;
}

/**
 * `reload` shows the folder again.
 * @param {RoomStore} store @param {{ reload: () => Promise<unknown>, going: Set<string>, show: () => void }} view
 */
export function fileActions(store, view) {
  const room = store.name;
  /**
   * What is being written of a folder there, or of another name.
   * @param {'folder' | 'rename'} what @param {string} path
   */
  const nameOn = (what, path) => draftAt(room, what, path);
  /** Something has changed. */
  const changed = async () => {
    await store.refresh().catch(() => {});
    await view.reload();
  };
  return {
    changed,

    /** @param {string} folder */
    async newFolder(folder) {
      await settle(room);
      const act = (/** @type {string} */ each) => makeFolder(room, `${folder}${each}/`);
      const name = await askName(t('files.new-folder'), t('files.make'), '', act, nameOn('folder', folder));
      if (name !== undefined) await changed();
    },

    /** Answers its new path; undefined where it was left. @param {FileFacts} file */
    async rename(file) {
      await settle(room);
      const end = file.isFolder ? '/' : '';
      const folder = folderOf(file.path);
      const act = (/** @type {string} */ each) => moveFile(room, file.path, `${folder}${each}${end}`);
      const title = t('files.rename-title', { name: file.name });
      const name = await askName(title, t('files.rename'), file.name, act, nameOn('rename', file.path));
      if (name === undefined || name === file.name) return undefined;
      await changed();
      return `${folder}${name}${end}`;
    },

    isFolderBegun: (/** @type {string} */ folder) => nameOn('folder', folder).read() !== undefined,
    isNameBegun: (/** @type {FileFacts} */ { path }) => nameOn('rename', path).read() !== undefined,

    /** To a folder that is chosen. @param {FileFacts[]} files @param {string[]} folders paths */
    async move(files, folders) {
      const inside = (/** @type {string} */ folder) =>
        files.some(({ path, isFolder }) => folderOf(path) === folder || (isFolder && folder.startsWith(path)));
      const target = await openPicker({
        title: t('files.move-title', { count: files.length }),
        placeholder: t('files.folder-name'),
        choices: ['', ...folders]
          .filter((folder) => !inside(folder))
          .map((folder) => ({
            label: folder === '' ? room : folder.replace(/\/$/, ''),
            icon: 'folder',
            value: folder,
          })),
      });
      if (target === undefined) return;
      await settle(room);
      /** @type {{ from: string, to: string }[]} */
      const moved = [];
      await tellProblem(async () => {
        for (const { path, name, isFolder } of files) {
          const to = `${target}${name}${isFolder ? '/' : ''}`;
          await moveFile(room, path, to);
          moved.push({ from: path, to });
        }
      });
      await changed();
      if (moved.length === 0) return;
      const words = t('files.moved', { count: moved.length, folder: target === '' ? room : nameOf(target) });
      const back = async () => {
        try {
          for (; moved.length > 0; moved.pop()) {
            const { from, to } = moved[moved.length - 1];
            await moveFile(room, to, from);
          }
        } finally {
          await changed();
        }
      };
      if (moved.length > 1 || files[0].isFolder) offerBack(words, back, BULK_UNDO_SECONDS);
      else announce(words);
    },

    /** Beside it, under a name that is free. @param {FileFacts} file @param {Set<string>} names in the folder */
    async copy(file, names) {
      const dot = file.isFolder ? -1 : file.name.lastIndexOf('.');
      const [stem, ending] = dot > 0 ? [file.name.slice(0, dot), file.name.slice(dot)] : [file.name, ''];
      let count = 2;
      while (names.has(`${stem} (${count})${ending}`)) count++;
      const path = `${folderOf(file.path)}${stem} (${count})${ending}${file.isFolder ? '/' : ''}`;
      await tellProblem(() => copyFile(room, file.path, path));
      await changed();
    },

    /** Shown at once, done when it can be undone no more. @param {FileFacts[]} files */
    remove(files) {
      const paths = files.map(({ path }) => path);
      const back = () => {
        for (const path of paths) view.going.delete(path);
        view.show();
      };
      for (const path of paths) view.going.add(path);
      view.show();
      const words =
        files.length === 1
          ? t('files.deleted-one', { name: files[0].name })
          : t('files.deleted', { count: files.length });
      const action = {
        rooms: [room],
        async send(/** @type {boolean} */ keepalive) {
          for (const path of paths) {
            const done = deleteFile(room, path, keepalive);
            if (!keepalive) await done;
          }
          if (keepalive) return;
          await changed();
          for (const path of paths) view.going.delete(path);
        },
        revert: back,
        refused: (/** @type {unknown} */ problem) => announce(t('list.refused', { reason: messageOf(problem) })),
      };
      offerUndo(words, (over) => later({ ...action, over }));
    },

    /** One as it is, several and folders as one .zip. @param {FileFacts[]} files */
    async download(files) {
      if (files.length === 1 && !files[0].isFolder) return saveAs(filePath(room, files[0].path), files[0].name);
      const stop = new AbortController();
      const toast = showToast(t('files.packing'), {
        action: { label: t('files.stop-short'), run: () => stop.abort() },
        seconds: 3600,
      });
      await tellProblem(async () => {
        try {
          await downloadAll(room, files, { signal: stop.signal, progress: () => {} });
          toast.close();
          announce(t('files.packed'));
        } catch (problem) {
          toast.close();
          if (!stop.signal.aborted) throw problem;
        }
      });
    },
  };
}

/** @typedef {ReturnType<typeof fileActions>} FileActions */
