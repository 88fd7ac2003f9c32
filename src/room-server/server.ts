// The interface to a room server: a group of methods for each noun, where servers differ. What all of them do alike is
// a function of the noun's file. There are two drivers, embedded/ and citadel/; `serverOf` (driver.ts) finds the one of
// a pool. Whoever asks this interface does not know which it is, only what it lacks.

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
  /** programs log in with passwords of their own */
  | 'appPasswords'
  /** it knows members of rooms by their names, counts their changes, and gives any of them another name or place */
  | 'memberNames'
  /** it keeps properties that DAV clients set */
  | 'properties'
  /** it delivers scheduling messages, keeps them in an inbox, and tags scheduling objects */
  | 'scheduling'
  /** a room that is never finished is gone after a restart */
  | 'unfinishedRooms';

export interface RoomServer {
  /** what it cannot do, with the error that a user sees */
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

/** Throws the error of what the server lacks. */
export function requireCapability({ lacks }: Pick<RoomServer, 'lacks'>, capability: Capability): void {
  const lack = lacks[capability];
  if (lack) throw new AppError(...lack);
}

/** A method of what a server lacks. */
export function refusing([code, text]: Lack): () => Promise<never> {
  return async () => {
    throw new AppError(code, text);
  };
}

export interface RoomMethods {
  /** default view of a new room that holds files and folders, or the nearest thing to it */
  readonly folderView: number;
  /** What entering a room tells, whether it has a banner, whether the caller has forgotten it, who administers it. */
  read: AskInRoom<[], ReadRoom>;
  /** The list of rooms with its news as a user sees them; the same array where that changes nothing. */
  withNews: AskAs<[rows: readonly RoomRow[]], readonly RoomRow[]>;
  /** By the name of the room, those that the identity knows; none where the server does not count. */
  counts: AskAs<[], ReadonlyMap<string, RoomCounts>>;
  /** The server needs this room, and would delete it all the same. */
  isNeeded: AskAs<[room: EnteredRoom], boolean>;
  /** The room has been filled: it stays. Throws as pool.visitRoom, forbidden where it is not one's own any more. */
  finish: AskAs<[name: string], void>;
}

export interface ReadRoom {
  entered: EnteredRoom;
  hasInfo: boolean;
  isForgotten: boolean;
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
  /** All of a message but its content; `isSeenAsked`: with its read mark. Throws not_found. */
  head: AskInRoom<[msgnum: number, isSeenAsked?: boolean], MessageHead>;
  /** Only what changes, or differs from reader to reader. Throws not_found. */
  liveFields: AskInRoom<[msgnum: number, isSeenAsked?: boolean], LiveFields>;
  /** A message of this euid holds the history of a page: it is shown with the page, and nowhere else. */
  isHidden(room: Pick<EnteredRoom, 'defaultView'>, euid: string): boolean;
  /** In the room that the connection is in. Throws not_found for a message that isHidden. */
  requireShown: AskOn<[entered: EnteredRoom, msgnum: number], void>;
  /**
   * Posts a MIME message (format 4). `body` ends in LF and holds no line `000`, no NUL and no CR (src/mime/build.ts).
   * Throws forbidden (550), bad_request (570 recipients, empty body), conflict (the room refuses what was posted, or
   * with the cause UidTaken its UID is taken), precondition_failed (another one than `replaces` is there). When `body`
   * fails midway the connection is closed, and a real server may keep what it has (quirk Q8): callers spool a body
   * before they post it.
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
  /** Marks one message as read or unread. Throws not_found, conflict where the server did not keep the mark. */
  setSeen: AskInRoom<[msgnum: number, isSeen: boolean], void>;
  /** The same for many; what has gone is passed over. Throws conflict where the server did not keep all the marks. */
  markMany: AskOn<[numbers: readonly number[], isSeen: boolean], void>;
  /** Versions of a page without the authors whom the room hides. */
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

/** Which rows; 0: no bound. */
export interface RowPage {
  above: number;
  below: number;
  limit: number;
  /** the highest numbers, not the lowest ones */
  isFromEnd: boolean;
  isUnreadOnly: boolean;
  isDetailed: boolean;
}

/** What a list shows of a message beside its row. */
export interface RowDetails {
  /** as MSG0 tells them; may be empty */
  recipients: string;
  /** how many parts are attachments */
  files: number;
  /** of its text, on one line; may be empty */
  firstWords: string;
}

export interface ListedRow extends MessageRow {
  seen: boolean;
  /** where they were asked for, and the server tells them */
  details?: RowDetails;
}

/** Rows of a room, ascending. */
export interface RoomRows {
  entered: EnteredRoom;
  rows: readonly ListedRow[];
  /** some may have been posted anew when they were moved here: their times are those of that */
  mayBeAnew?: boolean;
}

/** A list that may be long. */
export interface RowList {
  first: RoomRows;
  /** the rows behind the first ones, asked for as they are taken; undefined: there are none */
  rest?: AsyncIterable<readonly ListedRow[]>;
}

export interface SearchMethods {
  /** A page of a search, the latest first. Throws not_found for a room that the caller does not know. */
  page: AskAs<[question: SearchQuestion, offset: number, limit: number], HitPage>;
  /** Messages that hold all the words, in the rooms that the caller knows, latest first; at most MAX_SEARCH_RESULTS. */
  everywhere: AskAs<[words: string], Reach & { found: readonly Found[] }>;
  /** Numbers, ascending, of the messages of one room that hold all the words. */
  inRoom: AskInRoom<[words: string], Reach & { numbers: readonly number[] }>;
}

/** How far a search has gone. */
export interface Reach {
  /**
   * messages from this number on were looked through; of those below it only what the index has; undefined: all were
   */
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
  /** a part of the name or address of the author; '' for anybody */
  author: string;
  /** Unix seconds; 0: no bound */
  since: number;
  until: number;
  hasFiles: boolean;
  /** the last word may be the beginning of one */
  isLastBegun: boolean;
  /** default views of rooms; none: any */
  views: readonly number[];
}

export interface Hit extends Found {
  /** where the server tells them */
  details?: {
    seen: boolean;
    files: number;
    excerpt: string;
    /** start and end, in UTF-16 units of the excerpt */
    marks: [number, number][];
  };
}

export interface HitPage {
  hits: readonly Hit[];
  /** hits in all */
  total: number;
  /** there may be more than `total` */
  isCut: boolean;
  /** hits in rooms of a default view, whatever views were asked for */
  byView: ReadonlyMap<number, number>;
}

export interface AccountMethods {
  /** bytes that the server keeps of a password */
  readonly passwordBounds: { readonly user: number; readonly room: number };
  /** What everybody may know of a user (RBIO). Throws not_found (570). */
  profile: AskAs<[name: string], Profile>;
  /**
   * Messages in the own inbox above `previous` (undefined: everything counts as known), and the highest number in it,
   * to be passed as `previous` next time.
   */
  newMailSince: AskAs<[previous: number | undefined], { inbox: number; count: number }>;
  /** People whom a recipient that is being typed may mean. */
  suggest: AskAs<[text: string], Suggestion[]>;
  /** A new session of whom the connection has logged in with `credentials`; just these where there are no keys. */
  beginSession: AskOn<[credentials: Credentials], Identity>;
  /** Ends the key of a session, and all that is open with it. One that has ended already is no fault. */
  endSession(pool: Pool, session: Identity): Promise<void>;
  /**
   * Makes an app password; its secret is told this once. The scope feed is for the room that the connection is in.
   * `owner`: whose, on the administration socket; else one's own. Throws conflict where there are too many, forbidden,
   * not_found.
   */
  makeAppPassword: AskOn<[scope: AppPasswordScope, name: string, owner?: string], { id: number; secret: string }>;
  /** In the order in which they were made; `owner` as for makeAppPassword. Throws forbidden, not_found. */
  listAppPasswords: AskOn<[owner?: string], AppPassword[]>;
  /** Ends one, and the sessions that have logged in with it. Throws forbidden, not_found. */
  endAppPassword: AskOn<[id: number, owner?: string], void>;
}

/** As lists show it. Times are Unix seconds. */
export interface AppPassword {
  id: number;
  name: string;
  scope: AppPasswordScope;
  /** the one that a feed shows; '' without one */
  room: string;
  created: number;
  /** 0: never */
  used: number;
}

/** Where the server lacks `scheduling`, `prepare`, `drop` and those of the inbox and the default calendar throw. */
export interface SchedulingMethods {
  /**
   * Prepares messages that go when the object of this UID is posted or deleted on this connection, in the room it is
   * in. `expected`: number of the message that the object is now, 0 for none. Answers the status of each recipient, by
   * address (RFC 6638 section 3.2.9).
   */
  prepare: AskOn<
    [uid: string, isSchedulingObject: boolean, expected: number, messages: readonly AddressedMessage[]],
    ReadonlyMap<string, string>
  >;
  /** Forgets what was prepared. */
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

/** A message and the addresses it is for. */
export interface AddressedMessage {
  recipients: readonly string[];
  /** iCalendar with METHOD */
  text: string;
}

/** When somebody is busy; `status` is not 2.0 where that is not known. Unix seconds. */
export interface BusyTimes {
  address: string;
  status: string;
  periods: { start: number; end: number; type: string }[];
}

export interface EventMethods {
  /** Times that the server tells are of the same clock as ours. */
  hasOurClock(pool: Pool): boolean;
  /** Numbers of messages, those above `number` at least, and the highest one. Throws as pool.readInRoom. */
  above: AskInRoom<[number: number], { listed: number[]; highest: number }>;
}
