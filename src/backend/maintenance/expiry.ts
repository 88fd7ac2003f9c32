// Which messages of a room expire: policies of rooms, floors, mailboxes and the site (GPEX and SPEX,
// protocol section 18.5), and the removal of expired messages, piece by piece.

import { BACKEND_SWEEP_MESSAGES, EXPIRY_PAGE_ROWS } from '../../limits/backend.ts';
import { VIEW } from '../../model.ts';
import type { StoredRoom } from '../store/records.ts';
import { removeFromRoom, removeOldest } from '../store/references.ts';
import { roomById } from '../store/rooms.ts';
import { ROOM_STATE } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Modes of GPEX and SPEX. */
export const EXPIRE = { nextLevel: 0, never: 1, keepMessages: 2, days: 3 } as const;

/** `value`: of EXPIRE.keepMessages and EXPIRE.days */
export interface Policy {
  mode: number;
  value: number;
}

const DAY_SECONDS = 86_400;
const NO_POLICY: Policy = { mode: EXPIRE.nextLevel, value: 0 };
const KEEP: Policy = { mode: EXPIRE.never, value: 0 };

/** Rooms whose content is no post that gets old: only a policy of their own makes something expire there. */
const LASTING_VIEWS: ReadonlySet<number> = new Set([
  VIEW.addressBook,
  VIEW.calendar,
  VIEW.tasks,
  VIEW.notes,
  VIEW.wiki,
  VIEW.briefCalendar,
  VIEW.journal,
  VIEW.blog,
  VIEW.files,
]);

/** The room's own policy; mode nextLevel where it has none. */
export function roomPolicy(store: Store, roomId: number): Policy {
  return policyIn(store, 'room WHERE id = ?', roomId);
}

/** The floor's own policy; mode nextLevel where it has none. */
export function floorPolicy(store: Store, floor: number): Policy {
  return policyIn(store, 'floor WHERE num = ?', floor);
}

function policyIn(store: Store, place: string, id: number): Policy {
  const row = store.prepare(`SELECT expire_mode AS mode, expire_value AS value FROM ${place}`).get(id);
  return row ? { mode: Number(row.mode), value: Number(row.value) } : NO_POLICY;
}

/** The policy of all mailboxes, or of what has none of its own. */
export function generalPolicy(store: Store, which: 'mailboxes' | 'site'): Policy {
  const stored = store.getConfig(`expire_${which}`);
  if (stored === undefined) return which === 'site' ? KEEP : NO_POLICY;
  const [mode, value] = stored.split('|').map(Number);
  return { mode: mode!, value: value! };
}

/** The policy that holds for a room: its own, else that of mailboxes or of its floor, else that of the site. */
function effectivePolicy(store: Store, room: StoredRoom): Policy {
  const own = roomPolicy(store, room.id);
  if (own.mode !== EXPIRE.nextLevel) return own;
  if (LASTING_VIEWS.has(room.view)) return KEEP;
  const next = room.owner === null ? floorPolicy(store, room.floor) : generalPolicy(store, 'mailboxes');
  return next.mode === EXPIRE.nextLevel ? generalPolicy(store, 'site') : next;
}

/** Removes what has expired at `time`, all rooms; each step of the iteration is a short transaction or a short look. */
export function* expiredPieces(store: Store, time: number): Generator<void> {
  const rooms = store.prepare(`SELECT id FROM room WHERE dropped = ${ROOM_STATE.there} AND total > 0`).all();
  for (const { id } of rooms) {
    const room = roomById(store, Number(id));
    if (!room) continue;
    const { mode, value } = effectivePolicy(store, room);
    if (mode === EXPIRE.keepMessages) yield* surplus(store, room, value);
    else if (mode === EXPIRE.days) yield* olderThan(store, room, time - value * DAY_SECONDS);
  }
}

function* surplus(store: Store, room: StoredRoom, kept: number): Generator<void> {
  for (;;) {
    const count = Math.min(room.total - kept, BACKEND_SWEEP_MESSAGES);
    // The room may have been deleted between two pieces.
    if (count <= 0 || roomById(store, room.id) !== room) return;
    removeOldest(store, room.id, count);
    yield;
  }
}

/** Checks all messages, because times need not ascend with numbers. */
function* olderThan(store: Store, room: StoredRoom, time: number): Generator<void> {
  const select = store.prepare(
    `SELECT m.id, m.time FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message > ? ORDER BY rm.message LIMIT ?`,
  );
  let last = 0;
  while (roomById(store, room.id) === room) {
    const page = select.all(room.id, last, EXPIRY_PAGE_ROWS) as { id: number; time: number }[];
    const expired = page.filter((row) => row.time < time).map((row) => row.id);
    while (expired.length > 0 && roomById(store, room.id) === room) {
      removeFromRoom(store, room.id, expired.splice(0, BACKEND_SWEEP_MESSAGES));
      yield;
    }
    if (page.length < EXPIRY_PAGE_ROWS) return;
    last = page.at(-1)!.id;
    yield;
  }
}
