// Changing and deleting a room, and forgetting one that one does not want to see.

import {
  deleteRoom,
  readBanner,
  readRoomPicture,
  renameRoom,
  setForgotten,
  writeBanner,
  writeRoomPicture,
} from '../api/rooms.js';
import { element } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { fromHere, routeTo } from '../core/router.js';
import { draftAt } from '../model/drafts.js';
import { loadRooms, mayHavePicture, roomNamed, roomTitle } from '../model/room-list.js';
import { user } from '../model/session.js';
import { field, line, lines, pageSection, savingForm } from '../ui/form.js';
import { announce, confirm, tellProblem } from '../ui/notices.js';
import { pagePane } from '../ui/pane.js';
import { pictureField } from '../ui/pictures.js';
import { sharedText } from '../ui/shared-text.js';
import { feedSection } from './room-feed.js';
import { membersSection } from './room-members.js';
import { rulesSection } from './room-rules.js';

/** @import { RoomStore } from '../model/room-store.js' */

/** Throws Problem. @param {HTMLElement} host @param {RoomStore} store @param {AbortSignal} signal */
export async function showSettings(host, store, signal) {
  const { name, info, banner } = store;
  const isAdmin = info.is_room_aide;
  if (!roomNamed(name)) await loadRooms(); // it has another name since they were read
  const picture = isAdmin && mayHavePicture(name) ? await readRoomPicture(name, signal) : undefined;
  signal.throwIfAborted();
  const words = { alt: t('room.picture', { name }), changed: t('picture.changed'), removed: t('picture.removed') };
  const back = { label: roomTitle(name), icon: 'arrow-left', href: routeTo(name) };
  host.replaceChildren(
    pagePane(
      { title: t('settings.title'), sub: roomTitle(name), actions: [back] },
      isAdmin && administration(store, banner),
      isAdmin && !info.is_mailbox && membersSection(name, user.get()?.username),
      isAdmin && !info.is_mailbox && rulesSection(store),
      isAdmin &&
        pageSection(
          t('settings.picture'),
          pictureField(picture, words, async (changed) => {
            await writeRoomPicture(name, changed);
            await loadRooms();
          }),
        ),
      user.get() && feedSection(name),
      !info.is_mailbox && forgetting(name, info.is_zapped),
      isAdmin && deletion(store),
    ),
  );
}

/** @param {RoomStore} store @param {string} banner */
function administration(store, banner) {
  const { name } = store;
  const title = line('room-name', name, { required: true, dir: 'auto' });
  const about = lines('room-banner', banner, { rows: '6' });
  const fields = [field(t('settings.name'), title), field(t('room.about'), about)];
  const draft = draftAt(name, 'settings');
  const text = sharedText(about, banner, draft, {
    read: () => readBanner(name),
    write: (written) => writeBanner(name, written),
  });
  const save = async () => {
    const go = fromHere();
    await text.save();
    store.banner = about.value;
    const wanted = title.value.trim();
    const kept = wanted === name ? name : await renameRoom(name, wanted);
    store.info.name = kept;
    await loadRooms();
    go(routeTo(kept));
    announce(t('ui.saved'));
  };
  return savingForm(t('ui.save'), fields, save, { draft, value: text.value });
}

/** @param {RoomStore} store */
function deletion({ name, total: count }) {
  const remove = async () => {
    if (!(await confirm(t('settings.delete-question', { count }), t('settings.delete')))) return;
    await leave(() => deleteRoom(name), t('settings.deleted'));
  };
  return element(
    'p',
    { class: 'group' },
    element(
      'button',
      { type: 'button', class: 'btn', 'data-kind': 'danger', on: { click: remove } },
      t('settings.delete'),
    ),
  );
}

/** @param {string} name @param {boolean} isForgotten */
function forgetting(name, isForgotten) {
  const click = () =>
    leave(() => setForgotten(name, !isForgotten), t(isForgotten ? 'settings.is-back' : 'settings.is-forgotten'));
  return element(
    'p',
    { class: 'group', 'data-gap': '2' },
    element(
      'button',
      { type: 'button', class: 'btn', on: { click } },
      t(isForgotten ? 'settings.have-back' : 'settings.forget'),
    ),
    !isForgotten && element('span', { class: 'muted small' }, t('settings.forget-hint')),
  );
}

/** @param {() => Promise<unknown>} act @param {string} words */
const leave = (act, words) =>
  tellProblem(async () => {
    const go = fromHere();
    await act();
    await loadRooms();
    go('#/');
    announce(words);
  });
