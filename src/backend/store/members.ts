// The members of a room as DAV asks for them: pages of rows as they go out, those that have changed, those of a name.
// A row is `number|name|euid|time|type|size|component|starts|ends|title|created`. SQLite puts it together: a room
// has thousands.

import { euidsOf, isAmbiguous, ownEnding, parseMessageNumber } from '../../protocol/member-names.ts';
import { NO_BOUND, SEVERAL } from './message-facts.ts';
import { hasMemberNames, isFilesRoom } from './records.ts';
import { messageByEuid, messageByName, selectByEuid, selectByName } from './references.ts';
import { roomById } from './rooms.ts';
import type { Store } from './store.ts';

/** A row as it goes out in two pieces, and what the next page begins behind. */
export interface MemberRow {
  id: number;
  /** of the room, when it came or got its name */
  sequence: number;
  ends: number | null;
  /** `number|name|euid|` */
  head: string;
  /** `time|…|title`; null where it must be worked out (factsOf) */
  line: string | null;
  /** Unix times: when this version came, or got its name, and when the first of its name; 0 where that was not noted */
  stored: number;
  created: number;
}

/** Which members are asked for. */
export interface MemberChoice {
  /** came no later than with this sequence of the room */
  upTo: number;
  /** undefined: any; empty: those in no folder */
  folder: string | undefined;
  /** all below the folder, too */
  isDeep: boolean;
  /** empty: any */
  component: string;
  /** extent that theirs must meet, of those that have one */
  range: { start: number; end: number } | undefined;
}

/** where a list begins */
export const BEFORE_ALL = { id: 0, ends: -NO_BOUND };

// an euid is packed as packField does it: it holds no control characters
const ROW = `rm.message AS id, rm.sequence, rm.ends, rm.message || '|' || rm.name || '|' ||
  CASE WHEN instr(rm.exti, '|') OR instr(rm.exti, '%') THEN replace(replace(rm.exti, '%', '%25'), '|', '%7C')
  ELSE rm.exti END || '|' AS head, f.line, rm.stored, rm.created`;
const from = (index = '') => `FROM room_message rm ${index} LEFT JOIN message_fact f ON f.message = rm.message`;
const FROM = from();

/** The next page in the order of numbers, or of the ends of extents where a range is asked for. */
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
    // what ends before it cannot meet it
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
  // left to itself SQLite would read the whole room
  const isInFolder = folder !== undefined && !isDeep && !range;
  const rows = isInFolder ? from('INDEXED BY room_message_folder') : FROM;
  const sql = `SELECT ${ROW} ${rows} WHERE rm.room = ? AND ${conditions.join(' AND ')} AND ${order} LIMIT ?`;
  return store.rows<MemberRow>(sql, ...values, limit);
}

/** Those that have come, or got their names, since `since` and up to `upTo`, behind `after` in this order. */
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

/** A member that is gone; `isThere`: there is one of its name again. */
export interface GoneMember {
  sequence: number;
  message: number;
  name: string;
  isThere: 0 | 1;
}

/** Those that went, or lost their names, in the same way. */
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

/** of the room ?1: the name or the UID ?2, or the UID without its ending, ?3 */
const MEANT = [selectByName('?1', '?2'), selectByEuid('?1', '?2'), selectByEuid('?1', '?3')];
/** in one statement, for a client may ask for thousands */
const SELECT_MEANT = `SELECT coalesce(${MEANT.map((select) => `(${select})`).join(', ')}) AS message`;

/**
 * Number of the message that a segment of an address may mean: a number, a name, a UID with or without `.ics` or
 * `.vcf`. `/12` is always the number; where members have names, `12` is a name first, and in a room of files nothing
 * else. Whether the room has the number is not said.
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
