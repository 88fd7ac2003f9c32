// One message of those that were found: where the words stand in it, whose it is, and the room that it is in.

import { element, hiddenText } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { parseSearch } from '../formats/search-words.js';
import { fullTime, shortTime } from '../formats/times.js';
import { iconOf, kindOf } from '../kinds/index.js';
import { roomNamed, roomTitle } from '../model/room-list.js';
import { icon } from '../ui/icon.js';
import { errorBox } from '../ui/notices.js';
import { marked, marksIn } from './search-marks.js';

/** @import { Hit } from '../api/interface.d.ts' */

/** What is more than words is shown by its room: an event, a task, a contact, a page. @param {string} name */
const isReadHere = (name) => {
  const room = roomNamed(name);
  return room === undefined || Boolean(kindOf(room).isTalk);
};

/** @param {Hit} hit @param {string} words */
export function hitItem({ room: name, msgnum, time, author, addr, subject, seen, files, excerpt, marks }, words) {
  const room = roomNamed(name);
  const href = isReadHere(name) ? pageAddress('search', words, name, msgnum) : routeTo(name, msgnum);
  return element(
    'li',
    { class: 'hit', 'data-room': name, 'data-msgnum': msgnum, 'data-unread': seen === false },
    icon(room ? iconOf(room) : 'room'),
    element(
      'div',
      {},
      element(
        'a',
        { class: 'plain', href },
        seen === false && hiddenText(t('row.unread')),
        element(
          'b',
          { class: 'strong', dir: 'auto' },
          marked(subject || t('message.no-subject'), marksIn(subject, parseSearch(words).words)),
        ),
      ),
      excerpt && element('p', { class: 'soft', dir: 'auto' }, marked(excerpt, marks ?? [])),
      element(
        'p',
        { class: 'muted small line' },
        element('bdi', {}, author || addr || t('message.nobody')),
        element('time', { title: fullTime(new Date(time * 1000)) }, shortTime(time)),
        element('span', { class: 'chip' }, hiddenText(`${t('home.in')} `), element('bdi', {}, roomTitle(name))),
        Number(files) > 0 && icon('paperclip', { size: 'small', label: t('row.files') }),
      ),
    ),
  );
}

/** The way to the next page. @param {string} label @param {() => Promise<void>} run */
export function moreItem(label, run) {
  const click = async () => {
    button.ariaDisabled = 'true';
    const before = item.previousElementSibling;
    try {
      await run();
      item.remove();
      /** @type {HTMLElement | null | undefined} */ (before?.nextElementSibling?.querySelector('a'))?.focus();
    } catch (problem) {
      item.append(errorBox(problem));
    }
  };
  const button = element('button', { type: 'button', class: 'btn', on: { click } }, label);
  const item = element('li', { class: 'more-hits' }, button);
  return item;
}
