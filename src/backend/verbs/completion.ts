// AUTO: suggestions for a recipient that is being typed (protocol section 18.9): cards of the own Contacts and of the
// Global Address Book, then users of this server. DVCA: everybody on the cards of a room.

import { setImmediate } from 'node:timers/promises';
import { BACKEND_TURN_MS, MAX_COMPLETION_CARDS, MAX_COMPLETIONS } from '../../limits/backend.ts';
import { isPersonLike, type Person, peopleOnCard, recipientOf } from '../../mime/objects/properties.ts';
import { cardPart } from '../../mime/part.ts';
import { ACCESS } from '../../model.ts';
import { STATUS } from '../../protocol/status.ts';
import { accessOf, readableRoom, requireUser } from '../session/access.ts';
import { listing, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { objectPartText } from '../store/message-part.ts';
import { messageInRoom, structureOf } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { personalKey, roomByName } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { addressOf, allUsers, USER_FLAG } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';

const GLOBAL_ADDRESS_BOOK = 'Global Address Book';

/** `AUTO text` → lines `Name <address>`; 512 without a text */
export async function auto(session: Session, args: string): Promise<Reply> {
  const { store, server } = session;
  const user = requireUser(session);
  const wanted = args.trim().toLowerCase();
  if (wanted === '') throw new Refusal(STATUS.illegalValue, 'You supplied an empty partial.');
  const lines = new Map<string, string>();
  const pace = server.turns.paced(BACKEND_TURN_MS);
  for await (const person of everybody(store, user)) {
    const key = person.address.toLowerCase();
    if (isPersonLike(person, wanted) && !lines.has(key)) lines.set(key, line(person));
    if (lines.size === MAX_COMPLETIONS) break;
    const turn = pace();
    if (turn) await turn;
    // the server has ended meanwhile
    if (!store.db.isOpen) return '';
  }
  return listing('try these:', [...lines.values()]);
}

/** → lines `Name <address>` of the cards in the current room; 550 */
export async function dvca(session: Session): Promise<Reply> {
  const people = await peopleIn(session.store, readableRoom(session));
  return listing('addresses:', people.map(line));
}

async function* everybody(store: Store, user: StoredUser): AsyncGenerator<Person> {
  const contacts = roomByName(store, personalKey(user.id, 'contacts'));
  if (contacts) yield* await peopleIn(store, contacts);
  const shared = roomByName(store, GLOBAL_ADDRESS_BOOK);
  if (shared && accessOf(user, shared, visitOf(store, user.id, shared.id)) & ACCESS.enter) {
    yield* await peopleIn(store, shared);
  }
  for (const other of allUsers(store)) {
    if (!(other.flags & USER_FLAG.unlisted)) yield { name: other.name, address: addressOf(store, other) };
  }
}

/** The people of an address book; its cards are read again only when messages have come or gone. */
async function peopleIn(store: Store, room: StoredRoom): Promise<Person[]> {
  const { addressBooks } = store.caches;
  const { generation } = room;
  const known = addressBooks.get(room.id);
  if (known?.generation === generation) return known.people;
  const people = await readPeople(store, room.id);
  addressBooks.set(room.id, { generation, people });
  return people;
}

/** Cards may have large pictures: the other sessions have their turn meanwhile. */
async function readPeople(store: Store, roomId: number): Promise<Person[]> {
  const rows = store
    .prepare('SELECT message FROM room_message WHERE room = ? ORDER BY message DESC LIMIT ?')
    .all(roomId, MAX_COMPLETION_CARDS);
  const people: Person[] = [];
  let turnEnd = performance.now() + BACKEND_TURN_MS;
  for (const { message } of rows) {
    people.push(...peopleOf(store, roomId, Number(message)));
    if (performance.now() < turnEnd) continue;
    await setImmediate();
    turnEnd = performance.now() + BACKEND_TURN_MS;
  }
  return people;
}

function peopleOf(store: Store, roomId: number, msgnum: number): Person[] {
  const row = messageInRoom(store, roomId, msgnum);
  const structure = row && structureOf(store, msgnum);
  if (!row || !structure) return [];
  const part = cardPart(structure);
  return part ? peopleOnCard(objectPartText(store, row, part) ?? '') : [];
}

function line(person: Person): string {
  return `${recipientOf(person)}\n`;
}
