// MEMB place: renames members, or copies or moves them to new names, all or none (protocol section 21.6).

import {
  MAX_MEMBER_NAME_BYTES,
  MAX_PLACED_BYTES,
  MAX_PLACED_MEMBERS,
  MAX_TREE_MEMBERS,
} from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { isMemberName } from '../../../protocol/member-names.ts';
import type { Steps } from '../../../system/steps.ts';
import { learnMembers } from '../../content/learning.ts';
import { MemberConflict } from '../../content/posting-rules.ts';
import { carryMarks } from '../../content/read-marks.ts';
import { commitScheduling, deliverNow } from '../../content/scheduling.ts';
import { knows, mayMove, readableRoom, requireUser, sessionAccess } from '../../session/access.ts';
import { answerText, LISTING_END, type TextReply } from '../../session/reply.ts';
import { type Session, withTurns } from '../../session/session.ts';
import { bodyBytes } from '../../store/messages.ts';
import {
  conflictsAt,
  copyMember,
  dropTree,
  moveMember,
  type Placement,
  renameMember,
  type Tree,
  treeState,
} from '../../store/moving.ts';
import { hasMemberNames, isFilesRoom, type StoredRoom } from '../../store/records.ts';
import { euidIn, isInRoom, messageByName, nameInRoom, nameThere } from '../../store/references.ts';
import { Refusal } from '../../store/refusal.ts';
import { findRoom, roomById } from '../../store/rooms.ts';

/** Numbers of failures in the reply, in addition to those of ENT0. */
export const FAILED = { invalidName: -3, tooMuch: -4, gone: -8, changed: -9 } as const;

const MAX_TEXT_BYTES = MAX_PLACED_MEMBERS * (MAX_MEMBER_NAME_BYTES + 20);

/** The reason why nothing was done: a negative number, and the member concerned, or 0. */
export class NotPlaced extends Error {
  readonly failure: number;
  readonly msgnum: number;

  constructor(failure: number, msgnum: number) {
    super(`not placed: ${failure}`);
    this.failure = failure;
    this.msgnum = msgnum;
  }
}

/**
 * `place|1 copy, 0 move|room|1 replace, 0 do not` → 800; lines `number|new name` (empty: its own) come, of the room
 * that the session is in; the room is the target, empty: the same one. Then rows `number|number there`, or one row
 * `failure|number`: that of a Refusal, -3 no name, -4 too many, -5 something has the name, -6 another member has the
 * UID, -7 it may not be deleted, -8 not there. 550, 572.
 */
export function place(session: Session, [copy, roomName = '', overwrite]: readonly string[]): TextReply {
  requireUser(session);
  const source = readableRoom(session);
  const target = targetRoom(session, source, roomName);
  const isCopy = toInt(copy) !== 0;
  requireRights(session, source, target, isCopy);
  const work = function* (text: string | undefined): Steps<string> {
    try {
      for (const room of [source, target]) yield* learnMembers(session.store, room);
      requireRights(session, source, target, isCopy);
      const placements = placementsIn(text, source, target);
      const mayReplace = toInt(overwrite) !== 0;
      const numbers = session.store.transaction(() => placeAll(session, placements, isCopy, mayReplace));
      deliverNow(session);
      return `${placements.map(({ msgnum }, i) => `${msgnum}|${numbers[i]}\n`).join('')}${LISTING_END}`;
    } catch (error) {
      return `${failureRow(error)}${LISTING_END}`;
    }
  };
  return answerText('send members', MAX_TEXT_BYTES, (text) => withTurns(session, work(text)));
}

/** The room with this name; empty: the current one. Throws Refusal 572 if the user does not know it. */
export function targetRoom(session: Session, source: StoredRoom, roomName: string): StoredRoom {
  const target = roomName === '' ? source : findRoom(session.store, session.user, roomName);
  if (!target || !knows(session, target)) throw new Refusal('noSuchRoom', `'${roomName}' does not exist.`);
  return target;
}

/** The row `failure|number` for an error that means that nothing was done; throws other errors. */
export function failureRow(error: unknown): string {
  if (error instanceof MemberConflict || error instanceof NotPlaced) return `${error.failure}|${error.msgnum}\n`;
  if (error instanceof Refusal) return `${error.failure}|0\n`;
  throw error;
}

