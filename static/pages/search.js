// Messages that hold the words looked for, from all rooms.

import { request } from '../api/request.js';
import { byId, element } from '../core/dom.js';
import { routeTo } from '../core/router.js';
import { fullTime, shortTime } from '../formats/times.js';
import { pageHeader } from '../ui/form.js';
import { moveInList } from '../ui/list-keys.js';
import { loadingNote } from '../ui/notices.js';

/** @import { SearchResult } from '../api/interface.d.ts' */

/**
 * Throws Problem.
 * @param {string} words @param {AbortSignal} signal
 */
export async function showSearch(words, signal) {
  const title = `Messages with “${words}”`;
  byId('room').replaceChildren(pageHeader(title), loadingNote('Searching…'));
  const answer = await request(`../a/search?${new URLSearchParams({ q: words })}`, { signal });
  /** @type {SearchResult[]} */
  const found = await answer.json();
  signal.throwIfAborted();
  const count = found.length === 1 ? 'One message' : `${found.length} messages, the latest first`;
  const isAll = answer.headers.get('Searched') === 'all';
  byId('room').replaceChildren(
    pageHeader(title, found.length > 0 ? count : 'Nothing was found. A message has to hold all the words.'),
    ...(isAll ? [] : [element('p', { class: 'hint' }, OLDER)]),
    element('ul', { class: 'messages', 'aria-labelledby': 'room-title', on: { keydown } }, found.map(item)),
  );
}

const OLDER = 'Of older messages the server knows only some by their words: there may be more.';

/** @param {KeyboardEvent} event */
const keydown = (event) =>
  moveInList(event, [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('a')]);

/** @param {SearchResult} result @param {number} index */
function item({ room, msgnum, time, author, addr, subject }, index) {
  const date = new Date(time * 1000);
  return element(
    'li',
    {},
    element(
      'a',
      { class: 'message', href: routeTo(room, msgnum), tabindex: index === 0 ? '0' : '-1' },
      element(
        'span',
        { class: 'message-author' },
        element('bdi', {}, author || addr || 'Nobody'),
        ' in ',
        element('bdi', {}, room),
      ),
      element('time', { class: 'message-time', datetime: date.toISOString(), title: fullTime(date) }, shortTime(time)),
      element('span', { class: 'message-subject', dir: 'auto' }, subject || '(no subject)'),
    ),
  );
}
