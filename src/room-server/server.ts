// The interface to a room server: a group of methods for each noun, where servers differ. What all servers do alike is a
// function in the noun's file. There are two drivers, embedded/ and citadel/, chosen by `serverOf` (driver.ts). Callers
// do not know which one they have, only what it lacks.

import { AppError, type ErrorCode } from '../errors.ts';
import type { AppPasswordScope, EnteredRoom, MessageRow, RoomRow } from '../model.ts';
import type { AskAs, AskAt, AskInRoom, AskOn, MemberMethods, PropertyMethods } from './collections.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Credentials, Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import type { EuidRow, LiveFields, MessageHead, Selector } from './messages.ts';
import type { PageVersion } from './page-history.ts';
import type { Posted, Posting } from './posting.ts';
import type { Profile, Suggestion } from './users.ts';

/** What a server may lack. */
export type Capability =
  /** separate passwords for programs */
  | 'appPasswords'
  /** resources of rooms have names, counted changes, and can be renamed and moved */
  | 'memberNames'
  /** dead properties of DAV clients */
  | 'properties'
  /** delivery of scheduling messages, a scheduling inbox, Schedule-Tags */
  | 'scheduling'
  /** unfinished rooms are deleted at a restart */
  | 'unfinishedRooms';

export interface RoomServer {
  /** with the error for the user */
  readonly lacks: Readonly<Partial<Record<Capability, Lack>>>;
  readonly rooms: RoomMethods;
  readonly messages: MessageMethods;
  readonly members: MemberMethods;
  readonly properties: PropertyMethods;
  readonly search: SearchMethods;
  readonly accounts: AccountMethods;
  readonly scheduling: SchedulingMethods;
  readonly events: EventMethods;
}

export type Lack = readonly [code: ErrorCode, text: string];

export const NO_APP_PASSWORDS: Lack = ['not_found', 'This room server has no app passwords.'];

/** Throws if the server lacks it. */
export function requireCapability({ lacks }: Pick<RoomServer, 'lacks'>, capability: Capability): void {
  const lack = lacks[capability];
  if (lack) throw new AppError(...lack);
}

/** A method that always throws. */
export function refusing([code, text]: Lack): () => Promise<never> {
  return async () => {
    throw new AppError(code, text);
  };
}

export interface RoomMethods {
  /** default view of a new room for files, or the nearest equivalent */
  readonly folderView: number;
  read: AskInRoom<[], ReadRoom>;
  /** Removes the room from the caller's list, or adds it. Throws conflict (560). */
  setForgotten: AskInRoom<[isForgotten: boolean], void>;
  /** Corrects which rooms have new messages; returns the same array if nothing changes. */
  withNews: AskAs<[rows: readonly RoomRow[]], readonly RoomRow[]>;
  /** By name, for rooms that the identity knows; empty if the server does not count. */
  counts: AskAs<[], ReadonlyMap<string, RoomCounts>>;
  /** The server would delete this room although it needs it. */
  isNeeded: AskAs<[room: EnteredRoom], boolean>;
  /** Marks a filled room as finished. Throws as pool.visitRoom, forbidden if it is no longer one's own. */
  finish: AskAs<[name: string], void>;
}

export interface ReadRoom {
  entered: EnteredRoom;
  /** it has a banner */
  hasInfo: boolean;
  /** the caller has removed it from their list */
  isForgotten: boolean;
  /** name of the administrator; may be empty */
  admin: string;
}

export interface RoomCounts {
  unread: number;
  total: number;
  highest: number;
  has_picture: boolean;
}

