// The members of a room on any server, by the documented verbs: one list of all numbers and UIDs (MSGS ALL in mode 4),
// and the stored headers of those not met before, read in batches and kept (App.storedTraits). So to list a room again
// costs one short command.

import { BATCH_MESSAGES, LOOKS_AT_A_NAME, MEMBERS_AT_ONCE } from '../../limits/dav.ts';
import type { HeaderField } from '../../mime/headers.ts';
import { type EnteredRoom, hasNames, holdsFiles } from '../../model.ts';
import { euidsOf, isAmbiguous, isPlainNumber, parseMessageNumber } from '../../protocol/member-names.ts';
import { serverOf } from '../../room-server/driver.ts';
import { type EuidRow, readStoredHeaders } from '../../room-server/messages.ts';
import type { StoredTraits } from '../message/stored-traits.ts';
import type { RoomContext } from '../room-context.ts';
import { ContentLengths, type HeadersByNumber, type TraitsByNumber } from './content-lengths.ts';
import { collectionKind, type Listing, type Member, type MemberChanges, type Selection } from './member.ts';
import { MemberNames } from './member-names.ts';
import type { MemberSource } from './member-source.ts';
import { contentsByNumber } from './object-contents.ts';
import { isSelected, memberOf } from './selection.ts';
import { numbersOfToken, tokenOfNumbers } from './sync-token.ts';

export const listedMembers: MemberSource = { open, list, changesSince, find, contentsOf: contentsByNumber };

async function open(context: RoomContext) {
  const { entered, rows } = await rowsOf(context);
  return { entered, token: await tokenOf(context, entered, rows) };
}

async function list(context: RoomContext, selection: Selection): Promise<Listing> {
  const { entered, rows } = await rowsOf(context);
  const members = batchesOf(context, entered, rows, selection);
  return { entered, token: await tokenOf(context, entered, rows), members };
}

async function rowsOf({ app, caller, room }: RoomContext) {
  const { messages } = await serverOf(app.pool, caller.identity);
  return messages.euids(app.pool, caller.identity, room);
}

function tokenOf(context: RoomContext, entered: EnteredRoom, rows: readonly EuidRow[]): Promise<string> {
  return tokenOfNumbers(
    context,
    entered.name,
    rows.map(({ msgnum }) => msgnum),
  );
}

/**
 * Every message of `rows` that is selected, ascending by number. Messages that are deleted meanwhile are left out; then
 * those that have come since follow, which may have replaced them.
 */
async function* batchesOf(
  context: RoomContext,
  entered: EnteredRoom,
  rows: readonly EuidRow[],
  selection: Selection,
): AsyncGenerator<readonly Member[]> {
  const names = new MemberNames(entered);
  const kind = collectionKind(entered);
  let left = rows;
  for (let look = 1; left.length > 0; look++) {
    let hasGone = false;
    for await (const { batch, traits } of traitsInBatches(context, left, selection.isSizeWanted === true)) {
      hasGone ||= traits.some((each) => !each);
      const members = batch.flatMap((row, i) =>
        traits[i] ? memberOf(row, names.take(row, traits[i]), traits[i]) : [],
      );
      yield members.filter((member) => isSelected(member, selection, kind));
    }
    if (!hasGone || look === LOOKS_AT_A_NAME) return;
    // a message that is gone may have been replaced: a client would take a file that is not listed for deleted
    const last = left.at(-1)!.msgnum;
    left = (await rowsOf(context)).rows.filter(({ msgnum }) => msgnum > last);
  }
}

interface TraitsOfBatch {
  batch: readonly EuidRow[];
  /** undefined for those that are gone */
  traits: readonly (StoredTraits | undefined)[];
}

async function* traitsInBatches(
  context: RoomContext,
  rows: readonly EuidRow[],
  isSizeWanted: boolean,
): AsyncGenerator<TraitsOfBatch> {
  const lengths = isSizeWanted ? new ContentLengths(context) : undefined;
  for (let at = 0; at < rows.length; ) {
    const known = knownTraits(context, rows, at, isSizeWanted);
    if (known.length > 0) {
      yield { batch: rows.slice(at, at + known.length), traits: known };
      at += known.length;
      continue;
    }
    const batch = rows.slice(at, at + BATCH_MESSAGES);
    const { traits, stored } = await traitsOf(context, batch);
    const complete = (await lengths?.complete(traits, stored)) ?? traits;
    yield { batch, traits: batch.map(({ msgnum }) => complete.get(msgnum)) };
    at += batch.length;
  }
}

