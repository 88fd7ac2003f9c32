// Events, tasks, contacts and notes as what they say, one by one; programs that speak DAV change them.

import { readMessage } from '../../api/messages.js';
import { roomAddress } from '../../api/rooms.js';
import { element } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { actionButton } from '../../ui/pane.js';
import { kindOf } from '../index.js';
import { mountMembers } from '../list/members.js';
import { bySubject, byTime } from '../list/sorted-rows.js';
import { attachments } from '../message/files.js';
import { contentOf } from '../message/message.js';
import { articleBody, showWaiting } from '../message/reading.js';

/** @import { Mount } from '../kind.d.ts' */

const ORDER_BY_TIME = new Set(['kind.calendar', 'kind.journal']);

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const { label } = kindOf(store.info);
  return mountMembers(host, context, {
    compare: ORDER_BY_TIME.has(label) ? byTime : bySubject,
    foot: element(
      'p',
      { class: 'hint small muted box' },
      `${t('entries.address')} `,
      element('code', {}, roomAddress(store.name)),
    ),
    async showMember(pane, row, signal, actions) {
      showWaiting(pane);
      const message = await readMessage(store.name, row.msgnum, { signal });
      const content = await contentOf(store.name, message, signal);
      signal.throwIfAborted();
      const title = message.subj || t('message.no-subject');
      pane.replaceChildren(
        element(
          'header',
          { class: 'pane-head', 'data-desk': true },
          element('div', { class: 'group' }, actions.map(actionButton)),
        ),
        articleBody(title, content, attachments(store.name, message)),
      );
      takeFocus(document.getElementById('message-title'));
      return title;
    },
  });
}
