// References from rooms to messages. A message exists once; rooms refer to it, and so does the history of a wiki page,
// which lasts as long as the room. Without references a message is deleted with its index entry, and with its body if
// no other message has the same.

import { randomUUID } from 'node:crypto';
import { REPLACING_VIEWS, VIEW } from '../../model.ts';
import {
  isMemberName,
  isOwnName,
  isPlainNumber,
  type NamedMessage,
  ownEnding,
  ownNames,
  parseMessageNumber,
} from '../../protocol/member-names.ts';
import { now } from '../../system/clock.ts';
import { releaseBlob } from './bodies.ts';
import { copyProperties, dropProperties } from './dead-properties.ts';
import { type MessageFacts, storedFacts } from './message-facts.ts';
import { hasMemberNames, type StoredRoom } from './records.ts';
import { noteRemoved, type RemovedMember, roomById, updateRoomContents } from './rooms.ts';
import { reindexMessage, unindexMessage } from './search-index.ts';
import type { Store } from './store.ts';

const SELECT_BY_EUID = selectByEuid('?', '?');
const SELECT_BY_NAME = selectByName('?', '?');

/** Whether the room refers to the message. */
export function isInRoom(store: Store, roomId: number, msgnum: number): boolean {
  return store.get`SELECT 1 FROM room_message WHERE room = ${roomId} AND message = ${msgnum}` !== undefined;
}

/** The euid of a message in a room; undefined if it has none or is not there. */
export function euidIn(store: Store, roomId: number, msgnum: number): string | undefined {
  const row = store.get`SELECT exti FROM room_message WHERE room = ${roomId} AND message = ${msgnum}`;
  return row?.exti ? String(row.exti) : undefined;
}

/** The highest number in the room that is below `msgnum`. */
export function numberBefore(store: Store, roomId: number, msgnum: number): number | undefined {
  return numberIn(
    store,
    'SELECT max(message) AS message FROM room_message WHERE room = ? AND message < ?',
    roomId,
    msgnum,
  );
}

/** The lowest number in the room that is above `msgnum`. */
export function numberAfter(store: Store, roomId: number, msgnum: number): number | undefined {
  return numberIn(
    store,
    'SELECT min(message) AS message FROM room_message WHERE room = ? AND message > ?',
    roomId,
    msgnum,
  );
}

function numberIn(store: Store, sql: string, roomId: number, key: string | number): number | undefined {
  const row = store.prepare(sql).get(roomId, typeof key === 'number' ? Math.min(key, Number.MAX_SAFE_INTEGER) : key);
  return (row?.message as number | null | undefined) ?? undefined;
}

/** Number of the message with this euid in the room; case matters. */
export function messageByEuid(store: Store, roomId: number, euid: string): number | undefined {
  return numberIn(store, SELECT_BY_EUID, roomId, euid);
}

/** Number of the member of this name in the room; an empty name finds nothing. */
export function messageByName(store: Store, roomId: number, name: string): number | undefined {
  return numberIn(store, SELECT_BY_NAME, roomId, name) ?? unnamedMember(store, roomId, name);
}

/** The unnamed message with this number, which conflicts with a file of that name. */
function unnamedMember(store: Store, roomId: number, name: string): number | undefined {
  const msgnum = isPlainNumber(name) ? parseMessageNumber(name) : undefined;
  if (msgnum === undefined) return undefined;
  const row = store.prepare(`SELECT 1 FROM room_message WHERE room = ? AND message = ? AND name = ''`);
  return row.get(roomId, msgnum) && msgnum;
}

/** SQL of the queries above, with the given parameters. */
export function selectByEuid(roomId: string, euid: string): string {
  return `SELECT max(message) AS message FROM room_message WHERE room = ${roomId} AND exti = ${euid} AND exti <> ''`;
}

export function selectByName(roomId: string, name: string): string {
  return `SELECT message FROM room_message WHERE room = ${roomId} AND name = ${name} AND name <> ''`;
}

/** How a message enters a room. */
interface Arrival {
  /** by default the name it was PUT under, or else one derived from it */
  name?: string | undefined;
  /** replaces the member with that name; otherwise the message gets another one */
  mayReplace?: boolean | undefined;
  /** Unix time; by default now */
  stored?: number | undefined;
  /** by default that of what it replaces, else the same */
  created?: number | undefined;
}

/** A row that was removed from a room. */
interface TakenOut extends RemovedMember {
  stored: number;
  created: number;
}

/** Adds a stored message to a room; false if it is there already. Inside a transaction only. */
export function addToRoom(store: Store, roomId: number, msgnum: number, euid: string, arrival: Arrival = {}): boolean {
  if (isInRoom(store, roomId, msgnum)) return false;
  addNew(store, roomId, msgnum, euid, storedFacts(store, msgnum), arrival);
  return true;
}

