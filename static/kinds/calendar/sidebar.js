// Beside the calendar: a small month that leads to its days, and the calendars with their colours.

import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { addMonths, formatDay, today, weeksOfMonth } from '../../formats/days.js';
import { roomTitle } from '../../model/room-list.js';
import { FIRST_DAY } from '../../ui/date-picker.js';
import { actionButton } from '../../ui/pane.js';
import { dayText } from './format.js';
import { addressOf } from './routes.js';

/** @import { CalendarRoom } from './calendars.js' */
/** @import { ViewName } from './routes.js' */

/**
 * @param {{ room: string, view: ViewName, day: string, first: string, last: string }} about days in sight
 * @param {string} month any day of the one that is shown
 * @param {(month: string) => void} turn
 */
export function miniMonth({ room, view, day, first, last }, month, turn) {
  const weeks = weeksOfMonth(month, FIRST_DAY);
  const names = weeks[0].map((each) =>
    element(
      'th',
      { scope: 'col', abbr: formatDay(each, locale, { weekday: 'long' }) },
      formatDay(each, locale, { weekday: 'narrow' }),
    ),
  );
  const cell = (/** @type {string} */ each) =>
    element(
      'td',
      {
        'data-outside': each.slice(0, 7) !== month.slice(0, 7),
        'data-week': view === 'week' && each >= first && each <= last,
      },
      element(
        'a',
        {
          href: addressOf(room, view === 'month' ? 'day' : view, each),
          'aria-current': each === today() ? 'date' : undefined,
          'data-selected': view !== 'month' && each === day,
          'aria-label': dayText(each),
        },
        String(Number(each.slice(8))),
      ),
    );
  const title = formatDay(month, locale, { month: 'long', year: 'numeric' });
  const step = (/** @type {number} */ by) => () => turn(addMonths(month, by));
  return element(
    'div',
    { class: 'mini-month' },
    element(
      'div',
      { class: 'group' },
      element('h2', { class: 'section grow' }, title),
      actionButton({ label: t('ui.date.earlier'), icon: 'chevron-left', run: step(-1) }),
      actionButton({ label: t('ui.date.later'), icon: 'chevron-right', run: step(1) }),
    ),
    element(
      'table',
      { class: 'mini', 'aria-label': title },
      element('thead', {}, element('tr', {}, names)),
      element(
        'tbody',
        {},
        weeks.map((week) => element('tr', {}, week.map(cell))),
      ),
    ),
  );
}

/** @param {CalendarRoom[]} rooms @param {(name: string, isOn: boolean) => void} choose */
export function calendarList(rooms, choose) {
  return element(
    'section',
    { class: 'stack', 'data-gap': '1', 'aria-label': t('calendar.calendars') },
    element('h2', { class: 'section' }, t('calendar.calendars')),
    ...rooms.map(({ name, hue, isOn }) => {
      /** @type {HTMLInputElement} */
      const box = element('input', {
        type: 'checkbox',
        class: 'check',
        'data-name': name,
        checked: isOn,
        on: { change: () => choose(name, box.checked) },
      });
      return element(
        'label',
        { class: 'check-row cal-row', 'data-hue': hue },
        box,
        element('span', { class: 'grow', dir: 'auto' }, roomTitle(name)),
      );
    }),
  );
}
