// Rooms whose members go by their names: a list of them, and the one that is open beside it.

import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { roomTitle } from '../../model/room-list.js';
import { openMenu } from '../../ui/menu.js';
import { kindOf } from '../index.js';
import { showInner, showNothing } from '../message/reading.js';
import { chooseRoom, deleteMessages, markAll, targetsOf } from './actions.js';
import { commandsOf } from './commands.js';
import { listPane } from './list-pane.js';
import { twoPanes } from './panes.js';
import { parseMessageRoute } from './routes.js';
import { messageRow } from './row.js';
import { SortedRows } from './sorted-rows.js';

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { Context, View } from '../kind.d.ts' */
/** @import { MessageRoute } from './routes.js' */

/**
 * `showOther` shows what is neither the list nor a member and answers its title, undefined for what there is not.
 * @typedef {object} MembersStyle
 * @property {(a: Row, b: Row) => number} compare
 * @property {string} [write] what a new one is called, where it can be written here
 * @property {HTMLElement} [foot] below the list
 * @property {(pane: HTMLElement, row: Row, signal: AbortSignal, actions: PaneAction[]) => Promise<string>} showMember
 * @property {(pane: HTMLElement, route: MessageRoute, signal: AbortSignal) => Promise<string> | undefined} [showOther]
 */

/** @param {HTMLElement} host @param {Context} context @param {MembersStyle} style @returns {View<MessageRoute>} */
export function mountMembers(host, context, style) {
  const { store } = context;
  const kind = kindOf(store.info);
  const panes = twoPanes(host, { list: 'room-title', detail: t('reading.title') });
  const members = new SortedRows(store.rows, style.compare);
  /** @type {Row | undefined} */
  let current;
  /** @type {MessageRoute} */
  let route = { page: 'list' };
  const list = listPane(panes.list, {
    store,
    count: () => members.rows.length,
    at: (index) => members.rows[index],
    indexOf: members.indexOf,
    row: (row) =>
      messageRow({
        href: routeTo(store.name, row.msgnum),
        msgnum: row.msgnum,
        isTopic: true,
        who: row.author || row.addr,
        face: row.subject,
        subject: row.subject || t('message.no-subject'),
        time: row.time,
        isUnread: !row.seen,
        isCurrent: row === current,
      }),
    sub: () => t(store.unread > 0 ? 'list.unread' : 'list.entries', { count: store.unread || store.total }),
    actions: headActions,
    changed: showBar,
    isNewestFirst: () => false,
    empty: { icon: kind.icon, text: t('list.empty') },
    foot: style.foot,
  });

  /** @returns {PaneAction[]} */
  function headActions() {
    /** @type {PaneAction[]} */
    const write =
      style.write && store.canPost
        ? [{ label: style.write, icon: 'plus', href: routeTo(store.name, 'new'), kind: 'plain' }]
        : [];
    if (store.isGuest) return write;
    const settings = () => {
      location.hash = routeTo(store.name, 'settings');
    };
    const more = (/** @type {HTMLElement} */ button) =>
      openMenu(button, [
        { label: t('list.mark-all'), icon: 'check', disabled: store.unread === 0, run: () => markAll([store.name]) },
        ...(store.info.is_mailbox && !store.info.is_room_aide
          ? []
          : [{ label: t('settings.title'), icon: 'settings', run: settings }]),
      ]);
    return [...write, { label: t('list.more'), icon: 'more', hasMenu: true, run: more }];
  }

  function showBar() {
    if (route.page !== 'list' || !list) return;
    context.setBar({
      title: roomTitle(store.name),
      actions: headActions().map((action) => ({ ...action, kind: undefined })),
    });
  }

  /** @param {Row} row @returns {PaneAction[]} */
  const memberActions = (row) =>
    store.canDelete
      ? [
          { label: t('list.delete'), icon: 'trash', run: () => deleteMessages(store, [row.msgnum]) },
          ...(targetsOf(store).length > 0
            ? [{ label: t('list.move'), icon: 'folder', run: () => chooseRoom(store, [row.msgnum]) }]
            : []),
        ]
      : [];

  /** @param {Row | undefined} row */
  function setCurrent(row) {
    current = row;
    list.refresh();
    if (row) list.reveal(row);
  }

  // in another order than that of their arrival all of them are needed
  loadAll(store).catch(() => {});

  return {
    parseRoute: parseMessageRoute,
    async show(wanted, signal) {
      const before = route;
      route = wanted;
      panes.turn(route.page !== 'list');
      setCurrent('msgnum' in route ? store.byNumber.get(route.msgnum) : undefined);
      if (route.page === 'list') {
        showNothing(panes.detail, kind.icon);
        showBar();
        list.focus('msgnum' in before ? (store.byNumber.get(before.msgnum) ?? list.stop()) : undefined);
        return undefined;
      }
      const back = { href: routeTo(store.name), label: store.name };
      context.setBar({ title: roomTitle(store.name), back, actions: current ? memberActions(current) : [] });
      if (route.page === 'message' && route.part !== undefined)
        return showInner(panes.detail, store.name, route.msgnum, route.part, signal);
      if (route.page === 'message') {
        const { msgnum } = route;
        while (!store.byNumber.has(msgnum) && !store.isComplete) await store.loadOlder();
        const row = store.byNumber.get(msgnum);
        setCurrent(row);
        const title = await style.showMember(
          panes.detail,
          row ?? unknown(msgnum),
          signal,
          row ? memberActions(row) : [],
        );
        store.setSeen([msgnum], true).catch(() => {});
        return title;
      }
      const shown = style.showOther?.(panes.detail, route, signal);
      if (!shown) location.replace(routeTo(store.name));
      return shown;
    },
    update(delta) {
      const wasHere = current;
      members.update(delta);
      if (wasHere && delta.removed.includes(wasHere)) {
        current = undefined;
        if (route.page === 'message') location.replace(routeTo(store.name));
      }
      list.refresh();
    },
    unmount: list.end,
    commands: commandsOf({
      context,
      list,
      targets: () => (current ? [current.msgnum] : []),
      current: () => undefined,
      neighbour: (step) => current && members.rows[members.indexOf(current) + step]?.msgnum,
    }).filter(({ id }) => !['reply', 'reply-all', 'forward', 'archive'].includes(id)),
  };
}

/** Throws Problem. @param {RoomStore} store */
async function loadAll(store) {
  while (!store.isComplete) await store.loadOlder();
}

/** One that the list does not have: asking for it tells why. @param {number} msgnum @returns {Row} */
const unknown = (msgnum) => ({
  msgnum,
  time: 0,
  author: '',
  addr: '',
  subject: '',
  msgidhash: 0,
  references: [],
  seen: true,
});
