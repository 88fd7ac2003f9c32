// How a room server is asked for the members of a room: by verbs of its own (own-members.ts), or by the documented ones
// (listed-members.ts). collection.ts chooses.

import type { EnteredRoom } from '../../model.ts';
import type { RoomContext } from '../room-context.ts';
import type { Listing, Member, MemberChanges, MemberContent, Selection } from './member.ts';

export interface MemberSource {
  open(context: RoomContext): Promise<{ entered: EnteredRoom; token: string }>;
  list(context: RoomContext, selection: Selection): Promise<Listing>;
  changesSince(context: RoomContext, token: string): Promise<MemberChanges | undefined>;
  find(context: RoomContext, names: readonly string[]): Promise<(Member | undefined)[]>;
  contentsOf(context: RoomContext, members: readonly Member[]): AsyncIterable<readonly MemberContent[]>;
}
