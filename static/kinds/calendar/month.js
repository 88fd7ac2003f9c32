// A month: a table of weeks, bars over days and lines at their times; what does not fit is behind "more". In a narrow
// pane dots stand for events, and those of the chosen day are listed below.

import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { formatDay, today, weekdayOf, weekNumber, weeksOfMonth } from '../../formats/days.js';
import { FIRST_DAY } from '../../ui/date-picker.js';
import { eventLine, eventRow } from './blocks.js';
import { dayText } from './format.js';
import { barsOf } from './layout.js';
import { addressOf } from './routes.js';

/** @import { ShownEvent } from './source.js' */

/**
 * @param {ShownEvent[]} events in their order @param {string} selected the day that the address names
 * @param {{ room: string, lines: number, isNarrow: boolean }} about `lines` fit into a day
 */
export function monthTable(events, selected, { room, lines, isNarrow }) {
  const weeks = weeksOfMonth(selected, FIRST_DAY);
  const names = weeks[0].map((day) =>
    element(
      'th',
      { scope: 'col', abbr: formatDay(day, locale, { weekday: 'long' }) },
      formatDay(day, locale, { weekday: 'short' }),
    ),
  );
  return element(
    'table',
    { class: 'month', 'data-weeks': weeks.length, 'aria-labelledby': 'calendar-title' },
    element('thead', {}, element('tr', {}, names)),
    element(
      'tbody',
      {},
      weeks.map((week) => weekRow(events, week, { selected, room, lines, isNarrow })),
    ),
  );
}

/**
 * @param {ShownEvent[]} events
 * @param {string[]} week
 * @param {{ selected: string, room: string, lines: number, isNarrow: boolean }} about
 */
function weekRow(events, week, { selected, room, lines, isNarrow }) {
  const isLong = (/** @type {ShownEvent} */ event) => event.isDay || event.firstDay !== event.lastDay;
  const bars = barsOf(events.filter(isLong), week[0], 7);
  const cells = week.map((day, at) => {
    const over = bars.filter(({ from, days }) => from <= at && at < from + days);
    const short = events.filter((event) => !isLong(event) && event.firstDay === day);
    const height = Math.max(0, ...over.map(({ lane }) => lane + 1));
    /** @type {HTMLElement[]} */
    const items = Array.from({ length: height }, (_, lane) => {
      const bar = over.find((each) => each.lane === lane);
      if (!bar) return element('li', { class: 'gap', 'aria-hidden': 'true' });
      const isStart = bar.from === at;
      const isEnd = bar.from + bar.days - 1 === at;
      const line = eventLine(bar.event, {
        isBar: true,
        isBegun: !isStart || bar.isBegun,
        goesOn: !isEnd || bar.goesOn,
      });
      // one stop for Tab in a week
      if (!isStart) line.tabIndex = -1;
      return element('li', {}, line);
    });
    items.push(...short.map((event) => element('li', {}, eventLine(event, { isBar: false }))));
    const count = over.length + short.length;
    const shown = items.length > lines && !isNarrow ? items.slice(0, Math.max(0, lines - 1)) : items;
    const hidden = items.slice(shown.length).filter((item) => !item.classList.contains('gap')).length;
    const more =
      hidden > 0 &&
      element(
        'li',
        {},
        element('a', { class: 'more', href: addressOf(room, 'day', day) }, t('calendar.more', { count: hidden })),
      );
    const isToday = day === today();
    return element(
      'td',
      {
        'data-day': day,
        'data-outside': day.slice(0, 7) !== selected.slice(0, 7),
        'data-weekend': weekdayOf(day) > 5,
        'data-selected': day === selected,
      },
      element(
        'a',
        {
          class: 'day-number',
          href: addressOf(room, isNarrow ? 'month' : 'day', day),
          tabindex: day === selected ? 0 : -1,
          'aria-current': isToday ? 'date' : undefined,
          'aria-label': t('calendar.day-label', { day: dayText(day), events: t('calendar.events', { count }) }),
        },
        String(Number(day.slice(8))),
      ),
      at === 0 &&
        element(
          'span',
          { class: 'week-number', title: t('calendar.week', { week: String(weekNumber(day)) }), 'aria-hidden': 'true' },
          String(weekNumber(day)),
        ),
      (shown.length > 0 || more) && element('ol', isNarrow ? { 'aria-hidden': 'true', inert: true } : {}, shown, more),
    );
  });
  return element('tr', {}, cells);
}

/** What is on a day, below the month of a narrow pane. @param {ShownEvent[]} events @param {string} day */
export function dayList(events, day) {
  const own = events.filter(({ firstDay, lastDay }) => firstDay <= day && lastDay >= day);
  return element(
    'section',
    { class: 'stack today', 'aria-labelledby': 'day-title' },
    element('h2', { class: 'section', id: 'day-title' }, dayText(day)),
    own.length === 0
      ? element('p', { class: 'soft' }, t('calendar.nothing'))
      : element(
          'ol',
          { class: 'agenda' },
          own.map((event) => eventRow(event, day)),
        ),
  );
}
