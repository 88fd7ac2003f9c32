// A room as a resource, from what GOTO or a row of the room list tells of it.

import { collectionKind } from '../gateway/collection/member.ts';
import { PRIVILEGE, privilegesIn } from '../gateway/rights.ts';
import { ROOM_FLAG, type RoomRow } from '../model.ts';
import type { Resource } from './resource.ts';

type RoomFacts = Pick<RoomRow, 'name' | 'flags' | 'defaultView' | 'mtime'>;

/** `row`: that of the room list, for the caller's privileges; without it he may read. */
export function roomResource(
  href: string,
  room: RoomFacts,
  row?: RoomRow,
  facts: Pick<Resource, 'token' | 'kept'> = {},
): Resource {
  const collection = collectionKind(room);
  const isCalendar = collection === 'calendar' || collection === 'tasks';
  const privileges = row ? privilegesIn(row) : PRIVILEGE.read;
  return {
    kind: 'room',
    href,
    displayName: room.name,
    collection,
    modified: room.mtime > 0 ? room.mtime : undefined,
    privileges: isCalendar ? privileges | PRIVILEGE.readFreeBusy : privileges,
    isOwn: (room.flags & ROOM_FLAG.personal) !== 0,
    ...facts,
  };
}
