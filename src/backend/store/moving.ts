// Renames members in their room, and copies or moves members and whole folders to another one. Messages do not change;
// one that is to be in a room twice becomes two messages with one body. Long work goes to a stage: an invisible room
// that is filled in pieces, and whose messages enter the target in one short transaction. If that is interrupted, even
// by a kill, the target is unchanged, and the next start removes the stage.

import { randomUUID } from 'node:crypto';
import { BACKEND_MOVE_BYTES, MOVED_MESSAGE_BYTES } from '../../limits/backend.ts';
import { REPLACING_VIEWS, VIEW } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { copyProperties, dropProperties } from './dead-properties.ts';
import { nextNumber } from './messages.ts';
import {
  addToRoom,
  copyHistory,
  countRoom,
  euidIn,
  folderOf,
  isInRoom,
  messageByEuid,
  messageByName,
  nameInRoom,
  removeFromRoom,
  renameInRoom,
  takeOut,
} from './references.ts';
import { noteRemoved, type RemovedMember, roomById, updateRoomContents } from './rooms.ts';
import { ROOM_STATE } from './schema.ts';
import { reindexMessage } from './search-index.ts';
import type { Store } from './store.ts';

/** A member and its target. */
export interface Placement {
  source: number;
  msgnum: number;
  target: number;
  /** its name there; empty: its number */
  name: string;
}

/** Members that are in the way at the target: one with the name, and one with another name but the same UID. */
export function conflictsAt(store: Store, { source, msgnum, target, name }: Placement) {
  const holder = name === '' ? undefined : messageByName(store, target, name);
  const euid = euidIn(store, source, msgnum) ?? '';
  const isUidKept = euid !== '' && REPLACING_VIEWS.has(roomById(store, target)!.view);
  const sameUid = isUidKept ? messageByEuid(store, target, euid) : undefined;
  return { holder, uidTakenBy: sameUid === holder ? undefined : sameUid };
}

/** Renames a member, replacing the one that has the name. Inside a transaction only. */
export function renameMember(store: Store, { source, msgnum, name }: Placement): void {
  const before = nameInRoom(store, source, msgnum);
  if (name === '' || name === before) return;
  const holder = messageByName(store, source, name);
  if (holder !== undefined) takeOut(store, source, [holder], name);
  const members = [before || String(msgnum), name] as const;
  copyProperties(store, { room: source, member: members[0] }, { room: source, member: members[1] });
  dropProperties(store, source, members[0]);
  renameInRoom(store, source, { message: msgnum, name: before }, name);
}

/** Returns the number of the copy, which is the same in another room. Inside a transaction only. */
export function copyMember(store: Store, { source, msgnum, target, name }: Placement, created?: number): number {
  const euid = euidIn(store, source, msgnum) ?? '';
  const before = nameInRoom(store, source, msgnum);
  const copy = isInRoom(store, target, msgnum) ? duplicate(store, msgnum) : msgnum;
  if (source !== target && euid !== '' && roomById(store, target)!.view === VIEW.wiki)
    copyHistory(store, source, target, euid);
  addToRoom(store, target, copy, euid, { name: name || undefined, mayReplace: true, created });
  reindexMessage(store, copy);
  const member = nameInRoom(store, target, copy) || String(copy);
  copyProperties(store, { room: source, member: before || String(msgnum) }, { room: target, member });
  return copy;
}

/** Copies to another room and removes from the source. Inside a transaction only. */
export function moveMember(store: Store, placement: Placement): number {
  const { source, msgnum } = placement;
  const row = store.get`SELECT created FROM room_message WHERE room = ${source} AND message = ${msgnum}`;
  const moved = copyMember(store, placement, Number(row?.created ?? 0));
  removeFromRoom(store, source, [msgnum]);
  return moved;
}

/** A copy of this message with the same body, in no room yet. Inside a transaction only. */
export function duplicate(store: Store, msgnum: number): number {
  const id = nextNumber(store);
  store.run`INSERT INTO message (id, msgid, time, format, author, author_user, path, address, anonymous, room,
    recipients, cc, exti, refs, subject, blob, parts) SELECT ${id}, msgid, time, format, author, author_user, path,
    address, anonymous, room, recipients, cc, exti, refs, subject, blob, parts FROM message WHERE id = ${msgnum}`;
  store.run`INSERT INTO message_fact (message, name, component, starts, ends, line)
    SELECT ${id}, name, component, starts, ends, line FROM message_fact WHERE message = ${msgnum}`;
  return id;
}

