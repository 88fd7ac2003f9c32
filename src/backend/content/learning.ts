// Learns what DAV lists of messages where nothing is kept of it yet: messages of an older release, copies of them, and
// sizes that only whole bodies tell. In pieces, for a room may have very many, and never twice.

import { BACKEND_LEARNT_MESSAGES } from '../../limits/backend.ts';
import { storedTimeFrom } from '../../protocol/message-fields.ts';
import type { Steps } from '../../system/steps.ts';
import type { MemberRow } from '../store/members.ts';
import { factsOf, keepFacts, keptFacts, type TextOf } from '../store/message-facts.ts';
import type { StoredRoom } from '../store/records.ts';
import { nameMember, type UnknownMember } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { textForListing } from './message-text.ts';

// left to itself SQLite would read the whole room
const UNKNOWN = 'room_message INDEXED BY room_message_unknown WHERE room = ? AND component IS NULL';

/** Whether there are messages in the room of which neither name nor kind has been looked at. */
export function isAnyUnknown(store: Store, roomId: number): boolean {
  return store.prepare(`SELECT 1 FROM ${UNKNOWN} LIMIT 1`).get(roomId) !== undefined;
}

/**
 * Gives the messages of a room their names, and notes what they are; yields between pieces. Throws Refusal 513 where it
 * cannot be kept.
 */
export function* learnMembers(store: Store, room: StoredRoom): Steps<void> {
  const select = store.prepare(`SELECT message, exti, name FROM ${UNKNOWN} ORDER BY message LIMIT ?`);
  for (;;) {
    const rows = select.all(room.id, BACKEND_LEARNT_MESSAGES) as unknown as UnknownMember[];
    if (rows.length === 0) return;
    store.transaction(() => {
      for (const member of rows) {
        const kept = keptFacts(store, member.message);
        const facts = kept ?? factsOf(store, member.message)!;
        if (!kept) keepFacts(store, member.message, facts);
        nameMember(store, room, member, facts);
      }
    });
    yield;
  }
}

const plainText: TextOf = (store, source) => textForListing(store, source, undefined);

/** The rows as text; yields empty pieces while it measures, and then all of them. */
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
    // it may have gone while others had their turn
    if (facts?.line == null) continue;
    measured.set(id, facts.line);
    text += finished(store, row, facts.line);
  }
  keepLines(store, measured);
  yield text;
}

/** With the times of the member in the place of that of the message. */
function finished(store: Store, { id, head, stored, created }: MemberRow, line: string): string {
  const time = stored || toldTime(store, id);
  const first = created === 0 || created === time ? '' : `|${created}`;
  return `${head}${time}${line.slice(line.indexOf('|'))}${first}\n`;
}

/** What the id of a message tells of it; 0 where it tells nothing. */
function toldTime(store: Store, msgnum: number): number {
  const row = store.prepare('SELECT msgid FROM message WHERE id = ?').get(msgnum);
  return storedTimeFrom(String(row?.msgid), msgnum) ?? 0;
}

function keepLines(store: Store, lines: ReadonlyMap<number, string>): void {
  if (lines.size === 0) return;
  try {
    store.transaction(() => {
      const update = store.prepare('UPDATE message_fact SET line = ? WHERE message = ?');
      for (const [message, line] of lines) update.run(line, message);
    });
  } catch (error) {
    // on a disk that is full one can still read
    if (!(error instanceof Refusal)) throw error;
  }
}
