// MEMB tree: removes, moves or copies a folder of a files room with all below it, atomically (protocol section 21.6;
// RFC 4918 sections 9.6.1, 9.8.3 and 9.9.2).

import {
  BACKEND_MOVE_BYTES,
  CARRIED_MARK_BYTES,
  MAX_MEMBER_NAME_BYTES,
  MOVED_MESSAGE_BYTES,
} from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { toInt } from '../../../protocol/fields.ts';
import { isAddressable } from '../../../protocol/member-names.ts';
import type { Steps } from '../../../system/steps.ts';
import { learnMembers } from '../../content/learning.ts';
import { MemberConflict } from '../../content/posting-rules.ts';
import { carryMarks, countReaders } from '../../content/read-marks.ts';
import { readableRoom, requireUser, sessionAccess } from '../../session/access.ts';
import { listing } from '../../session/reply.ts';
import { type Session, withTurns } from '../../session/session.ts';
import {
  dropStage,
  dropTree,
  isStagedTwice,
  openStage,
  renameTree,
  stageSome,
  type Tree,
  type TreeState,
  treeState,
  unstage,
} from '../../store/moving.ts';
import { isFilesRoom, type StoredRoom } from '../../store/records.ts';
import { messageByName, removeFromRoom } from '../../store/references.ts';
import { Refusal } from '../../store/refusal.ts';
import { roomById } from '../../store/rooms.ts';
import type { Store } from '../../store/store.ts';
import {
  FAILED,
  failureRow,
  NotPlaced,
  requireFewEnough,
  requireOverwritable,
  requireRights,
  targetRoom,
} from './placing.ts';

interface Transfer {
  source: StoredRoom;
  from: Tree;
  target: StoredRoom;
  to: Tree;
  isCopy: boolean;
  mayReplace: boolean;
  /** copies the folder itself without its content */
  isShallow: boolean;
}

/**
 * `tree|remove|folder`, `tree|move|folder|room|new folder|1 replace`, `tree|copy|…|1 only itself` → a row: 0, or
 * `failure|number` and nothing was done, as with `place`; -9 it has changed meanwhile. Folders end in a slash; an empty
 * room is the current one. 550, 572.
 */
export function tree(session: Session, fields: readonly string[]): string | Promise<string> {
  const [what, folder = '', roomName = '', newFolder = '', overwrite, shallow] = fields;
  requireUser(session);
  const source = readableRoom(session);
  const from = { room: source.id, folder };
  if (what === 'remove') {
    requireDeletable(session, source);
    return answer(session, [source], () => remove(session, source, from));
  }
  if (what !== 'move' && what !== 'copy') throw new Refusal('illegalValue', 'There is no such question.');
  const target = targetRoom(session, source, roomName);
  const isCopy = what === 'copy';
  requireRights(session, source, target, isCopy);
  const to = { room: target.id, folder: newFolder };
  const transfer = {
    source,
    from,
    target,
    to,
    isCopy,
    mayReplace: toInt(overwrite) !== 0,
    isShallow: isCopy && toInt(shallow) !== 0,
  };
  return answer(session, [source, target], () =>
    source === target && !isCopy ? rename(session, transfer) : copy(session, transfer),
  );
}

function answer(session: Session, rooms: readonly StoredRoom[], run: () => Steps<void>): string | Promise<string> {
  return withTurns(session, answering(session.store, rooms, run));
}

function* answering(store: Store, rooms: readonly StoredRoom[], run: () => Steps<void>): Steps<string> {
  try {
    for (const room of rooms) yield* learnMembers(store, room);
    yield* run();
    return listing('Folder:', '0\n');
  } catch (error) {
    // no reply was sent yet, so a full disk can be reported
    if (error instanceof Refusal) throw error;
    return listing('Folder:', failureRow(error));
  }
}

function* remove(session: Session, room: StoredRoom, from: Tree): Steps<void> {
  const { store } = session;
  requireDeletable(session, room);
  store.transaction(() => {
    requireTree(session, room, from);
    dropTree(store, from);
  });
}

