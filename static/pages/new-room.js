// Making a room: its name, who may enter, what it holds, on which floor.

import { VIEW } from '../../src/model.ts';
import { makeRoom, readRoom } from '../api/rooms.js';
import { t } from '../core/i18n.js';
import { fromHere, routeTo } from '../core/router.js';
import { allFloors, loadRooms } from '../model/room-list.js';
import { choice, field, line, savingForm } from '../ui/form.js';
import { announce } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';

/** who may enter */
export const WHO = ['public', 'guessname', 'password', 'invitation', 'personal'];
/** views, by what they are called @type {[number, string][]} */
export const HOLDS = [
  [VIEW.board, 'messages'],
  [VIEW.mailbox, 'mail'],
  [VIEW.addressBook, 'contacts'],
  [VIEW.calendar, 'calendar'],
  [VIEW.tasks, 'tasks'],
  [VIEW.notes, 'notes'],
  [VIEW.wiki, 'wiki'],
  [VIEW.blog, 'blog'],
  [VIEW.files, 'files'],
];

/** @param {HTMLElement} host */
export function show(host) {
  const name = line('room-name', '', { required: true, dir: 'auto' });
  const kind = choice(
    'room-kind',
    WHO.map((each) => [each, t(`new-room.${each}`)]),
    'public',
  );
  const password = line('room-password', '', { dir: 'auto', 'data-secret': true });
  const passwordField = field(t('new-room.its-password'), password);
  const showPassword = () => {
    passwordField.hidden = kind.value !== 'password';
    password.required = !passwordField.hidden;
  };
  kind.addEventListener('change', showPassword);
  showPassword();
  const view = choice(
    'room-view',
    HOLDS.map(([number, each]) => [number, t(`holds.${each}`)]),
    VIEW.board,
  );
  const floors = allFloors();
  const floor = choice(
    'room-floor',
    floors.map((each) => [each.num, each.name]),
    floors[0]?.num,
  );
  const fields = [
    field(t('settings.name'), name),
    field(t('new-room.who'), kind),
    passwordField,
    field(t('new-room.holds'), view),
    field(t('new-room.floor'), floor),
  ];
  const form = savingForm(t('new-room.make'), fields, async () => {
    const go = fromHere();
    const room = await makeRoom({
      name: name.value.trim(),
      kind: kind.value,
      view: Number(view.value),
      floor: Number(floor.value),
      ...(kind.value === 'password' && { password: password.value }),
    });
    await loadRooms();
    // of one's own room nobody is invited to
    const isAdmin = kind.value === 'personal' || (await readRoom(room)).is_room_aide;
    // who may enter only by an invitation has to get one
    go(isAdmin && kind.value === 'invitation' ? routeTo(room, 'settings') : routeTo(room));
    announce(t(isAdmin ? 'new-room.made' : 'new-room.made-for-others'));
  });
  host.replaceChildren(pagePane({ title: t('page.new-room') }, form));
}
