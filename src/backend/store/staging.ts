// Replaces all messages of a room: new ones are saved in pieces in an invisible room, the stage, so that others have
// their turns, and exchanged for the old ones in one transaction. If that is interrupted, even by a kill, the room is
// unchanged, and the next start removes the stage.

import { randomUUID } from 'node:crypto';
import { now } from '../../system/clock.ts';
import { noteRemoved, type RemovedMember, roomById, updateRoomContents } from './rooms.ts';
import { ROOM_STATE } from './schema.ts';
import type { Store } from './store.ts';

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

/** Call it inside the transaction that saves the message. The exchange assigns names. */
export function addToStage(store: Store, stage: number, msgnum: number, euid: string): void {
  store.prepare('INSERT INTO room_message (room, message, exti) VALUES (?, ?, ?)').run(stage, msgnum, euid);
}

/** Replaces the content of the room with the stage, and removes the stage. */
export function exchangeContents(store: Store, stage: number, roomId: number): void {
  store.transaction(() => {
    const sequence = roomById(store, roomId)!.sequence + 1;
    const gone = store.prepare('SELECT message, name FROM room_message WHERE room = ?').all(roomId);
    noteRemoved(store, roomId, sequence, gone as unknown as RemovedMember[]);
    const last = store.prepare('SELECT max(stored) AS stored FROM room_message WHERE room = ?').get(roomId)!;
    const stored = Math.max(now(), Number(last.stored) + 1);
    store
      .prepare(
        `UPDATE room_message SET sequence = ?, stored = ?, created = ?, name = '', folder = '', component = NULL,
           room = CASE room WHEN ? THEN ? ELSE ? END WHERE room IN (?, ?)`,
      )
      .run(sequence, stored, stored, stage, roomId, stage, stage, roomId);
    const row = store
      .prepare('SELECT count(*) AS total, max(message) AS highest FROM room_message WHERE room = ?')
      .get(roomId)!;
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