/** Checks that the rooms exist, and the rights of the user. Throws Refusal 550, 572. */
export function requireRights(session: Session, source: StoredRoom, target: StoredRoom, isCopy: boolean): void {
  const { store } = session;
  for (const room of [source, target]) {
    if (roomById(store, room.id) !== room) throw new Refusal('noSuchRoom', 'The room was deleted meanwhile.');
  }
  readableRoom(session);
  const access = sessionAccess(session, source);
  const needed = isCopy ? ACCESS.post : ACCESS.post | ACCESS.delete;
  const isAllowed = source === target ? (access & needed) === needed : mayMove(session, source, target, isCopy);
  if (!isAllowed) throw new Refusal('higherAccess', 'Higher access required.');
}

function placementsIn(text: string | undefined, source: StoredRoom, target: StoredRoom): Placement[] {
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  if (text === undefined || lines.length > MAX_PLACED_MEMBERS) throw new NotPlaced(FAILED.tooMuch, 0);
  return lines.map((line) => {
    const [number, name = ''] = splitFields(line);
    const msgnum = toInt(number);
    if (name !== '' && !isMemberName(name, hasMemberNames(target))) throw new NotPlaced(FAILED.invalidName, msgnum);
    return { source: source.id, msgnum, target: target.id, name };
  });
}

function placeAll(session: Session, placements: readonly Placement[], isCopy: boolean, mayReplace: boolean): number[] {
  const { store } = session;
  let bytes = 0;
  const placed = placements.map((asked, i) => {
    const { source, target, msgnum } = asked;
    if (!isInRoom(store, source, msgnum)) throw new NotPlaced(FAILED.gone, msgnum);
    const placement = { ...asked, name: asked.name || nameThere(store, source, target, msgnum) };
    const isRenamed = source === target && !isCopy;
    if (!isRenamed) {
      bytes += bodyBytes(store, msgnum);
      if (i > 0 && bytes > MAX_PLACED_BYTES) throw new NotPlaced(FAILED.tooMuch, msgnum);
    }
    const { holder, uidTakenBy } = conflictsAt(store, placement);
    if (uidTakenBy !== undefined && !(isRenamed && uidTakenBy === msgnum))
      throw new MemberConflict('uidTaken', uidTakenBy);
    if (holder !== undefined && holder !== msgnum) requireOverwritable(session, target, holder, mayReplace);
    const isInside = source === target && nameInRoom(store, source, msgnum).startsWith(`${placement.name}/`);
    if (isInside) throw new MemberConflict('forbidden', msgnum);
    clearFolder(session, { room: target, folder: `${placement.name}/` }, mayReplace);
    if (isRenamed) {
      renameMember(store, placement);
      return msgnum;
    }
    // already in place
    if (source === target && holder === msgnum) return msgnum;
    // a copy cancels nothing; it may still arrive in a calendar
    const isMeant = session.scheduling?.isTagged || !isCopy;
    const uid = session.scheduling && isMeant ? euidIn(store, source, msgnum) : undefined;
    const there = isCopy ? copyMember(store, placement) : moveMember(store, placement);
    if (uid) commitScheduling(session, uid, there);
    return there;
  });
  const [first] = placements;
  if (first && (isCopy || first.source !== first.target)) {
    const [source, target] = [roomById(store, first.source)!, roomById(store, first.target)!];
    const numbers = placements.map(({ msgnum }, i) => [msgnum, placed[i]!] as const);
    carryMarks(store, source, target, numbers, isCopy ? session.user : undefined);
  }
  return placed;
}

/** A file replaces a folder with its name (RFC 4918 section 9.9.3). */
function clearFolder(session: Session, tree: Tree, mayReplace: boolean): void {
  const { store } = session;
  const room = roomById(store, tree.room)!;
  if (!isFilesRoom(room) || tree.folder.startsWith('/')) return;
  const holder = messageByName(store, tree.room, tree.folder);
  if (holder === undefined) return;
  requireOverwritable(session, tree.room, holder, mayReplace);
  requireFewEnough(treeState(store, tree).members);
  dropTree(store, tree);
}

/** Throws NotPlaced for a folder with too many members. */
export function requireFewEnough(members: number): void {
  if (members > MAX_TREE_MEMBERS) throw new NotPlaced(FAILED.tooMuch, 0);
}

/** Throws MemberConflict. */
export function requireOverwritable(session: Session, roomId: number, holder: number, mayReplace: boolean): void {
  if (!mayReplace) throw new MemberConflict('unexpected', holder);
  const room = roomById(session.store, roomId)!;
  if ((sessionAccess(session, room) & ACCESS.delete) === 0) throw new MemberConflict('forbidden', holder);
}
