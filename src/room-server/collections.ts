// Groups of the interface (server.ts) for rooms as DAV sees them: members by name and what has changed of them, the
// contents of objects, dead properties. Where the server lacks `memberNames`, the gateway makes do with lists
// (gateway/collection/listed-members.ts).

import type { TimeRange } from '../mime/objects/instances.ts';
import type { EnteredRoom } from '../model.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import type { MessagePart } from './message-content.ts';
import type { MessageHead } from './messages.ts';

/** A method that is answered on a connection of the identity's. */
export type AskAs<Args extends unknown[], Answer> = (pool: Pool, identity: Identity, ...args: Args) => Promise<Answer>;
/** The same about a room. Throws as pool.readInRoom. */
export type AskInRoom<Args extends unknown[], Answer> = AskAs<[room: RoomRef, ...args: Args], Answer>;
/** One on a connection that the caller holds. */
export type AskOn<Args extends unknown[], Answer> = (connection: Connection, ...args: Args) => Promise<Answer>;

export interface MemberMethods {
  /** One page of the members of a room. Throws as pool.readInRoom. */
  page: AskInRoom<[question: PageQuestion], MemberPage>;
  /** Where the room stands now, without its members. Throws as pool.readInRoom. */
  state: AskInRoom<[], MemberPage>;
  /**
   * One page of the members that have come, or got their names, since then; undefined where that is not known any more,
   * or was another room. `upTo` and `cursor` of the page before.
   */
  changed: AskInRoom<[since: RoomState, further?: { cursor?: string; upTo?: number }], MemberPage | undefined>;
  /** All members that went since then, up to the sequence `upTo`; undefined as `changed`. */
  removed: AskInRoom<[since: RoomState, upTo: number], RemovedRow[] | undefined>;
  /** The members that these names mean, each a name, a UID with or without its ending, or a number. */
  named: AskInRoom<[names: readonly string[]], (ListedMember | undefined)[]>;
  /** The same for one name in the room that the connection is in. */
  namedOn: AskOn<[name: string], NamedMember | undefined>;
  /**
   * Gives members of the room that the connection is in their places, all in one step; answers their numbers there.
   * Throws not_found (a member, the room), forbidden, bad_request (no name), precondition_failed (something has a
   * name), conflict with the cause UidTaken.
   */
  place: AskOn<[places: readonly NewPlace[], options: PlaceOptions], number[]>;
  /**
   * Moves or copies a folder with all below it, or nothing; `isShallow`: only the folder itself is copied. Throws as
   * `place`, and conflict where it has changed meanwhile.
   */
  placeFolder: AskOn<[folder: string, newFolder: string, options: PlaceOptions & { isShallow: boolean }], void>;
  /** Deletes a folder of the room that the connection is in with all below it, or nothing. Throws as `place`. */
  removeFolder: AskOn<[folder: string], void>;
  /** Of a room, or without one of the whole server; undefined where it does not tell. Throws as pool.readInRoom. */
  quota: AskAs<[room?: RoomRef], Quota | undefined>;
}

/** A message and its name in a room. */
export interface NamedMember {
  msgnum: number;
  /** of the member, or its number */
  name: string;
}

/** A message of a room as MEMB lists it. */
export interface ListedMember extends NamedMember {
  euid: string;
  /** Unix seconds: when this version came, or got its name; 0 where that is not known */
  time: number;
  /** when the first version came, where that was not the same time */
  created?: number | undefined;
  displayName: string;
  contentType: string;
  /** bytes that GET sends; undefined where the room server has not counted them */
  size: number | undefined;
  /** of a calendar object or card; empty for what is none, undefined for one that holds several */
  component: string | undefined;
  /** of a calendar object */
  extent: TimeRange | undefined;
}

/** What an earlier page or token tells of a room. */
export interface RoomState {
  /** of the room: no other ever has it */
  roomId: number;
  /** of the room: grows with every change of its members */
  sequence: number;
}

/** One answer to a list. */
export interface MemberPage extends RoomState {
  entered: EnteredRoom;
  /** where the next page begins; empty: this is the last one */
  next: string;
  /** nothing has changed since `unless`: there are no rows */
  isUnchanged: boolean;
  rows: readonly ListedMember[];
}

/** What is asked for; nothing set: all members. */
export interface PageQuestion {
  /** of the page before */
  cursor?: string;
  /** without what has come since this sequence */
  upTo?: number;
  /** empty: those in no folder */
  folder?: string | undefined;
  /** all below the folder, too */
  isDeep?: boolean | undefined;
  component?: string | undefined;
  /** those whose extent meets it */
  range?: TimeRange | undefined;
  /** nothing, if the room is still this one, and as it was then */
  unless?: RoomState | undefined;
}

/** A member that is gone, or has another name. */
export interface RemovedRow {
  msgnum: number;
  name: string;
  /** there is one of this name again */
  isThere: boolean;
}

/** Where members are to be. */
export interface PlaceOptions {
  isCopy: boolean;
  /** of the target; empty: the room that the connection is in */
  room: string;
  /** what has a name there goes */
  mayReplace: boolean;
}

/** A member and its new name; empty: its own. */
export interface NewPlace {
  msgnum: number;
  name: string;
}

/** In bytes. */
export interface Quota {
  used: number;
  available: number;
}

export interface ObjectMethods {
  /**
   * The contents of the first of these messages, by number, and how many of them have been looked at: at least one.
   * What is not there, is no object or is too large has none. Throws as pool.readInRoom.
   */
  contents: AskInRoom<[numbers: readonly number[]], { looked: number; contents: ReadonlyMap<number, Buffer> }>;
  /**
   * The first of these names that is there, with all that a GET of it needs; `isSeenAsked`: with its read mark. Throws
   * not_found.
   */
  read: AskInRoom<[names: readonly string[], isSeenAsked?: boolean], MemberWithContent>;
}

/** A message, and its content where the room server has sent it. */
export interface MemberWithContent {
  msgnum: number;
  head: MessageHead;
  /** its only part */
  content: (MessagePart & { bytes: Buffer }) | undefined;
  /** in quotes; empty for what is no scheduling object */
  scheduleTag: string;
}

/** Where the server lacks `properties`, there are none. */
export interface PropertyMethods {
  /** Those of a member, by any of its names, or of the room where it is empty. Throws not_found, as pool.readInRoom. */
  of: AskInRoom<[member: string], readonly KeptProperty[]>;
  /** Those of all members of a room, by their names; those of the room by the empty one. A page at a time. */
  all(pool: Pool, identity: Identity, room: RoomRef): AsyncGenerator<ReadonlyMap<string, KeptProperty[]>>;
  /** Those and the states of all rooms that the identity knows, by name; undefined where there are no states. */
  ofRooms: AskAs<[], ReadonlyMap<string, RoomProperties> | undefined>;
  /**
   * Does all of the changes or none, to a member of the room that the connection is in, or to the room where `member`
   * is empty. Throws not_found, forbidden, bad_request (a name), insufficient_storage (too many or too large).
   */
  change: AskOn<[member: string, changes: readonly PropertyChange[]], void>;
}

/** A property that the server keeps and does not understand (RFC 4918 section 4). */
export interface KeptProperty {
  /** URI; empty: none */
  namespace: string;
  name: string;
  /** the element, as XML */
  value: string;
}

export interface RoomProperties extends RoomState {
  properties: readonly KeptProperty[];
}

/** One of the changes of a PROPPATCH; `value` undefined: it is removed. */
export interface PropertyChange extends Pick<KeptProperty, 'namespace' | 'name'> {
  value: string | undefined;
}
