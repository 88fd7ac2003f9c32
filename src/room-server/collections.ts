// The part of the interface (server.ts) for rooms as DAV collections: members by name, their changes and contents, dead
// properties.

import type { AppError } from '../errors.ts';
import type { TimeRange } from '../mime/objects/instances.ts';
import { type CollectionKind, type EnteredRoom, isBelow } from '../model.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool, RoomAccess } from './connection/pool.ts';
import type { MessagePart } from './message-content.ts';
import type { MessageHead } from './messages.ts';
import type { ListSigner } from './signed-list.ts';

/** A method that is answered on a connection of the identity's. */
export type AskAs<Args extends unknown[], Answer> = (pool: Pool, identity: Identity, ...args: Args) => Promise<Answer>;
/** The same about a room. Throws as pool.readInRoom. */
export type AskInRoom<Args extends unknown[], Answer> = AskAs<[room: RoomRef, ...args: Args], Answer>;
/** One on a connection that the caller holds. */
export type AskOn<Args extends unknown[], Answer> = (connection: Connection, ...args: Args) => Promise<Answer>;

/** The same, with a room and who asks in one parameter. */
export type AskAt<Args extends unknown[], Answer> = (at: RoomAccess, ...args: Args) => Promise<Answer>;

/** A segment of a path may be a name, a UID with or without `.ics` or `.vcf`, or a number; a folder may lack its slash. */
export interface MemberMethods {
  /** What the room is now, and the sync-token of this moment. Throws as pool.readInRoom. */
  open: AskAt<[signer: ListSigner], { entered: EnteredRoom; token: string }>;
  /** All members that the selection includes. Throws as pool.readInRoom. */
  list: AskAt<[selection: Selection, signer: ListSigner], Listing>;
  /** What changed since the token; undefined for an unknown or expired one. Throws as pool.readInRoom. */
  changesSince: AskAt<[token: string, signer: ListSigner], MemberChanges | undefined>;
  /** The members that these segments mean. Throws as pool.readInRoom. */
  find: AskAt<[segments: readonly string[]], (Member | undefined)[]>;
  /** One member, without a list of all. Throws not_found. */
  one: AskAt<[segment: string, options: ReadOptions & { isSizeWanted: boolean }], Member>;
  /** The name of a message as a member (Member.name). */
  nameOf: AskAt<[message: ReadMessage], string>;
  /** The number of the message that a segment names. Throws not_found. */
  number: AskAt<[segment: string], number>;
  /** The same with its head; what `number` throws. */
  read: AskAt<[segment: string, options: ReadOptions], ReadMessage>;
  /**
   * The contents of calendar objects and cards, in the order of `members`, read ahead in bounded batches. Leaves out
   * what was deleted meanwhile, is no object or is larger than MAX_OBJECT_BYTES.
   */
  contents(at: RoomAccess, members: readonly Member[]): AsyncGenerator<readonly MemberContent[]>;
  /** Ascending numbers of the messages of this name in the room of the connection; the name means the first. */
  named: AskOn<[entered: EnteredRoom, name: string], number[]>;
  /**
   * After a message was posted under a name on a connection in the room: deletes what it replaces, unless the server
   * did. Returns whether it replaced something. Throws conflict and precondition_failed where another gateway took the
   * name at the same time.
   */
  settleName: AskAt<[connection: Connection, posted: NamedPost], boolean>;
  /**
   * Gives members of the room of the connection new names or another room, all in one step; returns their new numbers.
   * Throws not_found (a member, the room), forbidden, bad_request (no name), precondition_failed (a name is taken),
   * conflict with the cause UidTaken.
   */
  place: AskOn<[places: readonly NewPlace[], options: PlaceOptions], number[]>;
  /**
   * Moves or copies a folder with all below it, or nothing; `isShallow`: only the folder itself is copied. Throws as
   * `place`, and conflict if it changed meanwhile.
   */
  placeFolder: AskOn<[folder: string, newFolder: string, options: PlaceOptions & { isShallow: boolean }], void>;
  /**
   * Deletes a folder with all below it, and returns what stays (RFC 4918 section 9.6.1): a member that cannot be
   * deleted stays with its folders. Stops after MAX_FAILED_MEMBERS failures. Throws forbidden for a folder too large.
   */
  removeFolder: AskAt<[folder: NamedMember], readonly Undeleted[]>;
  /** Of a room, or without one of the whole server; undefined if unknown. Throws as pool.readInRoom. */
  quota: AskAs<[room?: RoomRef], Quota | undefined>;
}

export interface ReadOptions {
  /** the read mark is needed */
  isSeenAsked?: boolean;
  /** a GET or HEAD: only these reach a file by its number, too */
  isReading?: boolean;
}

/** A message that was posted under a name. */
export interface NamedPost {
  name: string;
  msgnum: number;
  /** the room before */
  before: EnteredRoom;
  /** numbers that had the name before */
  existing: readonly number[];
  /** nothing else may be replaced */
  isConditional: boolean;
}

/** A member that the room server refused to delete. */
export interface Undeleted {
  name: string;
  error: AppError;
}

