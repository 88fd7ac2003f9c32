// The set of messages that a user has read in a room (verb GTSN, protocol section 10), and what of a list is new by it.

import type { EnteredRoom } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command } from '../protocol/fields.ts';
import { SequenceSet } from '../protocol/sequence-set.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { expectClass } from './connection/refusal.ts';

export const SEEN_SET = command('GTSN');

/** A guest has no read marks (520): everything is new. */
export function seenFrom(answer: Answer): SequenceSet {
  return answer.code === STATUS.notLoggedIn
    ? SequenceSet.of([])
    : SequenceSet.parse(expectClass(answer, REPLY.done).text);
}

/** What GOTO would tell of a room that holds these messages only; ascending. */
export function countsOf(
  numbers: readonly number[],
  seen: SequenceSet,
): Pick<EnteredRoom, 'newMessages' | 'totalMessages' | 'highest'> {
  return {
    newMessages: numbers.filter((number) => !seen.contains(number)).length,
    totalMessages: numbers.length,
    highest: numbers.at(-1) ?? 0,
  };
}
