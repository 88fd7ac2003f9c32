// A blog: entries with their whole text, the newest first; one entry at its own address with the answers below it.

import { element, query } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { actionButton, paneHead } from '../../ui/pane.js';
import { emptyState } from '../../ui/states.js';
import { mayWrite, openForm } from '../compose/compose.js';
import { aboutRoom } from '../list/about.js';
import { deleteMessages } from '../list/actions.js';
import { Conversations, numbersOf } from '../list/conversations.js';
import { parseMessageRoute } from '../list/routes.js';
import { openListMenu } from '../list/talk-menus.js';
import { messageArticle } from '../message/message.js';
import { showInner } from '../message/reading.js';
import { messageActions } from '../message/thread-head.js';
import { blogEntry } from './entry.js';

/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Conversation } from '../list/conversations.js' */
/** @import { MessageRoute } from '../list/routes.js' */
/** @import { Mount } from '../kind.d.ts' */

/** entries at a time */
const STEP = 8;

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const conversations = new Conversations(store.rows, false);
  const pane = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'room-title' });
  host.replaceChildren(pane);
  const about = aboutRoom(store);
  const back = { href: routeTo(store.name), label: store.name };
  let shown = STEP;
  /** @type {MessageRoute} */
  let route = { page: 'list' };
  /** the entry that is open @type {Conversation | undefined} */
  let open;
  /** @type {Map<number, HTMLElement>} by the number of the entry */
  let entries = new Map();

  /** what comes into sight is read, and near the end of the list there is more */
  const inSight = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        if (target === end) more();
        else opens.get(target)?.();
      }
    },
    { root: host, rootMargin: '600px 0px' },
  );
  /** @type {WeakMap<Element, () => void>} */
  const opens = new WeakMap();
  const end = element('div', { class: 'blog-end' });

  /** By their first words, the newest first. */
  const newest = () => conversations.list.toSorted((a, b) => b.rows[0].msgnum - a.rows[0].msgnum);

  async function more() {
    if (shown < conversations.list.length) shown += STEP;
    else if (store.isComplete) return;
    else await store.loadOlder().catch(() => {});
    if (route.page === 'list') showEntries();
  }

  /** @returns {PaneAction[]} */
  function actions() {
    /** @type {PaneAction[]} */
    const write = store.canPost
      ? [{ label: t('blog.new'), icon: 'plus', kind: 'primary', href: routeTo(store.name, 'new') }]
      : [];
    if (store.isGuest) return write;
    const menu = (/** @type {HTMLElement} */ button) => openListMenu(button, store);
    return [...write, { label: t('list.more'), icon: 'more', hasMenu: true, run: menu }];
  }

  /** @param {Conversation} conversation @param {boolean} isAlone */
  function entryOf(conversation, isAlone) {
    const [row] = conversation.rows;
    const known = isAlone ? undefined : entries.get(row.msgnum);
    const made = known ? undefined : blogEntry(store, row, isAlone);
    const node = known ?? /** @type {HTMLElement} */ (made?.node);
    if (made && isAlone) made.open();
    else if (made) {
      opens.set(node, () => {
        inSight.unobserve(node);
        made.open();
      });
      inSight.observe(node);
    }
    const foot = query(node, 'footer');
    const count = conversation.rows.length - 1;
    foot?.replaceChildren(
      ...(isAlone
        ? []
        : [
            element(
              'a',
              { href: routeTo(store.name, row.msgnum) },
              t(count > 0 ? 'blog.answers' : 'blog.permalink', { count }),
            ),
          ]),
      ...(store.canPost
        ? [
            actionButton({
              label: t('blog.answer'),
              icon: 'reply',
              kind: 'quiet',
              href: routeTo(store.name, row.msgnum, 'reply'),
            }),
          ]
        : []),
    );
    return node;
  }

  function showEntries() {
    const list = newest().slice(0, shown);
    const nodes = list.map((each) => entryOf(each, false));
    entries = new Map(list.map((each, i) => [each.rows[0].msgnum, nodes[i]]));
    const write = () => {
      location.hash = routeTo(store.name, 'new');
    };
    const empty = emptyState({
      icon: 'blog',
      text: t(store.canPost ? 'blog.empty' : 'list.empty'),
      ...(store.canPost && { action: { label: t('blog.new'), icon: 'plus', run: write } }),
    });
    const column = query(pane, '.blog');
    const wanted = [...(about ? [about] : []), ...(nodes.length > 0 ? nodes : [empty]), end];
    if (column && wanted.some((node, i) => column.childNodes[i] !== node)) column.replaceChildren(...wanted);
    inSight.unobserve(end);
    inSight.observe(end);
  }

  const subOf = () =>
    store.unread > 0
      ? t('list.unread', { count: store.unread })
      : t('blog.count', { count: conversations.list.length });

  function showList() {
    open = undefined;
    pane.replaceChildren(
      paneHead({ title: store.name, id: 'room-title', sub: subOf(), actions: actions() }),
      element('div', { class: 'pane-body' }, element('div', { class: 'blog article' })),
    );
    context.setBar({ title: store.name, actions: actions().map((each) => ({ ...each, kind: undefined })) });
    showEntries();
  }

  /** @param {Conversation} conversation @param {number} msgnum one of its messages @param {AbortSignal} [signal] */
  async function showEntry(conversation, msgnum, signal) {
    open = conversation;
    const [row, ...answers] = conversation.rows;
    /** @type {PaneAction[]} */
    const own = store.canDelete
      ? [{ label: t('list.delete'), icon: 'trash', run: () => deleteMessages(store, numbersOf(conversation)) }]
      : [];
    const articles = answers.map((each) =>
      messageArticle({
        room: store.name,
        row: each,
        isOpen: true,
        isPost: true,
        actions: (read) => messageActions(store, each, read),
        opened: () => void store.setSeen([each.msgnum], true).catch(() => {}),
      }),
    );
    const scrolled = query(pane, '.pane-body')?.scrollTop ?? 0;
    pane.replaceChildren(
      element(
        'header',
        { class: 'pane-head', 'data-desk': true },
        element(
          'h1',
          { class: 'crumbs', id: 'room-title' },
          element('a', { href: routeTo(store.name) }, element('bdi', {}, store.name)),
        ),
        element('div', { class: 'group push' }, own.map(actionButton)),
      ),
      element(
        'div',
        { class: 'pane-body' },
        element(
          'div',
          { class: 'blog article' },
          entryOf(conversation, true),
          answers.length > 0 && element('h3', { class: 'section' }, t('blog.answers', { count: answers.length })),
          element(
            'ol',
            { class: 'posts' },
            articles.map(({ node }) => element('li', {}, node)),
          ),
        ),
      ),
    );
    context.setBar({ title: store.name, back, actions: own });
    if (!signal) {
      const body = query(pane, '.pane-body');
      if (body) body.scrollTop = scrolled;
      return row.subject;
    }
    if (msgnum !== row.msgnum) query(pane, `[data-msgnum="${msgnum}"]`)?.scrollIntoView({ block: 'start' });
    takeFocus(query(pane, '.title'), { preventScroll: true });
    return row.subject || t('message.no-subject');
  }

  return {
    parseRoute: parseMessageRoute,
    /** @param {MessageRoute} wanted @param {AbortSignal} signal */
    async show(wanted, signal) {
      const before = open?.rows[0]?.msgnum;
      route = wanted;
      if (wanted.page === 'list') {
        showList();
        const entry = before === undefined ? undefined : entries.get(before);
        entry?.scrollIntoView({ block: 'start' });
        takeFocus(entry?.querySelector('a') ?? query(pane, 'h1'), { preventScroll: true });
        return undefined;
      }
      if (wanted.page === 'message' && wanted.part === undefined) {
        while (!conversations.of(wanted.msgnum) && !store.isComplete) await store.loadOlder();
        const conversation = conversations.of(wanted.msgnum);
        if (conversation) return showEntry(conversation, wanted.msgnum, signal);
        location.replace(routeTo(store.name));
        return undefined;
      }
      open = undefined;
      context.setBar({ title: store.name, back, actions: [] });
      if (wanted.page === 'message') return showInner(pane, store.name, wanted.msgnum, wanted.part ?? '', signal);
      if (!mayWrite(wanted, store)) return undefined;
      const { title, actions } = await openForm(pane, store, wanted, signal);
      context.setBar({ title, back, actions });
      pane.prepend(element('h1', { class: 'visually-hidden not-phone', id: 'room-title' }, store.name));
      return title;
    },
    update({ added, removed }) {
      conversations.remove(removed);
      conversations.add(added);
      if (route.page === 'list') {
        const sub = query(pane, '.sub');
        if (sub) sub.textContent = subOf();
        return showEntries();
      }
      if (!open) return;
      if (open.rows.length === 0) return location.replace(routeTo(store.name));
      if (added.some((row) => open?.rows.includes(row)) || removed.length > 0) {
        const conversation = conversations.of(open.rows[0].msgnum);
        if (conversation) showEntry(conversation, open.rows[0].msgnum);
      }
    },
    unmount: () => inSight.disconnect(),
    commands: [
      {
        id: 'back',
        label: t('command.back'),
        group: t('kind.blog'),
        keys: ['u', 'Escape'],
        icon: 'arrow-left',
        run: () => {
          if (route.page === 'list') context.leaveRoom();
          else location.hash = routeTo(store.name);
        },
      },
      {
        id: 'reply',
        label: t('blog.answer'),
        group: t('kind.blog'),
        keys: ['r'],
        icon: 'reply',
        run: () => {
          location.hash = routeTo(store.name, open?.rows[0].msgnum ?? '', 'reply');
        },
        isReady: () => store.canPost && open !== undefined,
      },
      { id: 'next', label: t('blog.older'), group: t('kind.blog'), keys: ['j'], run: () => step(1) },
      { id: 'previous', label: t('blog.newer'), group: t('kind.blog'), keys: ['k'], run: () => step(-1) },
    ],
  };

  /** @param {1 | -1} by in the list, or from entry to entry */
  function step(by) {
    const list = newest();
    const links = [...pane.querySelectorAll('.blog-entry .title a')];
    if (open) {
      const next = list[list.indexOf(open) + by];
      if (next) location.hash = routeTo(store.name, next.rows[0].msgnum);
      return;
    }
    const at = links.indexOf(/** @type {Element} */ (document.activeElement));
    const link = /** @type {HTMLElement | undefined} */ (links[at < 0 ? 0 : at + by]);
    link?.focus();
    link?.scrollIntoView({ block: 'start' });
  }
}
