// The people on the cards of an address book, cached until messages come or go.

import { setImmediate } from 'node:timers/promises';
import { BACKEND_TURN_MS, MAX_COMPLETION_CARDS } from '../../limits/backend.ts';
import { type Person, peopleOnCard, recipientOf } from '../../mime/objects/properties.ts';
import { cardPart } from '../../mime/part.ts';
import { objectPartText } from '../store/message-part.ts';
import { messageInRoom, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** The people of an address book. Its cards are read again only after messages were added or removed. */
export async function peopleIn(store: Store, room: StoredRoom): Promise<Person[]> {
  const { addressBooks } = store.caches;
  const { generation } = room;
  const known = addressBooks.get(room.id);
  if (known?.generation === generation) return known.people;
  const people = await readPeople(store, room.id);
  addressBooks.set(room.id, { generation, people });
  return people;
}

/** In turns with other sessions, because cards may have large pictures. */
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

export function personLine(person: Person): string {
  return `${recipientOf(person)}\n`;
}
