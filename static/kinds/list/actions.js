// What can be done with messages of a room: delete, move, mark. What takes messages away is shown at once and can be
// undone for a while.

import { VIEW } from '../../../src/model.ts';
import { OWN_ROOM } from '../../../src/protocol/room-facts.ts';
import { changeMessages, readUnread } from '../../api/messages.js';
import { isConnectionProblem, messageOf, Problem } from '../../api/request.js';
import { makeRoom } from '../../api/rooms.js';
import { t } from '../../core/i18n.js';
import { routeTo } from '../../core/router.js';
import { setMarks } from '../../model/marks.js';
import { orLater } from '../../model/outbox.js';
import { isSentRoom, loadRooms, roomNamed, roomOfRole, roomsFor, roomTitle } from '../../model/room-list.js';
import { openStoreOf } from '../../model/room-store.js';
import { announce, BULK_UNDO_SECONDS, confirm, offerBack, offerUndo, tellProblem } from '../../ui/notices.js';
import { openPicker } from '../../ui/picker.js';
import { areAlike, iconOf } from '../index.js';

/** @import { Change } from '../../api/messages.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** characters of a subject that say which message is meant */
const MOST_SUBJECT = 80;
/** so many messages of one room are marked without a question */
const MOST_UNASKED = 50;

/** @typedef {{ room: string, msgnums: number[] }} Unread */

/** Where what is deleted in one's own rooms goes; undefined where it is gone. @param {RoomStore} store */
function trashOf({ info }) {
  const trash = roomOfRole('trash');
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
  takeAway(store, numbers, [], t('list.deleted', { count }), { delete: true });
}

/** As files of a new message. @param {RoomStore} store @param {number[]} numbers */
export function forwardAttached(store, numbers) {
  location.hash = routeTo(store.name, 'attach', numbers.join(','));
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
    if (!roomOfRole('archive')) {
      if (roomNamed(OWN_ROOM.archive)) return announce(t('list.archive-shared', { room: OWN_ROOM.archive }));
      await makeRoom({ name: OWN_ROOM.archive, kind: 'personal', view: VIEW.mailbox, floor: store.info.floor });
      await loadRooms();
    }
    moveTo(store, numbers, OWN_ROOM.archive, t('list.archived', { count: numbers.length }));
  });
}

/** @param {RoomStore} store @param {number[]} numbers @param {string} target @param {string} words */
function moveTo(store, numbers, target, words) {
  takeAway(store, numbers, [target], words, { move_to: target });
}

/**
 * @param {RoomStore} store
 * @param {number[]} numbers
 * @param {string[]} rooms in which it shows once it is sent
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
  const refused = (/** @type {unknown} */ problem) => announce(t('list.refused', { reason: messageOf(problem) }));
  // several of these may stand below each other
  const subject = (numbers.length === 1 && store.byNumber.get(numbers[0])?.subject) || '';
  const said = subject === '' ? words : `${words} – ${subject.slice(0, MOST_SUBJECT)}`;
  offerUndo(said, (over) => store.remove(numbers, { rooms, send, over, refused }));
}

/** @param {RoomStore} store @param {number[]} numbers @param {boolean} seen */
export const markMessages = (store, numbers, seen) =>
  tellProblem(async () => {
    const changed = await store.setSeen(numbers, seen);
    if (changed.length > 1) offerMarks(seen, [{ room: store.name, msgnums: changed }]);
  });

/**
 * What is unread in these rooms counts as read from now on, and can be taken back exactly; what comes meanwhile stays
 * unread. Asks first where that is much.
 * @param {string[]} rooms
 */
export const markAll = (rooms) =>
  tellProblem(async () => {
    const unread = await unreadIn(rooms);
    const count = countOf(unread);
    const where = unread.length === 1 ? roomTitle(unread[0].room) : t('home.rooms', { count: unread.length });
    const isMuch = unread.length > 1 || count > MOST_UNASKED;
    const question = t('list.mark-question', { count, rooms: where });
    if (isMuch && !(await confirm(question, t('list.mark-read'), 'primary'))) return;
    if (count === 0) return announce(t('list.all-read'));
    const done = [];
    try {
      for (const each of unread) {
        await setSeenIn(each, true);
        done.push(each);
      }
    } catch (problem) {
      // a part of them may be marked
      await setMarks({ ...unread[done.length], seen: false }).catch(() => {});
      throw problem;
    } finally {
      if (done.length > 0) offerMarks(true, done);
      loadRooms().catch(() => {});
    }
  });

/** @param {boolean} seen @param {Unread[]} marked */
function offerMarks(seen, marked) {
  const back = async () => {
    for (const each of marked) await setSeenIn(each, !seen);
    loadRooms().catch(() => {});
  };
  const words = t(seen ? 'list.marked-read' : 'list.marked-unread', { count: countOf(marked) });
  offerBack(words, back, BULK_UNDO_SECONDS);
}

/** @param {Unread[]} rooms */
const countOf = (rooms) => rooms.reduce((sum, { msgnums }) => sum + msgnums.length, 0);

/** Throws Problem. @param {Unread} messages @param {boolean} seen */
const setSeenIn = ({ room, msgnums }, seen) =>
  openStoreOf(room)?.setSeen(msgnums, seen) ?? setMarks({ room, msgnums, seen });

/** Those that have some; what the reader may not enter has none. Throws Problem. @param {string[]} rooms */
async function unreadIn(rooms) {
  const all = await Promise.all(rooms.map(async (room) => ({ room, msgnums: await unreadOf(room) })));
  return all.filter(({ msgnums }) => msgnums.length > 0);
}

/** Throws Problem. @param {string} room */
async function unreadOf(room) {
  try {
    return await readUnread(room);
  } catch (problem) {
    const store = openStoreOf(room);
    if (store && isConnectionProblem(problem))
      return store.rows.filter(({ seen }) => !seen).map(({ msgnum }) => msgnum);
    if (problem instanceof Problem && (problem.status === 403 || problem.status === 404)) return [];
    throw problem;
  }
}
