// A wiki: the start page `home`, every page by its name, its form and its history; all pages and its headings beside
// it.

import { element, query } from '../../core/dom.js';
import { takeFocus } from '../../core/focus.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { WholeTexts } from '../../model/whole-texts.js';
import { openMenu } from '../../ui/menu.js';
import { actionButton } from '../../ui/pane.js';
import { emptyState } from '../../ui/states.js';
import { deleteMessages, markAll } from '../list/actions.js';
import { parseMessageRoute } from '../list/routes.js';
import { showInner, showWaiting } from '../message/reading.js';
import { openPageForm } from './edit.js';
import { showHistory } from './history.js';
import { wikiNav } from './nav.js';
import { isEditable, pageOf, readPageView } from './page.js';
import { waitingArticle, waitingPage } from './waiting.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { ObjectWork } from '../../model/outbox-joining.js' */
/** @import { MessageRoute } from '../list/routes.js' */
/** @import { Mount } from '../kind.d.ts' */

/** where a wiki begins */
const HOME = 'home';

/** @typedef {MessageRoute | { page: 'pages' }} WikiRoute */

/** @type {Mount} */
export function mount(host, context) {
  const { store } = context;
  const nav = wikiNav(store);
  const texts = new WholeTexts(store.name);
  const side = element('nav', { class: 'pane', 'data-tone': 'sunken', 'aria-label': t('wiki.pages') }, nav.node);
  const pane = element('section', { class: 'pane', 'data-shown': true, 'aria-label': t('reading.title') });
  host.replaceChildren(element('div', { class: 'panes', 'data-layout': 'nav' }, side, pane));
  /** the page that is open @type {{ name: string, msgnum: number, message?: Message } | undefined} */
  let open;
  const list = routeTo(store.name, 'pages');
  const back = { href: list, label: t('wiki.pages') };

  /** On a phone one of the two. @param {boolean} isList */
  function turn(isList) {
    side.toggleAttribute('data-shown', isList);
    pane.toggleAttribute('data-shown', !isList);
  }

  /** @returns {PaneAction[]} */
  const roomActions = () =>
    store.isGuest
      ? []
      : [...(store.canPost ? [{ label: t('wiki.new'), icon: 'plus', href: routeTo(store.name, 'new') }] : [])];

  /** @param {HTMLElement} button @param {number} [msgnum] */
  function openMore(button, msgnum) {
    const settings = () => {
      location.hash = routeTo(store.name, 'settings');
    };
    openMenu(button, [
      { label: t('list.mark-all'), icon: 'check', disabled: store.unread === 0, run: () => markAll([store.name]) },
      ...(msgnum !== undefined && store.canDelete
        ? [{ label: t('list.delete'), icon: 'trash', run: () => deleteMessages(store, [msgnum]) }]
        : []),
      { label: t('settings.title'), icon: 'settings', run: settings },
    ]);
  }

  function showList() {
    turn(true);
    nav.setCurrent(undefined);
    context.setBar({ title: store.name, actions: roomActions() });
    const write = () => {
      location.hash = routeTo(store.name, 'new', HOME);
    };
    nav.offer(
      store.canPost && !pageOf(store, HOME) ? { label: t('wiki.write-home'), icon: 'edit', run: write } : undefined,
    );
    const isEmpty = store.rows.length === 0;
    pane.replaceChildren(
      element(
        'header',
        { class: 'pane-head', 'data-desk': true },
        element('h1', { tabindex: -1 }, store.name),
        element('div', { class: 'group push' }, roomActions().map(actionButton)),
      ),
      element(
        'div',
        { class: 'pane-body' },
        emptyState({
          icon: 'wiki',
          text: t(isEmpty ? 'wiki.empty' : 'wiki.choose'),
          ...(store.canPost &&
            !pageOf(store, HOME) && { action: { label: t('wiki.write-home'), icon: 'edit', run: write } }),
        }),
      ),
    );
    takeFocus(query(pane, 'h1'));
    return undefined;
  }

  /** Throws Problem. @param {number} msgnum @param {AbortSignal} signal */
  async function showPage(msgnum, signal) {
    turn(false);
    const waiting = waitingPage(store, store.byNumber.get(msgnum)?.subject);
    if (waiting) return showUnsent(waiting, msgnum);
    showWaiting(pane);
    nav.setCurrent(store.byNumber.get(msgnum)?.subject);
    const { title, message, article } = await readPageView(store, msgnum, { texts, signal }, nav.setHeadings);
    open = { name: title, msgnum, message };
    const history = { label: t('wiki.history'), icon: 'history', href: routeTo(store.name, msgnum, 'history') };
    const edit = { label: t('wiki.edit'), icon: 'edit', href: routeTo(store.name, msgnum, 'edit') };
    const canEdit = store.canPost && isEditable(message);
    const more = {
      label: t('list.more'),
      icon: 'more',
      hasMenu: true,
      run: (/** @type {HTMLElement} */ button) => openMore(button, msgnum),
    };
    /** @type {PaneAction[]} */
    const own = [
      { ...history, kind: 'plain' },
      ...(canEdit ? [{ ...edit, kind: /** @type {const} */ ('primary') }] : []),
    ];
    pane.replaceChildren(
      element(
        'header',
        { class: 'pane-head', 'data-desk': true },
        element('h1', { class: 'crumbs' }, element('a', { href: list }, element('bdi', {}, store.name))),
        element(
          'div',
          { class: 'group push', 'data-gap': '2' },
          [...roomActions(), ...own, ...(store.isGuest ? [] : [more])].map(actionButton),
        ),
      ),
      element('div', { class: 'pane-body' }, article),
    );
    context.setBar({
      title: store.name,
      back,
      actions: [history, ...(canEdit ? [edit] : []), ...(store.isGuest ? [] : [more])],
    });
    takeFocus(query(pane, '#message-title'));
    store.setSeen([msgnum], true).catch(() => {});
    return title;
  }

  /** As it will be. @param {ObjectWork & { text: string }} work @param {number} [msgnum] of the version before */
  function showUnsent(work, msgnum) {
    const { name } = work;
    turn(false);
    nav.setCurrent(name);
    nav.setHeadings([]);
    open = { name, msgnum: msgnum ?? 0 };
    /** @type {PaneAction} */
    const edit = {
      label: t('wiki.edit'),
      icon: 'edit',
      kind: 'primary',
      href: msgnum === undefined ? routeTo(store.name, 'new', name) : routeTo(store.name, msgnum, 'edit'),
    };
    const actions = store.canPost ? [edit] : [];
    pane.replaceChildren(
      element(
        'header',
        { class: 'pane-head', 'data-desk': true },
        element('h1', { class: 'crumbs' }, element('a', { href: list }, element('bdi', {}, store.name))),
        element('div', { class: 'group push', 'data-gap': '2' }, actions.map(actionButton)),
      ),
      element('div', { class: 'pane-body' }, waitingArticle(store, work)),
    );
    context.setBar({ title: store.name, back, actions });
    query(pane, '#message-title')?.focus();
    return name;
  }

  /** On a desk what is no page has its own title below that of the room. */
  const roomTitle = () => element('h1', { class: 'visually-hidden not-phone', tabindex: -1 }, store.name);

  /** @param {Promise<string>} shown */
  async function headed(shown) {
    const title = await shown;
    pane.prepend(roomTitle());
    return title;
  }

  /** Of a wiki all names are known before a page is said to be missing. @param {AbortSignal} signal */
  async function knowAll(signal) {
    while (!store.isComplete) {
      await store.loadOlder();
      signal.throwIfAborted();
    }
  }

  /** What a link names: the page, or that there is none yet. @param {string} name @param {AbortSignal} signal */
  async function showNamed(name, signal) {
    const known = pageOf(store, name);
    const waiting = known ? undefined : waitingPage(store, name);
    if (waiting) return showUnsent(waiting);
    if (!known) await knowAll(signal);
    const page = known ?? pageOf(store, name);
    if (page) return showPage(page.msgnum, signal);
    turn(false);
    nav.setCurrent(undefined);
    context.setBar({ title: store.name, back, actions: [] });
    const title = t('wiki.missing', { name });
    /** @type {PaneAction} */
    const write = { label: t('wiki.write'), icon: 'edit', kind: 'primary', href: routeTo(store.name, 'new', name) };
    pane.replaceChildren(
      roomTitle(),
      element(
        'div',
        { class: 'pane-body' },
        element(
          'div',
          { class: 'article stack' },
          element('h2', { class: 'title', id: 'message-title', tabindex: -1, dir: 'auto' }, title),
          store.canPost
            ? element('p', { class: 'group' }, actionButton(write))
            : element('p', { class: 'muted' }, t('wiki.others-write')),
        ),
      ),
    );
    takeFocus(query(pane, '#message-title'));
    return title;
  }

  return {
    /** @returns {WikiRoute} */
    parseRoute: (rest) => (rest[0] === 'pages' ? { page: 'pages' } : parseMessageRoute(rest)),
    /** @param {WikiRoute} route @param {AbortSignal} signal */
    async show(route, signal) {
      const read = 'msgnum' in route && open?.msgnum === route.msgnum ? open?.message : undefined;
      open = undefined;
      nav.refresh();
      if (!store.isComplete) knowAll(signal).then(nav.refresh, () => {});
      if (route.page === 'pages') return showList();
      if (route.page === 'list') return pageOf(store, HOME) ? showNamed(HOME, signal) : showList();
      if (route.page === 'named') return showNamed(route.name, signal);
      if (route.page === 'message' && route.part === undefined) return showPage(route.msgnum, signal);
      turn(false);
      const here = 'msgnum' in route ? store.byNumber.get(Number(route.msgnum))?.subject : undefined;
      nav.setCurrent(here);
      context.setBar({
        title: store.name,
        back: here ? { href: routeTo(store.name, 'page', here), label: here } : back,
        actions: [],
      });
      if (route.page === 'message') return headed(showInner(pane, store.name, route.msgnum, route.part ?? '', signal));
      if (route.page === 'history') return headed(showHistory(pane, store, route, signal));
      if (route.page !== 'new' && route.page !== 'edit') return showList();
      if (store.isGuest) {
        location.replace('#/login');
        return undefined;
      }
      return headed(openPageForm(pane, store, { ...route, texts, read }, signal));
    },
    update({ added, removed }) {
      nav.refresh();
      if (!open) return;
      const { name, msgnum } = open;
      const next = added.findLast((row) => row.subject === name);
      if (next && next.msgnum !== msgnum) showPage(next.msgnum, new AbortController().signal).catch(() => {});
      else if (removed.some((row) => row.msgnum === msgnum)) location.replace(list);
    },
    unmount() {},
    commands: [
      command('back', ['u', 'Escape'], 'arrow-left', () =>
        location.hash === list ? context.leaveRoom() : (location.hash = list),
      ),
      command(
        'edit-page',
        ['e'],
        'edit',
        () => (location.hash = routeTo(store.name, open?.msgnum ?? '', 'edit')),
        () => Boolean(store.canPost && open?.message && isEditable(open.message)),
      ),
      command(
        'page-history',
        ['h'],
        'history',
        () => (location.hash = routeTo(store.name, open?.msgnum ?? '', 'history')),
        () => open !== undefined,
      ),
      command(
        'new-page',
        ['c'],
        'plus',
        () => (location.hash = routeTo(store.name, 'new')),
        () => store.canPost,
      ),
    ],
  };

  /**
   * @param {string} id @param {string[]} keys @param {string} icon
   * @param {() => unknown} run @param {() => boolean} [isReady]
   */
  function command(id, keys, icon, run, isReady) {
    const labels = {
      back: 'wiki.pages',
      'edit-page': 'wiki.edit-title',
      'page-history': 'wiki.history',
      'new-page': 'wiki.new',
    };
    const label = t(labels[/** @type {keyof typeof labels} */ (id)]);
    return { id, label, group: t('kind.wiki'), keys, icon, run, isReady };
  }
}
