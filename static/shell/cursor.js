// Where the reader was writing when the session ended: after the log-in the cursor is there again.

import { isField } from '../core/focus.js';

/**
 * `field`: a selector; `from` and `to`: characters before the selection, and before its end
 * @typedef {{ field: string, from: number, to: number }} Cursor
 */

/** the last field that had the focus @type {HTMLElement | undefined} */
let last;

export function watchCursor() {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && isField(target)) last = target;
  });
}

/** Undefined where nothing is being written. @returns {Cursor | undefined} */
export function currentCursor() {
  if (!last?.isConnected) return undefined;
  const { id, localName, ariaLabel } = last;
  const field = id ? `#${CSS.escape(id)}` : `${localName}[aria-label="${CSS.escape(ariaLabel ?? '')}"]`;
  if (isText(last)) return { field, from: last.selectionStart ?? 0, to: last.selectionEnd ?? 0 };
  const [from, to] = offsetsIn(last);
  return { field, from, to };
}

/** @param {HTMLElement} field @returns {field is HTMLInputElement | HTMLTextAreaElement} */
const isText = (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

/** Of what is selected in something editable. @param {HTMLElement} field */
function offsetsIn(field) {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return [0, 0];
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!field.contains(startContainer) || !field.contains(endContainer)) return [0, 0];
  const before = document.createRange();
  before.setStart(field, 0);
  before.setEnd(startContainer, startOffset);
  const from = before.toString().length;
  before.setEnd(endContainer, endOffset);
  return [from, before.toString().length];
}

/** Puts it there as soon as the field is, unless the reader does something first. @param {Cursor} cursor */
export function restoreCursor({ field, from, to }) {
  const over = new AbortController();
  const look = () => {
    const found = /** @type {HTMLElement | null} */ (document.querySelector(field));
    if (!found) return;
    over.abort();
    found.focus();
    if (isText(found)) {
      if (found.selectionStart !== null) found.setSelectionRange(from, to);
    } else if (found.isContentEditable)
      getSelection()?.setBaseAndExtent(...pointIn(found, from), ...pointIn(found, to));
  };
  const observer = new MutationObserver(look);
  over.signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['keydown', 'pointerdown', 'hashchange'])
    addEventListener(type, () => over.abort(), { capture: true, signal: over.signal });
  observer.observe(document.body, { childList: true, subtree: true });
  look();
}

/**
 * The text node with that character, and where in it.
 * @param {HTMLElement} field @param {number} at @returns {[Node, number]}
 */
function pointIn(field, at) {
  const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
  let left = at;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = /** @type {Text} */ (node);
    if (left <= length) return [node, left];
    left -= length;
  }
  return [field, field.childNodes.length];
}
