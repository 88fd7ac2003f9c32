// What every database of the embedded server must hold before it serves: Main Floor, the server's own rooms, and the
// first administrator. Runs at each start and adds what is missing.

import { randomBytes } from 'node:crypto';
import { LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../model.ts';
import { postNotice } from '../store/messages.ts';
import { hashPassword } from '../store/passwords.ts';
import { dropUnfinishedFiles } from '../store/room-files.ts';
import {
  AIDE_ROOM_KEY,
  addFloor,
  BASE_ROOM_KEY,
  createRoom,
  floorExists,
  roomByName,
  TRASHCAN_ROOM_KEY,
} from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { createUser } from '../store/users.ts';

const ADMIN_NAME = 'admin';
const GENERATED_PASSWORD_BYTES = 12;

/** The account that was made for an empty server. */
export interface CreatedAdmin {
  name: string;
  password: string;
  /** nobody chose the password: it has to be shown once */
  generated: boolean;
}

/** Makes the floor and the rooms that are missing; greets in a new Lobby. */
export function createServerRooms(store: Store): void {
  store.transaction(() => {
    dropUnfinishedFiles(store);
    if (!floorExists(store, 0)) addFloor(store, 0, 'Main Floor');
    if (!roomByName(store, BASE_ROOM_KEY)) {
      const lobby = createRoom(store, { name: 'Lobby', flags: 0, view: VIEW.board, order: 0 });
      postNotice(store, lobby.id, 'Welcome', WELCOME);
    }
    if (!roomByName(store, AIDE_ROOM_KEY)) {
      const flags2 = ROOM_FLAG2.acceptsMail;
      createRoom(store, { name: 'Aide', flags: ROOM_FLAG.private, flags2, view: VIEW.board, order: 0 });
    }
    if (!roomByName(store, TRASHCAN_ROOM_KEY)) createRoom(store, { name: 'Trashcan', flags: 0, view: VIEW.board });
    if (!roomByName(store, 'Global Address Book')) {
      createRoom(store, { name: 'Global Address Book', flags: ROOM_FLAG.private, view: VIEW.addressBook });
    }
  });
}

/** The first account of an empty server is an administrator; undefined when there are accounts already. */
export async function createFirstAdmin(
  store: Store,
  password: string | undefined,
  cost: number,
): Promise<CreatedAdmin | undefined> {
  if (store.get`SELECT 1 FROM user LIMIT 1`) return undefined;
  const chosen = password ?? randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url');
  createUser(store, ADMIN_NAME, await hashPassword(chosen, cost), LEVEL.admin);
  return { name: ADMIN_NAME, password: chosen, generated: password === undefined };
}

const WELCOME = `Welcome.

This is the Lobby, where everybody arrives. Floors hold rooms, and rooms hold messages; some rooms are calendars, \
task lists, address books, notes, wikis or blogs. Make a room of your own, or write the first message here.
`;
