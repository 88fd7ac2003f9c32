// What every report of a room is answered from: the caller in the room, the body, what the room is.

import { type CollectionKind, type Member, memberHref } from '../../gateway/collection/member.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Resource, Viewer } from '../resource.ts';
import type { XmlElement } from '../xml-read.ts';

export interface Question {
  context: RoomContext;
  /** root of the body */
  root: XmlElement;
  /** the room; its href is spelt as the client has asked */
  room: Resource & { collection: CollectionKind };
  viewer: Viewer;
  /** of the member that is asked; undefined where it is the room */
  member: Member | undefined;
}

/** The address of a member under the name of the room that the client has used. */
export function hrefOf({ room }: Question, member: Pick<Member, 'name'>): string {
  return memberHref(room.href, member, room.collection);
}
