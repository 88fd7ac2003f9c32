// The rooms that a room server needs itself. A real one deletes them when it is told to, answers `ok` and is broken
// then (quirk Q61), so it is asked which they are before it is told anything.

import { type EnteredRoom, ROOM_FLAG2 } from '../model.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { nameKey } from '../protocol/names.ts';
import { STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { isOwnServer } from './server.ts';

/** settings that name such rooms, which administrators may read, and their defaults */
const NAMED: readonly [setting: string, room: string][] = [
  ['c_baseroom', 'Lobby'],
  ['c_aideroom', 'Aide'],
  ['c_twitroom', 'Trashcan'],
];
/** has this name everywhere */
const GLOBAL_ADDRESS_BOOK = 'Global Address Book';

/** Everybody arrives in it; a real server ignores it when it is to be closed. */
export async function isBaseRoom(pool: Pool, identity: Identity, { name }: EnteredRoom): Promise<boolean> {
  const { entered } = await pool.readInRoom(identity, { name: '_BASEROOM_', password: '' }, []);
  return entered.name === name;
}

/** The base room, those of administrators, of what is thrown away and of addresses, and what it marks as its own. */
export async function isServerRoom(pool: Pool, identity: Identity, room: EnteredRoom): Promise<boolean> {
  if (room.isPersonal || (await isOwnServer(pool, identity))) return false; // ours refuses it
  if ((room.flags2 & ROOM_FLAG2.system) !== 0 || (await isBaseRoom(pool, identity, room))) return true;
  const answers = await pool.read(
    identity,
    NAMED.map(([setting]) => command('CONF', 'GETVAL', setting)),
  );
  const names = answers.flatMap(({ code, text }, i) => {
    const told = code === STATUS.done ? splitFields(text)[0]!.trim() : '';
    // who may not read it is not told that it has another name: then a room of the usual name is spared, too
    return told === '' || told === '(null)' ? NAMED[i]![1] : told;
  });
  return [...names, GLOBAL_ADDRESS_BOOK].some((name) => nameKey(name) === nameKey(room.name));
}
