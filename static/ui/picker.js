// One of many by typing a part of its name: a dialog with a combobox and its list (WAI-ARIA combobox). Commands, rooms
// to go to, rooms to move a message to.

import { element, hiddenText } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { whenUserGoes } from '../model/session.js';
import { icon } from './icon.js';

/** rows shown at a time: whoever looks for something types more of it */
const SHOWN = 50;

/**
 * @template T
 * @typedef {{ label: string, icon?: string, detail?: string, keys?: string, value: T }} Choice
 */

/**
 * What was chosen; undefined where nothing was.
 * @template T
 * @param {{ title: string, placeholder: string, choices: Choice<T>[] }} question
 * @returns {Promise<T | undefined>}
 */
export function openPicker({ title, placeholder, choices }) {
  const before = document.activeElement;
  /** @type {PromiseWithResolvers<T | undefined>} */
  const { promise, resolve } = Promise.withResolvers();
  /** @type {Choice<T>[]} */
  let found = [];
  let at = 0;
  const list = element('ul', { class: 'menu picker-list', id: 'picker-list', role: 'listbox', 'aria-label': title });
  const none = element('p', { class: 'muted picker-none', role: 'status' });
  const input = element('input', {
    class: 'input',
    id: 'picker-input',
    role: 'combobox',
    'aria-label': title,
    'aria-expanded': 'true',
    'aria-controls': 'picker-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder,
  });
  const endWaiting = whenUserGoes(() => choose(undefined));
  const choose = (/** @type {T | undefined} */ value) => {
    endWaiting();
    dialog.close();
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    resolve(value);
  };
  const select = (/** @type {number} */ index) => {
    at = Math.max(0, Math.min(index, found.length - 1));
    for (const [i, option] of [...list.querySelectorAll('[role=option]')].entries()) {
      option.setAttribute('aria-selected', String(i === at));
      if (i === at) option.scrollIntoView({ block: 'nearest' });
    }
    if (found.length > 0) input.setAttribute('aria-activedescendant', `picker-${at}`);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = () => {
    found = matches(choices, input.value).slice(0, SHOWN);
    list.replaceChildren(...found.map((each, i) => option(each, i, () => choose(each.value))));
    list.hidden = found.length === 0;
    none.textContent = found.length === 0 ? t('ui.nothing-found') : '';
    select(0);
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'ArrowDown') select((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') select(at > 0 ? at - 1 : found.length - 1);
    else if (event.key === 'Enter' && !event.isComposing) {
      if (found[at]) choose(found[at].value);
    } else return;
    event.preventDefault();
  };
  const dialog = element(
    'dialog',
    {
      class: 'dialog picker',
      'aria-label': title,
      on: {
        keydown,
        cancel: (event) => {
          event.preventDefault();
          choose(undefined);
        },
        click: (event) => {
          if (event.target === dialog) choose(undefined);
        },
      },
    },
    element('h2', { class: 'section' }, title),
    input,
    list,
    none,
  );
  input.addEventListener('input', show);
  document.body.append(dialog);
  dialog.showModal();
  show();
  input.focus();
  return promise;
}

/**
 * @template T
 * @param {Choice<T>} choice @param {number} index @param {() => void} click
 */
function option({ label, icon: name, detail, keys }, index, click) {
  return element(
    'li',
    { role: 'presentation' },
    element(
      'div',
      { role: 'option', id: `picker-${index}`, 'aria-selected': 'false', on: { click } },
      name && icon(name, { size: 'small' }),
      element('bdi', { class: 'grow clip' }, label),
      detail && element('span', { class: 'muted small' }, hiddenText(' '), detail),
      keys && element('kbd', {}, keys),
    ),
  );
}

/**
 * Those with all the words; first what begins with them.
 * @template T
 * @param {Choice<T>[]} choices @param {string} typed
 */
function matches(choices, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (/** @type {Choice<T>} */ { label }) => (label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return choices
    .filter(({ label, detail = '' }) => words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b));
}
