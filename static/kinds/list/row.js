// One row of a list of messages: who, about what, how it begins, when; a box to select it.

import { element, hiddenText } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { fullTime, shortTime } from '../../formats/times.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';

/** @import { Child } from '../../core/dom.js' */

/**
 * `count` is of messages where there are several; `chip` names a room.
 * @typedef {object} RowParts
 * @property {string} href
 * @property {number} msgnum
 * @property {string} who
 * @property {string} [face] whose picture, where it is not `who`
 * @property {number} [count]
 * @property {string} subject
 * @property {string} [snippet]
 * @property {number} [time] Unix seconds
 * @property {boolean} isUnread
 * @property {boolean} [hasFiles]
 * @property {boolean} [isCurrent]
 * @property {boolean} [isSelected] undefined where rows cannot be selected
 * @property {boolean} [isTopic] the subject comes first, and who below it
 * @property {Child} [chip]
 */

/** @param {RowParts} parts */
export function messageRow(parts) {
  const { href, msgnum, who, face = who, subject, isUnread, isCurrent, isSelected } = parts;
  return element(
    'li',
    { class: 'row', 'data-unread': isUnread },
    element(
      'span',
      { class: 'row-mark' },
      avatar(face),
      isSelected !== undefined &&
        element('input', {
          type: 'checkbox',
          class: 'check',
          tabindex: -1,
          checked: isSelected,
          'aria-label': t('list.select-one', { name: `${who}, ${subject}` }),
        }),
    ),
    element(
      'a',
      {
        class: parts.isTopic ? 'row-main topic' : 'row-main',
        href,
        'data-msgnum': msgnum,
        'aria-current': isCurrent ? 'true' : undefined,
      },
      isUnread && hiddenText(`${t('row.unread')} `),
      parts.isTopic ? topic(parts) : message(parts),
    ),
    parts.time !== undefined && timeOf(parts.time),
  );
}

/** @param {number} seconds */
function timeOf(seconds) {
  const date = new Date(seconds * 1000);
  return element(
    'time',
    { class: 'row-time', datetime: date.toISOString(), title: fullTime(date) },
    shortTime(seconds),
  );
}

/** @param {RowParts} parts @returns {Child[]} */
const message = ({ who, count = 1, subject, snippet, hasFiles, chip }) => [
  element(
    'span',
    { class: 'row-who' },
    element('bdi', {}, who),
    ' ',
    count > 1 && element('span', { class: 'muted' }, String(count)),
  ),
  element(
    'span',
    { class: 'row-text' },
    element('span', { class: 'row-subject' }, element('bdi', {}, subject)),
    ' ',
    // a line even where there is nothing in it: all rows are equally high
    snippet !== undefined && element('span', { class: 'row-snippet' }, element('bdi', {}, snippet || '\u00a0')),
  ),
  (hasFiles || chip) &&
    element('span', { class: 'row-meta' }, hasFiles && icon('paperclip', { label: t('row.files') }), chip),
];

/** @param {RowParts} parts @returns {Child[]} */
const topic = ({ who, subject, snippet }) => [
  element('span', { class: 'row-subject' }, element('bdi', {}, subject)),
  ' ',
  element('span', { class: 'row-snippet small' }, element('bdi', {}, who), snippet ? `, ${snippet}` : ''),
];
