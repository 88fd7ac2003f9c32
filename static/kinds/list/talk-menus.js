// What the head of a list of messages offers: order, marks, selection, and what can be done with what is selected.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { openMenu } from '../../ui/menu.js';
import {
  archive,
  canBeSpam,
  chooseRoom,
  deleteMessages,
  forwardAttached,
  markAll,
  markMessages,
  markSpam,
  moveMessages,
  targetsOf,
} from './actions.js';
import { numbersOf } from './conversations.js';

/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { Dragged } from '../../model/dragging.js' */
/** @import { MenuItem } from '../../ui/menu.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { SwipeAction } from '../../ui/swipe.js' */
/** @import { Conversation } from './conversations.js' */

/** to one message: see MAX_MESSAGE_ATTACHMENTS of the gateway */
const MOST_ATTACHED = 100;

/**
 * How a list is shown, kept on the device for each room.
 * @param {RoomStore} store @param {{ isFlat: boolean, isNewestFirst: boolean }} usual
 */
export function listChoices(store, usual) {
  const keyOf = (/** @type {string} */ name) => `${name} of ${store.name}`;
  const read = (/** @type {string} */ name, /** @type {boolean} */ otherwise) =>
    (localStorage.getItem(keyOf(name)) ?? String(otherwise)) === 'true';
  return {
    isFlat: () => read('flat', usual.isFlat),
    isNewestFirst: () => read('newest-first', usual.isNewestFirst),
    /** @param {'flat' | 'newest-first'} name @param {boolean} value */
    set: (name, value) => localStorage.setItem(keyOf(name), String(value)),
  };
}

/**
 * @param {HTMLElement} button
 * @param {ReturnType<typeof listChoices>} choices
 * @param {() => void} changed
 */
export function openOrderMenu(button, choices, changed) {
  openMenu(button, orderItems(choices, changed));
}

/**
 * @param {ReturnType<typeof listChoices>} choices
 * @param {() => void} changed
 */
export function orderItems(choices, changed) {
  /** @type {(name: 'flat' | 'newest-first', value: boolean) => () => void} */
  const choose = (name, value) => () => {
    choices.set(name, value);
    changed();
  };
  return [
    { label: t('list.newest-first'), checked: choices.isNewestFirst(), run: choose('newest-first', true) },
    { label: t('list.oldest-first'), checked: !choices.isNewestFirst(), run: choose('newest-first', false) },
    { separator: true },
    { label: t('list.conversations'), checked: !choices.isFlat(), run: choose('flat', !choices.isFlat()) },
  ];
}

/**
 * @param {HTMLElement} button
 * @param {RoomStore} store
 * @param {() => void} [selectAll]
 * @param {MenuItem[]} [more] below a line
 */
export function openListMenu(button, store, selectAll, more = []) {
  const { info } = store;
  const hasSettings = info.is_room_aide || !info.is_mailbox;
  const settings = () => {
    location.hash = routeTo(store.name, 'settings');
  };
  openMenu(button, [
    { label: t('list.mark-all'), icon: 'check', disabled: store.unread === 0, run: () => markAll([store.name]) },
    ...(selectAll ? [{ label: t('list.select-all'), icon: 'check-circle', run: selectAll }] : []),
    ...(hasSettings ? [{ label: t('settings.title'), icon: 'settings', run: settings }] : []),
    ...(more.length > 0 ? [{ separator: true }, ...more] : []),
  ]);
}

/**
 * @param {RoomStore} store @param {Conversation[]} items @param {() => void} done @returns {PaneAction[]}
 */
export function selectionActions(store, items, done) {
  const numbers = items.flatMap(numbersOf);
  const isUnread = items.some(({ rows }) => rows.some((row) => !row.seen));
  const act = (/** @type {(numbers: number[]) => unknown} */ what) => () => {
    done();
    what(numbers);
  };
  const mark = {
    label: t(isUnread ? 'list.mark-read' : 'list.mark-unread'),
    icon: isUnread ? 'mail-open' : 'mail',
    run: act((each) => markMessages(store, each, isUnread)),
  };
  const goOn = {
    label: t('message.attach', { count: numbers.length }),
    icon: 'forward',
    run: act((each) => forwardAttached(store, each)),
  };
  const forward = numbers.length <= MOST_ATTACHED ? [goOn] : [];
  if (!store.canDelete) return [...forward, mark];
  const keep = { label: t('list.archive'), icon: 'archive', run: act((each) => archive(store, each)) };
  const spam = { label: t('list.spam'), icon: 'flag', run: act((each) => markSpam(store, each)) };
  return [
    ...(store.info.is_mailbox ? [keep] : []),
    mark,
    ...(canBeSpam(store) ? [spam] : []),
    ...forward,
    { label: t('list.move'), icon: 'folder', run: act((each) => chooseRoom(store, each)) },
    { label: t('list.delete'), icon: 'trash', run: act((each) => deleteMessages(store, each)) },
  ];
}

/**
 * What a finger does with a row: out of the way, or the other mark.
 * @param {RoomStore} store @param {Conversation} item @returns {{ start?: SwipeAction, end?: SwipeAction }}
 */
export function swipeActions(store, item) {
  if (store.isGuest) return {};
  const isUnread = item.rows.some((row) => !row.seen);
  return {
    start: store.canDelete
      ? { label: t('list.delete'), icon: 'trash', tone: 'danger', run: () => deleteMessages(store, numbersOf(item)) }
      : undefined,
    end: {
      label: t(isUnread ? 'list.mark-read' : 'list.mark-unread'),
      icon: isUnread ? 'mail-open' : 'mail',
      run: () => markMessages(store, numbersOf(item), isUnread),
    },
  };
}

/**
 * Where messages can be dropped; `done` hears that they were.
 * @param {RoomStore} store @param {Conversation[]} items @param {() => void} done @returns {Dragged | undefined}
 */
export function dragOf(store, items, done) {
  if (!store.canDelete) return undefined;
  const names = new Set(targetsOf(store).map(({ name }) => name));
  return {
    accepts: (room) => names.has(room),
    drop(room) {
      done();
      moveMessages(store, items.flatMap(numbersOf), room);
    },
  };
}

/**
 * The top bar of a phone has room for three: the last one, which takes away, a menu of the others, and the way out.
 * @param {PaneAction[]} actions @param {() => void} clear @returns {PaneAction[]}
 */
export const phoneActions = (actions, clear) => [
  ...actions.slice(-1),
  ...moreOf(actions.slice(0, -1)),
  { label: t('list.clear'), icon: 'close', run: clear },
];

/** A menu of these, where there are some. @param {PaneAction[]} actions @returns {PaneAction[]} */
export function moreOf(actions) {
  const run = (/** @type {HTMLElement} */ button) =>
    openMenu(
      button,
      actions.map(({ label, icon, run: act }) => ({ label, icon, run: () => act?.(button) })),
    );
  return actions.length > 0 ? [{ label: t('list.more'), icon: 'more', hasMenu: true, run }] : [];
}
