// Rows that are pushed aside with a finger: what will happen shows behind the row, and happens where it is let go
// beyond a third of its width. Nothing is there this way alone: keys and menus do the same.

import { element } from '../core/dom.js';
import { icon } from './icon.js';

/** a finger that rests moves less than this */
const SLOP_PX = 12;
/** a finger that stays so long means the row, not what is behind it */
const HOLD_MS = 500;
const MENU_MS = 2000;
/** the press that a browser makes of a touch comes within this time */
const PRESS_MS = 300;
/** of the width of the row, beyond which it happens */
const ENOUGH = 0.33;

/** @typedef {{ label: string, icon: string, tone?: 'danger', run: () => unknown }} SwipeAction */

/**
 * `sides` says what can be done with the row: `start` when it is pushed to where lines begin, `end` to where they end;
 * `hold` hears of a finger that rests on it.
 * @typedef {object} Hands
 * @property {(row: HTMLElement) => { start?: SwipeAction, end?: SwipeAction }} sides
 * @property {(row: HTMLElement) => void} hold
 */

/** @param {HTMLElement} list @param {Hands} hands */
export function swipeRows(list, hands) {
  let touched = 0;
  list.addEventListener('pointerdown', (event) => {
    const row = /** @type {HTMLElement} */ (event.target).closest('li');
    if (event.pointerType !== 'touch' || !event.isPrimary || !row) return;
    touched = performance.now();
    follow(list, row, event, hands);
  });
  // the menu of a link, which the same finger asks for
  list.addEventListener('contextmenu', (event) => {
    if (performance.now() - touched < MENU_MS) event.preventDefault();
  });
}

/** @param {HTMLElement} list @param {HTMLElement} row @param {PointerEvent} begun @param {Hands} hands */
function follow(list, row, { pointerId, clientX, clientY }, { sides: sidesOf, hold }) {
  const following = new AbortController();
  const { signal } = following;
  const way = getComputedStyle(row).direction === 'rtl' ? -1 : 1;
  const sides = sidesOf(row);
  /** @type {HTMLElement | undefined} */
  let hint;
  /** @type {SwipeAction | undefined} */
  let action;
  let isEnough = false;
  let isHeld = false;
  const resting = setTimeout(() => {
    isHeld = true;
    hold(row);
  }, HOLD_MS);
  signal.addEventListener('abort', () => clearTimeout(resting));

  /** @param {PointerEvent} event */
  function move(event) {
    if (event.pointerId !== pointerId || isHeld) return;
    const across = event.clientX - clientX;
    if (!hint) {
      const along = Math.abs(event.clientY - clientY);
      if (Math.max(Math.abs(across), along) < SLOP_PX) return;
      if (along > Math.abs(across)) return following.abort();
      clearTimeout(resting);
    }
    show(across * way > 0 ? 'end' : 'start', across);
  }

  /** @param {'start' | 'end'} side @param {number} across */
  function show(side, across) {
    if (action !== sides[side] || !hint) {
      hint?.remove();
      action = sides[side];
      hint = element(
        'span',
        { class: 'swipe-hint', 'aria-hidden': 'true', 'data-side': side, 'data-tone': action?.tone },
        action && [icon(action.icon), action.label],
      );
      row.prepend(hint);
    }
    row.setAttribute('data-swiping', '');
    row.style.setProperty('--swipe', `${action ? across : 0}px`);
    isEnough = action !== undefined && Math.abs(across) > row.offsetWidth * ENOUGH;
    hint.toggleAttribute('data-armed', isEnough);
  }

  /** @param {PointerEvent} event */
  function end(event) {
    if (event.pointerId !== pointerId) return;
    following.abort();
    row.removeAttribute('data-swiping');
    row.style.removeProperty('--swipe');
    hint?.remove();
    if (!hint && !isHeld) return;
    // what was a push is no press
    const stop = (/** @type {Event} */ click) => {
      click.preventDefault();
      click.stopPropagation();
    };
    list.addEventListener('click', stop, { capture: true });
    setTimeout(() => list.removeEventListener('click', stop, { capture: true }), PRESS_MS);
    if (event.type === 'pointerup' && isEnough) action?.run();
  }

  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
}
