// A room of files: folders as tables, a file as what it shows, uploads by button and by dropping.

import { folderOf, nameOf, readFolder } from '../../api/files.js';
import { element, query, queryAll } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { settle } from '../../model/pending.js';
import { dropZone } from '../../ui/drop-zone.js';
import { icon } from '../../ui/icon.js';
import { openMenu } from '../../ui/menu.js';
import { actionButton } from '../../ui/pane.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { markAll } from '../list/actions.js';
import { fileActions } from './actions.js';
import { fileCommands } from './commands.js';
import { crumbs, preview } from './preview.js';
import { addressOf, parseFileRoute, wayTo } from './routes.js';
import { fileTable } from './table.js';
import { sorted } from './types.js';
import { uploadsOf } from './uploads.js';

/** @import { FileFacts } from '../../api/files.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Mount } from '../kind.d.ts' */
/** @import { FileRoute } from './routes.js' */
/** @import { SortKey } from './types.js' */

/** news that come together are looked at together */
const SETTLE_MS = 300;

/** @type {Mount} */
export function mount(host, context) {
  const { store, looks = [] } = context;
  const room = store.name;
  /** the folder that is shown, or that the file lies in */
  let folder = '';
  /** @type {FileFacts[]} */
  let files = [];
  /** @type {FileFacts | undefined} */
  let shown;
  /** @type {Set<string>} */
  const selected = new Set();
  /** paths that are being deleted @type {Set<string>} */
  const going = new Set();
  /** @type {{ key: SortKey, isDescending: boolean }} */
  let order = { key: 'name', isDescending: false };
  let timer = 0;
  const uploads = uploadsOf(room);
  const head = element('header', { class: 'pane-head', 'data-desk': true });
  const content = element('div', { class: 'stack', 'data-gap': '5' });
  const chooser = element('input', { type: 'file', multiple: true, hidden: true, 'aria-label': t('files.upload') });
  const drop = element(
    'div',
    { class: 'drop-zone', hidden: !store.canPost },
    icon('upload'),
    element(
      'p',
      {},
      element('b', {}, t('files.drop')),
      ' ',
      element('button', { type: 'button', class: 'linkish', on: { click: () => chooser.click() } }, t('files.choose')),
    ),
  );
  const pane = element(
    'section',
    { class: 'pane', 'data-shown': true, 'aria-label': room },
    head,
    element('div', { class: 'pane-body files', 'data-pad': true }, content, uploads.node, chooser),
  );
  host.replaceChildren(pane);
  const actions = fileActions(store, { reload, going, show });
  const add = async (/** @type {File[]} */ chosen) => {
    await settle(room);
    uploads.add(chosen, folder);
  };
  chooser.addEventListener('change', () => {
    add([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  const endDrop = store.canPost ? dropZone(pane, add) : () => {};
  uploads.arrived = () => actions.changed().catch(() => {});

  const visible = () => sorted(files, order.key, order.isDescending).filter(({ path }) => !going.has(path));
  const chosen = () => visible().filter(({ path }) => selected.has(path));
  /** what the room's rows say, by path */
  const rows = () => new Map(store.rows.map((row) => [row.subject, row]));

  /** Throws Problem. @param {AbortSignal} [signal] */
  async function load(signal) {
    const path = folder;
    const found = await readFolder(room, path, signal);
    if (path === folder) files = found;
  }

  async function reload() {
    await load();
    show();
  }

  /** The folder, or where it has changed its place what is above it. */
  function show() {
    const here = visible();
    for (const path of selected) if (!here.some((file) => file.path === path)) selected.delete(path);
    if (shown) return;
    const known = rows();
    const at = document.activeElement?.getAttribute('data-path');
    const had = content.contains(document.activeElement);
    const table = fileTable({
      room,
      files: here,
      selected,
      isSelectable: !store.isGuest,
      order,
      about: (path) => {
        const row = known.get(path);
        return { author: row?.author ?? '', isNew: row ? !row.seen && !path.endsWith('/') : false };
      },
      onSort(key) {
        order = { key, isDescending: order.key === key && !order.isDescending };
        show();
        query(content, 'th[aria-sort] button')?.focus();
      },
      onSelect: showHead,
      onMenu: openFileMenu,
    });
    const empty = emptyState({
      icon: 'folder',
      text: t(store.canPost ? 'files.empty' : 'files.empty-guest'),
      ...(store.canPost && { action: { label: t('files.upload'), icon: 'upload', run: () => chooser.click() } }),
    });
    content.replaceChildren(here.length > 0 ? table : empty, drop);
    if (at) query(content, `[data-path="${CSS.escape(at)}"]`)?.focus();
    else if (had && !content.contains(document.activeElement)) query(content, 'a, button')?.focus();
    showHead();
  }

  /** For what is selected or shown. @param {FileFacts[]} items */
  function changes(items) {
    const several = items.length > 1;
    const label = (/** @type {string} */ name) => t(`files.${name}`) + (several ? ` (${items.length})` : '');
    const download = { label: label('download'), icon: 'download', run: () => actions.download(items) };
    const move = { label: label('move'), icon: 'folder', run: () => moveTo(items) };
    const remove = { label: label('delete'), icon: 'trash', run: () => removeAll(items) };
    return store.canDelete ? [download, move, remove] : [download];
  }

  /** @param {FileFacts[]} items */
  function moveTo(items) {
    const folders = [...store.rows, ...files.map(({ path }) => ({ subject: path }))].map(({ subject }) => subject);
    selected.clear();
    return actions.move(items, [...new Set(folders.filter((path) => path.endsWith('/')))].sort());
  }

  /** @param {FileFacts[]} items */
  function removeAll(items) {
    selected.clear();
    const wasShown = shown !== undefined;
    actions.remove(items);
    if (wasShown) location.replace(addressOf(room, folder));
  }

  /** @param {HTMLElement} button @param {FileFacts} file */
  function openFileMenu(button, file) {
    const [download, ...rest] = changes([file]);
    openMenu(button, [
      download,
      ...(store.canPost && store.canDelete
        ? [
            { label: t('files.rename'), icon: 'edit', keys: 'F2', run: () => actions.rename(file) },
            { label: t('files.copy'), icon: 'copy', run: () => actions.copy(file, new Set(files.map((f) => f.name))) },
          ]
        : []),
      ...rest,
    ]);
  }

  function showHead() {
    const items = chosen();
    const way = wayTo(room, folder);
    const here = way.pop();
    const count = t('files.count', { count: visible().length });
    const sub = items.length > 0 ? `${count}, ${t('files.selected', { count: items.length })}` : count;
    /** @type {PaneAction[]} */
    const write = store.canPost
      ? [
          { label: t('files.new-folder'), icon: 'folder', kind: 'plain', run: () => actions.newFolder(folder) },
          { label: t('files.upload'), icon: 'upload', kind: 'primary', run: () => chooser.click() },
        ]
      : [];
    const more = { label: t('list.more'), icon: 'more', hasMenu: true, run: openMore };
    const some = items.length > 0 ? changes(items) : [];
    head.replaceChildren(
      element('h1', { id: 'room-title', class: 'crumbs', tabindex: -1 }, crumbs(way, here?.label ?? room)),
      element('span', { class: 'sub not-phone', role: 'status' }, sub),
      element('div', { class: 'group push', 'data-gap': '2' }, [...some, ...write, more].map(actionButton)),
    );
    context.setBar({
      title: here?.label ?? room,
      ...(folder !== '' && {
        back: { href: addressOf(room, folderOf(folder)), label: nameOf(folderOf(folder)) || room },
      }),
      actions: (some.length > 0 ? some : [...write.toReversed(), more]).map((each) => ({ ...each, kind: undefined })),
    });
  }

  /** @param {HTMLElement} button */
  function openMore(button) {
    openMenu(button, [
      {
        label: t('files.download-all'),
        icon: 'download',
        disabled: files.length === 0,
        run: () => actions.download(visible()),
      },
      ...looks.map(({ label, icon: name, run }) => ({ label, icon: name, run: () => run?.(button) })),
      ...(store.isGuest
        ? []
        : [
            {
              label: t('list.mark-all'),
              icon: 'check',
              disabled: store.unread === 0,
              run: () => markAll([store.name]),
            },
            {
              label: t('settings.title'),
              icon: 'settings',
              run: () => {
                location.hash = routeTo(room, 'settings');
              },
            },
          ]),
    ]);
  }

  /** Throws Problem. @param {string} path @param {AbortSignal} signal */
  async function showFile(path, signal) {
    const file = files.find((each) => each.path === path);
    if (!file || going.has(path)) {
      location.replace(addressOf(room, folder));
      return undefined;
    }
    shown = file;
    const row = rows().get(path);
    const { node, fill } = preview(room, file, row?.author ?? '', signal);
    const beside = visible().filter(({ isFolder }) => !isFolder);
    const at = beside.findIndex((each) => each.path === path);
    /** @type {(to: FileFacts | undefined, label: string, name: string) => HTMLElement | false} */
    const step = (to, label, name) =>
      to !== undefined && actionButton({ label, icon: name, href: addressOf(room, to.path) });
    const rename = async () => {
      const renamed = await actions.rename(file);
      if (renamed !== undefined) location.replace(addressOf(room, renamed));
    };
    const own = [
      ...(store.canPost && store.canDelete ? [{ label: t('files.rename'), icon: 'edit', run: rename }] : []),
      ...changes([file]),
    ];
    head.replaceChildren(
      element('h1', { id: 'room-title', class: 'crumbs', tabindex: -1 }, crumbs(wayTo(room, folder), '')),
      element('div', { class: 'group push' }, own.map(actionButton)),
      element(
        'div',
        { class: 'group' },
        step(beside[at - 1], t('files.previous'), 'chevron-left'),
        step(beside[at + 1], t('files.next'), 'chevron-right'),
      ),
    );
    const back = { href: addressOf(room, folder), label: nameOf(folder) || room };
    context.setBar({ title: file.name, back, actions: own.filter(({ icon: name }) => name !== 'edit') });
    content.replaceChildren(node);
    takeFocus(query(node, '#file-title'));
    await fill();
    if (row) store.setSeen([row.msgnum], true).catch(() => {});
    if (actions.isNameBegun(file)) void rename();
    return file.name;
  }

  return {
    parseRoute: parseFileRoute,
    /** @param {FileRoute} route @param {AbortSignal} signal */
    async show(route, signal) {
      const before = shown?.path ?? folder;
      shown = undefined;
      if (route.page === 'message') {
        while (!store.byNumber.has(route.msgnum) && !store.isComplete) await store.loadOlder();
        location.replace(addressOf(room, store.byNumber.get(route.msgnum)?.subject ?? ''));
        return undefined;
      }
      const wanted = route.page === 'file' ? folderOf(route.path) : route.path;
      if (wanted !== folder || files.length === 0) {
        folder = wanted;
        files = [];
        selected.clear();
        content.replaceChildren(skeleton(6));
        await load(signal);
        signal.throwIfAborted();
      }
      if (route.page === 'file') return showFile(route.path, signal);
      show();
      const own = rows().get(folder);
      if (own) store.setSeen([own.msgnum], true).catch(() => {});
      // to where one comes from
      takeFocus(query(content, `[data-path="${CSS.escape(before)}"]`) ?? query(head, 'h1'));
      const begun = visible().find(actions.isNameBegun);
      if (begun) void actions.rename(begun);
      else if (actions.isFolderBegun(folder)) void actions.newFolder(folder);
      return folder === '' ? undefined : nameOf(folder);
    },
    update() {
      clearTimeout(timer);
      timer = window.setTimeout(() => reload().catch(() => {}), SETTLE_MS);
    },
    unmount() {
      clearTimeout(timer);
      endDrop();
      uploads.arrived = undefined;
    },
    commands: fileCommands({
      upload: () => store.canPost && chooser.click(),
      newFolder: () => store.canPost && actions.newFolder(folder),
      up: () => {
        if (shown) location.hash = addressOf(room, folder);
        else if (folder !== '') location.hash = addressOf(room, folderOf(folder));
        else context.leaveRoom();
      },
      /** what is selected, shown, or under the keyboard */
      targets() {
        const items = chosen();
        const path = document.activeElement?.getAttribute('data-path');
        const focused = shown ?? visible().find((each) => each.path === path);
        return items.length > 0 ? items : focused ? [focused] : [];
      },
      rename: actions.rename,
      remove: removeAll,
      move: moveTo,
      download: actions.download,
      canChange: store.canDelete,
      step(by) {
        const links = [...queryAll(content, 'a[data-path]')];
        const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
        links[at < 0 ? 0 : at + by]?.focus();
      },
    }),
  };
}