function requireDeletable(session: Session, room: StoredRoom): void {
  const isThere = roomById(session.store, room.id) === room;
  if (!isThere || (sessionAccess(session, room) & ACCESS.delete) === 0) {
    throw new Refusal('higherAccess', 'Higher access required.');
  }
}

/** Throws NotPlaced if there is no such folder, or it is too large. */
function requireTree({ store }: Session, room: StoredRoom, from: Tree): TreeState {
  const isFolder = from.folder.endsWith('/') && isFilesRoom(room);
  if (!isFolder || messageByName(store, room.id, from.folder) === undefined) throw new NotPlaced(FAILED.gone, 0);
  const state = treeState(store, from);
  requireFewEnough(state.members);
  return state;
}

/** Checks that the folder may be put there. Throws NotPlaced, Refusal. */
function requirePlaceable(session: Session, transfer: Transfer): TreeState {
  const { source, from, target, to, isCopy } = transfer;
  requireRights(session, source, target, isCopy);
  const state = requireTree(session, source, from);
  const isFolder = to.folder.endsWith('/') && isFilesRoom(target);
  const nameBytes = state.nameBytes - Buffer.byteLength(from.folder) + Buffer.byteLength(to.folder);
  if (!isFolder || !isAddressable(to.folder, true) || nameBytes > MAX_MEMBER_NAME_BYTES) {
    throw new NotPlaced(FAILED.invalidName, 0);
  }
  const isInside = to.folder.startsWith(from.folder) || from.folder.startsWith(to.folder);
  if (source === target && isInside) throw new MemberConflict('forbidden', 0);
  return state;
}

/** Removes the file or folder at the target. Throws MemberConflict, NotPlaced. Inside a transaction only. */
function clearTarget(session: Session, { to, mayReplace }: Transfer): void {
  const { store } = session;
  const file = messageByName(store, to.room, to.folder.slice(0, -1));
  const { members } = treeState(store, to);
  if (file === undefined && members === 0) return;
  requireOverwritable(session, to.room, file ?? messageByName(store, to.room, to.folder) ?? 0, mayReplace);
  requireFewEnough(members);
  if (file !== undefined) removeFromRoom(store, to.room, [file]);
  if (members > 0) dropTree(store, to);
}

function* rename(session: Session, transfer: Transfer): Steps<void> {
  session.store.transaction(() => {
    requirePlaceable(session, transfer);
    clearTarget(session, transfer);
    renameTree(session.store, transfer.from, transfer.to.folder);
  });
}

/**
 * Makes the copies on a stage, in turns with other sessions, and moves them into the room at once; read marks follow.
 */
function* copy(session: Session, transfer: Transfer): Steps<void> {
  const { store } = session;
  const { source, from, target, to, isCopy, isShallow } = transfer;
  const numbers: [number, number][] = [];
  const before = requirePlaceable(session, transfer);
  const stage = openStage(store);
  try {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const last: string = after;
      after = store.transaction(() => stageSome(store, stage, from, to, last, isShallow, numbers));
      // if the server ends, the next start removes the stage
      if (after !== undefined) yield;
    }
    store.transaction(() => {
      const { members, sequence } = requirePlaceable(session, transfer);
      const isSame = members === before.members && sequence === before.sequence;
      if (!isSame || isStagedTwice(store, stage, to.room)) throw new NotPlaced(FAILED.changed, 0);
      clearTarget(session, transfer);
      unstage(store, stage, from, to, isShallow);
      if (!isCopy) dropTree(store, from);
    });
  } catch (error) {
    dropStage(store, stage);
    throw error;
  }
  const readers = isCopy ? 1 : countReaders(store, source, target);
  const many = Math.ceil(BACKEND_MOVE_BYTES / (MOVED_MESSAGE_BYTES + readers * CARRIED_MARK_BYTES));
  for (let at = 0; at < numbers.length; at += many) {
    yield;
    if ([source, target].some((room) => roomById(store, room.id) !== room)) return;
    const some = numbers.slice(at, at + many);
    store.transaction(() => carryMarks(store, source, target, some, isCopy ? session.user : undefined));
  }
}