/** From `at` on, until something must be asked for. */
function knownTraits({ app }: RoomContext, rows: readonly EuidRow[], at: number, isSizeWanted: boolean) {
  const known: StoredTraits[] = [];
  for (let i = at; i < rows.length && known.length < MEMBERS_AT_ONCE; i++) {
    const traits = app.storedTraits.of(rows[i]!);
    if (!traits || (isSizeWanted && traits.size === undefined)) break;
    known.push(traits);
  }
  return known;
}

/** Of the messages that are there; `stored`: of those that were read for it. */
async function traitsOf(
  { app, caller, room }: RoomContext,
  batch: readonly EuidRow[],
): Promise<{ traits: TraitsByNumber; stored: HeadersByNumber }> {
  const traits = new Map<number, StoredTraits>();
  const stored = new Map<number, readonly HeaderField[]>();
  const unknown: EuidRow[] = [];
  for (const row of batch) {
    const known = app.storedTraits.of(row);
    if (known) traits.set(row.msgnum, known);
    else unknown.push(row);
  }
  if (unknown.length === 0) return { traits, stored };
  const numbers = unknown.map(({ msgnum }) => msgnum);
  const headers = await readStoredHeaders(app.pool, caller.identity, room, numbers);
  unknown.forEach((row, i) => {
    if (!headers[i]) return;
    // another request may have read the same meanwhile
    traits.set(row.msgnum, app.storedTraits.of(row) ?? app.storedTraits.keep(row, headers[i]));
    stored.set(row.msgnum, headers[i]);
  });
  return { traits, stored };
}

type NamedRows = ReadonlyMap<string, { row: EuidRow; traits: StoredTraits }>;

/** All that are there, each under the name that it is listed under. */
async function namedRows(context: RoomContext, entered: EnteredRoom, rows: readonly EuidRow[]): Promise<NamedRows> {
  const names = new MemberNames(entered);
  const named = new Map<string, { row: EuidRow; traits: StoredTraits }>();
  for await (const { batch, traits } of traitsInBatches(context, rows, false)) {
    batch.forEach((row, i) => {
      if (traits[i]) named.set(names.take(row, traits[i]), { row, traits: traits[i] });
    });
  }
  return named;
}

async function changesSince(context: RoomContext, token: string): Promise<MemberChanges | undefined> {
  const { entered, rows } = await rowsOf(context);
  const now = await tokenOf(context, entered, rows);
  if (token === now) return { entered, token, changed: inBatches([]), removed: [] };
  const numbers = await numbersOfToken(context, entered.name, token);
  if (!numbers) return undefined;
  const named = await namedRows(context, entered, rows);
  const before = namesBefore(context, entered, numbers, named);
  if (!before) return undefined;
  const changed = [...named]
    .filter(([name, { row }]) => before.get(name) !== row.msgnum)
    .map(([name, { row, traits }]) => memberOf(row, name, traits));
  const removed = [...before.keys()].filter((name) => !named.has(name));
  return { entered, token: now, changed: inBatches(changed), removed };
}

/** What each name meant when these were the messages; undefined where a name that has gone is not known any more. */
function namesBefore(
  { app }: RoomContext,
  entered: EnteredRoom,
  numbers: readonly number[],
  named: NamedRows,
): Map<string, number> | undefined {
  const present = new Map([...named.values()].map(({ row, traits }) => [row.msgnum, traits]));
  const names = new MemberNames(entered);
  const before = new Map<string, number>();
  for (const msgnum of numbers) {
    const traits = present.get(msgnum) ?? app.storedTraits.lastOf(msgnum);
    if (!traits) return undefined;
    before.set(names.take({ msgnum, euid: traits.euid }, traits), msgnum);
  }
  return before;
}

async function* inBatches(members: readonly Member[]): AsyncGenerator<readonly Member[]> {
  for (let at = 0; at < members.length; at += MEMBERS_AT_ONCE) yield members.slice(at, at + MEMBERS_AT_ONCE);
}

async function find(context: RoomContext, names: readonly string[]): Promise<(Member | undefined)[]> {
  const { entered, rows } = await rowsOf(context);
  const named = await namedRows(context, entered, rows);
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
    return found && memberOf(found.row, name!, found.traits);
  });
}
