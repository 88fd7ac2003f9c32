// A topic: all that was said, threaded or by date. What is not in sight yet is fetched when it comes there.

import { element } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { avatar } from '../../ui/avatar.js';
import { icon } from '../../ui/icon.js';
import { actionButton } from '../../ui/pane.js';
import { segmented } from '../../ui/tabs.js';
import { iconOf } from '../index.js';
import { latestOf } from '../list/conversations.js';
import { messageArticle } from '../message/message.js';
import { chip, messageActions, showThreadBar, threadHead } from '../message/thread-head.js';
import { answersOf } from './tree.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { Article } from '../message/message.js' */
/** @import { Thread, ThreadOptions } from '../list/talk.js' */

const ORDER = 'topic-order';
/** deeper answers stand below each other */
const MAX_DEPTH = 3;

/**
 * Shows it; what comes into sight is marked as read. Throws Problem.
 * @param {ThreadOptions} options
 * @returns {Promise<{ title: string, thread: Thread }>}
 */
export async function showTopic(options) {
  const { pane, context, conversation, msgnum, signal } = options;
  const { store } = context;
  /** @type {Map<number, Article>} */
  let articles = new Map();
  // it may be emptied while its text is on the way
  const first = conversation.rows[0];
  const subject = first.subject || t('message.no-subject');
  const chips = element('p', { class: 'group' });
  const title = element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, subject);
  const posts = element('ol', { class: 'posts' });
  const answer = element('div', { class: 'answer card', hidden: store.isGuest });
  const body = element(
    'div',
    { class: 'pane-body' },
    element('div', { class: 'reading' }, element('header', { class: 'stack' }, title, chips), posts, answer),
  );
  const inSight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        inSight.unobserve(target);
        const number = Number(/** @type {HTMLElement} */ (target).dataset.msgnum);
        articles
          .get(number)
          ?.open()
          .catch(() => {});
      }
    },
    { root: body, rootMargin: '400px 0px' },
  );

  /** @param {Row} row */
  function post(row) {
    const made = messageArticle({
      room: store.name,
      row,
      isOpen: false,
      isPost: true,
      actions: (read) => messageActions(store, row, read),
      opened: () => void store.setOpened(row.msgnum).catch(() => {}),
    });
    made.markUnread();
    articles.set(row.msgnum, made);
    inSight.observe(made.node);
    return made.node;
  }

  function showAll() {
    inSight.disconnect();
    articles = new Map();
    const isByDate = localStorage.getItem(ORDER) === 'date';
    const { roots, answers } = answersOf(conversation.rows, isByDate);
    /** @type {(row: Row, depth: number) => HTMLElement[]} */
    const items = (row, depth) => {
      const below = (answers.get(row) ?? []).flatMap((each) => items(each, depth + 1));
      const node = post(row);
      if (depth >= MAX_DEPTH) return [element('li', {}, node), ...below];
      return [element('li', {}, node, below.length > 0 && element('ol', { class: 'replies' }, below))];
    };
    posts.replaceChildren(...roots.flatMap((row) => items(row, 0)));
    showChips();
    showAnswer();
  }

  function showChips() {
    const unread = conversation.rows.filter((row) => !row.seen).length;
    chips.replaceChildren(
      chip(store.name, iconOf(store.info)),
      chip(t('board.posts', { count: conversation.rows.length })),
      ...(unread > 0 ? [chip(t('board.new-posts', { count: unread }), undefined, 'accent')] : []),
    );
  }

  function showAnswer() {
    const latest = latestOf(conversation);
    if (!latest) return;
    const words = t('thread.reply-to', { name: first.author || first.addr });
    /** @type {(how: string, name: string, label: string, kind?: string) => HTMLElement} */
    const link = (how, name, label, kind) =>
      element(
        'a',
        { class: 'btn', 'data-kind': kind, href: routeTo(store.name, msgnum, how) },
        icon(name, { size: 'small' }),
        label,
      );
    answer.replaceChildren(
      avatar(context.username),
      ...(store.canPost
        ? [
            element(
              'a',
              { class: 'grow plain muted', href: routeTo(store.name, msgnum, 'reply'), tabindex: -1 },
              words,
            ),
            link('reply', 'reply', t('message.reply')),
          ]
        : [element('span', { class: 'grow' })]),
      link('forward', 'forward', t('message.forward'), 'quiet'),
    );
  }

  /** The next post that is new, below the one that was looked at last. */
  function nextNew() {
    const unread = conversation.rows.find((row) => !row.seen);
    const node = unread && articles.get(unread.msgnum)?.node;
    node?.scrollIntoView({ block: 'start' });
  }

  const isByDate = localStorage.getItem(ORDER) === 'date';
  const order = segmented(
    [
      { label: t('board.threaded'), value: 'thread', selected: !isByDate },
      { label: t('board.by-date'), value: 'date', selected: isByDate },
    ],
    {
      label: t('list.order'),
      onChange: (value) => {
        localStorage.setItem(ORDER, value);
        showAll();
      },
    },
  );
  const before =
    conversation.rows.length > 1
      ? [order, actionButton({ label: t('board.next-new'), icon: 'chevron-down', run: nextNew })]
      : [];
  pane.replaceChildren(threadHead(options, before), body);
  showThreadBar(options);
  // at once, so that keys go on from here while the text is on its way
  takeFocus(title, { preventScroll: true });
  showAll();
  await articles.get(msgnum)?.open(signal);
  signal.throwIfAborted();
  if (msgnum !== first.msgnum) articles.get(msgnum)?.node.scrollIntoView({ block: 'start' });
  // what was opened is read by now
  showChips();

  return {
    title: subject,
    thread: {
      update({ added, removed, changed }) {
        for (const row of changed) articles.get(row.msgnum)?.markUnread();
        const isHere = added.some((row) => conversation.rows.includes(row));
        if (isHere || removed.some((row) => articles.has(row.msgnum))) showAll();
        else if (changed.length > 0) showChips();
      },
      end: () => inSight.disconnect(),
    },
  };
}
