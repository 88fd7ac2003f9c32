// A conversation: its messages in the order they came, the older ones folded, the answer at the foot.

import { element, queryAll } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { roomTitle } from '../../model/room-list.js';
import { isOneself } from '../../model/session.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { iconOf } from '../index.js';
import { latestOf } from '../list/conversations.js';
import { messageArticle } from '../message/message.js';
import { chip, hasOthers, messageActions, showThreadBar, threadHead } from '../message/thread-head.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { Article } from '../message/message.js' */
/** @import { Thread, ThreadOptions } from '../list/talk.js' */

/** so many folded messages in a row are folded into one line */
const MANY_FOLDED = 4;

/**
 * Shows it and has what is open marked as read. Throws Problem.
 * @param {ThreadOptions} options
 * @returns {Promise<{ title: string, thread: Thread }>}
 */
export async function showThread(options) {
  const { pane, context, conversation, msgnum, signal } = options;
  const { store } = context;
  /** @type {Map<number, Article>} */
  const articles = new Map();
  // it may be emptied while its text is on the way
  const first = conversation.rows[0];
  const subject = first.subject || t('message.no-subject');
  const talk = element('div', { class: 'thread' });
  const answer = element('div', { class: 'answer card', hidden: true });
  const chips = element('p', { class: 'group' });
  const title = element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, subject);
  const body = element(
    'div',
    { class: 'pane-body' },
    element('div', { class: 'reading' }, element('header', { class: 'stack' }, title, chips), talk, answer),
  );

  /** @param {Row} row */
  function article(row) {
    const made = messageArticle({
      room: store.name,
      row,
      isOpen: false,
      actions: (read) => messageActions(store, row, read),
      opened: (message) => {
        // nobody waits for the mark; where it fails the list goes on saying that the message is unread
        store.setOpened(row.msgnum).catch(() => {});
        if (row.msgnum === latestOf(conversation)?.msgnum) showAnswer(hasOthers(message));
      },
    });
    articles.set(row.msgnum, made);
    return made.node;
  }

  /** @param {boolean} toAll */
  function showAnswer(toAll) {
    if (store.isGuest) return;
    const latest = latestOf(conversation);
    if (!latest) return;
    const { msgnum: last, author, addr, to = '' } = latest;
    // an answer to one's own goes on to those whom it went to
    const name = (isOneself(author) && to) || author || addr;
    /** @type {(how: string, name: string, label: string, kind?: string) => HTMLElement} */
    const link = (how, name, label, kind) =>
      element(
        'a',
        { class: 'btn', 'data-kind': kind, href: routeTo(store.name, last, how) },
        icon(name, { size: 'small' }),
        label,
      );
    const words = t('thread.reply-to', { name });
    answer.replaceChildren(
      avatar(context.username),
      ...(store.canPost
        ? [
            element('a', { class: 'grow plain muted', href: routeTo(store.name, last, 'reply'), tabindex: -1 }, words),
            link('reply', 'reply', t('message.reply')),
          ]
        : [element('span', { class: 'grow' })]),
      ...(store.canPost && toAll ? [link('reply-all', 'reply-all', t('message.reply-all'))] : []),
      link('forward', 'forward', t('message.forward'), 'quiet'),
    );
    answer.hidden = false;
  }

  function showChips() {
    const people = new Set(conversation.rows.map((row) => row.author || row.addr)).size;
    chips.replaceChildren(
      chip(roomTitle(store.name), iconOf(store.info)),
      chip(t('thread.people', { count: people }), 'people'),
      chip(t('thread.messages', { count: conversation.rows.length })),
    );
    chips.hidden = conversation.rows.length < 2;
  }

  /** A long row of folded messages becomes one line. */
  function foldOlder() {
    const folded = [...queryAll(talk, ':scope > .msg')];
    const open = folded.findIndex((node) => !node.hasAttribute('data-folded'));
    const middle = folded.slice(1, open - 1);
    if (open < 0 || middle.length < MANY_FOLDED) return;
    for (const node of middle) node.hidden = true;
    const words = t('thread.older', { count: middle.length });
    const click = () => {
      for (const node of middle) node.hidden = false;
      button.remove();
      middle[0].querySelector('button')?.focus();
    };
    const button = element(
      'button',
      { type: 'button', class: 'older', on: { click } },
      element('span', { class: 'chip' }, icon('chevron-down'), words),
    );
    folded[0].after(button);
  }

  talk.append(...conversation.rows.map(article));
  showChips();
  const last = latestOf(conversation).msgnum;
  const wanted = conversation.rows.filter((row) => row.msgnum === msgnum || row.msgnum === last || !row.seen);
  pane.replaceChildren(threadHead(options), body);
  showThreadBar(options);
  // at once, so that keys go on from here while the text is on its way
  takeFocus(title, { preventScroll: true });
  const opening = wanted.map(({ msgnum: number }) => articles.get(number)?.open(signal));
  foldOlder();
  await articles.get(msgnum)?.open(signal);
  await Promise.allSettled(opening);
  signal.throwIfAborted();
  const asked = articles.get(msgnum)?.node;
  if (asked && msgnum !== first.msgnum) asked.scrollIntoView({ block: 'start' });

  return {
    title: subject,
    thread: {
      update({ added, removed, changed }) {
        for (const { msgnum: number } of removed) {
          articles.get(number)?.node.remove();
          articles.delete(number);
        }
        const fresh = added.filter((row) => conversation.rows.includes(row) && !articles.has(row.msgnum));
        for (const row of fresh.sort((a, b) => a.msgnum - b.msgnum)) {
          const node = article(row);
          const next = conversation.rows.find((each) => each.msgnum > row.msgnum && articles.has(each.msgnum));
          talk.insertBefore(node, next ? (articles.get(next.msgnum)?.node ?? null) : null);
        }
        for (const row of changed) articles.get(row.msgnum)?.markUnread();
        if (fresh.length > 0 || removed.length > 0) showChips();
      },
      end() {},
    },
  };
}
