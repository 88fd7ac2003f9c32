// When an event is: whole days, or times in a zone. A later start takes the end along.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { daysBetween, today } from '../../formats/days.js';
import { instantOfWhen, whenIn } from '../../formats/moments.js';
import { dateField } from '../../ui/date-picker.js';
import { choice, field } from '../../ui/form.js';
import { ZONE } from './format.js';
import { timeOf } from './layout.js';

/** @import { When } from '../../formats/moments.js' */

/**
 * An hour from the next full one on, of today; from nine on another day.
 * @param {string} day
 * @returns {{ from: When, to: When }}
 */
export function usualTimes(day) {
  const hour = day === today() ? Math.min(22, new Date().getHours() + 1) : 9;
  const at = (/** @type {number} */ minutes) => ({ day, time: timeOf(minutes), zone: ZONE });
  return { from: at(hour * 60), to: at(hour * 60 + 60) };
}

/** @param {{ from: When, to: When }} times */
export function timeFields({ from, to }) {
  const usual = usualTimes(from.day);
  /** @type {{ start?: string, end?: string }} */
  const days = { start: from.day, end: to.day };
  let zone = from.time === undefined ? ZONE : (from.zone ?? '');
  /** @type {() => void} */
  let changed = () => {};
  const startTime = timeInput('event-start-time', t('calendar.start-time'), from.time ?? usual.from.time);
  const endTime = timeInput('event-end-time', t('calendar.end-time'), to.time ?? usual.to.time);
  const whole = element('input', { type: 'checkbox', class: 'check', checked: from.time === undefined });
  let length = lengthNow();
  const endSlot = element('div', {});
  const endField = () =>
    dateField({
      id: 'event-end',
      label: t('calendar.end'),
      value: days.end,
      onChange(day) {
        days.end = day;
        length = lengthNow();
        changed();
      },
    });
  const startField = dateField({
    id: 'event-start',
    label: t('calendar.start'),
    value: days.start,
    onChange(day) {
      days.start = day;
      follow();
      changed();
    },
  });
  const zones = zoneField(zone, (chosen) => {
    zone = chosen;
  });
  startTime.addEventListener('change', () => {
    follow();
    changed();
  });
  endTime.addEventListener('change', () => {
    length = lengthNow();
  });
  whole.addEventListener('change', () => {
    showTimes();
    changed();
  });

  /** In seconds, as the clocks show it. */
  function lengthNow() {
    if (!days.start || !days.end || !startTime.value || !endTime.value) return 3600;
    return (
      instantOfWhen({ day: days.end, time: endTime.value, zone: 'UTC' }, 'UTC') -
      instantOfWhen({ day: days.start, time: startTime.value, zone: 'UTC' }, 'UTC')
    );
  }

  /** The end, as far behind the start as it was. */
  function follow() {
    if (!days.start || !startTime.value) return;
    const end = instantOfWhen({ day: days.start, time: startTime.value, zone: 'UTC' }, 'UTC') + Math.max(0, length);
    const { day, time } = whenIn(end, 'UTC');
    days.end = day;
    endTime.value = (time ?? '').slice(0, 5);
    endSlot.replaceChildren(endField());
  }

  function showTimes() {
    for (const each of [startTime, endTime]) each.hidden = whole.checked;
    zones.hidden = whole.checked;
  }

  endSlot.append(endField());
  showTimes();
  return {
    node: element(
      'fieldset',
      { class: 'stack event-times', 'aria-label': t('calendar.when') },
      element('label', { class: 'check-row' }, whole, t('calendar.all-day')),
      element('div', { class: 'event-time' }, startField, startTime),
      element('div', { class: 'event-time' }, endSlot, endTime),
      zones,
    ),
    /** @returns {When} */
    from: () =>
      whole.checked
        ? { day: days.start ?? from.day }
        : { day: days.start ?? from.day, time: startTime.value || '00:00', zone },
    /** @returns {{ from: When, to: When }} */
    value() {
      const [start = from.day, end = start] = [days.start, days.end];
      if (whole.checked) return { from: { day: start }, to: { day: end } };
      // an end that is written in another zone than the start stays so until the zone is changed
      const endZone = zone === (from.zone ?? '') && to.time !== undefined ? (to.zone ?? '') : zone;
      return {
        from: { day: start, time: startTime.value, zone },
        to: { day: end, time: endTime.value, zone: endZone },
      };
    },
    /** Why it cannot be so; undefined for what can. */
    fault() {
      if (!days.start || !days.end) return t('calendar.no-day');
      if (whole.checked) return daysBetween(days.start, days.end) < 0 ? t('calendar.ends-before') : undefined;
      if (!startTime.value || !endTime.value) return t('calendar.no-time');
      return lengthNow() < 0 ? t('calendar.ends-before') : undefined;
    },
    /** @param {() => void} listener hears of another start */
    listen(listener) {
      changed = listener;
    },
  };
}

/** @param {string} id @param {string} label @param {string} [value] */
function timeInput(id, label, value = '') {
  const input = element('input', { type: 'time', class: 'input', id, 'aria-label': label });
  input.value = value.slice(0, 5);
  return input;
}

/** @param {string} zone @param {(zone: string) => void} choose */
function zoneField(zone, choose) {
  const known = Intl.supportedValuesOf('timeZone');
  const names = [...new Set([ZONE, ...(zone === '' ? [] : [zone]), 'UTC', ...known])];
  const select = choice(
    'event-zone',
    [
      ...(zone === '' ? [/** @type {[string, string]} */ (['', t('calendar.zone.none')])] : []),
      ...names.map(/** @returns {[string, string]} */ (name) => [name, name.replaceAll('_', ' ')]),
    ],
    zone,
  );
  select.addEventListener('change', () => choose(select.value));
  return field(t('calendar.zone'), select);
}