/** The same for a message that is not in the room; `facts`: its stored facts. */
export function addNew(
  store: Store,
  roomId: number,
  msgnum: number,
  euid: string,
  facts: MessageFacts | undefined,
  arrival: Arrival,
): void {
  const room = roomById(store, roomId)!;
  const given = arrival.name ?? facts?.name;
  const replaced: TakenOut[] = [];
  let names = given === undefined ? [] : namesOf(room, given, { msgnum, euid });
  if (euid !== '' && REPLACING_VIEWS.has(room.view)) {
    if (room.view === VIEW.wiki) addRevision(store, roomId, euid, msgnum);
    const old = messageByEuid(store, roomId, euid);
    if (old !== undefined) {
      // the new version keeps the name, unless it has its own
      if (arrival.name === undefined && facts?.name === '') names = [nameInRoom(store, roomId, old), ...names];
      replaced.push(...takeOut(store, roomId, [old], names[0] ?? ''));
    }
  }
  const holder = arrival.mayReplace && names[0] ? messageByName(store, roomId, names[0]) : undefined;
  if (holder !== undefined) replaced.push(...takeOut(store, roomId, [holder], names[0]!));
  const name = freeName(store, roomId, names);
  const sequence = room.sequence + 1;
  const stored = arrival.stored ?? timeUnder(store, roomId, name);
  store.run`INSERT INTO room_message (room, message, exti, name, folder, sequence, component, starts, ends, stored,
    created) VALUES (${roomId}, ${msgnum}, ${euid}, ${name}, ${folderOf(name)}, ${sequence},
    ${facts?.component ?? null}, ${facts?.starts ?? null}, ${facts?.ends ?? null}, ${stored},
    ${arrival.created || replaced.find(({ created }) => created > 0)?.created || stored})`;
  countRoom(store, roomId, 1, sequence, msgnum);
}

/** A message whose facts are not known yet. */
export interface UnknownMember {
  message: number;
  exti: string;
  /** given by a copy */
  name: string;
}

/** Stores the computed facts of a message that is in the room already. Inside a transaction only. */
export function nameMember(
  store: Store,
  room: StoredRoom,
  { message, exti, name: before }: UnknownMember,
  { name: given, component, starts, ends }: MessageFacts,
): void {
  const name = before || freeName(store, room.id, namesOf(room, given, { msgnum: message, euid: exti }));
  store.run`UPDATE room_message
    SET name = ${name}, folder = ${folderOf(name)}, component = ${component}, starts = ${starts}, ends = ${ends}
    WHERE room = ${room.id} AND message = ${message}`;
}

/** The names that a message may have in a room, best first: the one it was PUT under, then derived ones. */
function namesOf(room: Pick<StoredRoom, 'view' | 'flags'>, given: string, message: NamedMessage): string[] {
  const { view } = room;
  return isMemberName(given, hasMemberNames(room)) ? [given, ...ownNames(view, message)] : ownNames(view, message);
}

/** The first name that is free; empty if none is, and the message goes by its number. */
function freeName(store: Store, roomId: number, names: readonly string[]): string {
  return names.find((name) => name !== '' && messageByName(store, roomId, name) === undefined) ?? '';
}

/** The time at which a message gets a name. Last-Modified has seconds, so each version in one second counts one on. */
function timeUnder(store: Store, roomId: number, name: string): number {
  return Math.max(now(), (store.caches.vacated.get(`${roomId}\n${name}`) ?? 0) + 1);
}

/** `'docs/2026/a.txt'` → `'docs/2026/'`, `'docs/'` → `''` */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/', name.length - 2) + 1);
}

/** Empty if it has none, or is not there. */
export function nameInRoom(store: Store, roomId: number, msgnum: number): string {
  const row = store.get`SELECT name FROM room_message WHERE room = ${roomId} AND message = ${msgnum}`;
  return String(row?.name ?? '');
}

/** The same, but empty for a derived name (protocol/member-names.ts), which may differ in another room. */
function givenName(store: Store, roomId: number, msgnum: number): string {
  const name = nameInRoom(store, roomId, msgnum);
  const message = { msgnum, euid: euidIn(store, roomId, msgnum) ?? '' };
  return isOwnName(roomById(store, roomId)!.view, message, name) ? '' : name;
}

/** The name that a message of one room would have in another. */
export function nameThere(store: Store, sourceId: number, targetId: number, msgnum: number): string {
  const message = { msgnum, euid: euidIn(store, sourceId, msgnum) ?? '' };
  return namesOf(roomById(store, targetId)!, givenName(store, sourceId, msgnum), message)[0] ?? '';
}

