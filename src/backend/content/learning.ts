// Computes once what DAV lists of messages stored by an older release, of copies of them, and of sizes that need the
// whole body. In pieces, because a room may have very many.

import { BACKEND_LEARNT_MESSAGES } from '../../limits/backend.ts';
import { storedTimeFrom } from '../../protocol/message-fields.ts';
import type { Steps } from '../../system/steps.ts';
import type { MemberRow } from '../store/members.ts';
import { factsOf, storedFacts, storeFacts, type TextOf } from '../store/message-facts.ts';
import type { StoredRoom } from '../store/records.ts';
import { nameMember, type UnknownMember } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { textForListing } from './message-text.ts';

// without INDEXED BY SQLite would scan the whole room
const UNKNOWN = 'room_message INDEXED BY room_message_unknown WHERE room = ? AND component IS NULL';

/** Whether the room has messages whose name and kind are not computed yet. */
export function isAnyUnknown(store: Store, roomId: number): boolean {
  return store.prepare(`SELECT 1 FROM ${UNKNOWN} LIMIT 1`).get(roomId) !== undefined;
}

/** Computes names and facts of the messages of a room; yields between pieces. Throws Refusal 513 if the disk fails. */
export function* learnMembers(store: Store, room: StoredRoom): Steps<void> {
  const select = store.prepare(`SELECT message, exti, name FROM ${UNKNOWN} ORDER BY message LIMIT ?`);
  for (;;) {
    const rows = select.all(room.id, BACKEND_LEARNT_MESSAGES) as unknown as UnknownMember[];
    if (rows.length === 0) return;
    store.transaction(() => {
      for (const member of rows) {
        const stored = storedFacts(store, member.message);
        const facts = stored ?? factsOf(store, member.message)!;
        if (!stored) storeFacts(store, member.message, facts);
        nameMember(store, room, member, facts);
      }
    });
    yield;
  }
}

const plainText: TextOf = (store, source) => textForListing(store, source, undefined);

/** The rows as text; yields empty pieces while it measures sizes, then all rows. */
export function* finishedRows(store: Store, rows: readonly MemberRow[]): Generator<string> {
  const measured = new Map<number, string>();
  let text = '';
  for (const row of rows) {
    const { id, line } = row;
    if (line !== null) {
      text += finished(store, row, line);
      continue;
    }
    const facts = factsOf(store, id, plainText);
    yield '';
    // it may have been removed meanwhile
    if (facts?.line == null) continue;
    measured.set(id, facts.line);
    text += finished(store, row, facts.line);
  }
  storeLines(store, measured);
  yield text;
}

/** The row with the times of the member instead of that of the message. */
function finished(store: Store, { id, head, stored, created }: MemberRow, line: string): string {
  const time = stored || timeInId(store, id);
  const first = created === 0 || created === time ? '' : `|${created}`;
  return `${head}${time}${line.slice(line.indexOf('|'))}${first}\n`;
}

/** The time in the id of a message; 0 if it has none. */
function timeInId(store: Store, msgnum: number): number {
  const row = store.get`SELECT msgid FROM message WHERE id = ${msgnum}`;
  return storedTimeFrom(String(row?.msgid), msgnum) ?? 0;
}

function storeLines(store: Store, lines: ReadonlyMap<number, string>): void {
  if (lines.size === 0) return;
  try {
    store.transaction(() => {
      const update = store.prepare('UPDATE message_fact SET line = ? WHERE message = ?');
      for (const [message, line] of lines) update.run(line, message);
    });
  } catch (error) {
    // a full disk still allows reading
    if (!(error instanceof Refusal)) throw error;
  }
}