export interface MessageMethods {
  /** a card is kept as it was posted, its name included */
  readonly keepsCards: boolean;
  /** Numbers, ascending. `new` never lists a message that is in the set of read ones, whatever the server lists. */
  numbers: AskInRoom<[selector: Selector], number[]>;
  /** Fewer rows than the limit where the server gives no more at once. Throws as pool.readInRoom. */
  page: AskInRoom<[page: RowPage], RoomRows>;
  /**
   * The messages above a number, at most `limit`, without what comes while they are read. Throws as pool.readInRoom,
   * also between two pages: each looks at the rights anew.
   */
  list: AskInRoom<[slice: Pick<RowPage, 'above' | 'limit'>], RowList>;
  /** Number, euid and time of every message, ascending by number. */
  euids: AskInRoom<[], { entered: EnteredRoom; rows: readonly EuidRow[] }>;
  /** A message without its content; `isSeenAsked`: with its read mark. Throws not_found. */
  head: AskInRoom<[msgnum: number, isSeenAsked?: boolean], MessageHead>;
  /** Throws not_found. */
  liveFields: AskInRoom<[msgnum: number, isSeenAsked?: boolean], LiveFields>;
  /** The euid is that of a page's history, which is only shown with the page. */
  isHidden(room: Pick<EnteredRoom, 'defaultView'>, euid: string): boolean;
  /** In the connection's room. Throws not_found for a message that isHidden. */
  requireShown: AskOn<[entered: EnteredRoom, msgnum: number], void>;
  /**
   * Posts a MIME message (format 4). `body` ends in LF and has no line `000`, NUL or CR (src/mime/build.ts). Throws
   * forbidden (550), bad_request (570 recipients, empty body), conflict (refused by the room; with the cause UidTaken:
   * the UID is taken), precondition_failed (`replaces` does not match). If `body` fails, the connection is closed, and a
   * real server may store the beginning (quirk Q8), so callers spool a body before posting it.
   */
  post: AskOn<[posting: Posting, body: AsyncIterable<Buffer>], Posted>;
  /**
   * A large message was stored whole: a real server cuts it and confirms it (quirk Q40). Otherwise deletes it if
   * possible, except mail, which has been sent; reports the limit to `learn` and throws too_large. `before`: the room
   * before the post.
   */
  requireWhole: AskOn<[before: EnteredRoom, msgnum: number, sent: SentMessage, learn: (bytes: number) => void], void>;
  /**
   * Runs `move`, which brings messages to another room by number, and lets them keep their read marks; a refused mark
   * does not undo the move. `numbers` ascend; `isNew`: that room was empty.
   */
  keepingMarks: AskAt<[numbers: readonly number[], there: RoomRef, move: () => Promise<void>, isNew?: boolean], void>;
  /** The message would be lost in a room that takes it by number (quirk Q66): it has to be posted again. */
  isLostByReference(head: Pick<MessageHead, 'fields' | 'headers'>, there: Pick<EnteredRoom, 'defaultView'>): boolean;
  /**
   * Moves messages to another room, and skips those that are gone. `repost` posts a message again that would be lost
   * and deletes the old one, else returns false. Throws not_found if none is there, conflict if there is no such room,
   * forbidden.
   */
  moveMany: AskAt<[numbers: readonly number[], target: string, repost: Repost], void>;
  /** Marks a message as read or unread. Throws not_found, conflict if the server dropped the mark. */
  setSeen: AskInRoom<[msgnum: number, isSeen: boolean], void>;
  /** The same for many; skips missing ones. Throws conflict if the server dropped a mark. */
  markMany: AskOn<[numbers: readonly number[], isSeen: boolean], void>;
  /** Versions of a page, with authors hidden if the room hides them. */
  hiddenVersions<V extends PageVersion>(room: Pick<EnteredRoom, 'flags'>, versions: readonly V[]): readonly V[];
}

/** A posted message as sent to the room server, in bytes. */
export interface SentMessage {
  /** MIME header lines and the blank line after them */
  header: number;
  total: number;
  attachments: number;
  /** a multipart in its original form: its parts were not counted */
  isAsPut: boolean;
  isMail: boolean;
}

/**
 * `ids`: new message ids of those reposted before, by old id. `isReferred`: it goes by reference if the server lets it,
 * because other messages of the thread have to.
 */
export type Repost = (
  msgnum: number,
  to: EnteredRoom,
  options: { ids: Map<string, string>; isReferred: boolean },
) => Promise<boolean>;

/** Selects rows; 0: no bound. */
export interface RowPage {
  above: number;
  below: number;
  limit: number;
  /** the highest numbers instead of the lowest */
  isFromEnd: boolean;
  isUnreadOnly: boolean;
  isDetailed: boolean;
}

/** Optional details of a listed message. */
export interface RowDetails {
  /** as in MSG0; may be empty */
  recipients: string;
  /** number of attachments */
  files: number;
  /** of the text, on one line; may be empty */
  firstWords: string;
}

export interface ListedRow extends MessageRow {
  seen: boolean;
  /** if requested and supported */
  details?: RowDetails;
}

/** Rows of a room, ascending. */
export interface RoomRows {
  entered: EnteredRoom;
  rows: readonly ListedRow[];
  /** moved messages may have been reposted: their times are those of the move */
  mayBeAnew?: boolean;
}

/** A list that may be long. */
export interface RowList {
  first: RoomRows;
  /** the rows after the first ones, read on demand; undefined: none */
  rest?: AsyncIterable<readonly ListedRow[]>;
}

export interface SearchMethods {
  /** A page of hits, newest first. Throws not_found for a room that the caller does not know. */
  page: AskAs<[question: SearchQuestion, offset: number, limit: number], HitPage>;
  /** Messages with all the words, in rooms that the caller knows, newest first; at most MAX_SEARCH_RESULTS. */
  everywhere: AskAs<[words: string], Reach & { found: readonly Found[] }>;
  /** Numbers, ascending, of the messages with all the words in one room. */
  inRoom: AskInRoom<[words: string], Reach & { numbers: readonly number[] }>;
}

/** The extent of a search. */
export interface Reach {
  /** complete from this message number on; below it, only what the index has; undefined: complete */
  from: number | undefined;
}

export interface Found extends MessageRow {
  /** its name */
  room: string;
}