/** Adds messages of one room to another. A page brings its history along. Inside a transaction only. */
export function copyToRoom(
  store: Store,
  sourceId: number,
  targetId: number,
  msgnums: readonly number[],
  isMove = false,
): void {
  const select = store.prepare('SELECT exti, name, created FROM room_message WHERE room = ? AND message = ?');
  for (const msgnum of msgnums) {
    const row = select.get(sourceId, msgnum);
    if (!row) continue;
    const [euid, name] = [String(row.exti), String(row.name)];
    if (euid !== '' && roomById(store, targetId)!.view === VIEW.wiki) copyHistory(store, sourceId, targetId, euid);
    const given = givenName(store, sourceId, msgnum);
    const arrival = { name: given || undefined, created: isMove ? Number(row.created) : undefined };
    if (!addToRoom(store, targetId, msgnum, euid, arrival)) continue;
    reindexMessage(store, msgnum);
    const member = nameInRoom(store, targetId, msgnum) || String(msgnum);
    copyProperties(store, { room: sourceId, member: name || String(msgnum) }, { room: targetId, member });
  }
}

/**
 * Moves messages to another room. A page that moves to another wiki room takes its history along; one that moves
 * elsewhere, as to the trash, can still be restored.
 */
export function moveToRoom(store: Store, sourceId: number, targetId: number, msgnums: readonly number[]): void {
  copyToRoom(store, sourceId, targetId, msgnums, true);
  if (roomById(store, targetId)!.view === VIEW.wiki) {
    const select = store.prepare('SELECT exti FROM room_message WHERE room = ? AND message = ?');
    for (const msgnum of msgnums) {
      for (const message of forgetHistory(store, sourceId, String(select.get(sourceId, msgnum)?.exti ?? ''))) {
        dropUnreferenced(store, message);
      }
    }
  }
  removeFromRoom(store, sourceId, msgnums);
}

/** Removes messages from a room, and from the store without further references. Returns how many were in the room. */
export function removeFromRoom(store: Store, roomId: number, msgnums: readonly number[]): number {
  return store.transaction(() => takeOut(store, roomId, msgnums, '')).length;
}

/**
 * Removes messages, and returns their rows. `successor`: the name that another message is about to take over, with its
 * properties. Inside a transaction only.
 */
export function takeOut(store: Store, roomId: number, msgnums: readonly number[], successor: string): TakenOut[] {
  const remove = store.prepare(
    'DELETE FROM room_message WHERE room = ? AND message = ? RETURNING message, name, stored, created',
  );
  const removed = msgnums.flatMap((msgnum) => remove.all(roomId, msgnum) as unknown as TakenOut[]);
  if (removed.length === 0) return removed;
  for (const { message, name, stored } of removed) {
    if (name !== '' && stored >= now()) store.caches.vacated.set(`${roomId}\n${name}`, stored);
    if (name === '' || name !== successor) dropProperties(store, roomId, name || String(message));
    dropUnreferenced(store, message);
  }
  const sequence = roomById(store, roomId)!.sequence + 1;
  noteRemoved(store, roomId, sequence, removed);
  for (const { name } of removed) if (name !== '' && name !== successor) passOn(store, roomId, name, sequence);
  countRoom(store, roomId, -removed.length, sequence);
  return removed;
}

/** Removes the `count` oldest messages from a room. */
export function removeOldest(store: Store, roomId: number, count: number): void {
  const rows = store.all`SELECT message FROM room_message WHERE room = ${roomId} ORDER BY message LIMIT ${count}`;
  removeFromRoom(
    store,
    roomId,
    rows.map(({ message }) => Number(message)),
  );
}

/** Call it after removing a reference. Deletes a message without references. Inside a transaction only. */
export function dropUnreferenced(store: Store, msgnum: number): void {
  if (store.get`SELECT 1 FROM room_message WHERE message = ${msgnum} LIMIT 1`) return;
  // Old versions of pages are in the history, not in search results.
  unindexMessage(store, msgnum);
  if (store.get`SELECT 1 FROM wiki_revision WHERE message = ${msgnum} LIMIT 1`) return;
  const row = store.get`DELETE FROM message WHERE id = ${msgnum} RETURNING blob`;
  if (row) releaseBlob(store, Number(row.blob));
}

