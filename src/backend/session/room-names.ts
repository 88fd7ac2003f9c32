// Names for rooms, as CRE8, SETR and XFER accept them. protocol/name-rules.ts says which characters are allowed, and
// which names look alike.

import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../../limits/backend.ts';
import { ROOM_FLAG } from '../../model.ts';
import { areAlike, foldName, lookKey, nameFault, WELL_KNOWN_ROOMS } from '../../protocol/name-rules.ts';
import { personalName } from '../../protocol/room-facts.ts';
import type { StoredRoom } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { roomById, withoutMacro } from '../store/rooms.ts';
import { ROOM_STATE } from '../store/schema.ts';
import { sessionAccess } from './access.ts';
import type { Session } from './session.ts';

/**
 * The folded name. Refuses names that look like a macro, which could not be entered, like the full name of a personal
 * room, and names with hidden characters. Throws Refusal 512.
 */
export function acceptedName(given: string, isPersonal: boolean): string {
  const max = isPersonal ? MAX_PERSONAL_ROOM_NAME_BYTES : MAX_ROOM_NAME_BYTES;
  if (Buffer.byteLength(given) > max) throw invalid();
  const name = foldName(given);
  const isOther = personalName(name).owner !== undefined || withoutMacro(name) !== name;
  // composing makes some letters longer
  if (name === '' || isOther || Buffer.byteLength(name) > max) throw invalid();
  const fault = nameFault(name);
  if (fault !== undefined) throw new Refusal('illegalValue', `Invalid room name. ${fault}`);
  return name;
}

function invalid(): Refusal {
  return new Refusal('illegalValue', 'Invalid room name.');
}

/**
 * Throws Refusal 574 if a shared room would be mistaken for a public one, or for one that everybody has. Names the
 * other room only to those who may know it. Private rooms may look alike: a refusal would reveal them.
 */
export function refuseRoomLookAlike(session: Session, name: string, except?: StoredRoom): void {
  const { store } = session;
  const other = store
    .prepare(`SELECT id FROM room WHERE look_key = ? AND owner IS NULL AND dropped = ${ROOM_STATE.there}`)
    .all(lookKey(name))
    .map(({ id }) => roomById(store, Number(id))!)
    .find((room) => room !== except && !(room.flags & ROOM_FLAG.private) && areAlike(room.name, name));
  const known = other && sessionAccess(session, other) !== 0 ? other.name : undefined;
  const taken = known ?? WELL_KNOWN_ROOMS.find((room) => areAlike(room, name));
  if (taken !== undefined) throw new Refusal('alreadyExists', `'${name}' looks like '${taken}', which already exists.`);
  if (other) throw new Refusal('alreadyExists', `'${name}' looks like a name that already exists.`);
}
