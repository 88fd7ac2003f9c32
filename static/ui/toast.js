// One line about what was done, with at most one thing to do about it. One at a time, in its own row of the page; it
// waits while somebody points at it or has the focus in it.

import { byId, element } from '../core/dom.js';

const SECONDS = 8;

/** @typedef {{ close: () => void }} Toast */

/** @type {Toast | undefined} */
let shown;

/**
 * @param {string} text
 * @param {{ action?: { label: string, run: () => unknown }, seconds?: number }} [options]
 * @returns {Toast}
 */
export function showToast(text, { action, seconds = SECONDS } = {}) {
  shown?.close();
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
    if (timer !== 0 || node.matches(':hover, :focus-within')) return;
    since = performance.now();
    timer = window.setTimeout(close, Math.max(left, 0));
  };
  const close = () => {
    clearTimeout(timer);
    node.remove();
    if (shown === toast) shown = undefined;
  };
  const act = () => {
    close();
    action?.run();
  };
  const node = element(
    'p',
    { class: 'toast', on: { pointerenter: stop, pointerleave: go, focusin: stop, focusout: () => setTimeout(go) } },
    text,
    action && element('button', { type: 'button', on: { click: act } }, action.label),
  );
  const toast = { close };
  shown = toast;
  byId('toasts').append(node);
  go();
  return toast;
}
