// Short notices about what was done, each with at most one action. They stack in a row of the page of their own, the
// newest last. One with an action stays until it is used or its time is over; of the others only the latest few stay.
// While somebody points at the stack or has the focus in it, time stands still for all of them: none moves away.

import { byId, element } from '../core/dom.js';

const SECONDS = 8;
const MOST_WITHOUT_ACTION = 3;

/** @typedef {{ close: () => void }} Toast */
/** @typedef {Toast & { text: string, hasAction: boolean, stop: () => void, go: () => void }} Shown */

/** oldest first @type {Set<Shown>} */
const stack = new Set();
let count = 0;
/** the stack, once it is being watched @type {HTMLElement | undefined} */
let host;
let isPointedAt = false;
/** what had the focus before it came to the stack @type {HTMLElement | undefined} */
let cameFrom;

/**
 * `expired` is called when its time is over.
 * @param {string} text
 * @param {{ action?: { label: string, run: () => unknown }, seconds?: number, expired?: () => unknown }} [options]
 * @returns {Toast}
 */
export function showToast(text, { action, seconds = SECONDS, expired } = {}) {
  host ??= watchedStack();
  const plain = [...stack].filter(({ hasAction }) => !hasAction);
  const oldest = plain.length >= MOST_WITHOUT_ACTION ? plain[0] : undefined;
  if (!action) (plain.find((each) => each.text === text) ?? oldest)?.close();
  let left = seconds * 1000;
  let since = 0;
  let timer = 0;
  const stop = () => {
    if (timer === 0) return;
    clearTimeout(timer);
    timer = 0;
    left -= performance.now() - since;
  };
  const go = () => {
    if (timer !== 0 || isHeld()) return;
    since = performance.now();
    timer = window.setTimeout(
      () => {
        toast.close();
        expired?.();
      },
      Math.max(left, 0),
    );
  };
  const close = () => {
    if (!stack.delete(toast)) return;
    clearTimeout(timer);
    const hadFocus = node.contains(document.activeElement);
    node.remove();
    if (hadFocus && cameFrom?.isConnected) cameFrom.focus();
    if (stack.size === 0) isPointedAt = false;
    goOn();
  };
  const act = () => {
    close();
    action?.run();
  };
  const id = `toast-${count++}`;
  const node = element(
    'p',
    { class: 'toast' },
    element('span', { class: 'grow', id }, text),
    action && element('button', { type: 'button', 'aria-describedby': id, on: { click: act } }, action.label),
  );
  /** @type {Shown} */
  const toast = { text, hasAction: action !== undefined, close, stop, go };
  stack.add(toast);
  host.append(node);
  host.scrollTop = host.scrollHeight;
  go();
  return toast;
}

/** What they offer is nothing for another user. */
export function closeToasts() {
  for (const toast of [...stack]) toast.close();
}

const isHeld = () => isPointedAt || host?.contains(document.activeElement) === true;

function goOn() {
  for (const toast of stack) toast.go();
}

function hold() {
  for (const toast of stack) toast.stop();
}

/** The row of the page that toasts stand in. */
function watchedStack() {
  const node = byId('toasts');
  node.addEventListener('pointerenter', () => {
    isPointedAt = true;
    hold();
  });
  node.addEventListener('pointerleave', () => {
    isPointedAt = false;
    goOn();
  });
  node.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !node.contains(relatedTarget)) cameFrom = relatedTarget;
    hold();
  });
  // the focus has not arrived yet where it goes
  node.addEventListener('focusout', () => setTimeout(goOn));
  return node;
}
