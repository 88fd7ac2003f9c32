// Where the focus goes when what was asked for is there: to it, but never out of a field that the reader has gone to
// while it was on its way. On a slow line that takes seconds, and what is typed then belongs to that field.

/** @import { Nothing } from './dom.js' */

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** what had the focus when it was asked for @type {Element | null} */
let left = null;

/** Something is asked for: what has the focus now gives it away, unless the reader goes on typing there. */
export function leaveFocus() {
  left = document.activeElement;
  document.addEventListener('input', stay, { once: true });
}

function stay() {
  left = null;
}

/** Whether something is written there. @param {Element} node */
export const isField = (node) => node.matches(FIELDS);

/** Whether the reader has gone to a field since then. */
export function isBusyElsewhere() {
  const active = document.activeElement;
  return active !== null && active !== left && isField(active);
}

/** What was asked for is there. @param {HTMLElement | Nothing} node @param {FocusOptions} [options] */
export function takeFocus(node, options) {
  if (node && !isBusyElsewhere()) node.focus(options);
}
