// A room as a collection of DAV members, whatever room server is behind: one that is ours is asked by verbs of its own
// (own-members.ts), any other by the documented ones (listed-members.ts).

import type { EnteredRoom } from '../../model.ts';
import type { RoomContext } from '../room-context.ts';
import type { Changes, Listing, Member, MemberContent, Selection } from './member.ts';

/** What the room is now, and the token of this moment. Throws not_found, forbidden, as pool.readInRoom. */
export function openCollection(_context: RoomContext): Promise<{ entered: EnteredRoom; token: string }> {
  throw new Error('to be written');
}

/** All members that `selection` asks for. Throws as openCollection. */
export function listMembers(_context: RoomContext, _selection: Selection = {}): Promise<Listing> {
  throw new Error('to be written');
}

/** What has changed since `token`; undefined for one that is not known, or no longer. Throws as openCollection. */
export function changesSince(_context: RoomContext, _token: string): Promise<Changes | undefined> {
  throw new Error('to be written');
}

/** The members of these names, each by its name, UID, UID with `.ics` or `.vcf`, or number. Throws as openCollection. */
export function findMembers(_context: RoomContext, _names: readonly string[]): Promise<(Member | undefined)[]> {
  throw new Error('to be written');
}

/**
 * The contents of calendar objects and cards, in the order of `members`, read ahead in batches of a bounded size. What
 * is gone meanwhile, or larger than MAX_OBJECT_BYTES, is left out.
 */
export async function* contentsOf(
  _context: RoomContext,
  _members: readonly Member[],
): AsyncGenerator<readonly MemberContent[]> {
  yield [];
}
