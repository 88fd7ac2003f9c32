// Messages for paper: each with who, to whom and when in full, its text, and the names of its files.

import { readMessage } from '../../api/messages.js';
import { element, present } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { tellProblem } from '../../ui/notices.js';
import { printSheets } from '../../ui/print-frame.js';
import { fileNames } from './files.js';
import { factsOf } from './message.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** of one conversation; who wants more prints them one by one */
const MOST_PRINTED = 50;

/** @param {RoomStore} store @param {number[]} numbers the latest of them */
export const printMessages = (store, numbers) =>
  tellProblem(async () => {
    const wanted = numbers.slice(-MOST_PRINTED);
    const messages = await Promise.all(wanted.map((msgnum) => readMessage(store.name, msgnum)));
    const subject = messages[0].subj || t('message.no-subject');
    const sheets = messages.map((message, i) => ({
      head: headOf(message, i === 0 ? subject : ''),
      html: message.text,
    }));
    printSheets(sheets, subject);
  });

/** @param {Message} message @param {string} subject '' where it stands above already */
function headOf(message, subject) {
  const facts = factsOf(message);
  facts.hidden = false;
  const files = fileNames(message);
  if (files.length > 0) {
    const label = t('message.files', { count: files.length });
    facts.append(element('dt', {}, label), element('dd', {}, element('bdi', {}, files.join(', '))));
  }
  const title = subject !== '' && element('h1', { dir: 'auto' }, subject);
  return /** @type {Node[]} */ (present([title, facts]));
}
