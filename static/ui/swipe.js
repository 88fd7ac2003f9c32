// Rows that are pushed aside with a finger: what will happen shows behind the row, and happens where it is let go
// beyond a third of its width. Nothing is there this way alone: keys and menus do the same.

import { element } from '../core/dom.js';
import { icon } from './icon.js';

/** a finger that rests moves less than this */
const SLOP_PX = 12;
/** of the width of the row, beyond which it happens */
const ENOUGH = 0.33;

/** @typedef {{ label: string, icon: string, tone?: 'danger', run: () => unknown }} SwipeAction */

/**
 * `sides` says what can be done with the row: `start` when it is pushed to where lines begin, `end` to where they end.
 * @param {HTMLElement} list
 * @param {(row: HTMLElement) => { start?: SwipeAction, end?: SwipeAction }} sides
 */
export function swipeRows(list, sides) {
  list.addEventListener('pointerdown', (event) => {
    const row = /** @type {HTMLElement} */ (event.target).closest('li');
    if (event.pointerType === 'touch' && event.isPrimary && row) follow(row, event, sides(row));
  });
}

/** @param {HTMLElement} row @param {PointerEvent} begun @param {{ start?: SwipeAction, end?: SwipeAction }} sides */
function follow(row, { pointerId, clientX, clientY }, sides) {
  const following = new AbortController();
  const { signal } = following;
  const way = getComputedStyle(row).direction === 'rtl' ? -1 : 1;
  /** @type {HTMLElement | undefined} */
  let hint;
  /** @type {SwipeAction | undefined} */
  let action;
  let isEnough = false;

  /** @param {PointerEvent} event */
  function move(event) {
    if (event.pointerId !== pointerId) return;
    const across = event.clientX - clientX;
    if (!hint) {
      const along = Math.abs(event.clientY - clientY);
      if (Math.max(Math.abs(across), along) < SLOP_PX) return;
      if (along > Math.abs(across)) return following.abort();
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
    if (!hint) return;
    // what was a push is no press
    const stop = (/** @type {Event} */ click) => {
      click.preventDefault();
      click.stopPropagation();
    };
    row.addEventListener('click', stop, { capture: true });
    setTimeout(() => row.removeEventListener('click', stop, { capture: true }));
    if (event.type === 'pointerup' && isEnough) action?.run();
  }

  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
}
