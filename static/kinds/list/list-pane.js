// The list of a room: its head, what the room says of itself, the rows, and what is selected of them. The head becomes
// the bar for what is selected.

import { element, query, refill } from '../../core/dom.js';
import { isBusyElsewhere } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { virtualList } from '../../core/virtual-list.js';
import { roomTitle } from '../../model/room-list.js';
import { actionButton, paneHead } from '../../ui/pane.js';
import { emptyState } from '../../ui/states.js';
import { swipeRows } from '../../ui/swipe.js';
import { aboutRoom } from './about.js';
import { dragRows } from './drag-rows.js';
import { moreOf } from './talk-menus.js';

/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { Dragged } from '../../model/dragging.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { SwipeAction } from '../../ui/swipe.js' */

/** rows before the end at which more are fetched */
const NEAR = 40;

/**
 * `I` is what stands in a row, and stays the same while others come and go.
 * @template I
 * @typedef {object} ListOptions
 * @property {RoomStore} store
 * @property {() => number} count
 * @property {(index: number) => I} at
 * @property {(item: I) => number} indexOf -1 where there is none
 * @property {(item: I, marks: { isSelected: boolean }) => HTMLElement} row
 * @property {() => string} sub the quiet count in the head
 * @property {() => PaneAction[]} actions of the head
 * @property {(items: I[]) => PaneAction[]} [selectedActions] without it nothing can be selected
 * @property {(item: I) => { start?: SwipeAction, end?: SwipeAction }} [swipe] what a finger does with a row
 * @property {(items: I[]) => Dragged | undefined} [drag] where rows can be dropped
 * @property {() => void} changed what the top bar of a phone says may have changed
 * @property {{ icon: string, text: string, action?: { label: string, run: () => void } }} empty
 * @property {() => boolean} isNewestFirst at which end the oldest rows are
 * @property {HTMLElement} [foot] below the rows
 */

/**
 * @template I
 * @param {HTMLElement} pane
 * @param {ListOptions<I>} options
 */
