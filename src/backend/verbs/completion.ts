// AUTO: suggestions for a recipient (protocol section 18.9): people on cards of the user's Contacts and of the Global
// Address Book, then accounts.

import { BACKEND_TURN_MS, MAX_COMPLETIONS } from '../../limits/backend.ts';
import { isPersonLike, type Person } from '../../mime/objects/properties.ts';
import { ACCESS } from '../../model.ts';
import { peopleIn, personLine } from '../content/address-books.ts';
import { accessOf, requireUser } from '../session/access.ts';
import { listing, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import type { StoredUser } from '../store/records.ts';
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
  if (wanted === '') throw new Refusal('illegalValue', 'You supplied an empty partial.');
  const lines = new Map<string, string>();
  const turn = server.turns.begin(BACKEND_TURN_MS);
  for await (const person of everybody(store, user)) {
    const key = person.address.toLowerCase();
    if (isPersonLike(person, wanted) && !lines.has(key)) lines.set(key, personLine(person));
    if (lines.size === MAX_COMPLETIONS) break;
    if (turn.isOver) await turn.next();
    // the server has ended meanwhile
    if (!store.db.isOpen) return '';
  }
  return listing('try these:', [...lines.values()]);
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
