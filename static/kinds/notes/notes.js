// A board of notes: pinned ones first, then the latest; one of them at a time is written in place.

import { changeMessages } from '../../api/messages.js';
import { element, query, renew } from '../../core/dom.js';
import { isBusyElsewhere, takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { Objects } from '../../model/objects.js';
import { orLater } from '../../model/outbox.js';
import { roomTitle } from '../../model/room-list.js';
import { openMenu } from '../../ui/menu.js';
import { announce, offerUndo, tellProblem } from '../../ui/notices.js';
import { paneHead } from '../../ui/pane.js';
import { emptyState, skeleton } from '../../ui/states.js';
import { segmented } from '../../ui/tabs.js';
import { noteCommands } from './keys.js';
import { arranged, isFound } from './order.js';
import { loadNotes, noteIn, TYPE } from './reading.js';
import { sticky } from './sticky.js';
import { writing } from './writing.js';

/** @import { Context, View } from '../kind.d.ts' */
/** @import { ChangeWork } from '../../model/outbox-joining.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @typedef {import('../../formats/notes.js').Note} Note */
/** @typedef {import('./order.js').Place} Place */
/**
 * @typedef {{ page: 'list' | 'new' } | { page: 'number', msgnum: number } | { page: 'note', key: string }} NoteRoute
 */

/** board or list, kept on the device */
const VIEW = 'notes-view';

/** @param {HTMLElement} host @param {Context} context @returns {View<NoteRoute>} */
export function mount(host, context) {
  const { store } = context;
  const objects = new Objects(
    store,
    {
      read: noteIn,
      load: (numbers, signal) => loadNotes(store, numbers, signal),
      type: TYPE,
      isByUid: true,
      titleOf: (note) => note.title || t('notes.untitled'),
      place: 'note',
    },
    refresh,
  );
  let isLoaded = false;
  /** @type {ReturnType<typeof writing> | undefined} */
  let open;
  /** where each stands; while one is written it is where it stood before @type {Map<string, Place>} */
  let places = new Map();
  /** @type {string | undefined} */
  let said;
  const head = element('div', { class: 'head' });
  const filter = element('input', {
    type: 'search',
    id: 'note-filter',
    class: 'input',
    placeholder: t('notes.filter'),
    'aria-label': t('notes.filter'),
    autocomplete: 'off',
    on: { input: refresh },
  });
  const found = element('p', { class: 'visually-hidden', role: 'status' });
  const board = element('div', { class: 'boards' }, skeleton(5));
  const pane = element(
    'section',
    { class: 'pane', 'data-shown': true, 'aria-labelledby': 'room-title' },
    head,
    element(
      'div',
      { class: 'pane-body notes', 'data-pad': true },
      element('div', { class: 'note-filter' }, filter, found),
      board,
    ),
  );
  host.replaceChildren(pane);
  showView();

  const go = (/** @type {string[]} */ ...rest) => {
    location.hash = routeTo(store.name, ...rest);
  };
  const add = () => go('new');
  const all = () => [...objects.byKey.values()];
  const timeOf = (/** @type {number} */ msgnum) => store.byNumber.get(msgnum)?.time ?? 0;

  function showView() {
    board.dataset.view = localStorage.getItem(VIEW) === 'list' ? 'list' : 'board';
  }

  /** @returns {PaneAction[]} */
  const actions = () => [
    ...(store.canPost ? [{ label: t('notes.new'), icon: 'plus', run: add }] : []),
    ...(store.isGuest ? [] : [{ label: t('list.more'), icon: 'more', hasMenu: true, run: openMore }]),
  ];

  /** @param {HTMLElement} button */
  const openMore = (button) =>
    openMenu(button, [{ label: t('settings.title'), icon: 'settings', run: () => go('settings') }]);

  function showHead() {
    const sub = isLoaded ? t('notes.count', { count: objects.byKey.size }) : '';
    if (sub === said) return;
    said = sub;
    const hadFocus = document.activeElement === query(head, 'h1');
    const views = ['board', 'list'].map((value) => ({
      value,
      label: t(`notes.view-${value}`),
      selected: board.dataset.view === value,
    }));
    const node = paneHead({
      title: roomTitle(store.name),
      id: 'room-title',
      sub,
      actions: actions().map((action) => (action.icon === 'plus' ? { ...action, kind: 'primary' } : action)),
    });
    query(node, '.push')?.prepend(
      segmented(views, {
        label: t('notes.view'),
        onChange: (view) => {
          localStorage.setItem(VIEW, view);
          showView();
        },
      }),
    );
    head.replaceChildren(node);
    if (hadFocus) query(head, 'h1')?.focus();
  }

  function refresh() {
    if (!isLoaded) return;
    showHead();
    // what is written does not jump to another place under the hands
    for (const { key, msgnum, said: note } of all())
      if (!open || !places.has(key)) places.set(key, { time: timeOf(msgnum), isPinned: note.isPinned });
    const words = filter.value.trim();
    const shown = all().filter(({ key, said: note }) => key === open?.key() || isFound(note, words));
    found.textContent = words === '' ? '' : t('notes.found', { count: shown.length });
    const { pinned, others } = arranged(shown, places);
    const cards = (/** @type {typeof shown} */ notes) => notes.map(card);
    const isFresh = open !== undefined && open.key() === undefined;
    const first = isFresh && open ? [open.node] : [];
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest('a.sticky'));
    const nothing = emptyState(
      all().length === 0
        ? {
            icon: 'note',
            text: t(store.canPost ? 'notes.empty' : 'list.empty'),
            ...(store.canPost && { action: { label: t('notes.new'), icon: 'plus', run: add } }),
          }
        : { icon: 'search', text: t('notes.none-found') },
    );
    renew(
      board,
      shown.length + first.length === 0
        ? [nothing]
        : [
            ...(pinned.length > 0 ? part('notes-pinned', t('notes.pinned'), cards(pinned)) : []),
            ...(others.length + first.length > 0
              ? part('notes-others', pinned.length > 0 ? t('notes.others') : '', [...first, ...cards(others)])
              : []),
          ],
    );
    if (focused && !focused.isConnected) focusCard(focused.dataset.key);
    open?.look();
  }

  /** @param {{ key: string, msgnum: number, said: Note }} known */
  function card({ key, msgnum, said: note }) {
    if (open && key === open.key()) return open.node;
    const author = store.info.is_mailbox ? '' : (store.byNumber.get(msgnum)?.author ?? '');
    return sticky(note, {
      key,
      href: routeTo(store.name, 'note', key),
      author,
      time: timeOf(msgnum),
      isWaiting: objects.isWaiting(key),
    });
  }

  /** @param {string} [key] */
  function focusCard(key) {
    const node = key === undefined ? null : query(board, `[data-key="${CSS.escape(key)}"]`);
    (node ?? query(board, 'a.sticky'))?.focus();
  }

  function close() {
    open?.end();
    open = undefined;
    places = new Map();
  }

  /** @param {string | undefined} key */
  function write(key) {
    close();
    /** @type {Omit<ChangeWork, 'msgnums'>} */
    const replaced = {
      kind: 'change',
      room: store.name,
      change: { delete: true },
      isMany: false,
      title: t('notes.deleted', { title: objects.byKey.get(key ?? '')?.said.title || t('notes.untitled') }),
    };
    open = writing(objects, key, {
      done: () => go(),
      canChange: key === undefined || (store.canPost && store.canDelete),
      remove: store.canDelete ? () => remove(open?.key()) : undefined,
      // the address of a new one, once it has a name
      named: (name) => history.replaceState(null, '', routeTo(store.name, 'note', name)),
      replace: (msgnum) =>
        orLater(
          () => ({ ...replaced, msgnums: [msgnum] }),
          () => changeMessages(store.name, [msgnum], replaced.change, { isMany: false }),
          store.name,
        ),
    });
    refresh();
    open.node.scrollIntoView({ block: 'nearest' });
    if (!isBusyElsewhere()) open.focus();
  }

  /** @param {string | undefined} chosenKey undefined for a new one that is not kept yet */
  async function remove(chosenKey) {
    const writing = open;
    await writing?.drop();
    close();
    const key = chosenKey ?? writing?.key();
    if (key === undefined) return go();
    const title = objects.byKey.get(key)?.said.title || t('notes.untitled');
    const refused = (/** @type {string} */ reason) => announce(t('list.refused', { reason }));
    offerUndo(t('notes.deleted', { title }), (over) => objects.remove([key], { refused, over }));
    go();
  }

  const chosen = () =>
    open?.key() ?? /** @type {HTMLElement | null} */ (document.activeElement?.closest('a.sticky'))?.dataset.key;

  showHead();

  return {
    parseRoute,
    async show(route, signal) {
      if (!isLoaded) {
        await objects.load(signal);
        isLoaded = true;
        if (store.unread > 0 && !store.isGuest) store.setAllSeen().catch(() => {});
      }
      const key = route.page === 'note' ? route.key : route.page === 'number' ? objects.keyOf(route.msgnum) : undefined;
      const known = key === undefined ? undefined : objects.byKey.get(key);
      const isWriting = (route.page === 'new' && store.canPost) || known !== undefined;
      context.setBar({
        title: roomTitle(store.name),
        ...(isWriting && { back: { href: routeTo(store.name), label: store.name } }),
        actions: isWriting ? [] : actions(),
      });
      if (isWriting) {
        if (!open || open.key() !== key) write(key);
        return known?.said.title || t('notes.new');
      }
      if (route.page !== 'list') {
        location.replace(routeTo(store.name));
        return undefined;
      }
      const before = open?.key();
      close();
      refresh();
      if (before !== undefined) focusCard(before);
      else takeFocus(document.getElementById('room-title'));
      return undefined;
    },
    update(delta) {
      void tellProblem(() => objects.update(delta));
    },
    unmount() {
      close();
      objects.end();
    },
    commands: noteCommands({
      board,
      filter,
      canPost: () => store.canPost,
      canDelete: () => store.canDelete && chosen() !== undefined,
      add,
      remove: () => remove(chosen()),
      back: () => (open ? go() : context.leaveRoom()),
    }),
  };
}

/**
 * Without a title all of them, which are no region of their own: that is the room.
 * @param {string} id @param {string} title @param {HTMLElement[]} cards
 */
const part = (id, title, cards) => [
  element('h2', { class: 'section', id }, title || t('notes.all')),
  element(title ? 'section' : 'div', { class: 'board', 'aria-labelledby': title ? id : undefined }, cards),
];

/** @param {string[]} rest @returns {NoteRoute} */
function parseRoute([first, second = '']) {
  if (first === 'new') return { page: 'new' };
  if (first === 'note' && second !== '') return { page: 'note', key: second };
  return /^[1-9]\d*$/.test(first ?? '') ? { page: 'number', msgnum: Number(first) } : { page: 'list' };
}
