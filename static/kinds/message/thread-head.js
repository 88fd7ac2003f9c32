// The toolbar above the conversation that is open, and the way along the list.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { icon } from '../../ui/icon.js';
import { openMenu } from '../../ui/menu.js';
import { actionButton } from '../../ui/pane.js';
import {
  archive,
  canBeSpam,
  chooseRoom,
  deleteMessages,
  forwardAttached,
  markMessages,
  markSpam,
  targetsOf,
} from '../list/actions.js';
import { latestOf, numbersOf } from '../list/conversations.js';
import { moreOf } from '../list/talk-menus.js';
import { printMessages } from './print.js';
import { showSource } from './source.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */
/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { PaneAction } from '../../ui/pane.js' */
/** @import { ThreadOptions } from '../list/talk.js' */

/** What can be done with the whole conversation. @param {ThreadOptions} options @returns {PaneAction[]} */
export function threadActions({ context: { store }, conversation, msgnum }) {
  if (store.isGuest) return [];
  const all = () => numbersOf(conversation);
  const unread = async () => {
    await markMessages(store, [msgnum], false);
    location.hash = routeTo(store.name);
  };
  const mark = { label: t('list.mark-unread'), icon: 'mail', run: unread };
  if (!store.canDelete) return [mark];
  const keep = { label: t('list.archive'), icon: 'archive', keys: 'e', run: () => archive(store, all()) };
  const spam = { label: t('list.spam'), icon: 'flag', keys: '!', run: () => markSpam(store, all()) };
  const move = { label: t('list.move'), icon: 'folder', keys: 'v', run: () => chooseRoom(store, all()) };
  return [
    ...(store.info.is_mailbox ? [keep] : []),
    { label: t('list.delete'), icon: 'trash', keys: '#', run: () => deleteMessages(store, all()) },
    ...(canBeSpam(store) ? [spam] : []),
    mark,
    ...(targetsOf(store).length > 0 ? [move] : []),
  ];
}

/** @param {ThreadOptions} options @param {Node[]} [first] before everything else */
export function threadHead(options, first = []) {
  const { context, place, neighbour } = options;
  const { store } = context;
  /** @type {(label: string, name: string, to: 1 | -1) => HTMLElement | false} */
  const step = (label, name, to) => {
    const next = neighbour(to);
    return next !== undefined && actionButton({ label, icon: name, href: routeTo(store.name, latestOf(next).msgnum) });
  };
  return element(
    'header',
    { class: 'pane-head', 'data-desk': true },
    first,
    element(
      'div',
      { class: 'group', role: 'toolbar', 'aria-label': t('thread.toolbar') },
      threadActions(options).map(actionButton),
    ),
    element(
      'div',
      { class: 'group push' },
      place.of > 0 && element('span', { class: 'sub nums' }, t('thread.place', { at: place.at + 1, of: place.of })),
      step(t('thread.previous'), 'chevron-left', -1),
      step(t('thread.next'), 'chevron-right', 1),
    ),
  );
}

/** The top bar of a phone. @param {ThreadOptions} options */
export function showThreadBar(options) {
  const { context } = options;
  const { store } = context;
  const all = threadActions(options);
  const first = all.filter(({ icon: name }) => name === 'trash' || name === 'mail');
  const actions = [...first, ...moreOf(all.filter((each) => !first.includes(each)))];
  context.setBar({ title: store.name, back: { href: routeTo(store.name), label: store.name }, actions });
}

/**
 * What can be done with one message: answer, and a menu of the rest.
 * @param {RoomStore} store @param {Row} row @param {() => Message | undefined} read @returns {PaneAction[]}
 */
export function messageActions(store, { msgnum }, read) {
  const reply = { label: t('message.reply-to-this'), icon: 'reply', href: routeTo(store.name, msgnum, 'reply') };
  const more = (/** @type {HTMLElement} */ button) => openMenu(button, messageItems(store, msgnum, read()));
  return [...(store.canPost ? [reply] : []), { label: t('message.more'), icon: 'more', hasMenu: true, run: more }];
}

/** @param {RoomStore} store @param {number} msgnum @param {Message | undefined} message */
function messageItems(store, msgnum, message) {
  const go = (/** @type {string} */ how) => () => {
    location.hash = routeTo(store.name, msgnum, how);
  };
  const source = { label: t('message.source'), icon: 'code', run: () => showSource(store, msgnum) };
  const print = { label: t('message.print'), icon: 'file', run: () => printMessages(store, [msgnum]) };
  if (store.isGuest) return [source, print];
  const replyAll = { label: t('message.reply-all'), icon: 'reply-all', keys: 'a', run: go('reply-all') };
  const replyList = { label: t('compose.reply-list'), icon: 'list', run: go('reply-list') };
  const take = [
    { label: t('list.move'), icon: 'folder', run: () => chooseRoom(store, [msgnum]) },
    { label: t('message.delete'), icon: 'trash', run: () => deleteMessages(store, [msgnum]) },
    ...(canBeSpam(store) ? [{ label: t('list.spam'), icon: 'flag', run: () => markSpam(store, [msgnum]) }] : []),
  ];
  return [
    ...(store.canPost && store.info.is_mailbox && hasOthers(message) ? [replyAll] : []),
    ...(store.canPost && store.info.is_mailbox && message?.list_post ? [replyList] : []),
    { label: t('message.forward'), icon: 'forward', keys: 'f', run: go('forward') },
    { label: t('message.attach', { count: 1 }), icon: 'paperclip', run: () => forwardAttached(store, [msgnum]) },
    { label: t('list.mark-unread'), icon: 'mail', run: () => markMessages(store, [msgnum], false) },
    ...(store.canDelete ? take : []),
    { separator: true },
    source,
    print,
  ];
}

/** @param {Message} [message] */
export const hasOthers = ({ rcpt = [], cccc = [] } = /** @type {Message} */ ({})) => rcpt.length + cccc.length > 1;

/**
 * A label with an icon that says what kind of thing it is.
 * @param {string} text
 * @param {string} [name]
 * @param {string} [tone]
 */
export const chip = (text, name, tone) =>
  element('span', { class: 'chip', 'data-tone': tone }, name && icon(name), element('bdi', {}, text));
