// The rows of the room that is open: shown, moved along, marked.

import { byId, element, hiddenText, query, queryAll } from '../../core/dom.js';
import { routeTo } from '../../core/router.js';
import { fullTime, shortTime } from '../../formats/times.js';
import { moveInList } from '../../ui/list-keys.js';

/** @import { MailboxEntry } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from './room.js' */

/** views (`default_view`) whose members go by their names: contacts, tasks, notes, pages */
export const BY_SUBJECT = new Set([2, 4, 5, 6]);

/**
 * The rows from … to of `room`, which is as messages.js keeps it.
 * @param {OpenRoom} room
 */
export function messageList({ name, info, rows, from, to }) {
  const isMember = BY_SUBJECT.has(info.default_view);
  const shown = rows.slice(from, to);
  const firstNew = rows.find((row) => !row.seen);
  const entry = shown.find((row) => !row.seen) ?? shown.at(-1);
  return element(
    'ul',
    { class: 'messages', 'aria-labelledby': 'room-title', on: { keydown: listKey } },
    shown.map((row) => {
      const marks = { isMember, isEntry: row === entry, isFirstNew: row === firstNew && row !== rows[0] };
      return messageItem(routeTo(name, row.msgnum), row, marks);
    }),
  );
}

/**
 * @param {string} href
 * @param {MailboxEntry} row
 * @param {{ isMember: boolean, isEntry: boolean, isFirstNew: boolean }} marks
 */
function messageItem(href, row, { isMember, isEntry, isFirstNew }) {
  const time = new Date(row.time * 1000);
  return element(
    'li',
    { class: isFirstNew ? 'first-new' : false },
    element(
      'a',
      {
        href,
        'data-msgnum': row.msgnum,
        class: row.seen ? 'message' : 'message unread',
        // one stop for Tab, the arrow keys do the rest
        tabindex: isEntry ? '0' : '-1',
      },
      !row.seen && hiddenText('Unread: '),
      !isMember && element('bdi', { class: 'message-author' }, row.author || row.addr || 'Nobody'),
      !isMember &&
        element(
          'time',
          { class: 'message-time', datetime: time.toISOString(), title: fullTime(time) },
          shortTime(row.time),
        ),
      element('span', { class: 'message-subject', dir: 'auto' }, row.subject || '(no subject)'),
    ),
  );
}

/** @param {KeyboardEvent} event */
function listKey(event) {
  if (event.key !== 'Escape') return moveInList(event, rowLinks());
  const room = query(byId('rooms'), '[aria-current]');
  room?.focus();
  // a small screen shows the rooms on a page of their own
  if (document.activeElement !== room) location.hash = '#/';
}

const rowLinks = () => [...queryAll(byId('room'), 'a[data-msgnum]')];

/** @param {number} msgnum */
export function focusRow(msgnum) {
  const links = rowLinks();
  const wanted = links.find((link) => link.dataset.msgnum === String(msgnum)) ?? links.at(-1);
  for (const link of links) link.tabIndex = link === wanted ? 0 : -1;
  (wanted ?? byId('room-title')).focus();
}

/**
 * Marks the message that is open; NaN or undefined for none.
 * @param {number} [msgnum]
 */
export function markCurrentMessage(msgnum) {
  for (const link of rowLinks()) {
    if (link.dataset.msgnum !== String(msgnum)) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'true');
    for (const other of rowLinks()) other.tabIndex = other === link ? 0 : -1;
    link.scrollIntoView({ block: 'nearest' });
  }
}
