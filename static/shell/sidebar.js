// The rooms at the side, floor by floor: icons by kind, counts of what is unread, folded and narrowed as the reader
// likes. On a phone it is the page of rooms.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { element, hiddenText, query, queryAll, renew } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { signal } from '../core/signal.js';
import { iconOf } from '../kinds/index.js';
import { groupsOf, lists, roomNamed, roomTitle, totalUnread, unreadCount, unreadOf } from '../model/room-list.js';
import { user } from '../model/session.js';
import { icon } from '../ui/icon.js';
import { takeDrops } from './drops.js';

/** @import { RoomListEntry as ListedRoom } from '../api/interface.d.ts' */
/** @import { Group } from '../model/room-list.js' */

const FOLDED = 'folded-floors';
/** more is written as 99+ */
const MOST_COUNTED = 99;

/** what the rooms are narrowed to, as it is typed */
export const filter = signal('');

export function sidebar() {
  const node = element('nav', { class: 'sidebar', id: 'rooms', 'aria-label': t('page.rooms') });
  const folded = new Set(/** @type {string[]} */ (JSON.parse(localStorage.getItem(FOLDED) ?? '[]')));
  /** @type {{ page: string, room?: string }} */
  let current = { page: '' };
  /** a folded floor that stands open for the room that was entered */
  let opened = '';
  const isOpen = (/** @type {string} */ id) => id === opened || !folded.has(id);

  node.addEventListener(
    'toggle',
    (event) => {
      const floor = /** @type {HTMLDetailsElement} */ (event.target);
      if (filter.get() !== '' || floor.open === isOpen(floor.id)) return;
      opened = '';
      if (floor.open) folded.delete(floor.id);
      else folded.add(floor.id);
      localStorage.setItem(FOLDED, JSON.stringify([...folded]));
    },
    true, // it does not bubble
  );

  function show() {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && node.contains(active) ? active.dataset.room : undefined;
    const words = filter.get().trim().toLowerCase();
    const groups = groupsOf({ own: t('rooms.own'), forgotten: t('rooms.forgotten') });
    renew(node, [
      user.get() && writeLink(),
      element('ul', {}, element('li', {}, inboxLink())),
      ...groups.map((group) => floorElement(group, words, isOpen(group.id))),
      user.get() && element('ul', { class: 'elsewhere' }, ELSEWHERE.map(place)),
    ]);
    mark();
    if (focused) query(node, `a[data-room="${CSS.escape(focused)}"]`)?.focus();
  }

  /** The row of the room that is entered is in sight, whatever is folded. */
  function unfold() {
    const room = roomNamed(current.room ?? '')?.name ?? '';
    const floor = query(node, `a[data-room="${CSS.escape(room)}"]`)?.closest('details');
    if (!floor || floor.open) return;
    opened = floor.id;
    floor.open = true;
  }

  function mark() {
    const wanted = current.room?.toLowerCase();
    for (const link of queryAll(node, 'a.nav-item')) {
      const isHere =
        wanted === undefined ? link.dataset.page === current.page : link.dataset.room?.toLowerCase() === wanted;
      if (isHere && !link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'page');
        link.scrollIntoView({ block: 'nearest' });
      } else if (!isHere) link.removeAttribute('aria-current');
    }
  }

  takeDrops(node);
  lists.subscribe(show);
  filter.subscribe(show);
  user.subscribe(show);
  return {
    node,
    /** @param {{ page: string, room?: string }} place */
    setCurrent(place) {
      const isMove = place.room !== current.room;
      current = place;
      if (isMove) unfold();
      mark();
    },
    /** The room, or the first one. @param {string} [name] */
    focusRoom(name = '') {
      const room = roomNamed(name)?.name ?? name;
      (query(node, `a[data-room="${CSS.escape(room)}"]`) ?? query(node, 'a[data-room]'))?.focus();
    },
  };
}

const writeLink = () =>
  element(
    'a',
    { class: 'btn', 'data-kind': 'primary', href: routeTo(OWN_ROOM.mail, 'new'), title: `${t('mail.new')} (c)` },
    icon('edit', { size: 'small' }),
    element('span', { class: 'name' }, t('mail.new')),
  );

function inboxLink() {
  const unread = totalUnread();
  return element(
    'a',
    { class: 'nav-item', href: '#/', title: t('page.inbox'), 'data-page': '', 'data-unread': unread > 0 },
    icon('inbox'),
    element('span', { class: 'name' }, t('page.inbox')),
    badge(unread),
  );
}

/** @type {[page: string, name: string, words: string][]} */
const ELSEWHERE = [
  ['people', 'people', 'page.people'],
  ['new-room', 'plus', 'page.new-room'],
];

/** @param {[page: string, name: string, words: string]} place */
const place = ([page, name, words]) =>
  element(
    'li',
    {},
    element(
      'a',
      { class: 'nav-item', href: `#/${page}`, title: t(words), 'data-page': page },
      icon(name),
      element('span', { class: 'name' }, t(words)),
    ),
  );

/** @param {Group} group @param {string} words @param {boolean} isOpen */
function floorElement({ id, title, plate, rooms }, words, isOpen) {
  const left = rooms.filter(({ name }) => [name, roomTitle(name)].some((each) => each.toLowerCase().includes(words)));
  const unread = rooms.reduce((sum, room) => sum + unreadCount(room), 0);
  return element(
    'details',
    { class: 'floor', id, open: words !== '' || isOpen, hidden: left.length === 0 },
    element(
      'summary',
      {},
      element('span', { class: 'plate', 'aria-hidden': 'true' }, plate),
      element('span', { class: 'name', dir: 'auto' }, title),
      badge(unread, 'quiet'),
      icon('chevron-down', { size: 'small' }),
    ),
    element('ul', { 'aria-label': title }, left.map(roomItem)),
  );
}

/** @param {ListedRoom} room */
function roomItem(room) {
  const unread = unreadOf(room);
  const isNew = Number(unread) > 0 && !room.is_zapped;
  return element(
    'li',
    {},
    element(
      'a',
      {
        class: 'nav-item',
        href: routeTo(room.name),
        'data-room': room.name,
        'data-unread': isNew,
        title: roomTitle(room.name),
      },
      icon(iconOf(room)),
      element('bdi', { class: 'name' }, roomTitle(room.name)),
      room.is_password_protected && icon('lock', { size: 'small', label: t('rooms.password') }),
      isNew && (unread === true ? someNew() : badge(Number(unread), 'quiet')),
    ),
  );
}

/** how many is not known */
const someNew = () => element('span', { class: 'dot' }, hiddenText(t('rooms.new')));

/** @param {number} count @param {string} [tone] */
function badge(count, tone) {
  if (count === 0) return false;
  const shown = count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
  return element('span', { class: 'badge', 'data-tone': tone }, shown, ' ', hiddenText(t('rooms.unread')));
}
