// The calendar objects and cards of a room, from what is kept (App.keptObjects) or read from the room server. Who asks
// has the members from the list of a room that the caller may enter.

import { LOOKS_AT_A_NAME } from '../../limits/dav.ts';
import { asVersion3 } from '../../mime/stored-content.ts';
import type { Member } from '../../room-server/collections.ts';
import type { RoomContext } from '../room-context.ts';
import { contentsOf, findMembers } from './collection.ts';
import { KeptObject } from './kept-object.ts';

export interface MemberObject {
  member: Member;
  kept: KeptObject;
}

/**
 * The objects of these members, in batches, in their order. One that was replaced meanwhile comes last as what is there
 * now: a client would take what is not listed for deleted. What is gone or no object is left out. Throws as contentsOf.
 */
export async function* objectsOf(
  context: RoomContext,
  members: readonly Member[],
): AsyncGenerator<readonly MemberObject[]> {
  let left = members;
  for (let look = 1; left.length > 0; look++) {
    const missing: Member[] = [];
    yield* inOrder(context, left, missing);
    if (missing.length === 0 || look === LOOKS_AT_A_NAME) return;
    const now = await findMembers(
      context,
      missing.map(({ name }) => name),
    );
    left = now.flatMap((found, i) => (found && found.msgnum !== missing[i]!.msgnum ? [found] : []));
  }
}

/** `missing` gets those whose content is not there. */
async function* inOrder(
  context: RoomContext,
  members: readonly Member[],
  missing: Member[],
): AsyncGenerator<readonly MemberObject[]> {
  const { keptObjects } = context.app;
  let ready: MemberObject[] = [];
  let at = 0;
  /** those before the member of this number, which are known or missing */
  const upTo = (msgnum: number | undefined) => {
    for (; at < members.length && members[at]!.msgnum !== msgnum; at++) {
      const member = members[at]!;
      const kept = known.get(member.msgnum);
      if (kept) ready.push({ member, kept });
      else missing.push(member);
    }
  };
  const known = new Map<number, KeptObject>();
  for (const member of members) {
    const kept = keptObjects.get(member.msgnum);
    if (kept?.isOf(member)) known.set(member.msgnum, kept);
  }
  const unread = known.size === members.length ? [] : members.filter(({ msgnum }) => !known.has(msgnum));
  if (unread.length > 0) {
    for await (const contents of contentsOf(context, unread)) {
      for (const { member, bytes } of contents) {
        upTo(member.msgnum);
        const kept = new KeptObject(member, asVersion3(bytes).toString('utf8'));
        keptObjects.set(member.msgnum, kept);
        ready.push({ member, kept });
        at++;
      }
      yield ready;
      ready = [];
    }
  }
  upTo(undefined);
  yield ready;
}
