// What a report is answered from: the caller, the body, the resource.

import type { App } from '../../gateway/app.ts';
import type { Caller } from '../../gateway/caller.ts';
import { memberHref } from '../../gateway/paths.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Member, MemberChanges } from '../../room-server/collections.ts';
import type { Need, Resource, Viewer } from '../resource.ts';
import { openRoom, type RoomResource } from '../room-resource.ts';
import type { XmlElement } from '../xml-read.ts';

/** For reports that every resource supports. */
export interface Asked {
  exchange: Exchange;
  app: App;
  caller: Caller;
  viewer: Viewer;
  /** root of the body */
  root: XmlElement;
  /** the requested resource, with these facts */
  find(needs: ReadonlySet<Need>): Promise<Resource>;
}

/** For reports of rooms. */
export interface Question {
  context: RoomContext;
  /** root of the body */
  root: XmlElement;
  /** its href is spelt as the client did */
  room: RoomResource;
  /** the same with facts that have to be fetched */
  find(needs: ReadonlySet<Need>): Promise<RoomResource>;
  viewer: Viewer;
  /** changes since the token of a sync-collection, requested together with the room */
  changes: { token: string; since: Promise<MemberChanges | undefined> } | undefined;
  /** the requested member, and its address as the client spelt it; undefined if it is the room */
  member: Member | undefined;
  href: string;
}

/** A report of the home for one of its rooms. `name`: as the home lists it. */
export function questionBelow(
  { exchange, app, caller, viewer, root }: Asked,
  name: string,
  room: RoomResource,
): Question {
  const context = { exchange, app, caller, room: { name, password: '' } };
  const find = (needs: ReadonlySet<Need>) => openRoom(context, room.href, needs);
  return { context, root, room, find, viewer, changes: undefined, member: undefined, href: room.href };
}

/** The address of a member, with the room spelt as the client did. */
export function hrefOf({ room, member, href }: Question, { name }: Pick<Member, 'name'>): string {
  return name === member?.name ? href : memberHref(room.href, { name }, room.collection);
}
