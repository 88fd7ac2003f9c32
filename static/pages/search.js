// Messages that hold the words looked for, from all rooms.

import { searchMessages } from '../api/messages.js';
import { element, hiddenText } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { virtualList } from '../core/virtual-list.js';
import { messageRow } from '../kinds/common/row.js';
import { iconOf } from '../kinds/index.js';
import { roomNamed } from '../model/room-list.js';
import { line } from '../ui/form.js';
import { icon } from '../ui/icon.js';
import { paneHead } from '../ui/pane.js';
import { emptyState, skeleton } from '../ui/states.js';

/** @import { SearchResult } from '../api/interface.d.ts' */

/** Throws Problem. @param {HTMLElement} host @param {string[]} args @param {AbortSignal} signal */
export async function show(host, [words = ''], signal) {
  const title = words === '' ? t('page.search') : t('search.title', { words });
  const body = element('div', { class: 'pane-body' });
  const head = element('div', {}, paneHead({ title, id: 'room-title' }));
  const input = line('search-words', words, { type: 'search', 'aria-label': t('shell.search') });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (input.value.trim() !== '') location.hash = pageAddress('search', input.value.trim());
  };
  const form = element('form', { class: 'box only-phone', role: 'search', on: { submit } }, input);
  host.replaceChildren(
    element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'room-title' }, head, form, body),
  );
  if (words === '') {
    body.append(emptyState({ icon: 'search', text: t('search.begin') }));
    (input.checkVisibility() ? input : document.getElementById('omnibox'))?.focus();
    return title;
  }
  body.append(skeleton(5));
  const { found, isAll } = await searchMessages(words, signal);
  signal.throwIfAborted();
  const sub = found.length > 0 ? t('search.count', { count: found.length }) : '';
  head.replaceChildren(paneHead({ title, id: 'room-title', sub }));
  const note = isAll ? [] : [element('p', { class: 'small muted box' }, t('search.older'))];
  if (found.length === 0) {
    body.replaceChildren(emptyState({ icon: 'search', text: t('search.nothing') }), ...note);
    return title;
  }
  const places = new Map(found.map((each, i) => [each, i]));
  const list = virtualList({
    scroller: body,
    count: () => found.length,
    keyOf: (index) => found[index],
    indexOf: (each) => places.get(each) ?? -1,
    row: (index) => rowOf(found[index]),
    labelledBy: 'room-title',
  });
  signal.addEventListener('abort', list.end);
  body.replaceChildren(...note, list.node);
  list.refresh();
  return title;
}

/** @param {SearchResult} result */
function rowOf({ room: name, msgnum, time, author, addr, subject }) {
  const room = roomNamed(name);
  return messageRow({
    href: routeTo(name, msgnum),
    msgnum,
    who: author || addr || t('message.nobody'),
    subject: subject || t('message.no-subject'),
    time,
    isUnread: false,
    chip: element(
      'span',
      { class: 'chip' },
      icon(room ? iconOf(room) : 'room'),
      hiddenText(`${t('home.in')} `),
      element('bdi', { class: 'clip' }, name),
    ),
  });
}
