// A list of days with what is on them; days without anything are left out.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { addDays, today } from '../../formats/days.js';
import { emptyState } from '../../ui/states.js';
import { eventRow } from './blocks.js';
import { dayText } from './format.js';
import { addressOf } from './routes.js';

/** @import { ShownEvent } from './source.js' */

/** @param {ShownEvent[]} events @param {{ first: string, last: string, room: string, create?: () => unknown }} about */
export function agendaList(events, { first, last, room, create }) {
  /** @type {HTMLElement[]} */
  const days = [];
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const own = events.filter(({ firstDay, lastDay }) => firstDay <= day && lastDay >= day);
    if (own.length === 0) continue;
    const id = `agenda-${day}`;
    days.push(
      element(
        'section',
        { class: 'agenda-day', 'aria-labelledby': id, 'data-day': day },
        element(
          'h2',
          { class: 'section', id },
          element(
            'a',
            { href: addressOf(room, 'day', day), 'aria-current': day === today() ? 'date' : undefined },
            dayText(day),
          ),
        ),
        element(
          'ol',
          { class: 'agenda' },
          own.map((event) => eventRow(event, day)),
        ),
      ),
    );
  }
  if (days.length > 0) return element('div', { class: 'agenda-days' }, ...days);
  const action = create && { label: t('calendar.new'), icon: 'plus', run: create };
  return emptyState({ icon: 'calendar', text: t('calendar.empty'), action });
}
