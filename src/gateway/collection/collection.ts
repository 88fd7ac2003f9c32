// Members of the room of a request: the driver of its room server finds them (room-server/collections.ts).

import { setTimeout } from 'node:timers/promises';
import { LOOKS_AT_RIVALS, RIVALS_WAIT_MS } from '../../limits/dav.ts';
import type { EnteredRoom } from '../../model.ts';
import type {
  Listing,
  Member,
  MemberChanges,
  MemberContent,
  MemberMethods,
  Selection,
} from '../../room-server/collections.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { accessTo, isReading, type RoomContext } from '../room-context.ts';

async function membersOf({ app, caller }: RoomContext): Promise<MemberMethods> {
  return (await serverOf(app.pool, caller.identity)).members;
}

export async function openCollection(context: RoomContext): Promise<{ entered: EnteredRoom; token: string }> {
  return (await membersOf(context)).open(accessTo(context), context.app.sealer);
}

export async function listMembers(context: RoomContext, selection: Selection = {}): Promise<Listing> {
  return (await membersOf(context)).list(accessTo(context), selection, context.app.sealer);
}

export async function changesSince(context: RoomContext, token: string): Promise<MemberChanges | undefined> {
  return (await membersOf(context)).changesSince(accessTo(context), token, context.app.sealer);
}

export async function findMembers(context: RoomContext, names: readonly string[]): Promise<(Member | undefined)[]> {
  return (await membersOf(context)).find(accessTo(context), names);
}

export async function openMember(context: RoomContext, segment: string, isSizeWanted: boolean): Promise<Member> {
  const options = { isReading: isReading(context), isSizeWanted };
  return (await membersOf(context)).one(accessTo(context), segment, options);
}

export async function findMessageNumber(context: RoomContext, segment: string): Promise<number> {
  return (await membersOf(context)).number(accessTo(context), segment);
}

export async function* contentsOf(
  context: RoomContext,
  members: readonly Member[],
): AsyncGenerator<readonly MemberContent[]> {
  yield* (await membersOf(context)).contents(accessTo(context), members);
}

/** As MemberMethods.named. */
export async function findNamed(
  { app }: Pick<RoomContext, 'app'>,
  connection: Connection,
  room: EnteredRoom,
  name: string,
): Promise<number[]> {
  return (await serverOf(app.pool, connection)).members.named(connection, room, name);
}

/**
 * The same for a request that replaces only what it has read: one of several messages may be about to replace the
 * others, so it waits a little.
 */
export async function findSettled(
  context: Pick<RoomContext, 'app'>,
  connection: Connection,
  room: EnteredRoom,
  name: string,
): Promise<number[]> {
  let found = await findNamed(context, connection, room, name);
  for (let attempt = 0; found.length > 1 && attempt < LOOKS_AT_RIVALS; attempt++) {
    await setTimeout(RIVALS_WAIT_MS);
    found = await findNamed(context, connection, room, name);
  }
  return found;
}
