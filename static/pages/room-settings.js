// Making rooms, changing and deleting them, forgetting those that one does not want to see.

import { getJson, messageOf, request, sendJson } from '../api/request.js';
import { byId, element, present } from '../core/dom.js';
import { apiPath, fromHere, roomAt, routeTo } from '../core/router.js';
import { closeRoom, showAnew } from '../kinds/mail/room.js';
import { allFloors, loadRooms } from '../shell/rooms.js';
import { choice, field, line, pageHeader, savingForm } from '../ui/form.js';
import { announce, confirm } from '../ui/notices.js';
import { pictureAt, pictureField } from '../ui/pictures.js';
import { membersSection } from './room-members.js';

/** @import { WhoAmI } from '../api/interface.d.ts' */
/** @import { OpenRoom } from '../kinds/mail/room.js' */

/** @type {[string, string][]} */
const WHO = [
  ['public', 'Everybody'],
  ['guessname', 'Those who know its name'],
  ['password', 'Those who know its password'],
  ['invitation', 'Those who are invited'],
  ['personal', 'Only you'],
];
/** @type {[string, string][]} */
const HOLDS = [
  ['0', 'Messages'],
  ['2', 'Contacts'],
  ['3', 'A calendar'],
  ['4', 'Tasks'],
  ['5', 'Notes'],
  ['6', 'A wiki'],
  ['10', 'A blog'],
  ['12', 'Files'],
];

/** of one's own room nobody is invited to */
const OWN = { is_room_aide: true };
const PICTURE = { alt: 'Picture of the room', changed: 'The picture is changed.', removed: 'The picture is gone.' };

export function showNewRoom() {
  const name = line('room-name', '', { required: true, dir: 'auto' });
  const kind = choice('room-kind', WHO, 'public');
  const password = line('room-password', '', { dir: 'auto' });
  const passwordField = field('Its password', password);
  const showPassword = () => {
    passwordField.hidden = kind.value !== 'password';
    password.required = !passwordField.hidden;
  };
  kind.addEventListener('change', showPassword);
  showPassword();
  const view = choice('room-view', HOLDS, '0');
  const floors = allFloors();
  const floor = choice(
    'room-floor',
    floors.map((each) => [each.num, each.name]),
    floors[0]?.num,
  );
  const fields = [
    field('Name', name),
    field('Who may enter', kind),
    passwordField,
    field('What it holds', view),
    field('Floor', floor),
  ];
  const form = savingForm('Make the room', fields, async () => {
    const go = fromHere();
    const made = await sendJson('../r/', 'POST', {
      name: name.value.trim(),
      kind: kind.value,
      view: Number(view.value),
      floor: Number(floor.value),
      ...(kind.value === 'password' && { password: password.value }),
    });
    await loadRooms();
    const room = roomAt(made.headers.get('Location') ?? '');
    go(routeTo(room));
    const { is_room_aide: isAdmin } = kind.value === 'personal' ? OWN : await getJson(apiPath(room, ''));
    announce(
      isAdmin ? 'The room is there.' : 'The room is there. Administrators look after it: they invite and change.',
    );
  });
  byId('room').replaceChildren(pageHeader('New room'), element('div', { class: 'page' }, form));
}

/**
 * In the pane beside the list.
 * @param {OpenRoom} room
 * @param {WhoAmI | undefined} user
 * @param {AbortSignal} signal
 */
export async function showSettings(room, user, signal) {
  const { name, info, banner } = room;
  const isAdmin = info.is_room_aide;
  const picture = isAdmin ? await pictureAt(apiPath(name, 'roompic'), PICTURE.alt, signal) : undefined;
  signal.throwIfAborted();
  byId('detail').replaceChildren(
    element(
      'p',
      { class: 'actions toolbar' },
      element('a', { class: 'back outer', href: routeTo(name) }, element('bdi', {}, name)),
    ),
    element('h3', { id: 'message-title', tabindex: '-1' }, 'Room settings'),
    ...present([
      isAdmin && administration(name, banner),
      isAdmin && pictureSection(room, picture),
      isAdmin && !info.is_mailbox && membersSection(name, user?.username),
      isAdmin && deletion(name),
      !info.is_mailbox && forgetting(name, info.is_zapped),
    ]),
  );
}

/** @param {string} name @param {string} banner */
function administration(name, banner) {
  const title = line('room-name', name, { required: true, dir: 'auto' });
  const about = element('textarea', { id: 'room-banner', rows: '6', dir: 'auto' });
  about.value = banner;
  const form = savingForm('Save', [field('Name', title), field('About this room', about)], async () => {
    const go = fromHere();
    const text = about.value.trim();
    if (text !== banner.trim()) {
      await request(
        apiPath(name, 'info.txt'),
        text === '' ? { method: 'DELETE' } : { method: 'PUT', body: `${text}\n` },
      );
    }
    let kept = name;
    if (title.value.trim() !== name) {
      const renamed = await sendJson(apiPath(name, ''), 'PATCH', { name: title.value.trim() });
      kept = roomAt(renamed.headers.get('Location') ?? '');
    }
    await loadRooms();
    // read anew, unless the reader is in another one by now
    if (go(routeTo(kept))) closeRoom();
    announce('Saved.');
  });
  return form;
}

/** @param {OpenRoom} room @param {HTMLImageElement} [picture] */
function pictureSection(room, picture) {
  const hear = (/** @type {HTMLImageElement | undefined} */ changed) => {
    room.picture = changed;
    showAnew();
  };
  return element(
    'section',
    { class: 'page-section settings-end', 'aria-label': 'Picture' },
    element('h4', {}, 'Picture'),
    ...pictureField(apiPath(room.name, 'roompic'), picture, PICTURE, hear),
  );
}

/** @param {string} name */
function deletion(name) {
  const remove = async () => {
    if (!(await confirm('Delete this room with everything in it? It cannot be brought back.', 'Delete the room')))
      return;
    await leave(() => request(apiPath(name, ''), { method: 'DELETE' }), 'The room is deleted.');
  };
  const button = element('button', { type: 'button', class: 'danger', on: { click: remove } }, 'Delete the room');
  return element('p', { class: 'actions settings-end' }, button);
}

/** @param {string} name @param {boolean} isForgotten */
function forgetting(name, isForgotten) {
  const click = () =>
    leave(
      () => sendJson(apiPath(name, ''), 'PATCH', { is_zapped: !isForgotten }),
      isForgotten ? 'The room is back among the others.' : 'The room is among the forgotten ones now.',
    );
  return element(
    'p',
    { class: 'actions settings-end' },
    element('button', { type: 'button', on: { click } }, isForgotten ? 'Have this room back' : 'Forget this room'),
    !isForgotten && element('span', { class: 'hint' }, 'It tells you of nothing new then, until you want it back.'),
  );
}

/** @param {() => Promise<unknown>} act @param {string} words */
async function leave(act, words) {
  try {
    const go = fromHere();
    await act();
    await loadRooms();
    go('#/');
    announce(words);
  } catch (problem) {
    announce(messageOf(problem));
  }
}
