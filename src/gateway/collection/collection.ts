// A room as a collection of DAV members, whatever room server is behind: one that is ours is asked by verbs of its own
// (own-members.ts), any other by the documented ones (listed-members.ts).

import type { EnteredRoom } from '../../model.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { RoomContext } from '../room-context.ts';
import { listedMembers } from './listed-members.ts';
import type { Listing, Member, MemberChanges, MemberContent, Selection } from './member.ts';
import type { MemberSource } from './member-source.ts';
import { ownMembers } from './own-members.ts';

async function sourceFor({ app, caller }: RoomContext): Promise<MemberSource> {
  return !(await serverOf(app.pool, caller.identity)).lacks.memberNames ? ownMembers : listedMembers;
}

/** What the room is now, and the token of this moment. Throws not_found, forbidden, as pool.readInRoom. */
export async function openCollection(context: RoomContext): Promise<{ entered: EnteredRoom; token: string }> {
  return (await sourceFor(context)).open(context);
}

/** All members that `selection` asks for. Throws as openCollection. */
export async function listMembers(context: RoomContext, selection: Selection = {}): Promise<Listing> {
  return (await sourceFor(context)).list(context, selection);
}

/** What has changed since `token`; undefined for one that is not known, or no longer. Throws as openCollection. */
export async function changesSince(context: RoomContext, token: string): Promise<MemberChanges | undefined> {
  return (await sourceFor(context)).changesSince(context, token);
}

/** The members of these names, each by name, UID, UID with `.ics` or `.vcf`, or number. Throws as openCollection. */
export async function findMembers(context: RoomContext, names: readonly string[]): Promise<(Member | undefined)[]> {
  return (await sourceFor(context)).find(context, names);
}

/**
 * The contents of calendar objects and cards, in the order of `members`, read ahead in batches of a bounded size. What
 * is gone meanwhile, no object, or larger than MAX_OBJECT_BYTES is left out.
 */
export async function* contentsOf(
  context: RoomContext,
  members: readonly Member[],
): AsyncGenerator<readonly MemberContent[]> {
  yield* (await sourceFor(context)).contentsOf(context, members);
}
