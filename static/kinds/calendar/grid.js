// A week or a day: hours from top to bottom, what takes whole days above them, the present moment across.

import { element, hiddenText } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { addDays, formatDay, today, weekdayOf, weekNumber } from '../../formats/days.js';
import { eventBlock, eventLine } from './blocks.js';
import { clockText, dayText } from './format.js';
import { barsOf, blocksOf, isBar, minutesOf } from './layout.js';
import { addressOf } from './routes.js';

/** @import { ShownEvent } from './source.js' */

/** a block this short has one line, in minutes */
const ONE_LINE = 45;
const MORNING = 7;

/** @param {HTMLElement} node @param {Record<string, string | number>} properties */
function place(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, String(value));
  return node;
}

/**
 * @param {ShownEvent[]} events @param {string} first @param {number} count days
 * @param {{ room: string, selected: string, view: import('./routes.js').ViewName }} about where the heads lead
 */
export function hourGrid(events, first, count, { room, selected, view }) {
  const days = Array.from({ length: count }, (_, i) => addDays(first, i));
  const bars = barsOf(events.filter(isBar), first, count);
  const timed = events.filter((event) => !isBar(event));
  const lanes = Math.max(0, ...bars.map(({ lane }) => lane + 1));
  const heads = days.map((day) => head(day, addressOf(room, view, day), day === selected));
  const barItems = bars.map(({ event, from, days: span, lane, isBegun, goesOn }) =>
    place(element('li', {}, eventLine(event, { isBar: true, isBegun, goesOn })), {
      'grid-column': `${from + 1} / span ${span}`,
      'grid-row': lane + 1,
    }),
  );
  const cells = days.map((day, i) =>
    place(element('li', { class: 'bar-cell', 'data-day': day, 'data-selected': day === selected }), {
      'grid-column': i + 1,
      'grid-row': `1 / span ${lanes + 1}`,
    }),
  );
  const hours = Array.from({ length: 24 }, (_, hour) =>
    element('li', {}, hour === 0 ? '' : clockText(`${String(hour).padStart(2, '0')}:00`)),
  );
  return place(
    element(
      'div',
      { class: 'week' },
      element(
        'div',
        { class: 'week-top' },
        element(
          'div',
          { class: 'week-corner' },
          element('span', { 'aria-hidden': 'true' }, t('calendar.week-short', { week: String(weekNumber(days[0])) })),
          hiddenText(t('calendar.week', { week: String(weekNumber(days[0])) })),
        ),
        ...heads,
        element('ol', { class: 'week-bars', 'aria-label': t('calendar.all-day') }, cells, barItems),
      ),
      element('ol', { class: 'week-hours', 'aria-hidden': 'true' }, hours),
      ...days.map((day) => column(timed, day, day === selected, count > 1 && view === 'day')),
    ),
    { '--days': count },
  );
}

/** @param {string} day @param {string} href @param {boolean} isSelected */
function head(day, href, isSelected) {
  return element(
    'a',
    {
      class: 'week-head',
      href,
      'data-day': day,
      'data-selected': isSelected,
      'aria-current': day === today() ? 'date' : undefined,
    },
    element('span', { class: 'dow' }, formatDay(day, locale, { weekday: 'short' })),
    element('b', {}, String(Number(day.slice(8)))),
    hiddenText(`, ${dayText(day)}`),
  );
}

/** @param {ShownEvent[]} events @param {string} day @param {boolean} isSelected @param {boolean} isTight */
function column(events, day, isSelected, isTight) {
  const items = blocksOf(events, day, isTight).map(({ event, from, to, column: at, columns, span }) => {
    const edge =
      event.canWrite && event.lastDay === day && element('span', { class: 'block-edge', 'aria-hidden': 'true' });
    return place(element('li', {}, eventBlock(event, to - from <= ONE_LINE), edge), {
      '--from': from,
      '--length': to - from,
      '--column': at,
      '--columns': columns,
      '--span': span,
    });
  });
  const isToday = day === today();
  const list = element(
    'ol',
    {
      class: 'week-day',
      'aria-label': dayText(day),
      'data-day': day,
      'data-times': true,
      'data-weekend': weekdayOf(day) > 5,
      'data-today': isToday,
      'data-selected': isSelected,
    },
    items,
  );
  if (isToday) list.append(nowLine());
  return list;
}

function nowLine() {
  const line = element('li', { class: 'now' });
  placeNow(line);
  return line;
}

/** Where the present moment is. @param {HTMLElement} line */
export function placeNow(line) {
  const now = new Date();
  const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`;
  place(line, { '--from': minutesOf(time), '--length': 0, '--column': 0, '--columns': 1, '--span': 1 });
  line.replaceChildren(hiddenText(t('calendar.now', { time: clockText(time) })));
}

/** The morning, or the hour before now where it is earlier, at the top. @param {HTMLElement} body that scrolls */
export function scrollToMorning(body) {
  const grid = body.querySelector('.week-hours');
  if (!grid) return;
  const hour = grid.scrollHeight / 24;
  const isToday = body.querySelector('[data-today]') !== null;
  const from = isToday ? Math.min(MORNING, Math.max(0, new Date().getHours() - 1)) : MORNING;
  body.scrollTop = hour * (isToday && new Date().getHours() >= 20 ? 24 : from) - hour / 4;
}
