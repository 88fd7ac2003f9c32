// Cached tables of a store. The other files of this folder fill them and keep them up to date: this process is the only
// writer.

import { MAX_CACHED_VISITORS, MAX_COMPLETION_BOOKS, MAX_VACATED_NAMES } from '../../limits/backend.ts';
import type { Person } from '../../mime/objects/properties.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { StoredRoom, StoredUser, StoredVisit } from './records.ts';

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
  /** rooms that are not personal, in list order; sorted on demand */
  shared: StoredRoom[] | undefined;
  /** those of them that are not private */
  open: StoredRoom[] | undefined;
  floorCounts: Map<number, number> | undefined;
}

/** Stored relations of one user, by room number. */
export type Visits = Map<number, StoredVisit>;

/** The people on the cards of a room. */
export interface AddressBook {
  /** of the room when the cards were read */
  generation: number;
  people: Person[];
}

/** A row of the full-text index: body, subject, author, rooms. */
export type IndexRow = [string, string, string, string];

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
