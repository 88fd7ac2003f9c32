// The data that `vestibule copy` transfers, and the interfaces of its two ends. source.ts and own-target.ts use XFER on
// the administration socket of an embedded room server; source.ts and target.ts the ordinary protocol.

import type { Floor } from '../../model.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import type { Picture } from '../../room-server/pictures.ts';
import type { Brought } from './brought.ts';

export interface User {
  num: number;
  name: string;
  level: number;
  flags: number;
  /** '' if unreadable */
  password: string;
  bio: string;
}

export interface Room {
  /** with the owner's number for a personal room: `'0000000002.Mail'` */
  name: string;
  flags: number;
  floor: number;
  order: number;
  flags2: number;
  view: number;
  /** '' if there is none or it is unreadable */
  password: string;
  /** as stored by the embedded room server */
  passwordHash?: string;
  directory: string;
  /** name of the room admin, or '' */
  admin: string;
}

/** A user's state in a room. */
export interface Visit {
  user: string;
  state: string;
  lastRead: number;
  /** the user's view, or '' */
  view: string;
  /** undefined: unreadable */
  seen: SequenceSet | undefined;
}

/** Fields by the protocol's names, including `type` and `anon` (no, only, option). */
export type StoredFields = Map<string, string>;

export interface Listed {
  msgnum: number;
  /** identifies a message on every server: its euid, which survives edits, else its id */
  key: string;
  msgid: string;
}

export interface Put {
  msgnum: number;
  /** what was lost, in addition to `notes` */
  lost: readonly string[];
}

export interface CopySource {
  /** what cannot be read from this kind of server, for the report */
  notes: readonly string[];
  floors(): Promise<readonly Floor[]>;
  users(): Promise<User[]>;
  rooms(users: readonly User[]): Promise<Room[]>;
  /** ascending by number */
  list(room: Room): Promise<Listed[]>;
  /** `use` must consume the whole body, which has LF line ends. */
  withMessage<T>(
    room: Room,
    msgnum: number,
    use: (head: StoredFields, body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T>;
  visits(room: Room): Promise<Visit[]>;
  /** undefined: none */
  info(room: Room): Promise<string | undefined>;
  withRoomPicture(room: Room, use: (picture: Picture) => Promise<void>): Promise<void>;
  withUserPicture(user: string, use: (picture: Picture) => Promise<void>): Promise<void>;
}

/** Room names are those of the target. Throws AppError for the user. */
export interface CopyTarget {
  /** what this kind of server cannot store, for the report */
  notes: readonly string[];
  floors(): Promise<readonly Floor[]>;
  createFloor(name: string): Promise<number>;
  users(): Promise<User[]>;
  /** With the given password, level and flags. */
  createUser(user: User): Promise<void>;
  /** Sets level and flags of an account whose creation was interrupted; `user` has its password. */
  finishUser(user: User): Promise<void>;
  /** `user` has the account's password. */
  setBio(user: User): Promise<void>;
  /** the migration state */
  brought: Brought;
  hasRoom(room: Room): Promise<boolean>;
  /** Creates a missing room. Returns what was lost, or ''. Throws conflict for a forbidden name. */
  makeRoom(room: Room): Promise<string>;
  /** The messages that were or may have been migrated. */
  list(room: Room): Promise<Listed[]>;
  /** Admits those who know a private room, so that they can post. */
  admit(room: Room, visits: readonly Visit[]): Promise<void>;
  put(room: Room, head: StoredFields, body: AsyncIterable<Buffer>): Promise<Put>;
  /** Adds a message that is already in another room. False: it must be put again. */
  refer(room: Room, msgnum: number): Promise<boolean>;
  /** The visits of users without any state in the room at the target. */
  unvisited(room: Room, visits: readonly Visit[]): Promise<Visit[]>;
  /** Returns what was lost, one text each. */
  setVisits(room: Room, visits: readonly Visit[], numbers: readonly number[]): Promise<string[]>;
  setInfo(room: Room, text: string): Promise<void>;
  setRoomPicture(room: Room, picture: Picture): Promise<void>;
  setUserPicture(user: string, picture: Picture): Promise<void>;
  /** Removes everything temporary. */
  finish(): Promise<void>;
  close(): void;
}
