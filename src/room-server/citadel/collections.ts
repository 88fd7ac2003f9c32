// Members of rooms on a server without names: one list of all numbers and UIDs (MSGS ALL in mode 4), and the stored
// headers of new messages, read in batches and cached. Listing a room again costs one short command.

import { BATCH_MESSAGES, LOOKS_AT_A_NAME, MEMBERS_AT_ONCE } from '../../limits/dav.ts';
import type { HeaderField } from '../../mime/headers.ts';
import { collectionKind, type EnteredRoom, hasNames, holdsFiles } from '../../model.ts';
import { euidsOf, isAmbiguous, isPlainNumber, parseMessageNumber } from '../../protocol/member-names.ts';
import { nameKey } from '../../protocol/names.ts';
import { isSelected, type Listing, type Member, type MemberChanges, type Selection } from '../collections.ts';
import type { RoomAccess } from '../connection/pool.ts';
import { type EuidRow, readStoredHeaders } from '../messages.ts';
import { type ListSigner, listOfToken, type TokenKind, tokenOfList } from '../signed-list.ts';
import { type HeaderFacts, headerFacts, MemberNames, memberOf } from './header-facts.ts';
import { ContentLengths, type FactsByNumber, type HeadersByNumber } from './member-contents.ts';
import { messages } from './messages.ts';

async function open(at: RoomAccess, signer: ListSigner) {
  const { entered, rows } = await rowsOf(at);
  return { entered, token: await tokenOf(at, signer, entered, rows) };
}

async function list(at: RoomAccess, selection: Selection, signer: ListSigner): Promise<Listing> {
  const { entered, rows } = await rowsOf(at);
  const members = batchesOf(at, entered, rows, selection);
  return { entered, token: await tokenOf(at, signer, entered, rows), members };
}

function rowsOf({ pool, identity, room }: RoomAccess) {
  return messages.euids(pool, identity, room);
}

function tokenOf(at: RoomAccess, signer: ListSigner, entered: EnteredRoom, rows: readonly EuidRow[]): Promise<string> {
  const numbers = rows.map(({ msgnum }) => msgnum);
  return tokenOfNumbers(at, signer, entered.name, numbers);
}

/** Selected members, without a token. */
export async function* membersIn(at: RoomAccess, selection: Selection): AsyncGenerator<readonly Member[]> {
  const { entered, rows } = await rowsOf(at);
  yield* batchesOf(at, entered, rows, selection);
}

/**
 * The selected messages of `rows`, ascending by number. Leaves out messages that are deleted meanwhile; newer ones,
 * which may have replaced them, follow.
 */
async function* batchesOf(
  at: RoomAccess,
  entered: EnteredRoom,
  rows: readonly EuidRow[],
  selection: Selection,
): AsyncGenerator<readonly Member[]> {
  const names = new MemberNames(entered);
  const kind = collectionKind(entered);
  let left = rows;
  for (let attempt = 1; left.length > 0; attempt++) {
    let hasGone = false;
    for await (const { batch, facts } of factsInBatches(at, left, selection.isSizeWanted === true)) {
      hasGone ||= facts.some((each) => !each);
      const members = batch.flatMap((row, i) => (facts[i] ? memberOf(row, names.take(row, facts[i]), facts[i]) : []));
      yield members.filter((member) => isSelected(member, selection, kind));
    }
    if (!hasGone || attempt === LOOKS_AT_A_NAME) return;
    // a deleted message may have been replaced: clients would take an unlisted file for deleted
    const last = left.at(-1)!.msgnum;
    left = (await rowsOf(at)).rows.filter(({ msgnum }) => msgnum > last);
  }
}

interface FactsOfBatch {
  batch: readonly EuidRow[];
  /** undefined for deleted ones */
  facts: readonly (HeaderFacts | undefined)[];
}

