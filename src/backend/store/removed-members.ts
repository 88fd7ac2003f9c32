// Members of rooms that are gone, kept for a while for those who ask what has changed (RFC 6578). What has come is told
// by the sequence of its row in room_message.

import { BACKEND_LIST_PAGE_ROWS, MAX_KEPT_CHANGES } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import { forgetChanges } from './rooms.ts';
import type { Store } from './store.ts';

export interface RemovedMember {
  message: number;
  /** that it had; empty: its number */
  name: string;
}

/** Notes that they are in the room no longer, or not under these names. Inside a transaction only. */
export function noteRemoved(store: Store, roomId: number, sequence: number, members: readonly RemovedMember[]): void {
  const insert = store.prepare(
    'INSERT OR REPLACE INTO removed_member (room, sequence, message, name, time) VALUES (?, ?, ?, ?, ?)',
  );
  const time = now();
  for (const { message, name } of members) insert.run(roomId, sequence, message, name || String(message), time);
  const oldest = sequence - MAX_KEPT_CHANGES;
  if (oldest <= 0) return;
  const { changes } = store.prepare('DELETE FROM removed_member WHERE room = ? AND sequence <= ?').run(roomId, oldest);
  if (changes > 0) forgetChanges(store, roomId, oldest);
}

/** Forgets some of those that went before `time`; answers whether there may be more. One short transaction. */
export function pruneRemoved(store: Store, time: number): boolean {
  return store.transaction(() => {
    const rows = store
      .prepare('SELECT room, sequence, message FROM removed_member WHERE time < ? ORDER BY time LIMIT ?')
      .all(time, BACKEND_LIST_PAGE_ROWS) as { room: number; sequence: number; message: number }[];
    const remove = store.prepare('DELETE FROM removed_member WHERE room = ? AND sequence = ? AND message = ?');
    const latest = new Map<number, number>();
    for (const { room, sequence, message } of rows) {
      remove.run(room, sequence, message);
      latest.set(room, Math.max(sequence, latest.get(room) ?? 0));
    }
    for (const [room, sequence] of latest) forgetChanges(store, room, sequence);
    return rows.length === BACKEND_LIST_PAGE_ROWS;
  });
}
