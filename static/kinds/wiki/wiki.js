// A wiki: its pages by name, the one that is open beside them, its form and its history.

import { readMessage } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { actionButton } from '../../ui/pane.js';
import { attachments } from '../common/files.js';
import { mountMembers } from '../common/members.js';
import { contentOf } from '../common/message.js';
import { showWaiting } from '../common/reading.js';
import { bySubject } from '../common/sorted-rows.js';
import { isEditable, openPageForm } from './edit.js';
import { showHistory } from './history.js';

/** @import { Mount } from '../kind.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */

/** @type {Mount} */
export function mount(host, context) {
  const { store, username } = context;
  return mountMembers(host, context, {
    compare: bySubject,
    write: t('wiki.new'),
    async showMember(pane, row, signal, actions) {
      showWaiting(pane);
      const message = await readMessage(store.name, row.msgnum, { signal });
      const content = await contentOf(store.name, message, signal);
      signal.throwIfAborted();
      const title = message.subj || message.exti || t('message.no-subject');
      /** @type {PaneAction[]} */
      const edit =
        store.canPost && isEditable(message)
          ? [{ label: t('wiki.edit'), icon: 'edit', kind: 'primary', href: routeTo(store.name, row.msgnum, 'edit') }]
          : [];
      /** @type {PaneAction} */
      const history = {
        label: t('wiki.history'),
        icon: 'history',
        kind: 'quiet',
        href: routeTo(store.name, row.msgnum, 'history'),
      };
      pane.replaceChildren(
        element(
          'header',
          { class: 'pane-head' },
          element('div', { class: 'group' }, [...edit, history].map(actionButton)),
          element('div', { class: 'group push' }, actions.map(actionButton)),
        ),
        element(
          'div',
          { class: 'pane-body' },
          element(
            'article',
            { class: 'reading', 'aria-labelledby': 'message-title' },
            element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title),
            element('div', { class: 'prose' }, content),
            attachments(store.name, message),
          ),
        ),
      );
      document.getElementById('message-title')?.focus();
      return title;
    },
    showOther(pane, route, signal) {
      if (route.page === 'history') return showHistory(pane, store, route, signal);
      if (route.page === 'named') return showNamed(pane, route.name);
      if (route.page !== 'new' && route.page !== 'edit') return undefined;
      if (store.isGuest) {
        location.replace('#/login');
        return undefined;
      }
      return openPageForm(pane, store, route, username, signal);
    },
  });

  /** What a link names: the page, or that there is none yet. @param {HTMLElement} pane @param {string} name */
  async function showNamed(pane, name) {
    const page = store.rows.find((row) => row.subject === name);
    if (page) {
      location.replace(routeTo(store.name, page.msgnum));
      return name;
    }
    const title = t('wiki.missing', { name });
    pane.replaceChildren(
      element(
        'div',
        { class: 'pane-body' },
        element(
          'div',
          { class: 'reading' },
          element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title),
          store.canPost
            ? element(
                'p',
                { class: 'group' },
                actionButton({
                  label: t('wiki.write'),
                  icon: 'edit',
                  kind: 'primary',
                  href: routeTo(store.name, 'new', name),
                }),
              )
            : element('p', { class: 'muted' }, t('wiki.others-write')),
        ),
      ),
    );
    document.getElementById('message-title')?.focus();
    return title;
  }
}
