// A menu of actions beside the button that opens it (WAI-ARIA menu button): arrows move, letters jump, Escape returns
// the focus, Tab goes on from the button.

import { element } from '../core/dom.js';
import { icon } from './icon.js';
import { openPanel } from './panel.js';

/**
 * @typedef {object} MenuItem
 * @property {string} [label]
 * @property {string} [icon] name in the sprite
 * @property {string} [keys] what does the same, as it is printed: `Ctrl+K`
 * @property {() => unknown} [run] called after the menu is closed
 * @property {boolean} [disabled]
 * @property {boolean} [checked] for one that is on or off
 * @property {boolean} [separator] a line, and nothing else
 */

/**
 * A second call with an anchor whose menu is open closes it.
 * @param {HTMLElement} anchor
 * @param {MenuItem[]} items
 * @param {{ label?: string }} [options] its name where the anchor's does not do
 */
export function openMenu(anchor, items, { label } = {}) {
  const choose = (/** @type {MenuItem} */ item) => {
    if (item.disabled) return;
    panel?.close();
    item.run?.();
  };
  const rows = items.map((item) => (item.separator ? separator() : row(item, choose)));
  const name = label ?? anchor.ariaLabel ?? anchor.textContent?.trim() ?? '';
  const menu = element('ul', { class: 'menu', role: 'menu', 'aria-label': name }, ...rows);
  const panel = openPanel(anchor, menu, { side: 'below', hasPopup: 'menu' });
  if (!panel) return;
  const buttons = [...menu.querySelectorAll('button')];
  menu.addEventListener('keydown', (event) => {
    const target = placeFor(event, buttons);
    if (event.key === 'Tab') panel.close();
    if (!target) return;
    event.preventDefault();
    event.stopPropagation();
    target.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    // a press on the button closes it by itself
    const isInside = menu.contains(/** @type {Node | null} */ (relatedTarget)) || relatedTarget === anchor;
    if (relatedTarget && !isInside) panel.close(false);
  });
  buttons[0]?.focus();
}

const separator = () => element('li', { role: 'separator' });

/** @param {MenuItem} item @param {(item: MenuItem) => void} choose */
function row(item, choose) {
  const button = element(
    'button',
    {
      type: 'button',
      role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': item.checked === undefined ? undefined : String(item.checked),
      'aria-disabled': item.disabled ? 'true' : undefined,
      'aria-keyshortcuts': item.keys,
      tabindex: -1,
      on: { click: () => choose(item) },
    },
    item.checked === undefined ? item.icon && icon(item.icon) : icon('check'),
    element('span', { class: 'grow' }, item.label),
    item.keys && element('kbd', { 'aria-hidden': 'true' }, item.keys),
  );
  return element('li', { role: 'presentation' }, button);
}

/**
 * Where a key leads among these, undefined for a key that leads nowhere.
 * @param {KeyboardEvent} event
 * @param {HTMLElement[]} places
 */
function placeFor({ key, ctrlKey, altKey, metaKey }, places) {
  const at = places.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (key === 'ArrowDown') return places[(at + 1) % places.length];
  if (key === 'ArrowUp') return places[(at - 1 + places.length) % places.length];
  if (key === 'Home') return places[0];
  if (key === 'End') return places[places.length - 1];
  if (key.length !== 1 || key === ' ' || ctrlKey || altKey || metaKey) return undefined;
  const later = [...places.slice(at + 1), ...places.slice(0, at + 1)];
  const letter = key.toLowerCase();
  return later.find((each) => each.querySelector('.grow')?.textContent?.trim().toLowerCase().startsWith(letter));
}
