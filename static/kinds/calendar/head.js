// The head of a calendar: what is in sight, earlier and later, the views; and the same for a phone.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { actionButton } from '../../ui/pane.js';
import { segmented } from '../../ui/tabs.js';
import { VIEWS } from './routes.js';

/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { ViewName } from './routes.js' */

/**
 * @param {object} doing
 * @param {(by: 1 | -1) => unknown} doing.step
 * @param {() => unknown} doing.goToday
 * @param {(view: ViewName) => unknown} doing.choose
 * @param {PaneAction} doing.more
 * @param {PaneAction | undefined} doing.create
 */
export function calendarHead({ step, goToday, choose, more, create }) {
  const title = element('h1', { id: 'calendar-title', tabindex: -1 });
  const views = () =>
    segmented(
      VIEWS.map((view) => ({ label: t(`calendar.view.${view}`), value: view })),
      { label: t('calendar.view'), onChange: (view) => choose(/** @type {ViewName} */ (view)) },
    );
  const earlier = () => actionButton({ label: t('calendar.earlier'), icon: 'chevron-left', run: () => step(-1) });
  const later = () => actionButton({ label: t('calendar.later'), icon: 'chevron-right', run: () => step(1) });
  const today = element(
    'button',
    { type: 'button', class: 'btn', on: { click: () => goToday() } },
    t('calendar.today'),
  );
  const head = element(
    'header',
    { class: 'pane-head', 'data-desk': true },
    title,
    element('div', { class: 'group' }, earlier(), today, later()),
    element(
      'div',
      { class: 'group push', 'data-gap': '2' },
      views(),
      actionButton(more),
      create && actionButton({ ...create, kind: 'primary' }),
    ),
  );
  const steps = element('div', { class: 'calendar-steps' }, earlier(), views(), later());
  return {
    head,
    steps,
    title,
    /** @param {string} text @param {ViewName} view */
    set(text, view) {
      title.textContent = text;
      for (const each of [head, steps]) {
        for (const input of each.querySelectorAll('input')) input.checked = input.value === view;
      }
    },
  };
}