async function* factsInBatches(
  at: RoomAccess,
  rows: readonly EuidRow[],
  isSizeWanted: boolean,
): AsyncGenerator<FactsOfBatch> {
  const lengths = isSizeWanted ? new ContentLengths(at) : undefined;
  for (let start = 0; start < rows.length; ) {
    const known = knownFacts(at, rows, start, isSizeWanted);
    if (known.length > 0) {
      yield { batch: rows.slice(start, start + known.length), facts: known };
      start += known.length;
      continue;
    }
    const batch = rows.slice(start, start + BATCH_MESSAGES);
    const { facts, stored } = await factsOf(at, batch);
    const complete = (await lengths?.complete(facts, stored)) ?? facts;
    yield { batch, facts: batch.map(({ msgnum }) => complete.get(msgnum)) };
    start += batch.length;
  }
}

/** The facts from `start` on, until one is not cached. */
function knownFacts({ pool }: RoomAccess, rows: readonly EuidRow[], start: number, isSizeWanted: boolean) {
  const known: HeaderFacts[] = [];
  for (let i = start; i < rows.length && known.length < MEMBERS_AT_ONCE; i++) {
    const facts = headerFacts(pool).of(rows[i]!);
    if (!facts || (isSizeWanted && facts.size === undefined)) break;
    known.push(facts);
  }
  return known;
}

/** Of the messages that are there; `stored`: headers that were read for it. */
async function factsOf(
  { pool, identity, room }: RoomAccess,
  batch: readonly EuidRow[],
): Promise<{ facts: FactsByNumber; stored: HeadersByNumber }> {
  const facts = new Map<number, HeaderFacts>();
  const stored = new Map<number, readonly HeaderField[]>();
  const unknown: EuidRow[] = [];
  for (const row of batch) {
    const known = headerFacts(pool).of(row);
    if (known) facts.set(row.msgnum, known);
    else unknown.push(row);
  }
  if (unknown.length === 0) return { facts, stored };
  const numbers = unknown.map(({ msgnum }) => msgnum);
  const headers = await readStoredHeaders(pool, identity, room, numbers);
  unknown.forEach((row, i) => {
    if (!headers[i]) return;
    // another request may have read it meanwhile
    facts.set(row.msgnum, headerFacts(pool).of(row) ?? headerFacts(pool).add(row, headers[i]));
    stored.set(row.msgnum, headers[i]);
  });
  return { facts, stored };
}

type NamedRows = ReadonlyMap<string, { row: EuidRow; facts: HeaderFacts }>;

/** All that are there, by the name under which they are listed. */
async function namedRows(at: RoomAccess, entered: EnteredRoom, rows: readonly EuidRow[]): Promise<NamedRows> {
  const names = new MemberNames(entered);
  const named = new Map<string, { row: EuidRow; facts: HeaderFacts }>();
  for await (const { batch, facts } of factsInBatches(at, rows, false)) {
    batch.forEach((row, i) => {
      if (facts[i]) named.set(names.take(row, facts[i]), { row, facts: facts[i] });
    });
  }
  return named;
}

async function changesSince(at: RoomAccess, token: string, signer: ListSigner): Promise<MemberChanges | undefined> {
  const { entered, rows } = await rowsOf(at);
  const now = await tokenOf(at, signer, entered, rows);
  if (token === now) return { entered, token, changed: inBatches([]), removed: [] };
  const numbers = await numbersOfToken(at, signer, entered.name, token);
  if (!numbers) return undefined;
  const named = await namedRows(at, entered, rows);
  const before = namesBefore(at, entered, numbers, named);
  if (!before) return undefined;
  const changed = [...named]
    .filter(([name, { row }]) => before.get(name) !== row.msgnum)
    .map(([name, { row, facts }]) => memberOf(row, name, facts));
  const removed = [...before.keys()].filter((name) => !named.has(name));
  return { entered, token: now, changed: inBatches(changed), removed };
}