/** Creates a stage and returns its number. */
export function openStage(store: Store): number {
  return store.transaction(() => {
    const { lastInsertRowid } = store
      .prepare(
        `INSERT INTO room (name, key, flags, floor, sort_order, view, created, changed, dropped)
         VALUES ('', ?, 0, 0, 0, 0, 0, 0, ${ROOM_STATE.staged})`,
      )
      // No room has a name with a line end.
      .run(`\n${randomUUID()}`);
    return Number(lastInsertRowid);
  });
}

/** Replaces the content of the room with the stage, and removes the stage. */
export function exchangeContents(store: Store, stage: number, roomId: number): void {
  store.transaction(() => {
    const sequence = roomById(store, roomId)!.sequence + 1;
    const gone = store.all`SELECT message, name FROM room_message WHERE room = ${roomId}`;
    noteRemoved(store, roomId, sequence, gone as unknown as RemovedMember[]);
    const last = store.get`SELECT max(stored) AS stored FROM room_message WHERE room = ${roomId}`!;
    const stored = Math.max(now(), Number(last.stored) + 1);
    store.run`UPDATE room_message SET sequence = ${sequence}, stored = ${stored}, created = ${stored}, name = '',
      folder = '', component = NULL, room = CASE room WHEN ${stage} THEN ${roomId} ELSE ${stage} END
      WHERE room IN (${stage}, ${roomId})`;
    const row = store.get`SELECT count(*) AS total, max(message) AS highest FROM room_message WHERE room = ${roomId}`!;
    updateRoomContents(store, roomId, {
      total: Number(row.total),
      highest: Number(row.highest),
      changed: now(),
      sequence,
    });
    dropStage(store, stage);
  });
}

/** Removes the stage. Its messages are deleted in pieces, in the background. */
export function dropStage(store: Store, stage: number): void {
  store.transaction(() => {
    store.prepare(`UPDATE room SET dropped = ${ROOM_STATE.removed} WHERE id = ?`).run(stage);
    store.noteGarbage();
  });
}

/** A folder, named with its slash, and all below it. */
export interface Tree {
  room: number;
  folder: string;
}

/** A fingerprint of its content: unchanged as long as the content is. */
export interface TreeState {
  members: number;
  /** the highest sequence of a member */
  sequence: number;
  /** the longest name */
  nameBytes: number;
}

// `0` follows the slash that the folder ends in
const WHERE = "room = ? AND name >= ? AND name < ? AND name <> ''";
const WHERE_RM = WHERE.replaceAll(/room|name/g, 'rm.$&');
const OF_MEMBERS = 'room = ? AND member >= ? AND member < ?';

function span({ room, folder }: Tree): [number, string, string] {
  return [room, folder, `${folder.slice(0, -1)}0`];
}

export function treeState(store: Store, tree: Tree): TreeState {
  return store
    .prepare(
      `SELECT count(*) AS members, coalesce(max(sequence), 0) AS sequence,
         coalesce(max(octet_length(name)), 0) AS nameBytes FROM room_message WHERE ${WHERE}`,
    )
    .get(...span(tree)) as unknown as TreeState;
}

/** Removes it from the room; the messages are deleted in pieces, in the background. Inside a transaction only. */
export function dropTree(store: Store, tree: Tree): void {
  const { sequence, members } = noteGone(store, tree);
  const gone = openStage(store);
  store.prepare(`UPDATE room_message SET room = ?, name = '', folder = '' WHERE ${WHERE}`).run(gone, ...span(tree));
  store.prepare(`DELETE FROM dead_property WHERE ${OF_MEMBERS}`).run(...span(tree));
  dropStage(store, gone);
  countRoom(store, tree.room, -members, sequence);
}

