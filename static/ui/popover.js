// A small dialog beside its cause that leaves the page in use; on phones a sheet at the foot of the window.

import { element } from '../core/dom.js';
import { openPanel } from './panel.js';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';

/**
 * Escape closes it and returns the focus, a press elsewhere closes it. The focus goes to what has `autofocus` in it, or
 * to the popover itself. A second call with an anchor whose popover is open closes that: undefined.
 * @param {HTMLElement} anchor
 * @param {Node | (Node | string)[]} content
 * @param {{ label: string, side?: 'below' | 'beside', onClose?: () => void }} options
 */
export function openPopover(anchor, content, { label, side = 'beside', onClose }) {
  const nodes = content instanceof Node ? [content] : content;
  const panel = element('div', { class: 'popover', role: 'dialog', 'aria-label': label, tabindex: -1 }, nodes);
  const opened = openPanel(anchor, panel, { side, hasPopup: 'dialog', onClose });
  if (!opened) return undefined;
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab') return;
    // it stands at the end of the page: Tab out of it goes on from its anchor
    const inside = [...panel.querySelectorAll(FOCUSABLE)];
    const edge = event.shiftKey ? inside[0] : inside.at(-1);
    const active = document.activeElement;
    if (active !== edge && !(active === panel && (event.shiftKey || inside.length === 0))) return;
    if (event.shiftKey) event.preventDefault();
    opened.close();
  });
  const first = /** @type {HTMLElement | null} */ (panel.querySelector('[autofocus]'));
  (first ?? panel).focus();
  return opened;
}
