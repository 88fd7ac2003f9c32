// A room of mail: conversations at the side, the one that is open beside them, with its answer at the foot.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { isSentRoom } from '../../model/room-list.js';
import { latestOf } from '../list/conversations.js';
import { messageRow } from '../list/row.js';
import { mountTalk } from '../list/talk.js';
import { authorOf } from '../message/message.js';
import { showThread } from './thread.js';

/** @import { Mount } from '../kind.d.ts' */

/** how many authors a row names */
const NAMED = 3;

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const isSent = isSentRoom(store.info);
  return mountTalk(host, context, {
    isFlat: isSent,
    isNewestFirst: true,
    write: store.info.is_mailbox ? undefined : t('mail.new'),
    empty: t(store.canPost ? 'mail.empty' : 'list.empty'),
    showThread,
    row(conversation, marks) {
      const { rows } = conversation;
      const latest = latestOf(conversation);
      const to = isSent && latest.to ? latest.to : undefined;
      const names = [...new Set(rows.map(authorOf))].slice(-NAMED);
      return messageRow({
        ...marks,
        href: routeTo(store.name, latest.msgnum),
        msgnum: latest.msgnum,
        who: to === undefined ? names.join(', ') : t('mail.to', { names: to }),
        face: to ?? (latest.author || latest.addr),
        count: rows.length,
        subject: (rows.length > 1 ? rows[0].subject : latest.subject) || t('message.no-subject'),
        snippet: latest.snippet,
        time: latest.time,
        isUnread: rows.some((row) => !row.seen),
        hasFiles: rows.some((row) => Number(row.files) > 0),
      });
    },
  });
}
