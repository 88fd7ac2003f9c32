// Places inside a room (tabs), and one of two to four views of the same thing (segmented).

import { element } from '../core/dom.js';

/**
 * @typedef {object} Tab
 * @property {string} label
 * @property {string} value
 * @property {string} [href] a place with an address of its own; all items have one, or none
 * @property {boolean} [selected]
 * @property {string} [panel] id of what it shows
 */

/**
 * With addresses a list of links, the current one marked; without a tablist, whose arrows move and choose.
 * @param {Tab[]} items
 * @param {{ label: string, onChange?: (value: string) => void }} options
 */
export function tabs(items, { label, onChange }) {
  if (items.some(({ href }) => href !== undefined)) {
    const links = items.map(({ label: text, href, selected }) =>
      element('a', { href, 'aria-current': selected ? 'page' : undefined }, text),
    );
    return element('nav', { class: 'tabs', 'aria-label': label }, links);
  }
  const choose = (/** @type {number} */ at) => {
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === at));
      button.tabIndex = i === at ? 0 : -1;
    });
    buttons[at].focus();
    onChange?.(items[at].value);
  };
  const buttons = items.map(({ label: text, selected = false, panel }, at) =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        'aria-selected': String(selected),
        'aria-controls': panel,
        tabindex: selected ? 0 : -1,
        on: { click: () => choose(at) },
      },
      text,
    ),
  );
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = nextPlace(event.key, at, buttons.length, getComputedStyle(list).direction === 'rtl');
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
  };
  const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': label, on: { keydown } }, buttons);
  return list;
}

/** @param {string} key @param {number} at @param {number} count @param {boolean} isRtl */
function nextPlace(key, at, count, isRtl) {
  if (key === (isRtl ? 'ArrowLeft' : 'ArrowRight')) return (at + 1) % count;
  if (key === (isRtl ? 'ArrowRight' : 'ArrowLeft')) return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

let groups = 0;

/**
 * A group of radio buttons that looks like one control.
 * @param {{ label: string, value: string, selected?: boolean }[]} items
 * @param {{ label: string, onChange?: (value: string) => void }} options
 */
export function segmented(items, { label, onChange }) {
  const name = `segmented-${++groups}`;
  const labels = items.map(({ label: text, value, selected = false }) => {
    const change = () => onChange?.(value);
    return element(
      'label',
      {},
      text,
      element('input', { type: 'radio', name, value, checked: selected, on: { change } }),
    );
  });
  return element('div', { class: 'segmented', role: 'radiogroup', 'aria-label': label }, labels);
}
