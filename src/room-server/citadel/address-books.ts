// People on the contacts in the address books of a user, read by the gateway: another room server finds people in its
// full-text index, which need not have their cards (quirk Q57). What was read is kept until something changes in the
// room.

import {
  LOOK_AT_CARDS_MS,
  MAX_KEPT_BOOKS,
  MAX_LOOKED_BOOKS,
  MAX_LOOKED_CARD_BYTES,
  MAX_LOOKED_CARDS,
  PART_OF_BOOK_KEPT_MS,
} from '../../limits/looking.ts';
import { type Person, peopleOnCard } from '../../mime/objects/properties.ts';
import { cardPart } from '../../mime/part.ts';
import { decodedPartText } from '../../mime/readable.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { ACCESS, VIEW } from '../../model.ts';
import { STATUS } from '../../protocol/status.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { enterRoomCommand, parseEnteredRoom } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { listRooms } from '../rooms.ts';
import { type LookBounds, type LookedRoom, lookThrough, newestIn } from './scan.ts';

export const BOOK_BOUNDS: LookBounds = {
  messages: MAX_LOOKED_CARDS,
  bytes: MAX_LOOKED_CARD_BYTES,
  ms: LOOK_AT_CARDS_MS,
};

interface Book {
  /** what GOTO told of the room when it was read */
  state: string;
  /** performance.now(): then it is read again, for not all of it was */
  until: number;
  people: Person[];
}

/** An address book that was entered. */
interface EnteredBook extends LookedRoom {
  /** by account and room: rooms of different people have the same names */
  key: string;
  state: string;
}

/** by EnteredBook.key */
const kept = new WeakMap<Pool, BoundedMap<string, Book>>();

/** Everybody on the newest contacts in the address books that the user knows, the latest first in each. */
export async function peopleInBooks(pool: Pool, identity: Identity, bounds = BOOK_BOUNDS): Promise<Person[]> {
  const entered = await enterBooks(pool, identity);
  const books = kept.getOrInsertComputed(pool, () => new BoundedMap(MAX_KEPT_BOOKS));
  const current = new Map<EnteredBook, Book>();
  for (const one of entered) {
    const book = books.get(one.key);
    if (book?.state === one.state && book.until > performance.now()) current.set(one, book);
  }
  const changed = entered.filter((one) => !current.has(one));
  if (changed.length > 0) await readBooks(pool, identity, changed, current, bounds);
  return entered.flatMap((one) => {
    const book = current.get(one)!;
    books.set(one.key, book);
    return book.people;
  });
}

async function enterBooks(pool: Pool, identity: Identity): Promise<EnteredBook[]> {
  const account = await pool.accountOf(identity);
  const known = (await listRooms(pool, identity)).filter(
    ({ access, defaultView }) => (access & ACCESS.known) !== 0 && defaultView === VIEW.addressBook,
  );
  const refs = known.slice(0, MAX_LOOKED_BOOKS).map(({ name }) => ({ name, password: '' }));
  const answers = await pool.read(
    identity,
    refs.map((ref) => enterRoomCommand(ref, true)),
  );
  return answers.flatMap((answer, i) => {
    if (answer.code !== STATUS.done) return [];
    const { name, highest, totalMessages, mtime } = parseEnteredRoom(answer);
    const state = `${highest} ${totalMessages} ${mtime}`;
    return { ref: refs[i]!, key: `${account} ${name}`, highest, totalMessages, state };
  });
}

/** The newest of all of them, as many as the bounds allow. */
async function readBooks(
  pool: Pool,
  identity: Identity,
  entered: readonly EnteredBook[],
  books: Map<EnteredBook, Book>,
  bounds: LookBounds,
): Promise<void> {
  const read = new Map(entered.map(({ ref }) => [ref, [] as Person[]]));
  const { places } = await newestIn(pool, identity, entered, 0, bounds.messages);
  const through = await lookThrough(pool, identity, places, bounds, ({ rooms }, source) => {
    const people = peopleIn(source);
    for (const room of rooms) read.get(room)!.push(...people);
  });
  const until = through === places.length ? Number.POSITIVE_INFINITY : performance.now() + PART_OF_BOOK_KEPT_MS;
  for (const one of entered) books.set(one, { state: one.state, until, people: read.get(one.ref)! });
}

function peopleIn(source: Buffer): Person[] {
  const walker = new MimeWalker();
  walker.push(source);
  const part = cardPart(walker.end());
  return part ? peopleOnCard(decodedPartText(source, part)) : [];
}
