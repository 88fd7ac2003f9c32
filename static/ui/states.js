// What a list shows while it has nothing: an invitation to begin, or bars of its shape.

import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from './icon.js';

/**
 * One icon, one sentence, one button.
 * @param {{ icon: string, text: string, action?: { label: string, icon?: string, run: () => unknown } }} state
 */
export function emptyState({ icon: name, text, action }) {
  const button =
    action &&
    element(
      'button',
      { type: 'button', class: 'btn', on: { click: () => action.run() } },
      action.icon && icon(action.icon, { size: 'small' }),
      action.label,
    );
  return element('div', { class: 'empty' }, icon(name), element('p', {}, text), button);
}

/** Bars as high as text, told to screen readers as loading; they appear after 200 ms. @param {number} lines */
export function skeleton(lines) {
  const bars = Array.from({ length: lines }, (_, at) => {
    return element('div', { class: 'skeleton', 'data-short': lines > 1 && at === lines - 1 });
  });
  return element('div', { class: 'waiting stack box', role: 'status', 'aria-label': t('ui.loading') }, bars);
}
