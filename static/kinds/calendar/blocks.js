// One event as it stands in a grid or a list: a button that opens it. Its key finds it again when all is drawn anew.

import { element, hiddenText } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { roomTitle } from '../../model/room-list.js';
import { icon } from '../../ui/icon.js';
import { waitingMark } from '../../ui/waiting.js';
import { clockText, whenText } from './format.js';

/** @import { ShownEvent } from './source.js' */

/** @param {ShownEvent} event */
export const keyOf = ({ room, name, uid, recurrenceId, start }) =>
  [room, name, uid, recurrenceId ?? (uid === '' ? start : '')].join('\n');

/** @param {ShownEvent} event */
export const titleOf = ({ title }) => title || t('calendar.untitled');

/** What is read out of it beside its title. @param {ShownEvent} event */
function detail(event) {
  const { place, room, status, rule, isWaiting } = event;
  const state =
    status === 'CANCELLED' ? t('calendar.cancelled') : status === 'TENTATIVE' ? t('calendar.tentative') : '';
  const waits = isWaiting && t('outbox.waits');
  return [whenText(event), place, state, rule && t('calendar.repeats'), room, waits].filter(Boolean).join(', ');
}

/** what it means is read out with the rest */
const clock = () => icon('clock', { size: 'small' });

/** @param {ShownEvent} event @param {string} className */
const attributes = (event, className) => ({
  type: 'button',
  class: className,
  'data-event': keyOf(event),
  'data-hue': event.hue,
  'data-status': event.status === '' ? undefined : event.status.toLowerCase(),
  'aria-haspopup': 'dialog',
  title: `${titleOf(event)}, ${detail(event)}`,
});

/**
 * A line of a month, or a bar over days.
 * @param {ShownEvent} event
 * @param {{ isBar: boolean, isBegun?: boolean, goesOn?: boolean }} shape
 */
export function eventLine(event, { isBar, isBegun = false, goesOn = false }) {
  const time = event.isDay || isBar ? '' : event.startTime;
  return element(
    'button',
    {
      ...attributes(event, 'event'),
      'data-allday': isBar,
      'data-begun': isBegun,
      'data-goes-on': goesOn,
    },
    event.isWaiting && clock(),
    element('span', { dir: 'auto' }, titleOf(event)),
    time && element('time', {}, clockText(time)),
    hiddenText(`, ${detail(event)}`),
  );
}

/** A block of a day. @param {ShownEvent} event @param {boolean} isSmall whether there is room for one line only */
export function eventBlock(event, isSmall) {
  const { startTime, place } = event;
  return element(
    'button',
    { ...attributes(event, 'block'), 'data-small': isSmall },
    element(
      'span',
      { class: 'block-text' },
      element('b', { dir: 'auto' }, titleOf(event)),
      element(
        'span',
        { dir: 'auto' },
        event.isWaiting && [clock(), ' '],
        [clockText(startTime), place].filter(Boolean).join(', '),
      ),
    ),
    hiddenText(`, ${detail(event)}`),
  );
}

/** A row of a list: when, what and where. @param {ShownEvent} event @param {string} day on which it is listed */
export function eventRow(event, day) {
  const isWhole = event.isDay || (event.firstDay < day && event.lastDay > day);
  const time = isWhole ? t('calendar.all-day') : clockText(event.firstDay < day ? '00:00' : event.startTime);
  const state = event.status === 'CANCELLED' ? t('calendar.cancelled') : '';
  return element(
    'li',
    { 'data-hue': event.hue },
    element('time', { 'data-whole': isWhole }, time),
    element(
      'button',
      attributes(event, 'agenda-event'),
      element('b', { dir: 'auto' }, titleOf(event)),
      element(
        'span',
        { 'aria-hidden': 'true', dir: 'auto' },
        [state, event.place].filter(Boolean).join(' · ') || roomTitle(event.room),
      ),
    ),
    event.isWaiting && waitingMark(),
    event.rule !== '' && icon('repeat', { label: t('calendar.repeats'), size: 'small' }),
  );
}
