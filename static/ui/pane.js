// A pane of the stage: a head with title, quiet count and actions, and a body that scrolls by itself. On a phone the
// top bar says what the head says, and the head is out of sight.

import { element } from '../core/dom.js';
import { icon } from './icon.js';

/** @import { Child } from '../core/dom.js' */

/**
 * `href` leads somewhere, `run` does something and gets the button; `kind` is that of a button with its words.
 * @typedef {object} PaneAction
 * @property {string} label
 * @property {string} icon
 * @property {string} [href]
 * @property {(button: HTMLElement) => unknown} [run]
 * @property {boolean} [hasMenu]
 * @property {boolean} [isPressed]
 * @property {'primary' | 'quiet' | 'plain'} [kind]
 * @property {string} [keys] shown as a hint
 */

/** @param {PaneAction} action @returns {HTMLElement} */
export function actionButton({ label, icon: name, href, run, hasMenu, isPressed, kind, keys }) {
  const title = keys ? `${label} (${keys})` : label;
  const shape = kind
    ? { class: 'btn', 'data-kind': kind === 'plain' ? undefined : kind }
    : { class: 'btn-icon', 'aria-label': label, title };
  const content = kind ? [icon(name, { size: 'small' }), label] : [icon(name)];
  if (href !== undefined) return element('a', { ...shape, href }, content);
  /** @type {HTMLElement} */
  const button = element(
    'button',
    {
      type: 'button',
      ...shape,
      'aria-haspopup': hasMenu && 'menu',
      'aria-pressed': isPressed === undefined ? undefined : String(isPressed),
      on: { click: () => run?.(button) },
    },
    content,
  );
  return button;
}

/**
 * The title is the page's h1 and can be focused from a script.
 * @param {{ title: string, id: string, sub?: string, actions?: PaneAction[] }} head
 */
export function paneHead({ title, id, sub = '', actions = [] }) {
  return element(
    'header',
    { class: 'pane-head', 'data-desk': true },
    element('h1', { id, tabindex: -1, dir: 'auto' }, title),
    element('span', { class: 'sub' }, sub),
    element('div', { class: 'group push' }, actions.map(actionButton)),
  );
}

/**
 * A pane of its own, for pages beside the rooms: all of it is between its margins.
 * @param {{ title: string, sub?: string, actions?: PaneAction[] }} head
 * @param {(Child | Child[])[]} content
 */
export function pagePane(head, ...content) {
  return element(
    'section',
    { class: 'pane', 'data-shown': true, 'aria-labelledby': 'page-title' },
    paneHead({ id: 'page-title', ...head }),
    element('div', { class: 'pane-body', 'data-pad': true }, element('div', { class: 'page' }, ...content)),
  );
}
