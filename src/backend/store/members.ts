// Members of a room for DAV: pages of rows as they are sent, changed and removed members, members by name. A row is
// `number|name|euid|time|type|size|component|starts|ends|title|created`. SQLite builds it, because a room has
// thousands.

import { euidsOf, isAmbiguous, ownEnding, parseMessageNumber } from '../../protocol/member-names.ts';
import { NO_BOUND, SEVERAL } from './message-facts.ts';
import { hasMemberNames, isFilesRoom } from './records.ts';
import { messageByEuid, messageByName, selectByEuid, selectByName } from './references.ts';
import { roomById } from './rooms.ts';
import type { Store } from './store.ts';

/** A row in the two pieces in which it is sent, and the cursor of the next page. */
export interface MemberRow {
  id: number;
  /** of the room, when the member was added or renamed */
  sequence: number;
  ends: number | null;
  /** `number|name|euid|` */
  head: string;
  /** `time|…|title`; null if it must be computed (factsOf) */
  line: string | null;
  /** Unix times of this version (added or renamed) and of the first with its name; 0 if unknown */
  stored: number;
  created: number;
}

/** Selects members. */
export interface MemberChoice {
  /** highest sequence of the room to include */
  upTo: number;
  /** undefined: any; empty: those in no folder */
  folder: string | undefined;
  /** includes everything below the folder */
  isDeep: boolean;
  /** empty: any */
  component: string;
  /** members with an extent must overlap it */
  range: { start: number; end: number } | undefined;
}

/** the cursor of the first page */
export const BEFORE_ALL = { id: 0, ends: -NO_BOUND };

// packs the euid like packField; it has no control characters
const ROW = `rm.message AS id, rm.sequence, rm.ends, rm.message || '|' || rm.name || '|' ||
  CASE WHEN instr(rm.exti, '|') OR instr(rm.exti, '%') THEN replace(replace(rm.exti, '%', '%25'), '|', '%7C')
  ELSE rm.exti END || '|' AS head, f.line, rm.stored, rm.created`;

const from = (index = '') => `FROM room_message rm ${index} LEFT JOIN message_fact f ON f.message = rm.message`;

const FROM = from();

/** The next page, ordered by number or, with a range, by the ends of extents. */
export function memberPage(
  store: Store,
  roomId: number,
  choice: MemberChoice,
  after: { id: number; ends: number },
  limit: number,
): MemberRow[] {
  const { upTo, folder, isDeep, component, range } = choice;
  const conditions: string[] = ['rm.sequence <= ?'];
  const values: (string | number)[] = [roomId];
  if (range) {
    conditions.unshift('(rm.ends, rm.message) > (?, ?)', 'rm.ends >= ?', 'rm.starts <= ?');
    // skips what ends before the range
    values.push(Math.max(after.ends, range.start), after.ends < range.start ? 0 : after.id, range.start, range.end);
  } else {
    conditions.unshift('rm.message > ?');
    values.push(after.id);
  }
  values.push(upTo);
  if (component !== '') {
    conditions.push(`rm.component IN (?, '${SEVERAL}')`);
    values.push(component);
  }
  if (folder !== undefined && isDeep) {
    conditions.push('substr(rm.name, 1, length(?)) = ?');
    values.push(folder, folder);
  } else if (folder !== undefined) {
    conditions.push('rm.folder = ?');
    values.push(folder);
  }
  const order = range ? 'rm.ends IS NOT NULL ORDER BY rm.ends, rm.message' : 'TRUE ORDER BY rm.message';
  // without INDEXED BY SQLite would scan the whole room
  const isInFolder = folder !== undefined && !isDeep && !range;
  const rows = isInFolder ? from('INDEXED BY room_message_folder') : FROM;
  const sql = `SELECT ${ROW} ${rows} WHERE rm.room = ? AND ${conditions.join(' AND ')} AND ${order} LIMIT ?`;
  return store.rows<MemberRow>(sql, ...values, limit);
}

/** Members added or renamed up to the sequence `upTo`, after the cursor `after`. */
export function changedPage(
  store: Store,
  roomId: number,
  after: { sequence: number; id: number },
  upTo: number,
  limit: number,
): MemberRow[] {
  return store.rows<MemberRow>(
    `SELECT ${ROW} ${FROM} WHERE rm.room = ? AND (rm.sequence, rm.message) > (?, ?) AND rm.sequence <= ?
     AND rm.sequence > 0 ORDER BY rm.sequence, rm.message LIMIT ?`,
    roomId,
    after.sequence,
    after.id,
    upTo,
    limit,
  );
}

/** A removed member; `isThere`: another one has its name now. */
export interface GoneMember {
  sequence: number;
  message: number;
  name: string;
  isThere: 0 | 1;
}

/** Members removed or renamed, in the same way. */
export function removedPage(
  store: Store,
  roomId: number,
  after: { sequence: number; id: number },
  upTo: number,
  limit: number,
): GoneMember[] {
  return store.rows<GoneMember>(
    `SELECT d.sequence, d.message, d.name, (
         EXISTS (SELECT 1 FROM room_message rm WHERE rm.room = d.room AND rm.name = d.name AND rm.name <> '')
         OR d.name = CAST(d.message AS TEXT)
         AND EXISTS (SELECT 1 FROM room_message rm WHERE rm.room = d.room AND rm.message = d.message AND rm.name = '')
       ) AS isThere
       FROM removed_member d WHERE d.room = ? AND (d.sequence, d.message) > (?, ?) AND d.sequence <= ?
       ORDER BY d.sequence, d.message LIMIT ?`,
    roomId,
    after.sequence,
    after.id,
    upTo,
    limit,
  );
}

/** in room ?1: by the name or UID ?2, or by the UID ?3, the same without its ending */
const MEANT = [selectByName('?1', '?2'), selectByEuid('?1', '?2'), selectByEuid('?1', '?3')];

/** one statement, because a client may ask for thousands */
const SELECT_MEANT = `SELECT coalesce(${MEANT.map((select) => `(${select})`).join(', ')}) AS message`;

/**
 * Number of the message that a path segment may mean: a number, a name, a UID with or without `.ics` or `.vcf`. `/12`
 * is always the number. If members have names, `12` is first taken as a name, and in a room of files only as a name.
 * Does not check that the room has the message.
 */
export function memberNumber(store: Store, roomId: number, segment: string): number | undefined {
  const number = parseMessageNumber(segment.replace(/^\//, ''));
  if (segment.startsWith('/') && number !== undefined) return number;
  if (isAmbiguous(segment)) {
    const room = roomById(store, roomId)!;
    const named = hasMemberNames(room) ? messageByName(store, roomId, segment) : undefined;
    // there the UID is the name
    const called = named ?? (ownEnding(room.view) === '' ? messageByEuid(store, roomId, segment) : undefined);
    return called ?? (isFilesRoom(room) ? undefined : number);
  }
  const bare = euidsOf(segment).at(-1) ?? segment;
  const row = store.prepare(SELECT_MEANT).get(roomId, segment, bare) as { message: number | null };
  return row.message ?? undefined;
}

/** The member that a segment means, as memberNumber. */
export function findMember(store: Store, roomId: number, segment: string): MemberRow | undefined {
  const msgnum = memberNumber(store, roomId, segment);
  if (msgnum === undefined) return undefined;
  return store.prepare(`SELECT ${ROW} ${FROM} WHERE rm.room = ? AND rm.message = ?`).get(roomId, msgnum) as unknown as
    | MemberRow
    | undefined;
}
