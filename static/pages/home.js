// The inbox of all rooms: the newest unread messages, by day, each with its room; at the side what is on today.

import { markAllSeen, readMailbox, readNews } from '../api/messages.js';
import { readOnline } from '../api/people.js';
import { element, hiddenText } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageAddress, routeTo } from '../core/router.js';
import { dayName, dayOf, longDay } from '../formats/times.js';
import { messageRow } from '../kinds/common/row.js';
import { iconOf, kindOf } from '../kinds/index.js';
import { isSentRoom, lists, loadRooms, roomNamed, totalUnread, unreadCount } from '../model/room-list.js';
import { user } from '../model/session.js';
import { avatar } from '../ui/avatar.js';
import { icon } from '../ui/icon.js';
import { announce, tellProblem } from '../ui/notices.js';
import { paneHead } from '../ui/pane.js';
import { emptyState, skeleton } from '../ui/states.js';

/** @import { MailboxEntry as Row, RoomListEntry, RoomNews } from '../api/interface.d.ts' */

/** people that are shown */
const FACES = 12;

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const body = element('div', { class: 'pane-body' }, skeleton(6));
  const head = element('div', {});
  const side = element('aside', { class: 'pane', 'data-tone': 'sunken', 'aria-labelledby': 'today-title' });
  const main = element('section', { class: 'pane', 'data-shown': true, 'aria-labelledby': 'inbox-title' }, head, body);
  const isIn = user.get() !== undefined;
  const layout = isIn ? 'aside' : undefined;
  host.replaceChildren(element('div', { class: 'panes', 'data-layout': layout }, main, isIn && side));
  showHead(head, () => show(host, [], signal));
  const unlisten = lists.subscribe(() => showHead(head, () => show(host, [], signal)));
  signal.addEventListener('abort', unlisten);
  if (isIn) showToday(side, signal);
  const news = isIn ? await readNews(signal) : [];
  signal.throwIfAborted();
  showRows(body, news);
}

/** @param {HTMLElement} head @param {() => unknown} again */
function showHead(head, again) {
  const unread = totalUnread();
  const rooms = lists.get().rooms.filter((room) => unreadCount(room) > 0).length;
  const sub = unread > 0 ? t('home.unread', { count: unread, rooms: t('home.rooms', { count: rooms }) }) : '';
  const mark = {
    label: t('list.mark-all'),
    icon: 'check',
    kind: /** @type {const} */ ('quiet'),
    run: () => markAll(again),
  };
  const isIn = user.get() !== undefined;
  const wasTitle = head.querySelector('h1') === document.activeElement;
  head.replaceChildren(
    paneHead({ title: t('page.inbox'), id: 'inbox-title', sub, actions: unread > 0 && isIn ? [mark] : [] }),
  );
  if (wasTitle) head.querySelector('h1')?.focus();
}

/** Everything in every room counts as read. @param {() => unknown} again */
const markAll = (again) =>
  tellProblem(async () => {
    for (const room of lists.get().rooms.filter((each) => unreadCount(each) > 0)) {
      const { msgs } = await readMailbox(room.name, { last: 1 });
      const last = msgs.at(-1);
      if (last) await markAllSeen(room.name, last.msgnum);
    }
    await loadRooms();
    announce(t('list.all-read'));
    await again();
  });

/** @param {HTMLElement} body @param {RoomNews[]} news */
function showRows(body, news) {
  const rows = news
    .filter(({ room }) => isShown(roomNamed(room)))
    .flatMap(({ room, msgs }) => msgs.filter((row) => !row.seen).map((row) => ({ room, row })))
    .sort((a, b) => b.row.time - a.row.time);
  if (rows.length === 0) {
    body.replaceChildren(emptyState({ icon: 'mail-open', text: t('home.empty') }));
    return;
  }
  const days = Map.groupBy(rows, ({ row }) => dayOf(row.time));
  body.replaceChildren(
    ...[...days.values()].flatMap((of) => [
      element('h2', { class: 'day' }, dayName(of[0].row.time)),
      element(
        'ul',
        {},
        of.map(({ room, row }) => rowOf(room, row)),
      ),
    ]),
  );
}

/** Neither what one has sent, nor entries that say when something is. @param {RoomListEntry | undefined} room */
const isShown = (room) => room === undefined || !(isSentRoom(room) || kindOf(room).isDated);

/** @param {string} name @param {Row} row */
function rowOf(name, row) {
  const room = roomNamed(name);
  return messageRow({
    href: routeTo(name, row.msgnum),
    msgnum: row.msgnum,
    who: row.author || row.addr || t('message.nobody'),
    subject: row.subject || t('message.no-subject'),
    snippet: row.snippet,
    time: row.time,
    isUnread: !row.seen,
    hasFiles: Number(row.files) > 0,
    chip: element(
      'span',
      { class: 'chip' },
      icon(room ? iconOf(room) : 'room'),
      hiddenText(`${t('home.in')} `),
      element('bdi', { class: 'clip' }, name),
    ),
  });
}

/** The date, and who is here. @param {HTMLElement} side @param {AbortSignal} signal */
async function showToday(side, signal) {
  const { weekday, date } = longDay(new Date());
  const faces = element('p', { class: 'group', 'data-gap': '2' });
  const here = element(
    'section',
    { class: 'stack', hidden: true },
    element('h3', { class: 'section' }, t('home.here')),
    faces,
  );
  side.replaceChildren(
    element(
      'div',
      { class: 'pane-body' },
      element(
        'div',
        { class: 'today' },
        element(
          'header',
          {},
          element('p', { class: 'muted' }, weekday),
          element('h2', { class: 'title', id: 'today-title' }, date),
        ),
        here,
      ),
    ),
  );
  const people = await readOnline(signal).catch(() => []);
  const names = [...new Set(people.map(({ username }) => username))].filter((name) => name !== user.get()?.username);
  here.hidden = names.length === 0;
  faces.replaceChildren(
    ...names
      .slice(0, FACES)
      .map((name) =>
        element(
          'a',
          { href: pageAddress('people', name), title: name, 'aria-label': name },
          avatar(name, { isOnline: true }),
        ),
      ),
  );
}