/** Renames a message to a free name; `member.name`: its old name. Inside a transaction only. */
export function renameInRoom(store: Store, roomId: number, member: RemovedMember, name: string): void {
  const sequence = roomById(store, roomId)!.sequence + 1;
  noteRemoved(store, roomId, sequence, [member]);
  giveName(store, roomId, member.message, name, sequence);
  if (member.name !== '') passOn(store, roomId, member.name, sequence, member.message);
  countRoom(store, roomId, 0, sequence);
}

/**
 * Of several messages that were PUT under one name the first has it. When it is freed, the next one without a given
 * name gets it. `renamed`: the message that has just given it up.
 */
function passOn(store: Store, roomId: number, name: string, sequence: number, renamed = 0): void {
  const select = store.prepare(
    `SELECT rm.message, rm.name FROM message_fact f CROSS JOIN room_message rm ON rm.room = ? AND rm.message = f.message
     WHERE f.name = ? AND f.name <> '' AND rm.name IN ('', rm.exti, rm.exti || ?, rm.message || ?) AND rm.name <> f.name
       AND rm.message <> ? ORDER BY rm.message LIMIT 1`,
  );
  const ending = ownEnding(roomById(store, roomId)!.view) ?? '';
  // the name that this one gives up may be the one that another was PUT under
  for (let free = name; free !== ''; ) {
    const next = select.get(roomId, free, ending, ending, renamed) as unknown as RemovedMember | undefined;
    if (!next) return;
    giveName(store, roomId, next.message, free, sequence);
    noteRemoved(store, roomId, sequence, [next]);
    free = next.name;
  }
}

/** `sequence`: of the room, after this change. Inside a transaction only. */
function giveName(store: Store, roomId: number, msgnum: number, name: string, sequence: number): void {
  store.run`UPDATE room_message
    SET name = ${name}, folder = ${folderOf(name)}, sequence = ${sequence}, stored = ${timeUnder(store, roomId, name)}
    WHERE room = ${roomId} AND message = ${msgnum}`;
}

/**
 * Call it after messages were added to a room, removed or renamed. `arrived`: set if one message was added and nothing
 * else. Inside a transaction only.
 */
export function countRoom(store: Store, roomId: number, added: number, sequence: number, arrived = 0): void {
  const room = roomById(store, roomId)!;
  const isAppended = arrived > room.highest;
  const highest = isAppended ? arrived : (numberBefore(store, roomId, Number.MAX_SAFE_INTEGER) ?? 0);
  const contents = { highest, total: room.total + added, changed: now(), sequence };
  updateRoomContents(store, roomId, contents, isAppended);
}

/** One version of a page. */
export interface Revision {
  uuid: string;
  message: number;
}

/** Records that this message is now the page, unless a copied history includes it. */
function addRevision(store: Store, roomId: number, page: string, msgnum: number): void {
  const last = store.prepare('SELECT message FROM wiki_revision WHERE room = ? AND page = ? ORDER BY id DESC LIMIT 1');
  if (last.get(roomId, page)?.message === msgnum) return;
  store.run`INSERT INTO wiki_revision (room, page, uuid, message)
    VALUES (${roomId}, ${page}, ${randomUUID()}, ${msgnum})`;
}

/** The latest versions of a page, `limit` at most, the latest first. */
export function revisionsOf(store: Store, roomId: number, page: string, limit: number): Revision[] {
  const rows = store.all`SELECT uuid, message FROM wiki_revision WHERE room = ${roomId} AND page = ${page}
    ORDER BY id DESC LIMIT ${limit}`;
  return rows as unknown as Revision[];
}

/** The message that was this version of the page. */
export function revisionByUuid(store: Store, roomId: number, page: string, uuid: string): number | undefined {
  const row = store.get`SELECT message FROM wiki_revision WHERE room = ${roomId} AND page = ${page} AND uuid = ${uuid}`;
  return row && Number(row.message);
}

/** Whether the message is or was a page of this room. */
export function isRevisionIn(store: Store, roomId: number, msgnum: number): boolean {
  return store.get`SELECT 1 FROM wiki_revision WHERE message = ${msgnum} AND room = ${roomId}` !== undefined;
}

/** Appends the versions of a page to those of a page with that name in another room. */
export function copyHistory(store: Store, sourceId: number, targetId: number, page: string): void {
  store.run`INSERT OR REPLACE INTO wiki_revision (room, page, uuid, message) SELECT ${targetId}, page, uuid, message
    FROM wiki_revision WHERE room = ${sourceId} AND page = ${page} ORDER BY id`;
}

/** Forgets the versions of a page; returns their messages. */
function forgetHistory(store: Store, roomId: number, page: string): number[] {
  const rows = store.all`DELETE FROM wiki_revision WHERE room = ${roomId} AND page = ${page} RETURNING message`;
  return rows.map((row) => Number(row.message));
}
