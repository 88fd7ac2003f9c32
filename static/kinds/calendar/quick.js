// A new event in one line, beside the time that it was drawn at.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { roomTitle } from '../../model/room-list.js';
import { choice, line } from '../../ui/form.js';
import { openPopover } from '../../ui/popover.js';
import { clockText, daysText, dayText } from './format.js';

/** @import { When } from '../../formats/moments.js' */
/** @import { CalendarRoom } from './calendars.js' */

/** @typedef {{ from: When, to: When }} Span */

/**
 * @param {HTMLElement} anchor @param {Span} span
 * @param {object} options
 * @param {CalendarRoom[]} options.rooms that can be written
 * @param {string} options.room
 * @param {(room: string, title: string) => unknown} options.written
 * @param {(room: string, title: string) => Promise<unknown>} options.save
 * @param {(room: string, title: string) => unknown} options.more
 * @param {() => void} options.onClose
 */
export function openQuick(anchor, { from, to }, { rooms, room, written, save, more, onClose }) {
  const title = line('quick-title', '', {
    'aria-label': t('calendar.title'),
    placeholder: t('calendar.title'),
    autofocus: true,
    dir: 'auto',
  });
  const where = choice(
    'quick-room',
    rooms.map(({ name }) => [name, roomTitle(name)]),
    room,
  );
  where.setAttribute('aria-label', t('calendar.calendar'));
  const button = element('button', { type: 'submit', class: 'btn', 'data-kind': 'primary' }, t('ui.save'));
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    opened?.close();
    await save(where.value, title.value.trim());
  };
  const all = () => {
    opened?.close();
    more(where.value, title.value.trim());
  };
  const form = element(
    'form',
    { class: 'stack', on: { submit, input: () => written(where.value, title.value) } },
    element('p', { class: 'small soft' }, spanText({ from, to })),
    title,
    rooms.length > 1 && where,
    element(
      'div',
      { class: 'group', 'data-gap': '2' },
      button,
      element(
        'button',
        { type: 'button', class: 'btn', 'data-kind': 'quiet', on: { click: all } },
        t('calendar.details'),
      ),
    ),
  );
  const opened = openPopover(anchor, form, { label: t('calendar.new'), onClose });
}

/** @param {Span} span */
const spanText = ({ from, to }) =>
  from.time === undefined
    ? daysText(from.day, to.day, { weekday: 'long', day: 'numeric', month: 'long' })
    : `${dayText(from.day)}, ${clockText(from.time)} – ${clockText(to.time ?? from.time)}`;
