// Expiry policies: GPEX, SPEX, and TDAP, which applies them now (protocol sections 18.5 and 18.12). Further lists of
// rooms: LKRN LKRO LRMS LPRM (protocol section 18.3); the gateway filters LKRA instead.

import { MAX_EXPIRY_VALUE } from '../../../limits/backend.ts';
import { ACCESS, ROOM_FLAG } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { EXPIRE, floorPolicy, generalPolicy, type Policy, roomPolicy } from '../../maintenance/housekeeping.ts';
import { isAdmin, isRoomAdmin, mayAdminister, readableRoom } from '../../session/access.ts';
import { ok, type Reply } from '../../session/reply.ts';
import { roomList } from '../../session/rooms.ts';
import type { Session } from '../../session/session.ts';
import { Refusal } from '../../store/refusal.ts';
import { baseRoom } from '../../store/rooms.ts';
import type { Store } from '../../store/store.ts';

/**
 * `GPEX room|floor|mailboxes|site` → `200 mode|value`: the policy set there, of the current room and its floor. 512
 */
export function gpex(session: Session, args: string): Reply {
  const which = splitFields(args)[0]!;
  const { mode, value } = policyOf(session, which);
  return ok(`${mode}|${value}`);
}

function policyOf(session: Session, which: string): Policy {
  const { store } = session;
  const room = () => (session.room ? readableRoom(session) : baseRoom(store));
  switch (which) {
    case 'room':
      return roomPolicy(store, room().id);
    case 'floor':
      return floorPolicy(store, room().floor);
    case 'mailboxes':
    case 'site':
      return generalPolicy(store, which);
    default:
      throw new Refusal('illegalValue', `Invalid keyword "${which}"`);
  }
}

/**
 * `SPEX room|floor|mailboxes|site`, mode, value → 200; the room for its admin, the rest for administrators. 512, 550
 */
export function spex(session: Session, args: string): Reply {
  const { store, room, user, appPassword } = session;
  const [which = '', modeField, valueField] = splitFields(args);
  const isAllowed =
    room &&
    (which === 'room' ? isRoomAdmin(user, room) && mayAdminister(session, room) : isAdmin(user) && !appPassword);
  if (!isAllowed) throw new Refusal('higherAccess', 'Higher access required.');
  const mode = toInt(modeField);
  const value = toInt(valueField);
  const counts = mode === EXPIRE.keepMessages || mode === EXPIRE.days;
  const isKnown = counts || mode === EXPIRE.nextLevel || mode === EXPIRE.never;
  if (!isKnown || (counts && (value < 1 || value > MAX_EXPIRY_VALUE)))
    throw new Refusal('illegalValue', 'Invalid policy.');
  if (which === 'site' && mode === EXPIRE.nextLevel)
    throw new Refusal('illegalValue', 'Invalid policy (no higher level)');
  switch (which) {
    case 'room':
      setPolicy(store, 'room SET expire_mode = ?, expire_value = ? WHERE id = ?', mode, value, room.id);
      return ok(`Room expire policy for '${room.name}' has been updated.`);
    case 'floor':
      setPolicy(store, 'floor SET expire_mode = ?, expire_value = ? WHERE num = ?', mode, value, room.floor);
      return ok('Floor expire policy has been updated.');
    case 'mailboxes':
      store.setConfig('expire_mailboxes', `${mode}|${value}`);
      return ok('Default expire policy for mailboxes set.');
    case 'site':
      store.setConfig('expire_site', `${mode}|${value}`);
      return ok('Site expire policy has been updated.');
    default:
      throw new Refusal('illegalValue', `Invalid keyword '${which}'`);
  }
}

function setPolicy(store: Store, change: string, mode: number, value: number, id: number): void {
  store.transaction(() => store.prepare(`UPDATE ${change}`).run(mode, value, id));
}

/** Starts the removal of expired messages now. */
export function tdap({ server }: Session): Reply {
  server.housekeeper.expire();
  return ok('Manually initiating a purger run now.');
}

const HAS_NEW = ACCESS.known | ACCESS.hasNew;

/** known rooms with new messages */
export const lkrn = roomList('Rooms w/ new msgs:', (access) => (access & HAS_NEW) === HAS_NEW);

/** known rooms without new messages */
export const lkro = roomList('Rooms w/o new msgs:', (access) => (access & HAS_NEW) === ACCESS.known);

/** known or forgotten rooms */
export const lrms = roomList('Accessible rooms:', (access) => (access & (ACCESS.known | ACCESS.forgotten)) !== 0);

/** public rooms */
export const lprm = roomList('Public rooms:', (access, { flags }) => {
  const isHidden = flags & (ROOM_FLAG.private | ROOM_FLAG.personal);
  return !isHidden && (access & (ACCESS.known | ACCESS.forgotten)) !== 0;
});
