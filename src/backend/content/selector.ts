// Which messages a selector of MSGS means (protocol sections 10 and 14), as ranges of message numbers.

import { MAX_SEARCH_HITS } from '../../limits/backend.ts';
import { toInt } from '../../protocol/fields.ts';
import { type NumberRange, SequenceSet } from '../../protocol/sequence-set.ts';
import type { Session } from '../session/session.ts';
import { firstInRanges, numberBefore, numberFromEnd } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { searchNumbers } from '../store/search-index.ts';
import { USER_FLAG } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';

/** The messages that a selector means. */
export interface SelectedMessages {
  /** ascending, apart from each other */
  ranges: NumberRange[];
  /** rows at most */
  limit: number;
  /** what the ranges come to, where it is known to be in the room */
  numbers?: readonly number[];
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const NOTHING: SelectedMessages = { ranges: [], limit: 0 };

/** Unknown selectors mean ALL, as on a real server; LAST and FIRST without a count mean nothing. */
export function resolveSelector(
  session: Session,
  room: StoredRoom,
  selector: string,
  argument: string,
): SelectedMessages {
  const word = selector.trim().toUpperCase();
  const number = toInt(argument);
  const { store } = session;
  if (word.startsWith('NEW')) return { ranges: newRanges(session, room), limit: NO_LIMIT };
  if (word.startsWith('OLD')) {
    return { ranges: seenBy(session, room).ranges.map((range) => ({ ...range })), limit: NO_LIMIT };
  }
  if (word.startsWith('GT')) return between(number + 1, NO_LIMIT);
  if (word.startsWith('LT')) return between(1, number - 1);
  if (word.startsWith('FIRST')) return number > 0 ? { ...between(1, NO_LIMIT), limit: number } : NOTHING;
  if (word.startsWith('LAST')) {
    return number > 0 ? between(numberFromEnd(store, room.id, number) ?? 1, NO_LIMIT) : NOTHING;
  }
  if (word.startsWith('SEARCH')) {
    const numbers = searchNumbers(store, [room], argument, MAX_SEARCH_HITS);
    return { ranges: numbers.map((msgnum) => ({ low: msgnum, high: msgnum })), limit: NO_LIMIT, numbers };
  }
  return between(1, NO_LIMIT);
}

/** Messages that the user has not read, and with the flag LASTOLD the last read one before the first of them. */
function newRanges(session: Session, room: StoredRoom): NumberRange[] {
  const ranges: NumberRange[] = seenBy(session, room).gaps();
  if (!session.user || (session.user.flags & USER_FLAG.lastOld) === 0) return ranges;
  const first = firstInRanges(session.store, room.id, ranges);
  const old = first === undefined ? undefined : numberBefore(session.store, room.id, first);
  return old === undefined ? ranges : [{ low: old, high: old }, ...ranges.filter(({ high }) => high > old)];
}

function seenBy(session: Session, room: StoredRoom): SequenceSet {
  return session.user ? visitOf(session.store, session.user.id, room.id).seen : SequenceSet.upTo(0);
}

function between(low: number, high: number): SelectedMessages {
  return { ranges: low <= high ? [{ low, high }] : [], limit: NO_LIMIT };
}
