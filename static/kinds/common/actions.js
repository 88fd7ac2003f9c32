// What can be done with messages of a room: delete, move, mark. What takes messages away is shown at once and can be
// undone for a while.

import { VIEW } from '../../../src/model.ts';
import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { changeMessages } from '../../api/messages.js';
import { messageOf } from '../../api/request.js';
import { makeRoom } from '../../api/rooms.js';
import { t } from '../../core/i18n.js';
import { orLater } from '../../model/outbox.js';
import { UNDO_SECONDS } from '../../model/pending.js';
import { isSentRoom, loadRooms, roomNamed, roomsFor, roomTitle } from '../../model/room-list.js';
import { announce, confirm, tellProblem } from '../../ui/notices.js';
import { openPicker } from '../../ui/picker.js';
import { showToast } from '../../ui/toast.js';
import { areAlike, iconOf } from '../index.js';

/** @import { Change } from '../../api/messages.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** Where what is deleted in one's own rooms goes; undefined where it is gone. @param {RoomStore} store */
function trashOf({ info }) {
  const trash = roomNamed(OWN_ROOM.trash);
  return info.is_mailbox && !info.is_trash_folder && trash && trash.name !== info.name ? trash.name : undefined;
}

/**
 * To the trash, or for good where there is no way back: then it asks first.
 * @param {RoomStore} store @param {number[]} numbers
 */
export async function deleteMessages(store, numbers) {
  const trash = trashOf(store);
  const { length: count } = numbers;
  if (trash !== undefined) return moveTo(store, numbers, trash, t('list.deleted', { count }));
  const isTrash = store.info.is_mailbox;
  if (isTrash && !(await confirm(t('list.delete-for-good', { count }), t('list.delete')))) return;
  takeAway(store, numbers, [store.name], t('list.deleted', { count }), { delete: true });
}

/** To a room that is chosen by its name. @param {RoomStore} store @param {number[]} numbers */
export async function chooseRoom(store, numbers) {
  const target = await openPicker({
    title: t('list.move-to', { count: numbers.length }),
    placeholder: t('list.room-name'),
    choices: targetsOf(store).map((room) => ({ label: roomTitle(room.name), icon: iconOf(room), value: room.name })),
  });
  if (target === undefined) return;
  moveMessages(store, numbers, target);
}

/** @param {RoomStore} store @param {number[]} numbers @param {string} target */
export function moveMessages(store, numbers, target) {
  moveTo(store, numbers, target, t('list.moved', { count: numbers.length, room: roomTitle(target) }));
}

/**
 * Whether there is spam here: what others have sent to oneself, and is not thrown away already.
 * @param {RoomStore} store
 */
export const canBeSpam = (store) => store.canDelete && trashOf(store) !== undefined && !isSentRoom(store.info);

/** Out of sight, and into the trash. @param {RoomStore} store @param {number[]} numbers */
export function markSpam(store, numbers) {
  const trash = trashOf(store);
  if (trash !== undefined) moveTo(store, numbers, trash, t('list.spam-moved', { count: numbers.length }));
}

/** @param {RoomStore} store */
export const targetsOf = ({ info }) => roomsFor(info, (room) => areAlike(room, info));

/**
 * To one's own room for what is done with, which is made where there is none.
 * @param {RoomStore} store
 * @param {number[]} numbers
 */
export async function archive(store, numbers) {
  await tellProblem(async () => {
    if (!roomNamed(OWN_ROOM.archive)) {
      await makeRoom({ name: OWN_ROOM.archive, kind: 'personal', view: VIEW.mailbox, floor: store.info.floor });
      await loadRooms();
    }
    moveTo(store, numbers, OWN_ROOM.archive, t('list.archived', { count: numbers.length }));
  });
}

/** @param {RoomStore} store @param {number[]} numbers @param {string} target @param {string} words */
function moveTo(store, numbers, target, words) {
  takeAway(store, numbers, [store.name, target], words, { move_to: target });
}

/**
 * @param {RoomStore} store
 * @param {number[]} numbers
 * @param {string[]} rooms whose lists it changes
 * @param {string} words
 * @param {Change} change
 */
function takeAway(store, numbers, rooms, words, change) {
  const send = async (/** @type {boolean} */ keepalive) => {
    const { name: room, isTalk: isMany } = store;
    await orLater(
      () => ({ kind: 'change', room, msgnums: numbers, change, isMany, title: words }),
      () => changeMessages(room, numbers, change, { isMany, keepalive }),
      room,
    );
    if (!keepalive) loadRooms().catch(() => {});
  };
  const pending = store.remove(numbers, {
    rooms,
    send,
    over: () => toast.close(),
    refused: (problem) => announce(t('list.refused', { reason: messageOf(problem) })),
  });
  const toast = showToast(words, {
    action: { label: t('ui.undo'), run: () => pending.undo() },
    seconds: UNDO_SECONDS,
  });
}

/** @param {RoomStore} store @param {number[]} numbers @param {boolean} seen */
export const markMessages = (store, numbers, seen) => tellProblem(() => store.setSeen(numbers, seen));

/** @param {RoomStore} store */
export const markAll = (store) =>
  tellProblem(async () => {
    await store.setAllSeen();
    announce(t('list.all-read'));
  });
