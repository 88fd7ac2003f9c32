// Rooms as resources, from GOTO, rows of the room list, and further facts that properties need.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { openCollection } from '../gateway/collection/collection.ts';
import { deadPropertiesOf, homeRooms, PRIVILEGE, privilegesIn, quotaOf } from '../gateway/collection/properties.ts';
import { roomPath } from '../gateway/paths.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { ROOMS_AT_ONCE } from '../limits/dav.ts';
import {
  type CollectionKind,
  collectionKind,
  type EnteredRoom,
  holdsObjects,
  ROOM_FLAG,
  type RoomRow,
} from '../model.ts';
import { readRoomRow } from '../room-server/rooms.ts';
import { deadProperties, type Need, type Resource } from './resource.ts';

export type RoomResource = Resource & { collection: CollectionKind };

type RoomFacts = Pick<RoomRow, 'name' | 'flags' | 'defaultView' | 'mtime'>;

/** Without facts that have to be fetched. */
export function roomResource(
  href: string,
  room: RoomFacts,
  facts: Pick<Resource, 'token' | 'dead' | 'privileges' | 'quota'> = {},
): RoomResource {
  return {
    kind: 'room',
    href,
    displayName: room.name,
    collection: collectionKind(room),
    modified: room.mtime > 0 ? room.mtime : undefined,
    isOwn: (room.flags & ROOM_FLAG.personal) !== 0,
    ...facts,
  };
}

/** The room of the context with the facts of `needs`. `known`: if it was entered. Throws as openCollection. */
export async function openRoom(
  context: RoomContext,
  href: string,
  needs: ReadonlySet<Need>,
  known?: EnteredRoom,
): Promise<RoomResource> {
  const { app, caller, room } = context;
  // requests of one turn of the event loop go out in one write
  const [opened, listed, dead, quota] = await Promise.all([
    needs.has('token') ? openCollection(context) : undefined,
    needs.has('privileges') ? readRoomRow(app.pool, caller.identity, room) : undefined,
    needs.has('dead') ? deadPropertiesOf(context, '') : undefined,
    quotaOf(app, caller, needs.has('quota'), room),
  ]);
  const entered = opened?.entered ?? listed?.entered ?? known ?? (await enteredRoom(context));
  return roomResource(href, entered, {
    token: opened?.token,
    quota,
    dead: dead && deadProperties(dead),
    privileges: listed && privilegesOf(entered, listed.row),
  });
}

/** The rooms of a list with the facts of `needs`; the token only of those that clients synchronise. */
export async function listedRooms(
  exchange: Exchange,
  app: App,
  caller: Caller,
  rows: readonly RoomRow[],
  needs: ReadonlySet<Need>,
): Promise<RoomResource[]> {
  const isMoreWanted = needs.has('dead') || needs.has('token');
  const home = isMoreWanted ? await homeRooms(app, caller.identity) : undefined;
  const resources: RoomResource[] = [];
  for (let at = 0; at < rows.length; at += ROOMS_AT_ONCE) {
    const some = rows.slice(at, at + ROOMS_AT_ONCE).map(async (row) => {
      const told = home?.get(row.name);
      const isTokenWanted = needs.has('token') && holdsObjects(collectionKind(row));
      const context = { exchange, app, caller, room: { name: row.name, password: '' } };
      return roomResource(roomPath(app, row.name), row, {
        token: isTokenWanted ? (told?.token ?? (await unlessClosed(openCollection(context)))?.token) : undefined,
        dead: told && deadProperties(told.properties),
        privileges: privilegesOf(row, row),
      });
    });
    resources.push(...(await Promise.all(some)));
  }
  return resources;
}

/** `row`: of the room list; a caller who does not know the room may read it. */
function privilegesOf(room: RoomFacts, row: RoomRow | undefined): number {
  const collection = collectionKind(room);
  const freeBusy = collection === 'calendar' || collection === 'tasks' ? PRIVILEGE.readFreeBusy : 0;
  return (row ? privilegesIn(row) : PRIVILEGE.read) | freeBusy;
}

/** Undefined if the room is gone or closed to the caller. */
export async function unlessClosed<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const isClosed = error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden');
    // an unmet precondition is about the request
    if (isClosed && !error.condition) return undefined;
    throw error;
  }
}
