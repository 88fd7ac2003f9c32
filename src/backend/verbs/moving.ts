// DELE and MOVE: delete messages of the current room, or move or copy them to another (protocol section 18.6).

import { BACKEND_MOVE_BYTES, CARRIED_MARK_BYTES, MOVED_MESSAGE_BYTES } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import type { Steps } from '../../system/steps.ts';
import { carryMarks, countReaders } from '../content/read-marks.ts';
import { commitScheduling, deliverNow } from '../content/scheduling.ts';
import { knows, mayMove, sessionAccess } from '../session/access.ts';
import { ok } from '../session/reply.ts';
import { type Verb, withTurns } from '../session/session.ts';
import { bodyBytes } from '../store/messages.ts';
import { copyToRoom, euidIn, isInRoom, moveToRoom, removeFromRoom } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { findRoom, roomById } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';

/** `DELE n,n,n` → how many were deleted; 550 without the right, 575 when none of them is here. */
export const dele: Verb = (session, args) => {
  const { room, store } = session;
  let count = 0;
  const remove = (msgnum: number) => {
    const uid = session.scheduling && euidIn(store, room!.id, msgnum);
    const removed = removeFromRoom(store, room!.id, [msgnum]);
    if (removed > 0 && uid) commitScheduling(session, uid, undefined);
    count += removed;
  };
  const check = () => {
    if (!room || roomById(store, room.id) !== room || (sessionAccess(session, room) & ACCESS.delete) === 0) {
      throw new Refusal('higherAccess', 'Higher access required.');
    }
  };
  const work = inTurns(store, numbers(args), check, { change: remove }, () => {
    if (count === 0) throw new Refusal('noSuchMessage', 'Message not found.');
    deliverNow(session);
    return ok(`${count} message${count === 1 ? '' : 's'} deleted.`);
  });
  return withTurns(session, work);
};

/**
 * `MOVE n,n|room|copy`: 572 and 574 for the target, 550 for the rights, 575 when none of them is in the current room.
 * What may be deleted here may be moved; a copy into a personal room is open to every reader.
 */
export const move: Verb = (session, args) => {
  const fields = splitFields(args);
  const name = fields[1] ?? '';
  const isCopy = toInt(fields[2]) !== 0;
  const { store, room } = session;
  const target = name === '' ? undefined : findRoom(store, session.user, name);
  let count = 0;
  const check = () => {
    // An unknown room is reported as missing: another reply would reveal that it exists.
    if (!target || roomById(store, target.id) !== target || !knows(session, target)) {
      throw new Refusal('noSuchRoom', `'${name}' does not exist.`);
    }
    if (target.id === room?.id) throw new Refusal('alreadyExists', 'Source and target rooms are the same.');
    if (!room || roomById(store, room.id) !== room || !mayMove(session, room, target, isCopy)) {
      throw new Refusal('higherAccess', 'Higher access required.');
    }
  };
  const transfer = (msgnum: number) => {
    if (!isInRoom(store, room!.id, msgnum)) return;
    count++;
    // a copy cancels nothing; it may still arrive in a calendar
    const isMeant = session.scheduling?.isTagged || !isCopy;
    const uid = session.scheduling && isMeant ? euidIn(store, room!.id, msgnum) : undefined;
    if (isCopy) copyToRoom(store, room!.id, target!.id, [msgnum]);
    else moveToRoom(store, room!.id, target!.id, [msgnum]);
    if (uid) commitScheduling(session, uid, msgnum);
  };
  const carry = (done: readonly number[]) => {
    const moved = done
      .filter((msgnum) => isInRoom(store, target!.id, msgnum))
      .map((msgnum) => [msgnum, msgnum] as const);
    carryMarks(store, room!, target!, moved, isCopy ? session.user : undefined);
  };
  const readers = room && target && !isCopy ? countReaders(store, room, target) : 0;
  const work = inTurns(store, numbers(fields[0] ?? ''), check, { change: transfer, end: carry, readers }, () => {
    if (count === 0) throw new Refusal('noSuchMessage', 'Message not found.');
    deliverNow(session);
    return ok(`Message(s) ${isCopy ? 'copied' : 'moved'}.`);
  });
  return withTurns(session, work);
};

/**
 * Applies `change` to the messages in order, and `end` to those of a transaction, which holds as many as a turn allows:
 * a command line may name hundreds of messages, each of which may take ten milliseconds. `check` runs before each turn
 * and throws when the change is not allowed, or no longer; what was done by then remains, and the refusal says so.
 */
function* inTurns(
  store: Store,
  msgnums: readonly number[],
  check: () => void,
  work: { change: (msgnum: number) => void; end?: (done: readonly number[]) => void; readers?: number },
  reply: () => string,
): Steps<string> {
  const bytesEach = MOVED_MESSAGE_BYTES + (work.readers ?? 0) * CARRIED_MARK_BYTES;
  let done = 0;
  const takeTurn = (): void => {
    check();
    let next = done;
    store.transaction(() => {
      for (let bytes = 0; next < msgnums.length && bytes < BACKEND_MOVE_BYTES; next++) {
        bytes += bytesEach + bodyBytes(store, msgnums[next]!);
        work.change(msgnums[next]!);
      }
      work.end?.(msgnums.slice(done, next));
    });
    done = next;
  };
  takeTurn();
  while (done < msgnums.length) {
    yield;
    try {
      takeTurn();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.reason, `${error.message} It was done with ${done} of ${msgnums.length} before.`);
    }
  }
  return reply();
}

function numbers(list: string): number[] {
  const all = list
    .split(',')
    .map(toInt)
    .filter((msgnum) => msgnum > 0);
  return [...new Set(all)];
}
