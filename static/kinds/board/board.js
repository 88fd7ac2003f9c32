// A forum: topics at the side, the talk of one beside them, threaded or by date.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { latestOf } from '../list/conversations.js';
import { messageRow } from '../list/row.js';
import { mountTalk } from '../list/talk.js';
import { authorOf } from '../message/message.js';
import { showTopic } from './topic.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { Mount } from '../kind.d.ts' */

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  return mountTalk(host, context, {
    isFlat: false,
    isNewestFirst: true,
    write: t('board.new'),
    empty: t(store.canPost ? 'board.empty' : 'list.empty'),
    showThread: showTopic,
    row(conversation, marks) {
      const { rows } = conversation;
      const latest = latestOf(conversation);
      return messageRow({
        ...marks,
        href: routeTo(store.name, latest.msgnum),
        msgnum: latest.msgnum,
        isTopic: true,
        who: authorOf(rows[0]),
        face: rows[0].author || rows[0].addr,
        subject: rows[0].subject || t('message.no-subject'),
        snippet: countsOf(rows),
        time: latest.time,
        isUnread: rows.some((row) => !row.seen),
      });
    },
  });
}

/** `11 posts, 5 new` @param {Row[]} rows */
function countsOf(rows) {
  const unread = rows.filter((row) => !row.seen).length;
  const posts = t('board.posts', { count: rows.length });
  return unread > 0 && rows.length > 1 ? `${posts}, ${t('board.new-posts', { count: unread })}` : posts;
}
