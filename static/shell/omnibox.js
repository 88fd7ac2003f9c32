// The one field to look for anything: Enter searches the messages; while something is typed the rooms at the side are
// narrowed to it, and the arrow down leads to them.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress } from '../core/router.js';
import { icon } from '../ui/icon.js';
import { filter } from './sidebar.js';

export function omnibox() {
  /** @type {HTMLInputElement} */
  const input = element('input', {
    type: 'search',
    id: 'omnibox',
    name: 'q',
    'aria-label': t('shell.search'),
    placeholder: t('shell.search'),
    autocomplete: 'off',
    on: { input: () => filter.set(input.value), keydown: (event) => key(event) },
  });
  const clear = () => {
    input.value = '';
    filter.set('');
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const words = input.value.trim();
    if (words === '') return;
    filter.set('');
    location.hash = pageAddress('search', words);
  };
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault();
      clear();
    } else if (event.key === 'ArrowDown') {
      const [first] = document.querySelectorAll('#rooms a[data-room]');
      event.preventDefault();
      /** @type {HTMLElement | undefined} */ (first)?.focus();
    }
  }
  // a room was chosen, or another page: what was typed has done its work
  addEventListener('hashchange', () => {
    if (!location.hash.startsWith('#/search')) clear();
  });
  return element(
    'form',
    { class: 'omnibox', role: 'search', on: { submit } },
    icon('search', { size: 'small' }),
    input,
    element('kbd', { 'aria-hidden': 'true' }, '/'),
  );
}
