// A list and what is chosen of it, side by side; on a phone they take turns.

import { element } from '../../core/dom.js';

/**
 * @param {HTMLElement} host
 * @param {{ list: string, detail: string }} names ids that name the list, words for the other
 */
export function twoPanes(host, names) {
  const list = element('section', { class: 'pane', 'aria-labelledby': names.list });
  const detail = element('section', { class: 'pane detail', 'aria-label': names.detail });
  host.replaceChildren(element('div', { class: 'panes', 'data-layout': 'list' }, list, detail));
  return {
    list,
    detail,
    /** What a phone shows. @param {boolean} isDetail */
    turn(isDetail) {
      list.toggleAttribute('data-shown', !isDetail);
      detail.toggleAttribute('data-shown', isDetail);
    },
  };
}
