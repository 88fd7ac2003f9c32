// How often an event takes place: the usual rules by one choice, others put together, and what it comes to in words.

import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { addMonths, weekdayOf } from '../../formats/days.js';
import { readRepeat, repeatText, writeRepeat } from '../../formats/repeat.js';
import { dateField, weekdayNames } from '../../ui/date-picker.js';
import { choice, field, line } from '../../ui/form.js';
import { ZONE } from './format.js';

/** @import { Frequency, Repeat } from '../../formats/repeat.js' */
/** @import { When } from '../../formats/moments.js' */

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** @type {Frequency[]} */
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const MOST = 999;

/** @typedef {Partial<Repeat> & { frequency: Frequency }} Rule */

/** The rules that suit a day. @param {string} day @returns {Rule[]} */
export function usualRules(day) {
  const date = Number(day.slice(8));
  const code = CODES[weekdayOf(day) - 1];
  const nth = Math.ceil(date / 7);
  const isLast = addMonths(`${day.slice(0, 7)}-01`, 1) <= plusWeek(day);
  /** @type {Rule[]} */
  const rules = [
    { frequency: 'DAILY' },
    { frequency: 'WEEKLY', days: [code] },
    { frequency: 'WEEKLY', days: CODES.slice(0, 5) },
    { frequency: 'WEEKLY', interval: 2, days: [code] },
    { frequency: 'MONTHLY', monthDay: date },
    { frequency: 'MONTHLY', days: [nth > 4 ? `-1${code}` : `${nth}${code}`] },
  ];
  if (isLast && nth === 4) rules.push({ frequency: 'MONTHLY', days: [`-1${code}`] });
  return [...rules, { frequency: 'YEARLY' }];
}

/** @param {string} day */
const plusWeek = (day) => new Date(Date.parse(`${day}T00:00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 10);

/** @param {string} rule as it is, '' for none @param {() => When} start */
export function repeatFields(rule, start) {
  const read = rule === '' ? undefined : readRepeat(rule);
  /** whether the form can say it; one that it cannot stays as it is */
  const isKept = rule !== '' && !read;
  const chosen = choice('event-repeat', [], undefined);
  const words = element('p', { class: 'hint small', role: 'status' });
  const every = line('event-interval', String(read?.interval ?? 1), { type: 'number', min: 1, max: MOST });
  const unit = choice(
    'event-frequency',
    FREQUENCIES.map((name) => [name, t(`calendar.unit.${name.toLowerCase()}`)]),
    read?.frequency ?? 'WEEKLY',
  );
  const days = weekdayNames('short').map(({ number, name }) => {
    const code = CODES[number - 1];
    const box = element('input', {
      type: 'checkbox',
      class: 'check',
      value: code,
      checked: read?.days.includes(code) ?? false,
    });
    return { box, row: element('label', { class: 'day-choice' }, box, name) };
  });
  const ends = choice(
    'event-ends',
    [
      ['never', t('calendar.ends.never')],
      ['until', t('calendar.ends.until')],
      ['count', t('calendar.ends.count')],
    ],
    read?.count !== undefined ? 'count' : read?.until !== undefined ? 'until' : 'never',
  );
  let until = read?.until;
  const untilField = dateField({
    id: 'event-until',
    label: t('calendar.until'),
    value: until,
    onChange(day) {
      until = day;
      say();
    },
  });
  const count = line('event-count', String(read?.count ?? 10), { type: 'number', min: 1, max: MOST });
  const countField = field(t('calendar.count'), count);
  const dayRow = element(
    'div',
    { class: 'day-choices', role: 'group', 'aria-label': t('calendar.on-days') },
    days.map(({ row }) => row),
  );
  const custom = element(
    'div',
    { class: 'stack event-rule' },
    element('div', { class: 'event-pair' }, field(t('calendar.every'), every), field(t('calendar.unit'), unit)),
    dayRow,
  );
  const end = element('div', { class: 'event-pair' }, field(t('calendar.ends'), ends), untilField, countField);

  /** @returns {Rule | undefined} */
  function base() {
    if (chosen.value === 'never' || chosen.value === 'kept') return undefined;
    if (chosen.value === 'own') {
      const frequency = /** @type {Frequency} */ (unit.value);
      const picked = days.filter(({ box }) => box.checked).map(({ box }) => box.value);
      // what the form does not show of a rule stays
      const more =
        read?.frequency === frequency && frequency !== 'WEEKLY'
          ? { days: read.days, monthDay: read.monthDay, month: read.month }
          : {};
      return { ...more, frequency, interval: number(every.value), ...(frequency === 'WEEKLY' ? { days: picked } : {}) };
    }
    return usualRules(start().day)[Number(chosen.value)];
  }

  function value() {
    if (chosen.value === 'kept') return rule;
    const made = base();
    if (!made) return '';
    const wanted = {
      ...made,
      count: ends.value === 'count' ? number(count.value) : undefined,
      until: ends.value === 'until' ? until : undefined,
    };
    // said in the same way it stays as other programs wrote it
    return read && isSame(wanted, read) ? rule : writeRepeat(wanted, start(), ZONE);
  }

  function say() {
    const isOn = chosen.value !== 'never';
    const isOwn = chosen.value === 'own';
    custom.hidden = !isOwn;
    dayRow.hidden = unit.value !== 'WEEKLY';
    end.hidden = !isOn || chosen.value === 'kept';
    untilField.hidden = ends.value !== 'until';
    countField.hidden = ends.value !== 'count';
    const text = isOn ? repeatText(value(), { t, locale: locale }) : '';
    words.textContent = text === '' ? '' : text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
  }

  /** The choices that suit the start. */
  function refresh() {
    const before = chosen.value;
    const usual = usualRules(start().day).map((each, place) => {
      const text = repeatText(writeRepeat(each, start(), ZONE), { t, locale: locale });
      return option(String(place), text.charAt(0).toLocaleUpperCase(locale) + text.slice(1));
    });
    chosen.replaceChildren(
      option('never', t('calendar.once')),
      ...usual,
      option('own', t('calendar.own-rule')),
      ...(isKept ? [option('kept', t('calendar.kept-rule'))] : []),
    );
    chosen.value = before || (isKept ? 'kept' : read ? placeOf(read) : 'never');
    say();
  }

  /** @param {Rule} wanted */
  function placeOf(wanted) {
    const bare = { ...wanted, count: undefined, until: undefined };
    const place = usualRules(start().day).findIndex((each) => isSame(each, bare));
    return place < 0 ? 'own' : String(place);
  }

  for (const each of [chosen, every, unit, ends, count, ...days.map(({ box }) => box)]) {
    each.addEventListener('input', () => {
      if (each === chosen && chosen.value === 'own' && days.every(({ box }) => !box.checked)) {
        const first = CODES[weekdayOf(start().day) - 1];
        for (const { box } of days) box.checked = box.value === first;
      }
      say();
    });
  }
  refresh();
  return {
    node: element('div', { class: 'stack' }, field(t('calendar.repeat'), chosen), custom, end, words),
    value,
    refresh,
  };
}

/** @param {string} value @param {string} text */
const option = (value, text) => element('option', { value }, text);

/** @param {string} text */
const number = (text) => Math.min(MOST, Math.max(1, Math.round(Number(text)) || 1));

/** @param {Rule} one @param {Rule} other */
function isSame(one, other) {
  const said = (/** @type {Rule} */ { frequency, interval = 1, days = [], monthDay, month, count, until }) =>
    JSON.stringify([frequency, interval, [...days].sort(), monthDay, month, count, until]);
  return said(one) === said(other);
}
