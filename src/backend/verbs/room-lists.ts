// Lists of rooms, LKRA LZRM (protocol section 18.3), and floors, LFLR CFLR EFLR KFLR (protocol sections 8 and 18.5).
// Floors have the numbers 0 to MAX_FLOORS - 1; a new one takes the first free number.

import { MAX_FLOOR_NAME_BYTES, MAX_FLOORS } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { areAlike, foldName, nameFault } from '../../protocol/name-rules.ts';
import { nameKey } from '../../protocol/names.ts';
import { listing, ok, type Reply } from '../session/reply.ts';
import { roomList } from '../session/rooms.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { addFloor, floorExists, roomsOnFloors } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';

/** known rooms */
export const lkra = roomList('Known rooms:', (access) => (access & ACCESS.known) !== 0);

const ZAPPED = ACCESS.forgotten | ACCESS.enter;

/** forgotten rooms that may be entered */
export const lzrm = roomList('Zapped rooms:', (access) => (access & ZAPPED) === ZAPPED);

/** → rows `number|name|rooms` */
export function lflr({ store }: Session): Reply {
  const counts = roomsOnFloors(store);
  let rows = '';
  for (const { num, name } of store.all`SELECT num, name FROM floor ORDER BY num`) {
    rows += `${num}|${name}|${counts.get(Number(num)) ?? 0}\n`;
  }
  return listing('Known floors:', rows);
}

/** `CFLR name|create` → `200 NUMBER`; 512, 561 no space, 574 */
export function cflr({ store }: Session, args: string): Reply {
  const [given = '', create] = splitFields(args);
  const name = acceptedName(given);
  refuseTaken(store, name, undefined);
  if (toInt(create) !== 1) return ok('ok to create...');
  const num = store.transaction(() => {
    const taken = new Set(store.all`SELECT num FROM floor`.map((row) => Number(row.num)));
    let free = 0;
    while (taken.has(free)) free++;
    if (free >= MAX_FLOORS) throw new Refusal('badFloor', 'There is no space available for a new floor.');
    addFloor(store, free, name);
    return free;
  });
  return ok(num);
}

/** `EFLR number|name`; an empty name changes nothing → 200; 512, 561, 574 */
export function eflr({ store }: Session, args: string): Reply {
  const [number, given = ''] = splitFields(args);
  const num = toInt(number);
  if (!floorExists(store, num)) throw new Refusal('badFloor', `Floor ${num} is not in use.`);
  if (given === '') return ok('Ok');
  const name = acceptedName(given);
  refuseTaken(store, name, num);
  store.transaction(() => store.run`UPDATE floor SET name = ${name}, key = ${nameKey(name)} WHERE num = ${num}`);
  return ok('Ok');
}

/** `KFLR number|delete` → 200; 561 in use or not there */
export function kflr({ store }: Session, args: string): Reply {
  const [number, remove] = splitFields(args);
  const num = toInt(number);
  if (!floorExists(store, num)) throw new Refusal('badFloor', `Floor ${num} not in use.`);
  const count = roomsOnFloors(store).get(num) ?? 0;
  if (count > 0 || num === 0) throw new Refusal('badFloor', `Cannot delete; floor contains ${count} rooms.`);
  if (toInt(remove) !== 1) return ok('Ok to delete...');
  store.transaction(() => store.run`DELETE FROM floor WHERE num = ${num}`);
  return ok('Ok');
}

/** The name as it is stored; protocol/name-rules.ts says which characters are allowed. Throws Refusal 512. */
function acceptedName(given: string): string {
  const tooLong = () => new Refusal('illegalValue', 'The floor name is too long.');
  if (Buffer.byteLength(given) > MAX_FLOOR_NAME_BYTES) throw tooLong();
  const name = foldName(given);
  if (name === '') throw new Refusal('illegalValue', 'Blank floor name not allowed.');
  if (Buffer.byteLength(name) > MAX_FLOOR_NAME_BYTES) throw tooLong();
  const fault = nameFault(name);
  if (fault !== undefined) throw new Refusal('illegalValue', `Invalid floor name. ${fault}`);
  return name;
}

/** Compares with all floors, which are few. */
function refuseTaken(store: Store, name: string, except: number | undefined): void {
  for (const { num, name: other } of store.all`SELECT num, name FROM floor`) {
    if (num !== except && areAlike(name, String(other)))
      throw new Refusal('alreadyExists', `Floor '${other}' already exists.`);
  }
}
