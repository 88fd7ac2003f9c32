// Which rooms refer to which messages. A message exists once; rooms refer to it, and so does the history of a wiki
// page. With its last reference it goes, with its entry in the index, and with its body if no other message has the
// same.

import { EUID_VIEWS, VIEW } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { releaseBlob } from './bodies.ts';
import { roomById, updateRoomContents } from './rooms.ts';
import { reindexMessage, unindexMessage } from './search-index.ts';
import type { Store } from './store.ts';
import { addRevision, copyHistory, forgetHistory, isRevision } from './wiki-history.ts';

/** Rooms where a message replaces the one with the same euid. */
const REPLACING_VIEWS: ReadonlySet<number> = new Set([...EUID_VIEWS, VIEW.blog]);

/** Whether the room refers to the message. */
export function isInRoom(store: Store, roomId: number, msgnum: number): boolean {
  return store.prepare('SELECT 1 FROM room_message WHERE room = ? AND message = ?').get(roomId, msgnum) !== undefined;
}

/** The euid under which a room refers to a message; undefined where it does not, or has none. */
export function euidIn(store: Store, roomId: number, msgnum: number): string | undefined {
  const row = store.prepare('SELECT exti FROM room_message WHERE room = ? AND message = ?').get(roomId, msgnum);
  return row?.exti ? String(row.exti) : undefined;
}

/** Number of the message with this euid in the room; case matters. */
export function messageByEuid(store: Store, roomId: number, euid: string): number | undefined {
  const row = store
    .prepare("SELECT max(message) AS message FROM room_message WHERE room = ? AND exti = ? AND exti <> ''")
    .get(roomId, euid) as { message: number | null };
  return row.message ?? undefined;
}

/** Refers to a stored message from a room; false: it did already. Call inside a transaction. */
export function addToRoom(store: Store, roomId: number, msgnum: number, euid: string): boolean {
  const room = roomById(store, roomId)!;
  if (euid !== '' && REPLACING_VIEWS.has(room.view)) {
    if (room.view === VIEW.wiki) addRevision(store, roomId, euid, msgnum);
    const old = messageByEuid(store, roomId, euid);
    if (old !== undefined && old !== msgnum) removeFromRoom(store, roomId, [old]);
  }
  const { changes } = store
    .prepare('INSERT OR IGNORE INTO room_message (room, message, exti) VALUES (?, ?, ?)')
    .run(roomId, msgnum, euid);
  if (changes > 0) countRoom(store, roomId, 1);
  return changes > 0;
}

/** Refers to messages of one room from another, too. A page brings its history along. Call inside a transaction. */
export function copyToRoom(store: Store, sourceId: number, targetId: number, msgnums: readonly number[]): void {
  const select = store.prepare('SELECT exti FROM room_message WHERE room = ? AND message = ?');
  for (const msgnum of msgnums) {
    const row = select.get(sourceId, msgnum);
    if (!row) continue;
    const euid = String(row.exti);
    if (euid !== '' && roomById(store, targetId)!.view === VIEW.wiki) copyHistory(store, sourceId, targetId, euid);
    if (addToRoom(store, targetId, msgnum, euid)) reindexMessage(store, msgnum);
  }
}

/**
 * Refers to them from the target room instead of the source. A page that moves to another wiki room leaves no history
 * behind; one that moves elsewhere, to the trash say, can still be brought back.
 */
export function moveToRoom(store: Store, sourceId: number, targetId: number, msgnums: readonly number[]): void {
  copyToRoom(store, sourceId, targetId, msgnums);
  if (roomById(store, targetId)!.view === VIEW.wiki) {
    const select = store.prepare('SELECT exti FROM room_message WHERE room = ? AND message = ?');
    for (const msgnum of msgnums) {
      for (const message of forgetHistory(store, sourceId, String(select.get(sourceId, msgnum)?.exti ?? ''))) {
        dropUnreferenced(store, message);
      }
    }
  }
  removeFromRoom(store, sourceId, msgnums);
}

/** Takes messages out of a room, and out of the store where it was the last reference. Answers how many were there. */
export function removeFromRoom(store: Store, roomId: number, msgnums: readonly number[]): number {
  return store.transaction(() => {
    const remove = store.prepare('DELETE FROM room_message WHERE room = ? AND message = ?');
    const removed = msgnums.filter((msgnum) => remove.run(roomId, msgnum).changes > 0);
    if (removed.length > 0) {
      for (const msgnum of removed) dropUnreferenced(store, msgnum);
      countRoom(store, roomId, -removed.length);
    }
    return removed.length;
  });
}

/** To be called when something no longer refers to the message. Inside a transaction only. */
export function dropUnreferenced(store: Store, msgnum: number): void {
  if (store.prepare('SELECT 1 FROM room_message WHERE message = ? LIMIT 1').get(msgnum)) return;
  // Old versions of pages are for those who ask for the history, not for those who search.
  unindexMessage(store, msgnum);
  if (isRevision(store, msgnum)) return;
  const row = store.prepare('DELETE FROM message WHERE id = ? RETURNING blob').get(msgnum);
  if (row) releaseBlob(store, Number(row.blob));
}

function countRoom(store: Store, roomId: number, added: number): void {
  const row = store.prepare('SELECT max(message) AS highest FROM room_message WHERE room = ?').get(roomId) as {
    highest: number | null;
  };
  updateRoomContents(store, roomId, {
    highest: row.highest ?? 0,
    total: roomById(store, roomId)!.total + added,
    changed: now(),
  });
}
