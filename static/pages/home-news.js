// Which of the newest messages of all rooms an inbox shows. Pure.

import { splitRecipients } from '../formats/addresses.js';
import { nameIn } from '../model/session.js';

/** @import { MailboxEntry, RoomNews } from '../api/interface.d.ts' */
/** @typedef {'all' | 'to-you' | 'mail' | 'rooms'} NewsTab */
/** @typedef {{ room: string, row: MailboxEntry, more: number }} NewsRow */

/** @type {NewsTab[]} */
export const NEWS_TABS = ['all', 'to-you', 'mail', 'rooms'];

/**
 * The unread ones, the newest first. Of a room with more than these, the oldest that is shown says how many.
 * @param {NewsTab} tab
 * @param {RoomNews[]} news
 * @param {string} username
 * @param {(room: string) => boolean} isOwn whether it is one of the reader's own rooms
 * @returns {NewsRow[]}
 */
export function newsFor(tab, news, username, isOwn) {
  return news
    .filter(({ room }) => tab === 'all' || tab === 'to-you' || isOwn(room) === (tab === 'mail'))
    .flatMap(({ room, unread, msgs }) => {
      const fresh = msgs.filter((row) => !row.seen).sort((a, b) => b.time - a.time);
      return fresh.map((row, i) => ({
        room,
        row,
        more: tab !== 'to-you' && i === fresh.length - 1 ? Math.max(0, unread - fresh.length) : 0,
      }));
    })
    .filter(({ row }) => tab !== 'to-you' || isTo(row.to ?? '', username))
    .sort((a, b) => b.row.time - a.row.time);
}

/** Whether one of the recipients is this user. @param {string} to @param {string} username */
const isTo = (to, username) => splitRecipients(to).some((each) => nameIn(each) === nameIn(username));
