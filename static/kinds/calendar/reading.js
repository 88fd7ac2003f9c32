// What an event says, in a popover beside it: when, where, who; to answer, to change, to take it away.

import { element } from '../../core/dom.js';
import { locale, t } from '../../core/i18n.js';
import { repeatText } from '../../formats/repeat.js';
import { roomTitle } from '../../model/room-list.js';
import { icon } from '../../ui/icon.js';
import { actionButton } from '../../ui/pane.js';
import { openPopover } from '../../ui/popover.js';
import { titleOf } from './blocks.js';
import { alarmText, elsewhereText, whenText } from './format.js';
import { canChange, isMe } from './own.js';

/** @import { ShownEvent } from './source.js' */

/** @type {['ACCEPTED' | 'TENTATIVE' | 'DECLINED', string][]} */
const ANSWERS = [
  ['ACCEPTED', 'check'],
  ['TENTATIVE', 'help'],
  ['DECLINED', 'close'],
];
const LINK = /\b(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/;

/**
 * @typedef {object} Doing
 * @property {(event: ShownEvent) => unknown} edit
 * @property {(event: ShownEvent) => unknown} remove
 * @property {(event: ShownEvent) => unknown} takeOut as a file
 * @property {(event: ShownEvent, answer: 'ACCEPTED' | 'TENTATIVE' | 'DECLINED') => unknown} answer
 * @property {() => void} closed
 */

/** @param {HTMLElement} anchor @param {ShownEvent} event @param {Doing} doing */
export function openEvent(anchor, event, { edit, remove, takeOut, answer, closed }) {
  const close = (/** @type {() => unknown} */ then) => () => {
    opened?.close();
    then();
  };
  const head = element(
    'div',
    { class: 'line event-head', 'data-hue': event.hue },
    element('h2', { class: 'event-title grow', dir: 'auto' }, titleOf(event)),
    canChange(event) && actionButton({ label: t('calendar.edit'), icon: 'edit', run: close(() => edit(event)) }),
    actionButton({ label: t('calendar.take-out'), icon: 'download', run: close(() => takeOut(event)) }),
    event.canWrite && actionButton({ label: t('calendar.delete'), icon: 'trash', run: close(() => remove(event)) }),
    actionButton({ label: t('ui.close'), icon: 'close', run: () => opened?.close() }),
  );
  const elsewhere = elsewhereText(event);
  const me = event.attendees.find(isMe);
  const opened = openPopover(
    anchor,
    [
      head,
      element('p', { class: 'small soft event-when' }, whenText(event)),
      ...[
        event.status === 'CANCELLED' && element('p', { class: 'chip', 'data-tone': 'danger' }, t('calendar.cancelled')),
        event.isWaiting && fact('clock', t('outbox.waits')),
        elsewhere !== '' && fact('globe', elsewhere),
        event.place !== '' && fact('place', linked(event.place)),
        event.rule !== '' && fact('repeat', capital(repeatText(event.rule, { t, locale: locale }))),
        event.alarms.length > 0 && fact('bell', event.alarms.map(alarmText).join(', ')),
        event.attendees.length > 0 && element('div', { class: 'line small' }, icon('people'), people(event)),
        event.notes !== '' &&
          element('p', { class: 'line small event-notes', dir: 'auto' }, icon('note'), linked(event.notes)),
        /^https?:\/\//i.test(event.url) && fact('link', linked(event.url)),
        fact('calendar', roomTitle(event.room)),
        me && event.organizer && !isMe(event.organizer) && event.canWrite && answers(),
      ].filter((part) => part instanceof HTMLElement),
    ],
    { label: titleOf(event), onClose: closed },
  );

  function answers() {
    return element(
      'div',
      { class: 'group answers', 'data-gap': '2', role: 'group', 'aria-label': t('calendar.answer') },
      ANSWERS.map(([value, name]) => {
        const isChosen = me?.answer === value;
        return element(
          'button',
          {
            type: 'button',
            class: 'btn',
            'data-kind': isChosen ? undefined : 'quiet',
            'aria-pressed': String(isChosen),
            on: { click: close(() => answer(event, value)) },
          },
          icon(name, { size: 'small' }),
          t(`calendar.answer.${value.toLowerCase()}`),
        );
      }),
    );
  }
}

/** @param {string} name @param {string | Node} text */
const fact = (name, text) =>
  element('p', { class: 'line small' }, icon(name), element('span', { class: 'grow', dir: 'auto' }, text));

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Text whose web addresses are links. @param {string} text */
function linked(text) {
  const pieces = text.split(LINK).map((piece, place) =>
    // every second one is what was split at
    place % 2 === 1 ? element('a', { href: piece, target: '_blank', rel: 'noopener noreferrer' }, piece) : piece,
  );
  return element('span', { class: 'grow', dir: 'auto' }, pieces);
}

/** @param {ShownEvent} event */
function people({ attendees, organizer }) {
  const rows = attendees.map(({ name, address, answer }) =>
    element(
      'li',
      { title: address },
      element('bdi', {}, name),
      element('span', { class: 'soft' }, ` ${t(`calendar.says.${sayable(answer)}`)}`),
    ),
  );
  return element(
    'div',
    { class: 'grow' },
    organizer && element('p', {}, t('calendar.invited-by', { name: organizer.name })),
    element('ul', { class: 'attendees' }, rows),
  );
}

const SAYABLE = new Set(['ACCEPTED', 'TENTATIVE', 'DECLINED']);

/** @param {string} answer */
export const sayable = (answer) => (SAYABLE.has(answer) ? answer.toLowerCase() : 'nothing');
