// Removes, renames or copies a folder of a files room with all below it, atomically. Long work is done on a stage
// (staging.ts); the visible change is one short transaction.

import { BACKEND_MOVE_BYTES, MOVED_MESSAGE_BYTES } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import { duplicate } from '../store/placing.ts';
import { countRoom, folderOf, isInRoom } from '../store/references.ts';
import { noteRemoved, roomById } from '../store/rooms.ts';
import { reindexMessage } from '../store/search-index.ts';
import { dropStage, openStage } from '../store/staging.ts';
import type { Store } from '../store/store.ts';

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
 * Puts copies of the next members behind `after` on a stage, for another folder, as many as a turn allows; answers the
 * name of the last one, undefined when there are no more. `isShallow`: the folder itself is all. A message that is in
 * the target already becomes two; `numbers`: there and here, those of these are added. Inside a transaction only.
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
  const { changes } = store
    .prepare('UPDATE room_message SET room = ?, sequence = ?, stored = ?, created = ? WHERE room = ?')
    .run(target.room, sequence, now(), now(), stage);
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
