// The list below a field that suggests while one writes (role listbox): arrows move, Enter takes, Escape closes. The
// focus stays in the field.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { avatar } from './avatar.js';
import { placeBeside } from './panel.js';

/** @typedef {{ value: string, label: string, detail?: string }} Suggestion */

/** a pause in writing after which it is asked */
const PAUSE_MS = 150;

/**
 * @param {HTMLInputElement} input with role combobox and `aria-controls` of this id
 * @param {string} id
 * @param {((words: string) => Promise<Suggestion[]>) | undefined} suggest
 * @param {(chosen: Suggestion) => void} choose
 */
export function suggestions(input, id, suggest, choose) {
  /** @type {Suggestion[]} */
  let shown = [];
  let at = -1;
  let asked = 0;
  let timer = 0;
  const node = element('ul', { class: 'menu suggest', id, role: 'listbox', popover: 'manual' });
  node.setAttribute('aria-label', t('ui.chips.suggestions'));

  const close = () => {
    clearTimeout(timer);
    asked++;
    shown = [];
    at = -1;
    if (node.matches(':popover-open')) node.hidePopover();
    node.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (/** @type {number} */ next) => {
    at = next;
    [...node.querySelectorAll('[role="option"]')].forEach((each, i) => {
      each.setAttribute('aria-selected', String(i === at));
      if (i === at) each.scrollIntoView({ block: 'nearest' });
    });
    if (at < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${id}-${at}`);
  };
  const take = (/** @type {number} */ index) => {
    const chosen = shown[index];
    close();
    choose(chosen);
    input.focus();
  };
  const ask = async () => {
    const words = input.value.trim();
    const mine = ++asked;
    const found = words === '' ? [] : ((await suggest?.(words).catch(() => [])) ?? []);
    if (mine !== asked) return;
    if (found.length === 0) return close();
    shown = found;
    node.replaceChildren(...found.map((each, i) => option(each, words, `${id}-${i}`)));
    if (!node.matches(':popover-open')) node.showPopover();
    placeBeside(node, input, 'below');
    input.setAttribute('aria-expanded', 'true');
    // what is an address already must not become somebody else by Enter
    mark(words.includes('@') ? -1 : 0);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener('blur', close);
  // a press must not take the focus from the field before it is a choice
  node.addEventListener('pointerdown', (event) => event.preventDefault());
  node.addEventListener('click', ({ target }) => {
    const options = [...node.querySelectorAll('[role="option"]')];
    const index = options.findIndex((each) => target instanceof Node && each.contains(target));
    if (index >= 0) take(index);
  });

  return {
    node,
    close,
    /** Whether this key was for the list. @param {KeyboardEvent} event */
    takes(event) {
      const { key } = event;
      if (shown.length === 0) return false;
      if (key === 'ArrowDown') mark((at + 1) % shown.length);
      else if (key === 'ArrowUp') mark((at <= 0 ? shown.length : at) - 1);
      else if ((key === 'Enter' || key === 'Tab') && at >= 0) take(at);
      else if (key === 'Escape') close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

/** @param {Suggestion} suggestion @param {string} words @param {string} id */
function option({ label, detail }, words, id) {
  const at = label.toLocaleLowerCase().indexOf(words.toLocaleLowerCase());
  const marked =
    at < 0
      ? [label]
      : [label.slice(0, at), element('mark', {}, label.slice(at, at + words.length)), label.slice(at + words.length)];
  return element(
    'li',
    { role: 'presentation' },
    element(
      'span',
      { role: 'option', id, 'aria-selected': 'false' },
      avatar(label, { size: 'small' }),
      element('bdi', { class: 'grow' }, marked),
      detail && element('span', { class: 'muted small' }, detail),
    ),
  );
}
