// What menus and popovers share: a panel in the top layer beside what opened it. A press elsewhere or Escape closes it.
// It stands inside the dialog that it was opened from, everything else being inert then.

import { whenUserGoes } from '../model/session.js';

const GAP = 4;
const MARGIN = 8;
/** as in the style sheets: there popovers are sheets at the foot of the window */
const PHONE = matchMedia('(width < 48rem)');

/** @type {Map<Element, { close: () => void }>} by what opened them */
const open = new Map();

/**
 * Shows `panel` beside `anchor`, which says so (`aria-expanded`). Where the anchor's panel is open already it is closed
 * and nothing is opened: undefined. `onClose` hears whether the focus is to go back to the anchor.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} panel
 * @param {{ side: 'below' | 'beside', hasPopup: 'menu' | 'dialog', onClose?: (isBack: boolean) => void }} options
 * @returns {{ close: (isBack?: boolean) => void } | undefined}
 */
export function openPanel(anchor, panel, { side, hasPopup, onClose }) {
  const already = open.get(anchor);
  if (already) {
    already.close();
    return undefined;
  }
  const place = () => {
    if (side === 'beside' && PHONE.matches) panel.removeAttribute('style');
    else placeBeside(panel, anchor, side);
  };
  const close = (isBack = true) => {
    if (open.get(anchor) !== handle) return;
    open.delete(anchor);
    endWaiting();
    listening.abort();
    anchor.setAttribute('aria-expanded', 'false');
    panel.remove();
    if (isBack && anchor.isConnected) anchor.focus();
    onClose?.(isBack);
  };
  const handle = { close };
  const endWaiting = whenUserGoes(() => close(false));
  const listening = new AbortController();
  const { signal } = listening;
  const isInside = (/** @type {EventTarget | null} */ target) =>
    target instanceof Node && (panel.contains(target) || anchor.contains(target));
  document.addEventListener('pointerdown', ({ target }) => isInside(target) || close(false), { capture: true, signal });
  document.addEventListener(
    'keydown',
    (event) => {
      // the innermost one only: a menu opened from a popover
      if (event.key !== 'Escape' || panel.querySelector('[popover]')) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    },
    { capture: true, signal },
  );
  window.addEventListener('resize', place, { signal });
  // what it was opened from is not shown any more
  window.addEventListener('hashchange', () => close(false), { signal });
  document.addEventListener('scroll', ({ target }) => isInside(target) || place(), { capture: true, signal });

  open.set(anchor, handle);
  anchor.setAttribute('aria-haspopup', hasPopup);
  anchor.setAttribute('aria-expanded', 'true');
  panel.popover = 'manual';
  (anchor.closest('dialog, [popover]') ?? document.body).append(panel);
  panel.showPopover();
  place();
  return handle;
}

/**
 * Where there is room: below the anchor, else above; or beside it, else below. Never over the edge of the window.
 * @param {HTMLElement} panel in the top layer
 * @param {HTMLElement} anchor
 * @param {'below' | 'beside'} side
 */
export function placeBeside(panel, anchor, side) {
  const { offsetWidth: width, offsetHeight: height } = panel;
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const by = anchor.getBoundingClientRect();
  const isRtl = getComputedStyle(anchor).direction === 'rtl';
  let left = isRtl ? by.right - width : by.left;
  let top = by.bottom + GAP;
  const fitsAfter = by.right + MARGIN + width <= room.width - MARGIN;
  const fitsBefore = by.left - MARGIN - width >= MARGIN;
  if (side === 'beside' && (fitsAfter || fitsBefore)) {
    left = fitsAfter && !(isRtl && fitsBefore) ? by.right + MARGIN : by.left - MARGIN - width;
    top = by.top;
  } else if (top + height > room.height - MARGIN && by.top - GAP - height >= MARGIN) {
    top = by.top - GAP - height;
  }
  panel.style.left = `${clamp(left, room.width - MARGIN - width)}px`;
  panel.style.top = `${clamp(top, room.height - MARGIN - height)}px`;
}

/** @param {number} value @param {number} most */
const clamp = (value, most) => Math.max(MARGIN, Math.min(value, most));
