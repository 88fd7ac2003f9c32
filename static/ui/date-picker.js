// A month to choose a day from (WAI-ARIA grid), and a field that takes a day in figures and opens the month. Arrows
// move by a day or a week, Home and End within the week, Page Up and Down by a month, with Shift by a year.

import { element } from '../core/dom.js';
import { locale, t } from '../core/i18n.js';
import {
  addDays,
  addMonths,
  firstDayOf,
  formatDay,
  parseDay,
  startOfWeek,
  today,
  weekdayOf,
  weeksOfMonth,
} from '../formats/days.js';
import { icon } from './icon.js';
import { openPopover } from './popover.js';

let count = 0;

/**
 * @param {object} options
 * @param {string} [options.value] `2026-05-14`
 * @param {(day: string) => void} [options.onChange]
 * @param {number} [options.firstDay] 1 is Monday, 7 is Sunday
 * @param {string} options.label
 */
export function datePicker({ value, onChange, firstDay = firstDayOf(locale), label }) {
  let chosen = value;
  let at = value ?? today();
  const id = `month-${++count}`;
  const title = element('h2', { class: 'section grow', id, 'aria-live': 'polite' });
  const head = element('tr');
  for (const day of weeksOfMonth(at, firstDay)[0]) {
    const name = formatDay(day, locale, { weekday: 'long' });
    head.append(element('th', { scope: 'col', abbr: name }, formatDay(day, locale, { weekday: 'narrow' })));
  }
  const body = element('tbody');
  const choose = (/** @type {string} */ day) => {
    chosen = day;
    show(day, true);
    onChange?.(day);
  };
  const show = (/** @type {string} */ day, hasFocus = false) => {
    at = day;
    title.textContent = formatDay(day, locale, { month: 'long', year: 'numeric' });
    const rows = weeksOfMonth(day, firstDay).map((week) => element('tr', {}, week.map(cell)));
    body.replaceChildren(...rows);
    if (hasFocus) /** @type {HTMLElement} */ (body.querySelector('[tabindex="0"]')).focus();
  };
  const cell = (/** @type {string} */ day) => {
    const button = element(
      'button',
      {
        type: 'button',
        tabindex: day === at ? 0 : -1,
        'aria-label': formatDay(day, locale, { dateStyle: 'full' }),
        'aria-current': day === today() ? 'date' : undefined,
        'aria-pressed': day === chosen ? 'true' : undefined,
        on: { click: () => choose(day) },
      },
      String(Number(day.slice(8))),
    );
    const isOutside = day.slice(0, 7) !== at.slice(0, 7);
    return element('td', { 'data-outside': isOutside, 'aria-selected': String(day === chosen) }, button);
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const target = dayFor(event, at, firstDay, getComputedStyle(table).direction === 'rtl');
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(target, true);
  };
  const table = element(
    'table',
    { class: 'mini', role: 'grid', 'aria-labelledby': id, on: { keydown } },
    element('thead', {}, head),
    body,
  );
  show(at);
  return element(
    'section',
    { class: 'date-picker', 'aria-label': label },
    element('header', { class: 'group' }, title, mover('left', -1, move), mover('right', 1, move)),
    table,
  );

  function move(/** @type {number} */ months) {
    show(addMonths(at, months));
  }
}

/** @param {'left' | 'right'} side @param {number} months @param {(months: number) => void} move */
function mover(side, months, move) {
  const label = t(months < 0 ? 'ui.date.earlier' : 'ui.date.later');
  const on = { click: () => move(months) };
  return element('button', { type: 'button', class: 'btn-icon', 'aria-label': label, on }, icon(`chevron-${side}`));
}

/** @param {KeyboardEvent} event @param {string} day @param {number} firstDay @param {boolean} isRtl */
function dayFor({ key, shiftKey }, day, firstDay, isRtl) {
  if (key === 'ArrowLeft') return addDays(day, isRtl ? 1 : -1);
  if (key === 'ArrowRight') return addDays(day, isRtl ? -1 : 1);
  if (key === 'ArrowUp') return addDays(day, -7);
  if (key === 'ArrowDown') return addDays(day, 7);
  if (key === 'Home') return startOfWeek(day, firstDay);
  if (key === 'End') return addDays(startOfWeek(day, firstDay), 6);
  if (key === 'PageUp') return addMonths(day, shiftKey ? -12 : -1);
  return key === 'PageDown' ? addMonths(day, shiftKey ? 12 : 1) : undefined;
}

/**
 * One line to write a day in, as the language writes it in figures, and a button that opens the month.
 * @param {object} options
 * @param {string} options.id of the input
 * @param {string} options.label
 * @param {string} [options.value] `2026-05-14`
 * @param {(day: string | undefined) => void} [options.onChange] undefined for what is empty or no day
 */
export function dateField({ id, label, value, onChange }) {
  const written = (/** @type {string | undefined} */ day) => {
    return day === undefined ? '' : formatDay(day, locale, { day: 'numeric', month: 'numeric', year: 'numeric' });
  };
  let chosen = value;
  const hint = t('ui.date.hint', { example: written('2026-12-31') });
  const error = element('span', { class: 'error', id: `${id}-error`, hidden: true });
  const input = element('input', {
    class: 'input',
    id,
    autocomplete: 'off',
    value: written(value),
    placeholder: written('2026-12-31'),
    'aria-describedby': `${id}-error`,
  });
  input.addEventListener('change', () => set(parseDay(input.value, locale, today())));
  const set = (/** @type {string | undefined} */ day) => {
    const isWrong = day === undefined && input.value.trim() !== '';
    error.hidden = !isWrong;
    error.textContent = isWrong ? hint : '';
    input.setAttribute('aria-invalid', String(isWrong));
    if (!isWrong) input.value = written(day);
    chosen = day;
    onChange?.(day);
  };
  const open = () => {
    const month = datePicker({
      value: chosen,
      label,
      onChange: (day) => {
        set(day);
        opened?.close();
      },
    });
    const opened = openPopover(button, month, { label, side: 'below' });
    /** @type {HTMLElement | null} */ (month.querySelector('[tabindex="0"]'))?.focus();
  };
  const name = t('ui.date.open', { label });
  const button = element('button', { type: 'button', class: 'btn-icon', 'aria-label': name, on: { click: open } });
  button.append(icon('calendar'));
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    element('div', { class: 'date-field' }, input, button),
    error,
  );
}

/** For lists of days: which one is the first of the week here. */
export const FIRST_DAY = firstDayOf(locale);

/** `Monday` … as the reader's language has them, beginning with Monday. @param {'long' | 'short' | 'narrow'} [width] */
export function weekdayNames(width = 'long') {
  const days = Array.from({ length: 7 }, (_, i) => addDays('2026-01-05', i));
  return days.map((day) => ({ number: weekdayOf(day), name: formatDay(day, locale, { weekday: width }) }));
}
