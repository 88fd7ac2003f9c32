// Versions of wiki pages: every message that was ever a page of a room is stored as long as the room exists, even after
// a later version has replaced it or the page was deleted.

import { randomUUID } from 'node:crypto';
import type { Store } from './store.ts';

/** One version of a page. */
export interface Revision {
  uuid: string;
  message: number;
}

/** Records that this message is now the page, unless a copied history includes it. */
export function addRevision(store: Store, roomId: number, page: string, msgnum: number): void {
  const last = store.prepare('SELECT message FROM wiki_revision WHERE room = ? AND page = ? ORDER BY id DESC LIMIT 1');
  if (last.get(roomId, page)?.message === msgnum) return;
  store
    .prepare('INSERT INTO wiki_revision (room, page, uuid, message) VALUES (?, ?, ?, ?)')
    .run(roomId, page, randomUUID(), msgnum);
}

/** The latest versions of a page, `limit` at most, the latest first. */
export function revisionsOf(store: Store, roomId: number, page: string, limit: number): Revision[] {
  const rows = store
    .prepare('SELECT uuid, message FROM wiki_revision WHERE room = ? AND page = ? ORDER BY id DESC LIMIT ?')
    .all(roomId, page, limit);
  return rows as unknown as Revision[];
}

/** The message that was this version of the page. */
export function revisionByUuid(store: Store, roomId: number, page: string, uuid: string): number | undefined {
  const row = store
    .prepare('SELECT message FROM wiki_revision WHERE room = ? AND page = ? AND uuid = ?')
    .get(roomId, page, uuid);
  return row && Number(row.message);
}

/** Whether the message is or was a page of this room. */
export function isRevisionIn(store: Store, roomId: number, msgnum: number): boolean {
  return store.prepare('SELECT 1 FROM wiki_revision WHERE message = ? AND room = ?').get(msgnum, roomId) !== undefined;
}

/** Whether it is or was a page of any room. */
export function isRevision(store: Store, msgnum: number): boolean {
  return store.prepare('SELECT 1 FROM wiki_revision WHERE message = ? LIMIT 1').get(msgnum) !== undefined;
}

/** Appends the versions of a page to those of a page with that name in another room. */
export function copyHistory(store: Store, sourceId: number, targetId: number, page: string): void {
  store
    .prepare(
      `INSERT OR REPLACE INTO wiki_revision (room, page, uuid, message)
       SELECT ?, page, uuid, message FROM wiki_revision WHERE room = ? AND page = ? ORDER BY id`,
    )
    .run(targetId, sourceId, page);
}

/** Forgets the versions of a page; returns their messages. */
export function forgetHistory(store: Store, roomId: number, page: string): number[] {
  const rows = store
    .prepare('DELETE FROM wiki_revision WHERE room = ? AND page = ? RETURNING message')
    .all(roomId, page);
  return rows.map((row) => Number(row.message));
}
