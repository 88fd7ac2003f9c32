// Users, rooms and visits as the code sees them, and the caches that hold them: this process is the only writer. There
// is one object for each user and each room, shared by all sessions. Only users.ts, rooms.ts, references.ts and
// visits.ts change them, together with the tables.

import { MAX_CACHED_VISITORS, MAX_COMPLETION_BOOKS, MAX_VACATED_NAMES } from '../../limits/backend.ts';
import type { Person } from '../../mime/objects/properties.ts';
import { hasNames, holdsFiles } from '../../model.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import { BoundedMap } from '../../system/bounded-map.ts';

/** How the body of a message is written (protocol section 11). */
export const FORMAT = { variable: 0, fixed: 1, mime: 4 } as const;

export interface StoredUser {
  /** the user number */
  id: number;
  name: string;
  /** letters and digits of the name, lower case */
  key: string;
  /** scrypt hash; null: an empty password opens the account */
  password: string | null;
  /** LEVEL of model.ts */
  level: number;
  /** USER_FLAG of users.ts */
  flags: number;
  created: number;
  lastCall: number;
  calls: number;
  posted: number;
  purgeDays: number;
}

export interface StoredRoom {
  id: number;
  /** short name for personal rooms */
  name: string;
  /** full name ('0000000002.mail' for personal rooms), ASCII lower case */
  key: string;
  /** user number of the owner of a personal room */
  owner: number | null;
  /** user number of the room admin */
  admin: number | null;
  /** user number of who made it, whose quota it counts for; null: the account is deleted */
  maker: number | null;
  /** ROOM_FLAG */
  flags: number;
  /** ROOM_FLAG2 */
  flags2: number;
  floor: number;
  order: number;
  /** default view */
  view: number;
  /** scrypt hash; '': no password admits anybody */
  password: string;
  directory: string;
  created: number;
  changed: number;
  /** highest message number in the room, 0 when empty */
  highest: number;
  /** messages in the room */
  total: number;
  /** message number the server would have given next when the room text was last written; 0: there is no text */
  infoMessage: number;
  /** grows with every message that is added, removed or renamed; basis of sync-tokens */
  sequence: number;
  /** all changes since this sequence are known */
  changesFrom: number;
  /** grows with every change of the room's messages while the server runs */
  generation: number;
  /** the same, except when a message was only appended */
  rearranged: number;
}

/** Its messages are files, and there are folders. */
export function isFilesRoom({ view, flags }: Pick<StoredRoom, 'view' | 'flags'>): boolean {
  return holdsFiles({ defaultView: view, flags });
}

/** A member may be called by a number, or like a resource of the room. */
export function hasMemberNames({ view, flags }: Pick<StoredRoom, 'view' | 'flags'>): boolean {
  return hasNames({ defaultView: view, flags });
}

export type VisitState = 'none' | 'known' | 'forgotten' | 'locked_out';

export interface StoredVisit {
  user: number;
  room: number;
  state: VisitState;
  seen: SequenceSet;
  lastRead: number;
  /** view chosen by the user */
  view: number | null;
  /** count of new messages and what it was made from */
  counted?: {
    generation: number;
    rearranged: number;
    highest: number;
    total: number;
    seen: SequenceSet;
    count: number;
  };
}

export interface InstantMessage {
  time: number;
  /** 1 broadcast, 2 please log off */
  flags: number;
  sender: string;
  address: string;
  text: string;
}

/** Users that have been loaded, one shared row each. */
export interface UserCache {
  byId: Map<number, StoredUser>;
  byKey: Map<string, StoredUser>;
}

/** All rooms, one shared row each. */
export interface RoomCache {
  byId: Map<number, StoredRoom>;
  byKey: Map<string, StoredRoom>;
  byOwner: Map<number, Set<StoredRoom>>;
  byAdmin: Map<number, Set<StoredRoom>>;
  byMaker: Map<number, Set<StoredRoom>>;
  /** rooms that are not personal, in list order; sorted on demand */
  shared: StoredRoom[] | undefined;
}

/** Stored relations of one user, by room number. */
type Visits = Map<number, StoredVisit>;

/** The people on the cards of a room. */
interface AddressBook {
  /** of the room when the cards were read */
  generation: number;
  people: Person[];
}

/** A row of the full-text index: body, subject, author, rooms. */
type IndexRow = [string, string, string, string];

/** One of each store. */
export class StoreCaches {
  readonly users: UserCache = { byId: new Map(), byKey: new Map() };
  /** loaded on demand */
  rooms: RoomCache | undefined;
  /** by user number */
  readonly visits = new BoundedMap<number, Visits>(MAX_CACHED_VISITORS);
  /** those that were given to a user, by number */
  readonly givenAddresses = new BoundedMap<number, readonly string[]>(MAX_CACHED_VISITORS);
  /** by room number */
  readonly addressBooks = new BoundedMap<number, AddressBook>(MAX_COMPLETION_BOOKS);
  /** by `room\nname`: the Unix time of a removed version, which the next one must not have */
  readonly vacated = new BoundedMap<string, number>(MAX_VACATED_NAMES);
  /** what the running transaction has not written to the full-text index yet, by message */
  readonly toIndex = new Map<number, IndexRow>();
}
