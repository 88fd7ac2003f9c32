// People in the address books of a user. Other room servers look them up in their full-text index, which may lack cards
// (quirk Q57), so the gateway reads the cards and caches them until the room changes.

import {
  MAX_CACHED_BOOKS,
  MAX_SCANNED_BOOKS,
  MAX_SCANNED_CARD_BYTES,
  MAX_SCANNED_CARDS,
  PARTIAL_BOOK_CACHE_MS,
  SCAN_CARDS_MS,
} from '../../limits/protocol.ts';
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
import { newestIn, type ScanBounds, type ScannedRoom, scan } from './scan.ts';

export const BOOK_BOUNDS: ScanBounds = {
  messages: MAX_SCANNED_CARDS,
  bytes: MAX_SCANNED_CARD_BYTES,
  ms: SCAN_CARDS_MS,
};

interface Book {
  /** derived from the answer to GOTO */
  state: string;
  /** performance.now(): when to read a partly read book again */
  until: number;
  people: Person[];
}

interface EnteredBook extends ScannedRoom {
  /** account and room, as rooms of different people have the same names */
  key: string;
  state: string;
}

/** by EnteredBook.key */
const cached = new WeakMap<Pool, BoundedMap<string, Book>>();

/** People on the newest contacts in each known address book, newest first. */
export async function peopleInBooks(pool: Pool, identity: Identity, bounds = BOOK_BOUNDS): Promise<Person[]> {
  const entered = await enterBooks(pool, identity);
  const books = cached.getOrInsertComputed(pool, () => new BoundedMap(MAX_CACHED_BOOKS));
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
  const refs = known.slice(0, MAX_SCANNED_BOOKS).map(({ name }) => ({ name, password: '' }));
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

/** Reads the newest contacts of all books, within the bounds. */
async function readBooks(
  pool: Pool,
  identity: Identity,
  entered: readonly EnteredBook[],
  books: Map<EnteredBook, Book>,
  bounds: ScanBounds,
): Promise<void> {
  const read = new Map(entered.map(({ ref }) => [ref, [] as Person[]]));
  const { messages } = await newestIn(pool, identity, entered, 0, bounds.messages);
  const scanned = await scan(pool, identity, messages, bounds, ({ rooms }, source) => {
    const people = peopleIn(source);
    for (const room of rooms) read.get(room)!.push(...people);
  });
  const until = scanned === messages.length ? Number.POSITIVE_INFINITY : performance.now() + PARTIAL_BOOK_CACHE_MS;
  for (const one of entered) books.set(one, { state: one.state, until, people: read.get(one.ref)! });
}

function peopleIn(source: Buffer): Person[] {
  const walker = new MimeWalker();
  walker.push(source);
  const part = cardPart(walker.end());
  return part ? peopleOnCard(decodedPartText(source, part)) : [];
}