export function listPane(
  pane,
  { store, count, at, indexOf, row, sub, actions, selectedActions, swipe, drag, changed, empty, isNewestFirst, foot },
) {
  /** @type {Set<I>} */
  const selected = new Set();
  /** where a span of selected rows begins @type {I | undefined} */
  let last;
  /** what the head says */
  let said = '';
  let isMade = false;
  let isPressed = false;
  let isStale = false;
  const body = element('div', { class: 'pane-body' });
  const head = element('div', { class: 'head' });
  const loadOlder = (/** @type {number} */ index) => {
    const left = isNewestFirst() ? count() - 1 - index : index;
    if (!store.isComplete && left < NEAR) store.loadOlder().catch(() => {});
  };
  const list = virtualList({
    scroller: body,
    count,
    keyOf: at,
    indexOf,
    row: (index) => row(at(index), { isSelected: selected.has(at(index)) }),
    labelledBy: 'room-title',
    reached: loadOlder,
  });
  const about = aboutRoom(store);
  pane.replaceChildren(head, body);

  function showHead() {
    const items = [...selected];
    const shown = items.length > 0 && selectedActions ? selectedActions(items) : actions();
    const state = JSON.stringify([items.length, sub(), shown]);
    if (state === said) return;
    said = state;
    pane.toggleAttribute('data-selecting', items.length > 0);
    const wasTitle = document.activeElement === query(head, 'h1');
    const node =
      items.length > 0
        ? selectBar(items.length, shown, clear)
        : paneHead({ title: roomTitle(store.name), id: 'room-title', sub: sub(), actions: shown });
    refill(head, [node], head);
    if (wasTitle) query(head, 'h1')?.focus();
    if (isMade) changed();
  }

  function refresh() {
    // what is under the pointer stays there until the click is over
    if (isPressed) {
      isStale = true;
      return;
    }
    const hadFocus = pane.contains(document.activeElement);
    for (const item of selected) if (indexOf(item) < 0) selected.delete(item);
    const rows = count() === 0 ? [emptyState(empty)] : [list.node];
    const wanted = [...(about ? [about] : []), ...rows, ...(foot ? [foot] : [])];
    if (wanted.some((node, i) => body.childNodes[i] !== node)) body.replaceChildren(...wanted);
    list.refresh();
    showHead();
    if (hadFocus && !pane.contains(document.activeElement)) query(pane, '[tabindex="0"]')?.focus();
  }

  function clear() {
    selected.clear();
    last = undefined;
    list.refresh();
    showHead();
    query(pane, '.row-main[tabindex="0"]')?.focus();
  }

  /** @param {I} item @param {boolean} isSpan from the one before to this one */
  function toggle(item, isSpan) {
    const from = last === undefined ? -1 : indexOf(last);
    const to = indexOf(item);
    if (isSpan && from >= 0) {
      for (let i = Math.min(from, to); i <= Math.max(from, to); i++) selected.add(at(i));
    } else if (selected.has(item)) selected.delete(item);
    else selected.add(item);
    last = item;
    list.refresh();
    showHead();
  }

  /** @param {Element} node */
  const itemIn = (node) => {
    const place = node.closest('li')?.getAttribute('aria-posinset');
    return place ? at(Number(place) - 1) : undefined;
  };
  if (selectedActions) {
    body.addEventListener('click', (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const item =
        target.closest('.row-mark') || (event.shiftKey && target.closest('.row')) ? itemIn(target) : undefined;
      if (item === undefined) return;
      if (!(target instanceof HTMLInputElement)) event.preventDefault();
      toggle(item, event.shiftKey);
    });
  }
  if (swipe) {
    const hold = (/** @type {HTMLElement} */ node) => {
      const item = selectedActions && itemIn(node);
      if (item !== undefined) toggle(item, false);
    };
    const sides = (/** @type {HTMLElement} */ node) => {
      const item = itemIn(node);
      return item === undefined ? {} : swipe(item);
    };
    swipeRows(list.node, { sides, hold });
  }
  if (drag) {
    dragRows(list.node, (node) => {
      const item = itemIn(node);
      const items = item === undefined ? [] : selected.has(item) ? [...selected] : [item];
      return { dragged: items.length > 0 ? drag(items) : undefined, label: t('list.count', { count: items.length }) };
    });
  }
  list.node.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || !selectedActions) return;
    const item = itemIn(/** @type {Element} */ (event.target));
    if (item === undefined) return;
    event.preventDefault();
    toggle(item, event.shiftKey);
  });
  body.addEventListener('pointerdown', () => {
    isPressed = true;
    const released = new AbortController();
    const release = () => {
      released.abort();
      // the click comes behind it
      setTimeout(() => {
        isPressed = false;
        if (isStale) refresh();
        isStale = false;
      });
    };
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, { signal: released.signal });
  });
  showHead();
  refresh();
  isMade = true;

  return {
    refresh,
    showHead,
    clear,
    /** The row that the keyboard is at. */
    stop: list.stop,
    toggle,
    selected: () => [...selected],
    selectAll() {
      for (let i = 0; i < count(); i++) selected.add(at(i));
      list.refresh();
      showHead();
    },
    /** @param {I} item */
    reveal(item) {
      if (indexOf(item) >= 0) list.setStop(indexOf(item));
    },
    /** The row, or the title where there is none. @param {I | undefined} item */
    focus(item) {
      if (isBusyElsewhere()) return;
      if (item !== undefined && indexOf(item) >= 0) list.focus(indexOf(item));
      else query(pane, '#room-title')?.focus();
    },
    hasFocus: () => pane.contains(document.activeElement),
    end: list.end,
  };
}

/** @param {number} count @param {PaneAction[]} actions @param {() => void} clear */
function selectBar(count, actions, clear) {
  return element(
    'header',
    { class: 'pane-head select-bar', 'data-desk': true, role: 'toolbar', 'aria-label': t('list.selected-bar') },
    actionButton({ label: t('list.clear'), icon: 'close', run: clear, keys: 'Esc' }),
    element(
      'h1',
      { class: 'nums', id: 'room-title', tabindex: -1, 'aria-live': 'polite' },
      t('list.selected', { count }),
    ),
    element(
      'div',
      { class: 'group push' },
      // where there is no room for all, a menu has those before the last
      element('span', { class: 'group wide-only' }, actions.slice(0, -1).map(actionButton)),
      element('span', { class: 'group narrow-only' }, moreOf(actions.slice(0, -1)).map(actionButton)),
      actions.slice(-1).map(actionButton),
    ),
  );
}
