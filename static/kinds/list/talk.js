// Rooms of messages that answer each other: conversations in a list, the one that is open beside it, and writing.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { isDraftsRoom, roomTitle } from '../../model/room-list.js';
import { mayWrite, openForm } from '../compose/compose.js';
import { kindOf } from '../index.js';
import { showInner, showNothing } from '../message/reading.js';
import { commandsOf } from './commands.js';
import { Conversations, latestOf, numbersOf } from './conversations.js';
import { listPane } from './list-pane.js';
import { twoPanes } from './panes.js';
import { parseMessageRoute } from './routes.js';
import {
  dragOf,
  listChoices,
  openListMenu,
  openOrderMenu,
  orderItems,
  phoneActions,
  selectionActions,
  swipeActions,
} from './talk-menus.js';

/** @import { Delta } from '../../model/room-store.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Context, View } from '../kind.d.ts' */
/** @import { Conversation } from './conversations.js' */
/** @import { MessageRoute } from './routes.js' */

/**
 * What shows the conversation that is open.
 * @typedef {object} Thread
 * @property {(delta: Delta) => void} update
 * @property {() => void} end
 */

/**
 * `place` is where it stands in the list, from 0.
 * @typedef {object} ThreadOptions
 * @property {HTMLElement} pane
 * @property {Context} context
 * @property {Conversation} conversation
 * @property {number} msgnum the message that was asked for
 * @property {{ at: number, of: number }} place
 * @property {(step: 1 | -1) => Conversation | undefined} neighbour
 * @property {AbortSignal} signal
 */

/**
 * How the kinds of talk differ.
 * @typedef {object} Style
 * @property {boolean} isFlat unless the reader wants it otherwise
 * @property {boolean} isNewestFirst
 * @property {string} [write] what a new message is called, where the button is in the list
 * @property {string} empty
 * @property {(conversation: Conversation, marks: { isSelected?: boolean, isCurrent: boolean }) => HTMLElement} row
 * @property {(options: ThreadOptions) => Promise<{ title: string, thread: Thread }>} showThread throws Problem
 */

