// EUID, and searching in every room that the user knows: SRCH (protocol section 18.9), and FIND, a verb of our own for
// gateways, which want to know where a message is and what a list shows of it: asked room by room, a search would take
// the longer, the more rooms there are.

import { MAX_SEARCH_HITS, MAX_SEARCH_RESULTS } from '../../limits/backend.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { isRoomAdmin, readableRoom } from '../session/access.ts';
import { listing, ok } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import type { StoredRoom } from '../store/records.ts';
import { messageByEuid } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { listedMessages } from '../store/room-messages.ts';
import { roomById, shownName } from '../store/rooms.ts';
import { searchHits, searchNumbers } from '../store/search-index.ts';
import { threadRow } from './message-lists.ts';
import { knownRooms } from './room-lists.ts';

/** `SRCH words` → listing of message numbers, ascending. A room that is not known to the user gives no hits. */
export const srch: Verb = (session, args) => {
  const found = searchNumbers(session.store, searchedRooms(session), args, MAX_SEARCH_HITS);
  const rows = found.map((msgnum) => `${msgnum}\n`);
  return listing(`${rows.length} msgs match all search words:`, rows);
};

/** `FIND limit|words` → rows of MSGS mode 9 with `room|flags|1 or 0: room admin|` behind them, the latest first. */
export const find: Verb = (session, args) => {
  const { store, user } = session;
  const [count, ...words] = splitFields(args);
  const limit = Math.min(Math.max(toInt(count), 0), MAX_SEARCH_RESULTS);
  const found = searchHits(store, searchedRooms(session), words.join(' '), limit);
  const listed = listedMessages(
    store,
    found.map(({ message }) => message),
  );
  const rows = found.map(({ room: id, message }) => {
    const room = roomById(store, id)!;
    const row = threadRow(session, listed.get(message)!);
    return `${row}${shownName(room, user)}|${room.flags}|${isRoomAdmin(user, room) ? 1 : 0}|\n`;
  });
  return listing(`${rows.length} found:`, rows);
};

function searchedRooms(session: Session): StoredRoom[] {
  if (!session.user && !session.isAdminSocket) throw new Refusal(STATUS.notLoggedIn, 'Not logged in.');
  return knownRooms(session);
}

/** `EUID id` → `200 number`; 575. Case matters. */
export const euid: Verb = (session, args) => {
  const room = readableRoom(session);
  const msgnum = messageByEuid(session.store, room.id, splitFields(args)[0]!);
  if (msgnum === undefined) throw new Refusal(STATUS.noSuchMessage, 'not found');
  return ok(msgnum);
};
