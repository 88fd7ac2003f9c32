// One entry of a blog: its title, which leads to its own address, who wrote it when, and its text when it is in sight.

import { readMessage } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { fullDay, fullTime } from '../../formats/times.js';
import { avatar } from '../../ui/avatar.js';
import { errorBox } from '../../ui/notices.js';
import { skeleton } from '../../ui/states.js';
import { attachments } from '../message/files.js';
import { contentOf } from '../message/message.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** `open` fetches the text, and marks it as read. @param {RoomStore} store @param {Row} row @param {boolean} isAlone */
export function blogEntry(store, row, isAlone) {
  const date = new Date(row.time * 1000);
  const who = row.author || row.addr || t('message.nobody');
  const subject = row.subject || t('message.no-subject');
  const text = element('div', { class: 'prose page-text' }, skeleton(5));
  const title = isAlone ? subject : element('a', { class: 'plain', href: routeTo(store.name, row.msgnum) }, subject);
  const id = `entry-${row.msgnum}`;
  const node = element(
    'article',
    { class: 'blog-entry', 'aria-labelledby': id, 'data-unread': !row.seen },
    element('h2', { class: 'title', id, tabindex: -1, dir: 'auto' }, title),
    element(
      'p',
      { class: 'line blog-facts' },
      avatar(who, { size: 'small' }),
      element('bdi', { class: 'soft' }, who),
      element(
        'time',
        { class: 'muted small', datetime: date.toISOString(), title: fullTime(date) },
        // the day where the reader is
        fullDay(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))),
      ),
      !row.seen && element('span', { class: 'chip', 'data-tone': 'ok' }, t('files.new')),
    ),
    text,
    element('footer', { class: 'group', 'data-gap': '2' }),
  );

  async function open() {
    try {
      const message = await readMessage(store.name, row.msgnum);
      const files = attachments(store.name, message);
      text.replaceChildren(await contentOf(store.name, message), ...(files ? [files] : []));
      store.setSeen([row.msgnum], true).catch(() => {});
    } catch (problem) {
      text.replaceChildren(errorBox(problem, open));
    }
  }
  return { node, open };
}
