// The sidebar as a rail of icons: on a desk where the reader has folded it, which is kept; in a window between a phone
// and a desk always, because the room beside it needs the place. Unfolded there it lies over the room until one has
// gone somewhere.

import { element, query } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from '../ui/icon.js';

const KEPT = 'sidebar';
const RAIL = 'rail';
/** as in shell.css */
const between = matchMedia('(48rem <= width < 60rem)');

/** what it is: a rail, over the room, or '' as on a desk @param {string} state */
function show(state) {
  document.documentElement.dataset.sidebar = state;
  const button = query(document, '#fold');
  if (button) button.ariaExpanded = String(state !== RAIL);
}

const rest = () => show(between.matches ? RAIL : (localStorage.getItem(KEPT) ?? ''));

export function toggleRail() {
  const isRail = document.documentElement.dataset.sidebar === RAIL;
  if (between.matches) return show(isRail ? 'over' : RAIL);
  localStorage.setItem(KEPT, isRail ? '' : RAIL);
  rest();
}

/** As the window and the reader want it, now and later. */
export function prepareRail() {
  rest();
  between.addEventListener('change', rest);
  const leave = () => document.documentElement.dataset.sidebar === 'over' && rest();
  window.addEventListener('hashchange', leave);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && !target.closest('.sidebar, #fold')) leave();
  });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
}

/** The button for it, in the top bar. */
export function railButton() {
  const label = t('shell.sidebar');
  const button = element(
    'button',
    {
      type: 'button',
      class: 'btn-icon not-phone',
      id: 'fold',
      'aria-label': label,
      'aria-controls': 'rooms',
      'aria-expanded': String(document.documentElement.dataset.sidebar !== RAIL),
      title: `${label} ([)`,
      on: { click: toggleRail },
    },
    icon('sidebar'),
  );
  button.dataset.flip = '';
  return button;
}
