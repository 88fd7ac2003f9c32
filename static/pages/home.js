// The inbox of all rooms: the newest unread messages, by day, each with its room; at the side what is on today.

import { doubtConnection } from '../api/connection.js';
import { readNews } from '../api/messages.js';
import { noConnection } from '../api/request.js';
import { element, hiddenText, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { dayName, dayOf } from '../formats/times.js';
import { iconOf, kindOf } from '../kinds/index.js';
import { markAll } from '../kinds/list/actions.js';
import { messageRow } from '../kinds/list/row.js';
import { isNewsRoom, lists, markOf, roomNamed, roomTitle, totalUnread, unreadCount } from '../model/room-list.js';
import { user } from '../model/session.js';
import { icon } from '../ui/icon.js';
import { errorBox } from '../ui/notices.js';
import { paneHead } from '../ui/pane.js';
import { emptyState, skeleton } from '../ui/states.js';
import { tabs } from '../ui/tabs.js';
import { NEWS_TABS, newsFor } from './home-news.js';

/** @import { MailboxEntry as Row, RoomListEntry, RoomNews } from '../api/interface.d.ts' */
/** @import { PaneAction } from '../ui/pane.js' */
/** @import { NewsTab } from './home-news.js' */

/** news that come one after the other are read together */
const SETTLE_MS = 400;

/** which messages were chosen last @type {NewsTab} */
let chosen = 'all';

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const isIn = user.get() !== undefined;
  const body = element('div', { class: 'pane-body', id: 'news' }, skeleton(6));
  const head = element('div', {});
  const today = element('div', { class: 'pane-body' });
  const attributes = { class: 'pane', 'data-tone': 'sunken', 'aria-label': t('today.title') };
  const side = element('aside', attributes, today);
  const main = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'inbox-title' }, head);
  /** @type {RoomNews[]} */
  let news = [];
  const choices = tabs(
    NEWS_TABS.map((value) => ({ value, label: t(`home.tab.${value}`), selected: value === chosen, panel: 'news' })),
    {
      label: t('home.which'),
      onChange(value) {
        chosen = /** @type {NewsTab} */ (value);
        showRows(body, news);
      },
    },
  );
  if (isIn) body.setAttribute('role', 'tabpanel');
  if (isIn) body.setAttribute('aria-label', t('home.which'));
  main.append(...(isIn ? [choices] : []), body);
  const layout = isIn ? 'aside' : undefined;
  host.replaceChildren(element('div', { class: 'panes', 'data-layout': layout }, main, isIn && side));
  const read = async () => {
    news = await readNews(signal);
    signal.throwIfAborted();
    showRows(body, news);
  };
  showHead(head);
  let marks = marksOfAll();
  let timer = 0;
  const unlisten = lists.subscribe(() => {
    showHead(head);
    const now = marksOfAll();
    if (!isIn || now === marks) return;
    marks = now;
    clearTimeout(timer);
    timer = window.setTimeout(() => read().catch(() => {}), SETTLE_MS);
  });
  signal.addEventListener('abort', () => {
    unlisten();
    clearTimeout(timer);
  });
  if (isIn) await read();
  else showRows(body, []);
  if (isIn) whenThereIsRoom(today, signal);
}

/** What is on today is asked for once it can be seen: not on a phone. @param {HTMLElement} side
 * @param {AbortSignal} signal */
function whenThereIsRoom(side, signal) {
  const fill = async () => {
    try {
      const { fillToday } = await import('./today.js');
      if (!signal.aborted) fillToday(side, signal);
    } catch {
      doubtConnection();
      side.replaceChildren(errorBox(noConnection(), fill));
    }
  };
  const observer = new ResizeObserver(() => {
    if (!side.checkVisibility()) return;
    observer.disconnect();
    fill();
  });
  observer.observe(side);
  signal.addEventListener('abort', () => observer.disconnect());
}

/** What each room has, and how much of it is unread. */
const marksOfAll = () =>
  lists
    .get()
    .rooms.map((room) => `${markOf(room)} ${unreadCount(room)}`)
    .join('\n');

/** @param {HTMLElement} head */
function showHead(head) {
  const unread = totalUnread();
  const fresh = lists.get().rooms.filter((room) => unreadCount(room) > 0);
  const sub = unread > 0 ? t('home.unread', { count: unread, rooms: t('home.rooms', { count: fresh.length }) }) : '';
  /** @type {PaneAction} */
  const mark = {
    label: t('list.mark-all'),
    icon: 'check',
    kind: 'quiet',
    run: () => markAll(fresh.map(({ name }) => name)),
  };
  const isIn = user.get() !== undefined;
  const wasTitle = head.querySelector('h1') === document.activeElement;
  head.replaceChildren(
    paneHead({ title: t('page.inbox'), id: 'inbox-title', sub, actions: unread > 0 && isIn ? [mark] : [] }),
  );
  if (isIn) head.querySelector('.push')?.append(todayLink());
  if (wasTitle) head.querySelector('h1')?.focus();
}

/** For windows that have no room for it at the side. */
const todayLink = () =>
  element(
    'a',
    { class: 'btn-icon only-narrow', href: '#/today', 'aria-label': t('today.title'), title: t('today.title') },
    icon('clock'),
  );

/** @param {HTMLElement} body @param {RoomNews[]} news */
function showRows(body, news) {
  const shown = news.filter(({ room }) => isShown(roomNamed(room)));
  const rows = newsFor(chosen, shown, user.get()?.username ?? '', (name) => Boolean(roomNamed(name)?.is_mailbox));
  if (!user.get()) {
    const logIn = { label: t('log-in.action'), run: () => (location.hash = '#/login') };
    renew(body, [emptyState({ icon: 'lobby', text: t('home.guest'), action: logIn })]);
    return;
  }
  if (rows.length === 0) {
    const isAll = chosen === 'all' || shown.length === 0;
    renew(body, [emptyState({ icon: 'mail-open', text: t(isAll ? 'home.empty' : 'home.empty-here') })]);
    return;
  }
  const days = Map.groupBy(rows, ({ row }) => dayOf(row.time));
  renew(
    body,
    [...days.values()].flatMap((of) => [
      element('h2', { class: 'day' }, dayName(of[0].row.time)),
      element(
        'ul',
        {},
        of.map(({ room, row, more }) => rowOf(room, row, more)),
      ),
    ]),
  );
}

/** Neither what one has sent, nor entries that say when something is. @param {RoomListEntry | undefined} room */
const isShown = (room) => room === undefined || (isNewsRoom(room) && !kindOf(room).isDated);

/** @param {string} name @param {Row} row @param {number} more how many older ones of its room are not shown */
function rowOf(name, row, more) {
  const room = roomNamed(name);
  return messageRow({
    href: routeTo(name, row.msgnum),
    msgnum: row.msgnum,
    who: row.author || row.addr || t('message.nobody'),
    subject: row.subject || t('message.no-subject'),
    snippet: row.snippet || undefined,
    time: row.time,
    isUnread: !row.seen,
    hasFiles: Number(row.files) > 0,
    chip: element(
      'span',
      { class: 'chip' },
      icon(room ? iconOf(room) : 'room'),
      hiddenText(`${t('home.in')} `),
      element('bdi', { class: 'clip' }, roomTitle(name)),
      more > 0 && element('span', { class: 'nums muted', title: t('home.more', { count: more }) }, `+${more}`),
    ),
  });
}
