// What reports are answered from: the caller, the body, what is asked.

import type { App } from '../../gateway/app.ts';
import type { Caller } from '../../gateway/caller.ts';
import { memberHref } from '../../gateway/paths.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Member, MemberChanges } from '../../room-server/collections.ts';
import type { Need, Resource, Viewer } from '../resource.ts';
import { openRoom, type RoomResource } from '../room-resource.ts';
import type { XmlElement } from '../xml-read.ts';

/** Of the reports that every resource has. */
export interface Asked {
  exchange: Exchange;
  app: App;
  caller: Caller;
  viewer: Viewer;
  /** root of the body */
  root: XmlElement;
  /** the resource that is asked, with these facts */
  find(needs: ReadonlySet<Need>): Promise<Resource>;
}

/** Of the reports of rooms. */
export interface Question {
  context: RoomContext;
  /** root of the body */
  root: XmlElement;
  /** its href is spelt as the client has asked */
  room: RoomResource;
  /** the same with facts that have to be asked for */
  find(needs: ReadonlySet<Need>): Promise<RoomResource>;
  viewer: Viewer;
  /** what has changed since the token of a sync-collection, asked together with the room */
  changes: { token: string; since: Promise<MemberChanges | undefined> } | undefined;
  /** the member that is asked, and its address as the client spells it; undefined where it is the room */
  member: Member | undefined;
  href: string;
}

/** A report of the home, asked of one of its rooms. `name`: as the home lists it. */
export function questionBelow(
  { exchange, app, caller, viewer, root }: Asked,
  name: string,
  room: RoomResource,
): Question {
  const context = { exchange, app, caller, room: { name, password: '' } };
  const find = (needs: ReadonlySet<Need>) => openRoom(context, room.href, needs);
  return { context, root, room, find, viewer, changes: undefined, member: undefined, href: room.href };
}

/** The address of a member under the name of the room that the client has used. */
export function hrefOf({ room, member, href }: Question, { name }: Pick<Member, 'name'>): string {
  return name === member?.name ? href : memberHref(room.href, { name }, room.collection);
}