export interface SearchQuestion {
  words: string;
  /** its name; '' for all */
  room: string;
  /** part of the author's name or address; '' for any */
  author: string;
  /** Unix seconds; 0: no bound */
  since: number;
  until: number;
  hasFiles: boolean;
  /** the last word may be a prefix */
  isLastBegun: boolean;
  /** default views of rooms; none: any */
  views: readonly number[];
}

export interface Hit extends Found {
  /** if supported */
  details?: {
    seen: boolean;
    files: number;
    excerpt: string;
    /** start and end in UTF-16 units of the excerpt */
    marks: [number, number][];
  };
}

export interface HitPage {
  hits: readonly Hit[];
  total: number;
  /** there may be more than `total` */
  isCut: boolean;
  /** hits by default view of the room, regardless of the requested views */
  byView: ReadonlyMap<number, number>;
}

export interface AccountMethods {
  /** maximum bytes of a password */
  readonly passwordBounds: { readonly user: number; readonly room: number };
  /** RBIO. Throws not_found (570). */
  profile: AskAs<[name: string], Profile>;
  /**
   * The number of messages in the inbox above `previous` (undefined: 0), and its highest message number, to be passed as
   * `previous` next time.
   */
  newMailSince: AskAs<[previous: number | undefined], { inbox: number; count: number }>;
  /** Suggestions for a recipient that is being typed. */
  suggest: AskAs<[text: string], Suggestion[]>;
  /** Begins a session for a connection that logged in with `credentials`; returns these if there are no keys. */
  beginSession: AskOn<[credentials: Credentials], Identity>;
  /** Revokes a session key and its connections. Ignores one that has already ended. */
  endSession(pool: Pool, session: Identity): Promise<void>;
  /**
   * Creates an app password and returns its secret. The scope feed is for the connection's room. `owner`: another user,
   * on the administration socket only. Throws conflict if there are too many, forbidden, not_found.
   */
  makeAppPassword: AskOn<[scope: AppPasswordScope, name: string, owner?: string], { id: number; secret: string }>;
  /** By creation. Throws forbidden, not_found. */
  listAppPasswords: AskOn<[owner?: string], AppPassword[]>;
  /** Revokes one and its sessions. Throws forbidden, not_found. */
  endAppPassword: AskOn<[id: number, owner?: string], void>;
}

/** Times are Unix seconds. */
export interface AppPassword {
  id: number;
  name: string;
  scope: AppPasswordScope;
  /** of a feed; otherwise '' */
  room: string;
  created: number;
  /** 0: never */
  used: number;
}

/** Where the server lacks `scheduling`, `prepare`, `drop` and those of the inbox and the default calendar throw. */
export interface SchedulingMethods {
  /**
   * Prepares messages to be sent when the object with this UID is posted or deleted on this connection in its current
   * room. `expected`: current message number of the object, 0 for none. Returns the status of each recipient by address
   * (RFC 6638 section 3.2.9).
   */
  prepare: AskOn<
    [uid: string, isSchedulingObject: boolean, expected: number, messages: readonly AddressedMessage[]],
    ReadonlyMap<string, string>
  >;
  /** Discards prepared messages. */
  drop: AskOn<[], void>;
  /** Schedule-Tags of the scheduling objects of a room, by number; none if the server keeps none. */
  tags: AskAt<[], ReadonlyMap<number, string>>;
  /** Schedule-Tag of one object, undefined if it is no scheduling object; its ETag if the server keeps no tags. */
  tagOf: AskAt<[msgnum: number], string | undefined>;
  /** Numbers of the objects of a room that may be scheduling objects; at most `most`. */
  invitations: AskAt<[most: number], readonly number[]>;
  /** The caller's calendar that has an object of this UID, and its number there; undefined where that is not known. */
  find: AskAs<[uid: string], { room: string; msgnum: number } | undefined>;
  /** The same, or the calendar for new objects: of tasks where `isTask`. Throws conflict where that is no calendar. */
  placeFor: AskAs<[uid: string, isTask: boolean], { room: string; msgnum: number | undefined }>;
  /** The room of the caller's scheduling inbox. */
  inboxRoom: AskAs<[], string>;
  /** The room of the caller's calendar for new events. */
  defaultCalendar: AskAs<[], string>;
  /** Chooses it; empty: the server does. Throws conflict for what is no calendar of the caller's own. */
  setDefaultCalendar: AskAs<[room: string], void>;
  /** Of the people with these addresses, in their order. Throws bad_request for a range that is too long. */
  busyTimes: AskAs<[range: { start: number; end: number }, addresses: readonly string[]], BusyTimes[]>;
}

export interface AddressedMessage {
  recipients: readonly string[];
  /** iCalendar with METHOD */
  text: string;
}

/** Unix seconds. `status` is not 2.0 if the times are unknown. */
export interface BusyTimes {
  address: string;
  status: string;
  periods: { start: number; end: number; type: string }[];
}

export interface EventMethods {
  /** The server and the gateway use the same clock. */
  hasOurClock(pool: Pool): boolean;
  /** Message numbers, including all above `number`, and the highest one. Throws as pool.readInRoom. */
  above: AskInRoom<[number: number], { listed: number[]; highest: number }>;
}