/** What each name meant when the room held these messages; undefined if the name of a deleted one is not cached. */
function namesBefore(
  { pool }: RoomAccess,
  entered: EnteredRoom,
  numbers: readonly number[],
  named: NamedRows,
): Map<string, number> | undefined {
  const present = new Map([...named.values()].map(({ row, facts }) => [row.msgnum, facts]));
  const names = new MemberNames(entered);
  const before = new Map<string, number>();
  for (const msgnum of numbers) {
    const facts = present.get(msgnum) ?? headerFacts(pool).lastOf(msgnum);
    if (!facts) return undefined;
    before.set(names.take({ msgnum, euid: facts.euid }, facts), msgnum);
  }
  return before;
}

async function* inBatches(members: readonly Member[]): AsyncGenerator<readonly Member[]> {
  for (let at = 0; at < members.length; at += MEMBERS_AT_ONCE) yield members.slice(at, at + MEMBERS_AT_ONCE);
}

async function find(at: RoomAccess, names: readonly string[]): Promise<(Member | undefined)[]> {
  const { entered, rows } = await rowsOf(at);
  const named = await namedRows(at, entered, rows);
  const byNumber = new Map<number, string>();
  const byEuid = new Map<string, string>();
  for (const [name, { row }] of named) {
    byNumber.set(row.msgnum, name);
    if (row.euid !== '' && !byEuid.has(row.euid)) byEuid.set(row.euid, name);
  }
  const isNameFirst = hasNames(entered);
  const nameOf = (segment: string): string | undefined => {
    const number = parseMessageNumber(segment);
    const isName = isNameFirst || !isPlainNumber(segment);
    if (isName && named.has(segment)) return segment;
    if (number !== undefined && !(holdsFiles(entered) && isPlainNumber(segment))) return byNumber.get(number);
    if (isAmbiguous(segment)) return undefined;
    const euid = euidsOf(segment).find((each) => byEuid.has(each));
    return euid === undefined ? undefined : byEuid.get(euid);
  };
  return names.map((segment) => {
    const name = nameOf(segment);
    const found = name === undefined ? undefined : named.get(name);
    return found && memberOf(found.row, name!, found.facts);
  });
}

const NUMBERS: TokenKind = { list: 'data:,l', digest: 'data:,d' };

/** A token is valid for one account and one room. */
async function ownerOf({ pool, identity }: RoomAccess, room: string): Promise<string> {
  return `${await pool.accountOf(identity)}\n${nameKey(room)}`;
}

/**
 * The token lists the numbers of the messages that were there: the server counts no changes. Signed, because the names
 * of listed numbers are told from the cache. `numbers`: ascending; `room`: as GOTO names it. Otherwise as tokenOfList.
 */
export async function tokenOfNumbers(
  at: RoomAccess,
  signer: ListSigner,
  room: string,
  numbers: readonly number[],
): Promise<string> {
  return tokenOfList(signer, NUMBERS, await ownerOf(at, room), deltasOf(numbers));
}

/** Ascending; undefined as for listOfToken. */
export async function numbersOfToken(
  at: RoomAccess,
  signer: ListSigner,
  room: string,
  token: string,
): Promise<number[] | undefined> {
  const list = listOfToken(signer, NUMBERS, await ownerOf(at, room), token);
  return list && numbersFrom(list);
}

/** The distances, seven bits a byte, the last byte of each without the high bit: runs pack well. */
function deltasOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * MAX_NUMBER_BYTES);
  let end = 0;
  let last = 0;
  for (const number of numbers) {
    let left = number - last;
    for (; left >= 128; left = Math.floor(left / 128)) bytes[end++] = (left % 128) + 128;
    bytes[end++] = left;
    last = number;
  }
  return bytes.subarray(0, end);
}

/** of 53 bits */
const MAX_NUMBER_BYTES = 8;

function numbersFrom(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let last = 0;
  let delta = 0;
  let factor = 1;
  for (const byte of bytes) {
    delta += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    last += delta;
    numbers.push(last);
    delta = 0;
    factor = 1;
  }
  return numbers;
}

export const memberLists = { open, list, changesSince, find };