/** @param {HTMLElement} host @param {Context} context @param {Style} style @returns {View<MessageRoute>} */
export function mountTalk(host, context, style) {
  const { store, looks = [] } = context;
  const choices = listChoices(store, style);
  const panes = twoPanes(host, { list: 'room-title', detail: t('reading.title') });
  let conversations = new Conversations(store.rows, choices.isFlat());
  let isNewestFirst = choices.isNewestFirst();
  /** @type {Thread | undefined} */
  let thread;
  /** the conversation that is open @type {Conversation | undefined} */
  let current;
  /** @type {MessageRoute} */
  let route = { page: 'list' };

  /** place among the conversations → in the list, and the other way round @param {number} index */
  const turn = (index) => (isNewestFirst ? conversations.list.length - 1 - index : index);
  const placeOf = (/** @type {Conversation} */ item) => {
    const at = conversations.indexOf(item);
    return at < 0 ? -1 : turn(at);
  };
  const list = listPane(panes.list, {
    store,
    count: () => conversations.list.length,
    at: (index) => conversations.list[turn(index)],
    indexOf: placeOf,
    row: (item, { isSelected }) =>
      style.row(item, { isCurrent: item === current, isSelected: store.isGuest ? undefined : isSelected }),
    sub: () => (store.unread > 0 ? t('list.unread', { count: store.unread }) : t('list.count', { count: store.total })),
    actions: headActions,
    selectedActions: store.isGuest ? undefined : (items) => selectionActions(store, items, () => list.clear()),
    swipe: (item) => swipeActions(store, item),
    drag: (items) => dragOf(store, items, () => list.selected().length > 0 && list.clear()),
    changed: showBar,
    isNewestFirst: () => isNewestFirst,
    empty: {
      icon: kindOf(store.info).icon,
      text: style.empty,
      // nobody writes into the trash
      ...(store.canPost &&
        !store.info.is_trash_folder && {
          action: { label: style.write ?? t('mail.new'), run: () => (location.hash = routeTo(store.name, 'new')) },
        }),
    },
  });

  /** @returns {PaneAction[]} */
  function headActions() {
    const reorder = () => {
      const was = choices.isFlat() === conversations.isFlat;
      if (!was) conversations = new Conversations(store.rows, choices.isFlat());
      isNewestFirst = choices.isNewestFirst();
      current = 'msgnum' in route ? conversations.of(route.msgnum) : undefined;
      list.refresh();
    };
    /** @type {PaneAction[]} */
    const write =
      style.write && store.canPost
        ? [{ label: style.write, icon: 'plus', href: routeTo(store.name, 'new'), kind: 'plain' }]
        : [];
    const order = {
      label: t('list.order'),
      icon: 'sort',
      hasMenu: true,
      run: (/** @type {HTMLElement} */ button) => openOrderMenu(button, choices, reorder),
    };
    if (store.isGuest) return [...looks, order];
    const more = {
      label: t('list.more'),
      icon: 'more',
      hasMenu: true,
      run: (/** @type {HTMLElement} */ button) =>
        openListMenu(button, store, list.selectAll, style.write ? orderItems(choices, reorder) : []),
    };
    const select = { label: t('list.select'), icon: 'check-circle', run: selectOne };
    return style.write ? [...write, ...looks, more] : [select, order, more];
  }

  function selectOne() {
    const item = current ?? list.stop();
    if (item) list.toggle(item, false);
  }

  /** The top bar of a phone says what the head of the list says. */
  function showBar() {
    if (route.page !== 'list' || !list) return;
    const items = list.selected();
    const actions =
      items.length > 0 ? phoneActions(selectionActions(store, items, list.clear), list.clear) : headActions();
    const title = items.length > 0 ? t('list.selected', { count: items.length }) : roomTitle(store.name);
    context.setBar({ title, actions: actions.map((action) => ({ ...action, kind: undefined })) });
  }

  /** What is selected, what is open, or the row that the keyboard is at. */
  function targets() {
    const items = list.selected();
    const item = route.page === 'message' ? current : list.stop();
    return (items.length > 0 ? items : item ? [item] : []).flatMap(numbersOf);
  }

  /** @param {1 | -1} step in the order of the list */
  function neighbour(step) {
    const at = current ? placeOf(current) : -1;
    return at < 0 ? undefined : conversations.list[turn(at + step)];
  }

  /** @param {Conversation | undefined} conversation */
  function setCurrent(conversation) {
    current = conversation;
    list.refresh();
    if (conversation) list.reveal(conversation);
  }

  /**
   * Where it stands may be beyond what was read of the room: opened by a link or by a search.
   * @param {number} msgnum
   * @param {AbortSignal} signal
   */
  async function find(msgnum, signal) {
    while (!store.isComplete && msgnum < (store.rows[0]?.msgnum ?? 0)) {
      await store.loadOlder();
      signal.throwIfAborted();
    }
    return conversations.of(msgnum);
  }

  /** Throws Problem. @param {number} msgnum @param {AbortSignal} signal */
  async function showMessage(msgnum, signal) {
    const conversation = await find(msgnum, signal);
    setCurrent(conversation);
    const shown = conversation ?? { rows: [await unlisted(msgnum, signal)], ids: new Set() };
    const place = { at: conversation ? placeOf(conversation) : 0, of: conversations.list.length };
    const { title, thread: opened } = await style.showThread({
      pane: panes.detail,
      context,
      conversation: shown,
      msgnum,
      place,
      neighbour,
      signal,
    });
    thread = opened;
    return title;
  }

  /** Throws Problem. @param {MessageRoute} wanted @param {AbortSignal} signal */
  async function write(wanted, signal) {
    if (!mayWrite(wanted, store)) return undefined;
    const { msgnum } = wanted;
    setCurrent(msgnum === undefined ? undefined : await find(msgnum, signal));
    const { title, actions } = await openForm(panes.detail, store, wanted, signal);
    context.setBar({ title, back: { href: routeTo(store.name), label: store.name }, actions });
    return title;
  }

  return {
    parseRoute: parseMessageRoute,
    async show(wanted, signal) {
      const before = route;
      route = wanted;
      panes.turn(route.page !== 'list');
      thread?.end();
      thread = undefined;
      if (route.page === 'list') {
        setCurrent(undefined);
        showNothing(panes.detail, 'mail-open');
        showBar();
        list.focus('msgnum' in before ? (conversations.of(before.msgnum) ?? list.stop()) : undefined);
        return undefined;
      }
      if (route.page !== 'message') return write(route, signal);
      if (isDraftsRoom(store.info)) return write({ page: 'edit', msgnum: route.msgnum }, signal);
      if (route.part === undefined) return showMessage(route.msgnum, signal);
      context.setBar({ title: store.name, back: { href: routeTo(store.name), label: store.name }, actions: [] });
      return showInner(panes.detail, store.name, route.msgnum, route.part, signal);
    },
    update(delta) {
      const next = neighbour(1) ?? neighbour(-1);
      conversations.remove(delta.removed);
      conversations.add(delta.added);
      list.refresh();
      thread?.update(delta);
      if (route.page === 'message' && current?.rows.length === 0) goOn(next);
    },
    unmount() {
      thread?.end();
      list.end();
    },
    commands: commandsOf({
      context,
      list,
      targets,
      outer: () => ('part' in route && route.part !== undefined ? route.msgnum : undefined),
      current: () => (route.page === 'message' && current ? route.msgnum : undefined),
      neighbour: (step) => {
        const next = neighbour(step);
        return next && latestOf(next).msgnum;
      },
    }),
  };

  /** What was open has gone. @param {Conversation | undefined} next */
  function goOn(next) {
    location.replace(routeTo(store.name));
    if (next) requestAnimationFrame(() => list.focus(next));
  }

  /**
   * A message that the list does not have: its row is made of itself.
   * @param {number} msgnum
   * @param {AbortSignal} signal
   */
  async function unlisted(msgnum, signal) {
    const { readMessage } = await import('../../api/messages.js');
    const message = await readMessage(store.name, msgnum, { signal });
    return {
      msgnum,
      time: message.time,
      author: message.from ?? '',
      addr: message.rfca ?? '',
      subject: message.subj ?? '',
      msgidhash: 0,
      references: [],
      seen: message.seen,
    };
  }
}