/** Renames all of it to names below another folder, which must be empty. Inside a transaction only. */
export function renameTree(store: Store, tree: Tree, folder: string): void {
  const { sequence } = noteGone(store, tree);
  store
    .prepare(
      `UPDATE room_message SET name = ? || substr(name, length(?) + 1), sequence = ?, stored = ?,
         folder = CASE name WHEN ? THEN ? ELSE ? || substr(folder, length(?) + 1) END WHERE ${WHERE}`,
    )
    .run(folder, tree.folder, sequence, now(), tree.folder, folderOf(folder), folder, tree.folder, ...span(tree));
  store
    .prepare(`UPDATE OR REPLACE dead_property SET member = ? || substr(member, length(?) + 1) WHERE ${OF_MEMBERS}`)
    .run(folder, tree.folder, ...span(tree));
  countRoom(store, tree.room, 0, sequence);
}

/** Records the removed names, and advances the sequence of the room. */
function noteGone(store: Store, tree: Tree): { sequence: number; members: number } {
  const sequence = roomById(store, tree.room)!.sequence + 1;
  const { changes } = store
    .prepare(
      `INSERT OR REPLACE INTO removed_member (room, sequence, message, name, time)
       SELECT room, ?, message, name, ? FROM room_message WHERE ${WHERE}`,
    )
    .run(sequence, now(), ...span(tree));
  noteRemoved(store, tree.room, sequence, []);
  return { sequence, members: Number(changes) };
}

/**
 * Copies the members after the name `after` to a stage, renamed for the target folder, as many as a turn allows.
 * Returns the name of the last one; undefined when none is left. `isShallow`: only the folder itself. A message that is
 * in the target room already is duplicated. Adds to `numbers` the pairs of old and new number. Inside a transaction
 * only.
 */
export function stageSome(
  store: Store,
  stage: number,
  tree: Tree,
  target: Tree,
  after: string,
  isShallow: boolean,
  numbers: [number, number][],
): string | undefined {
  const select = store.prepare(
    `SELECT rm.message, rm.name, b.size FROM room_message rm JOIN message m ON m.id = rm.message
     JOIN blob b ON b.id = m.blob WHERE ${WHERE_RM} AND rm.name > ? ORDER BY rm.name LIMIT ?`,
  );
  const insert = store.prepare(
    `INSERT INTO room_message (room, message, exti, name, folder, component, starts, ends)
     SELECT ?, ?, exti, ?, ?, component, starts, ends FROM room_message WHERE room = ? AND message = ?`,
  );
  const limit = isShallow ? 1 : Math.ceil(BACKEND_MOVE_BYTES / MOVED_MESSAGE_BYTES);
  const rows = select.all(...span(tree), after, limit) as { message: number; name: string; size: number }[];
  let bytes = 0;
  let last: string | undefined;
  for (const { message, name, size } of rows) {
    if (bytes >= BACKEND_MOVE_BYTES) return last;
    bytes += MOVED_MESSAGE_BYTES + size;
    const copy = isInRoom(store, target.room, message) ? duplicate(store, message) : message;
    last = name;
    numbers.push([message, copy]);
    const there = target.folder + name.slice(tree.folder.length);
    insert.run(stage, copy, there, folderOf(there), tree.room, message);
    reindexMessage(store, copy, target.room);
  }
  return isShallow || rows.length < limit ? undefined : last;
}

/** Whether a message of the stage was added to the room by other means. */
export function isStagedTwice(store: Store, stage: number, roomId: number): boolean {
  const sql = `SELECT 1 FROM room_message s JOIN room_message rm ON rm.room = ? AND rm.message = s.message
    WHERE s.room = ? LIMIT 1`;
  return store.prepare(sql).get(roomId, stage) !== undefined;
}

/** Moves the stage into the room, with the properties of the source. Inside a transaction only. */
export function unstage(store: Store, stage: number, source: Tree, target: Tree, isShallow: boolean): void {
  const sequence = roomById(store, target.room)!.sequence + 1;
  const { changes } = store.run`UPDATE room_message
    SET room = ${target.room}, sequence = ${sequence}, stored = ${now()}, created = ${now()} WHERE room = ${stage}`;
  store
    .prepare(
      `INSERT OR REPLACE INTO dead_property (room, member, name, value)
       SELECT ?, ? || substr(member, length(?) + 1), name, value FROM dead_property WHERE ${OF_MEMBERS}
       AND (member = ? OR NOT ?)`,
    )
    .run(target.room, target.folder, source.folder, ...span(source), source.folder, isShallow ? 1 : 0);
  dropStage(store, stage);
  countRoom(store, target.room, Number(changes), sequence);
}
