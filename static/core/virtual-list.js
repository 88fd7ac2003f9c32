// A list of which only the rows in sight are in the document, however long it is: all rows are equally high, and the
// first one is measured. One stop for Tab, the arrow keys do the rest; each row says its place among all of them.

import { element } from './dom.js';

/** rows above and below those in sight */
const AROUND = 8;
/** until one has been measured */
const GUESS_PX = 64;

/**
 * @template K
 * @typedef {object} Options
 * @property {HTMLElement} scroller in which the list scrolls
 * @property {() => number} count
 * @property {(index: number) => K} keyOf what stays the same when others come and go
 * @property {(key: K) => number} indexOf -1 where there is none
 * @property {(index: number) => HTMLElement} row an `li` with a link or button `.row-main`
 * @property {string} labelledBy id of its name
 * @property {(index: number) => void} [reached] hears of the lowest and the highest row that is in the document
 */

/**
 * @template K
 * @param {Options<K>} options
 */
export function virtualList({ scroller, count, keyOf, indexOf, row, labelledBy, reached }) {
  const list = element('ul', { class: 'virtual', role: 'list', 'aria-labelledby': labelledBy });
  /** @type {Map<K, HTMLElement>} */
  let shown = new Map();
  let height = GUESS_PX;
  let isMeasured = false;
  /** @type {K | undefined} the row that Tab stops at */
  let stop;

  const target = (/** @type {HTMLElement | undefined} */ item) =>
    /** @type {HTMLElement | null} */ (item?.querySelector('.row-main') ?? null);
  const top = () => list.offsetTop;

  /** @param {boolean} isDirty whether rows that are there may say something else now */
  function render(isDirty) {
    const total = count();
    const first = Math.max(0, Math.floor((scroller.scrollTop - top()) / height) - AROUND);
    const last = Math.min(total, Math.ceil((scroller.scrollTop - top() + scroller.clientHeight) / height) + AROUND);
    const wanted = new Set(Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i));
    const focused = [...shown].find(([, item]) => item.contains(document.activeElement))?.[0];
    const kept = focused === undefined ? -1 : indexOf(focused);
    if (kept >= 0) wanted.add(kept);
    if (stop === undefined || indexOf(stop) < 0) stop = total > 0 ? keyOf(Math.max(first, 0)) : undefined;
    list.style.blockSize = `${total * height}px`;
    /** @type {Map<K, HTMLElement>} */
    const next = new Map();
    for (const index of [...wanted].sort((a, b) => a - b)) {
      const key = keyOf(index);
      next.set(key, placed(index, key, total, isDirty));
    }
    for (const [key, item] of shown) if (!next.has(key)) item.remove();
    shown = next;
    arrange();
    if (!isMeasured && total > 0) measure();
    if (wanted.size > 0 && reached) {
      reached(first);
      reached(last - 1);
    }
  }

  /** @param {number} index @param {K} key @param {number} total @param {boolean} isDirty */
  function placed(index, key, total, isDirty) {
    const old = shown.get(key);
    let item = old;
    if (!old || isDirty) {
      const fresh = row(index);
      mark(fresh, index, key, total);
      if (old) mark(old, index, key, total);
      // what says the same stays the node that it was: a click that has begun on it is not lost
      item = old?.isEqualNode(fresh) ? old : fresh;
      if (old && item === fresh) replace(old, fresh);
    } else {
      mark(old, index, key, total);
    }
    return /** @type {HTMLElement} */ (item);
  }

  /** @param {HTMLElement} old @param {HTMLElement} fresh */
  function replace(old, fresh) {
    const hadFocus = old.contains(document.activeElement);
    const isBox = document.activeElement instanceof HTMLInputElement;
    old.replaceWith(fresh);
    if (hadFocus) (isBox ? fresh.querySelector('input') : target(fresh))?.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} item @param {number} index @param {K} key @param {number} total */
  function mark(item, index, key, total) {
    item.style.insetBlockStart = `${index * height}px`;
    item.setAttribute('aria-posinset', String(index + 1));
    item.setAttribute('aria-setsize', String(total));
    const link = target(item);
    if (link) link.tabIndex = key === stop ? 0 : -1;
  }

  /** In the order of the list, for those who hear it. */
  function arrange() {
    let before = list.firstElementChild;
    for (const item of shown.values()) {
      if (item === before) before = item.nextElementSibling;
      else list.insertBefore(item, before);
    }
  }

  function measure() {
    const [item] = shown.values();
    const measured = item?.getBoundingClientRect().height ?? 0;
    if (measured === 0) return;
    isMeasured = true;
    if (Math.abs(measured - height) < 0.5) return;
    const at = (scroller.scrollTop - top()) / height;
    height = measured;
    if (scroller.scrollTop > 0) scroller.scrollTop = at * height + top();
    render(false);
  }

  /** The rows have changed, in number or in what they say; what is in sight stays where it is. */
  function refresh() {
    const offset = scroller.scrollTop - top();
    const anchor = [...shown].find(([key, item]) => indexOf(key) >= 0 && item.offsetTop + height > offset);
    const before = anchor && offset > 0 ? anchor[1].offsetTop - offset : undefined;
    if (before !== undefined && anchor) {
      list.style.blockSize = `${count() * height}px`;
      scroller.scrollTop = indexOf(anchor[0]) * height - before + top();
    }
    render(true);
  }

  /** Brings the row into sight. @param {number} index */
  function reveal(index) {
    const start = index * height + top();
    if (start < scroller.scrollTop) scroller.scrollTop = start;
    else if (start + height > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = start + height - scroller.clientHeight;
    render(false);
  }

  /** Tab stops there from now on. @param {number} index */
  function setStop(index) {
    if (index < 0 || index >= count()) return;
    turnTo(keyOf(index));
    reveal(index);
    turnTo(keyOf(index));
  }

  /** @param {K} key */
  function turnTo(key) {
    const before = stop !== undefined && target(shown.get(stop));
    if (before) before.tabIndex = -1;
    stop = key;
    const link = target(shown.get(stop));
    if (link) link.tabIndex = 0;
  }

  /** The row that a node is in. @param {EventTarget | null} node */
  const keyIn = (node) => {
    const inside = /** @type {HTMLElement} */ (node).closest('li');
    return [...shown].find(([, item]) => item === inside)?.[0];
  };

  /** @param {number} index */
  function focus(index) {
    setStop(index);
    if (stop !== undefined) target(shown.get(stop))?.focus({ preventScroll: true });
  }

  list.addEventListener('keydown', (event) => {
    const key = keyIn(event.target);
    if (key === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = indexOf(key);
    const page = Math.max(1, Math.floor(scroller.clientHeight / height) - 1);
    const wanted = placeFor(event.key, at, count(), page);
    if (wanted === undefined) return;
    event.preventDefault();
    focus(Math.max(0, Math.min(wanted, count() - 1)));
  });
  // by a press, too
  list.addEventListener('focusin', (event) => {
    const key = keyIn(event.target);
    if (key !== undefined && key !== stop) turnTo(key);
  });
  const scrolled = () => render(false);
  scroller.addEventListener('scroll', scrolled, { passive: true });
  const resized = new ResizeObserver(() => {
    isMeasured = false;
    render(false);
  });
  resized.observe(scroller);

  return {
    node: list,
    refresh,
    reveal,
    setStop,
    focus,
    /** the key of the row that has the focus, or Tab would stop at */
    stop: () => stop,
    end() {
      scroller.removeEventListener('scroll', scrolled);
      resized.disconnect();
    },
  };
}

/** @param {string} key @param {number} at @param {number} count @param {number} page */
function placeFor(key, at, count, page) {
  if (key === 'ArrowDown' || key === 'j') return at + 1;
  if (key === 'ArrowUp' || key === 'k') return at - 1;
  if (key === 'PageDown') return at + page;
  if (key === 'PageUp') return at - page;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}
