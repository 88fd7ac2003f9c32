// MEMB quota: what a room, or the whole server, takes, and what is left on the disk (protocol section 21.6; RFC 4331).

import { statfsSync } from 'node:fs';
import { BACKEND_LIST_PAGE_ROWS } from '../../../limits/backend.ts';
import { readableRoom, requireUser } from '../../session/access.ts';
import { inPieces, LISTING_END, listingStart, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import type { Store } from '../../store/store.ts';

/**
 * `quota` → a row `used|available` in bytes: of the current room, bodies that lie elsewhere, too, included;
 * `quota|all` → of the database. There is no bound but the disk. 520, 550.
 */
export function quota(session: Session, scope: string): Reply {
  requireUser(session);
  const { store } = session;
  if (scope === 'all') {
    const [used] = databaseBytes(store);
    return `${listingStart('Quota:')}${used}|${availableBytes(store)}\n${LISTING_END}`;
  }
  return inPieces(listingStart('Quota:'), ofRoom(store, readableRoom(session).id));
}

/** In pieces: a room may have very many messages. */
function* ofRoom(store: Store, roomId: number): Generator<string> {
  const page = `SELECT rm.message, b.size FROM room_message rm JOIN message m ON m.id = rm.message
    JOIN blob b ON b.id = m.blob WHERE rm.room = ? AND rm.message > ? ORDER BY rm.message LIMIT ?`;
  let used = 0;
  for (let after = 0; ; ) {
    const rows = store.rows<{ message: number; size: number }>(page, roomId, after, BACKEND_LIST_PAGE_ROWS);
    for (const { size } of rows) used += size;
    if (rows.length < BACKEND_LIST_PAGE_ROWS) break;
    after = rows.at(-1)!.message;
    yield '';
  }
  yield `${used}|${availableBytes(store)}\n`;
}

/** Used, and free inside of the file. */
function databaseBytes(store: Store): [used: number, free: number] {
  const pragma = (name: string) => Number(Object.values(store.db.prepare(`PRAGMA ${name}`).get()!)[0]);
  const free = pragma('freelist_count');
  const size = pragma('page_size');
  return [(pragma('page_count') - free) * size, free * size];
}

/** What the process may still write on its disk, and pages of the database that are free already. */
function availableBytes(store: Store): number {
  const { bavail, bsize } = statfsSync(store.folder);
  return bavail * bsize + databaseBytes(store)[1];
}
