// The rooms of the house for administrators: floor by floor, what each holds, who may enter, how much is in it, and the
// way to its settings. One's own rooms are nobody else's affair.

import { element, refill } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { routeTo } from '../core/router.js';
import { iconOf, kindOf } from '../kinds/index.js';
import { allFloors, lists, loadRooms } from '../model/room-list.js';
import { icon } from '../ui/icon.js';
import { actionButton } from '../ui/pane.js';
import { entryTo } from './room-rules.js';
import { settingsPage } from './settings-frame.js';

/** @import { RoomListEntry } from '../api/interface.d.ts' */

/** rows shown at a time: there may be thousands */
const SHOWN = 200;
const COLUMNS = 5;

/** Throws Problem. @param {HTMLElement} host @param {string[]} _args @param {AbortSignal} signal */
export async function show(host, _args, signal) {
  const finder = element('input', { type: 'search', id: 'room-finder', placeholder: t('all-rooms.find') });
  const table = element('table', { class: 'table house-rooms', 'aria-label': t('page.all-rooms') });
  const count = element('p', { class: 'muted small', role: 'status' });
  function showList() {
    const words = finder.value.trim().toLowerCase();
    const found = lists.get().rooms.filter(({ is_mailbox, name }) => !is_mailbox && name.toLowerCase().includes(words));
    const floors = allFloors();
    const inOrder = floors.flatMap(({ num }) => found.filter(({ floor }) => floor === num));
    const byFloor = Map.groupBy(inOrder.slice(0, SHOWN), ({ floor }) => floor);
    const bodies = floors.flatMap(({ num, name }) => {
      const rooms = byFloor.get(num);
      return rooms ? [floorBody(name, rooms)] : [];
    });
    refill(table, found.length > 0 ? [tableHead(), ...bodies] : [], finder);
    const left = found.length - SHOWN;
    count.textContent = left > 0 ? t('users.more', { count: left }) : t('floors.rooms', { count: found.length });
    if (found.length === 0) count.textContent = t('all-rooms.none');
  }
  finder.addEventListener('input', showList);
  await loadRooms();
  signal.throwIfAborted();
  showList();
  signal.addEventListener('abort', lists.subscribe(showList));
  host.replaceChildren(
    settingsPage(
      'all-rooms',
      { title: t('page.all-rooms') },
      element(
        'label',
        { class: 'quick-add' },
        icon('search', { size: 'small' }),
        element('span', { class: 'visually-hidden' }, t('all-rooms.find')),
        finder,
      ),
      table,
      count,
    ),
  );
}

const tableHead = () =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      element('th', { scope: 'col' }, t('settings.name')),
      element('th', { scope: 'col', 'data-wide': true }, t('new-room.holds')),
      element('th', { scope: 'col', 'data-wide': true }, t('new-room.who')),
      element('th', { scope: 'col', 'data-num': true }, t('all-rooms.entries')),
      element('th', { scope: 'col' }, element('span', { class: 'visually-hidden' }, t('settings.title'))),
    ),
  );

/** @param {string} name @param {RoomListEntry[]} rooms */
const floorBody = (name, rooms) =>
  element(
    'tbody',
    {},
    element('tr', {}, element('th', { scope: 'rowgroup', colspan: COLUMNS }, element('bdi', {}, name))),
    rooms.map(roomRow),
  );

/** @param {RoomListEntry} room */
function roomRow(room) {
  const { name, total, is_room_aide: isAide } = room;
  const settings = {
    label: t('all-rooms.settings', { name }),
    icon: 'settings',
    href: routeTo(name, 'settings'),
  };
  return element(
    'tr',
    {},
    element(
      'td',
      { class: 'main-cell' },
      element(
        'span',
        { class: 'line' },
        icon(iconOf(room), { size: 'small' }),
        element('a', { class: 'plain', href: routeTo(name) }, element('bdi', {}, name)),
      ),
    ),
    element('td', { class: 'soft', 'data-wide': true }, t(kindOf(room).label)),
    element('td', { class: 'soft', 'data-wide': true }, t(`new-room.${entryTo(room)}`)),
    element('td', { class: 'soft nums', 'data-num': true }, total === undefined ? '' : String(total)),
    element('td', { 'data-num': true }, isAide && actionButton(settings)),
  );
}