/** What is cached of a message. It never changes, but another room server may give its number to another message. */
export interface CachedMessage {
  fields: ReadonlyMap<string, string>;
  head: Pick<MessageHead, 'parts' | 'multipart' | 'headers'>;
  /** small parts, by the number or Content-ID in the request */
  parts: Map<string, CachedPart>;
  /** its content if it is small and not a part */
  text: Buffer | undefined;
}

export type CachedPart = MessagePart & { bytes: Buffer };

/** The head of a message, with the cache entry for later readers. */
export interface CachedHead extends MessageHead {
  cached: CachedMessage;
  /** its only part, if the server sent it along */
  content?: CachedPart | undefined;
  /** Schedule-Tag in quotes, '' for none; undefined: not asked */
  scheduleTag?: string;
}

export interface ReadMessage {
  msgnum: number;
  head: CachedHead;
}

/** A message and its name in a room. */
export interface NamedMember {
  msgnum: number;
  /** of the member, or its number */
  name: string;
}

/** A message of a room as a DAV resource. */
export interface Member extends NamedMember {
  /** its UID; '' if it has none */
  euid: string;
  /** Unix seconds: when this version was stored or renamed; 0 if unknown */
  time: number;
  /** when the first version was stored, if the room server knows */
  created?: number | undefined;
  /** its name, else its subject, else its number */
  displayName: string;
  contentType: string;
  /** bytes that GET sends; undefined if unknown or not requested */
  size: number | undefined;
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY or VCARD; '' for other content, undefined if unknown or mixed */
  component: string | undefined;
  /** of a calendar object: contains all instances; undefined if unknown */
  extent: TimeRange | undefined;
}

/** What is asked of the members of a room. */
export interface Selection {
  isSizeWanted?: boolean;
  /** of a files room: only what lies directly in this folder, named with its slash; '' or undefined: at the top */
  folder?: string;
  /** of a files room all that lies below the folder, at any depth */
  isDeep?: boolean;
  /** only objects that hold this component, and those of which it is not known */
  component?: string;
  /** only objects whose extent meets it, and those of which it is not known */
  range?: TimeRange;
}

/** All of a room, at one moment. */
export interface Listing {
  entered: EnteredRoom;
  /** for sync-token: a URI (RFC 6578 section 4) */
  token: string;
  /** ascending by number, in batches, as they are read; each name once */
  members: AsyncIterable<readonly Member[]>;
}

/** What has changed in a room since a token was given out. */
export interface MemberChanges {
  entered: EnteredRoom;
  token: string;
  /** new, or another message under the same name */
  changed: AsyncIterable<readonly Member[]>;
  /** names of members that are gone, with none of that name left */
  removed: readonly string[];
}

/** The bytes of a member as GET sends them. */
export interface MemberContent {
  member: Member;
  bytes: Buffer;
}

/** The state of a room at the time of a token. */
export interface RoomState {
  /** of the room: never reused */
  roomId: number;
  /** of the room: grows with every change of its members */
  sequence: number;
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

/** Where the server lacks `properties`, there are none. */
export interface PropertyMethods {
  /** Those of a member, by any of its names, or of the room where it is empty. Throws not_found, as pool.readInRoom. */
  of: AskInRoom<[member: string], readonly StoredProperty[]>;
  /** Those of all members of a room, by their names; those of the room by the empty one. A page at a time. */
  all(pool: Pool, identity: Identity, room: RoomRef): AsyncGenerator<ReadonlyMap<string, StoredProperty[]>>;
  /** Those and the sync-tokens of all rooms that the identity knows, by name; undefined if that takes more than one request. */
  ofRooms: AskAs<[], ReadonlyMap<string, RoomProperties> | undefined>;
  /**
   * Does all of the changes or none, to a member of the room that the connection is in, or to the room where `member`
   * is empty. Throws not_found, forbidden, bad_request (a name), insufficient_storage (too many or too large).
   */
  change: AskOn<[member: string, changes: readonly PropertyChange[]], void>;
}

/** A property that the server keeps and does not understand (RFC 4918 section 4). */
export interface StoredProperty {
  /** URI; empty: none */
  namespace: string;
  name: string;
  /** the element, as XML */
  value: string;
}

export interface RoomProperties {
  /** sync-token of the room, as `open` returns it */
  token: string;
  properties: readonly StoredProperty[];
}

/** One of the changes of a PROPPATCH; `value` undefined: it is removed. */
export interface PropertyChange extends Pick<StoredProperty, 'namespace' | 'name'> {
  value: string | undefined;
}

/** Includes members whose component or extent is unknown: the caller has to read them. */
export function isSelected(
  member: Member,
  { folder = '', isDeep = false, component, range }: Selection,
  kind: CollectionKind,
): boolean {
  if (component !== undefined && member.component !== undefined && member.component !== component) return false;
  if (range && member.extent && (range.end < member.extent.start || range.start > member.extent.end)) return false;
  return kind !== 'files' || (isDeep ? isBelow(folder, member.name) : isDirectlyIn(folder, member.name));
}

/** `folder`: empty, or with its slash. A folder is not in itself. */
function isDirectlyIn(folder: string, name: string): boolean {
  if (!name.startsWith(folder) || name.length === folder.length) return false;
  const slash = name.indexOf('/', folder.length);
  return slash === -1 || slash === name.length - 1;
}
