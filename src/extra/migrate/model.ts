// What `vestibule copy` carries from one room server to another, and what the two ends of it can do. source.ts and
// own-target.ts speak to a server of ours by XFER on its administration socket; source.ts and target.ts to any other by
// the ordinary protocol.

import type { Floor } from '../../model.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import type { Picture } from '../../room-server/pictures.ts';
import type { Brought } from './brought.ts';

export interface User {
  num: number;
  name: string;
  level: number;
  flags: number;
  /** empty: it cannot be read */
  password: string;
  bio: string;
}

export interface Room {
  /** with the owner's number in front if it is a personal one: `'0000000002.Mail'` */
  name: string;
  flags: number;
  floor: number;
  order: number;
  flags2: number;
  view: number;
  /** empty: there is none, or it cannot be read */
  password: string;
  /** as a server of ours keeps it */
  passwordHash?: string;
  directory: string;
  /** name of the room admin, '' for nobody */
  admin: string;
}

/** What a user has to do with a room. */
export interface Visit {
  user: string;
  state: string;
  lastRead: number;
  /** own view; '' for none */
  view: string;
  /** undefined: it cannot be read */
  seen: SequenceSet | undefined;
}

/** Fields of a message by the protocol's names, `type` and `anon` (no, only, option) among them. */
export type StoredFields = Map<string, string>;

export interface Listed {
  msgnum: number;
  /** by which a message is known on every server: its euid, which it keeps when it is edited, else its id */
  key: string;
  msgid: string;
}

export interface Put {
  msgnum: number;
  /** what could not be kept of it, beyond what `notes` says */
  lost: readonly string[];
}

export interface CopySource {
  /** what of this kind of server cannot be read, for people */
  notes: readonly string[];
  floors(): Promise<readonly Floor[]>;
  users(): Promise<User[]>;
  rooms(users: readonly User[]): Promise<Room[]>;
  /** ascending by number */
  list(room: Room): Promise<Listed[]>;
  /** `use` must take the whole body, which has LF line ends. */
  withMessage<T>(
    room: Room,
    msgnum: number,
    use: (head: StoredFields, body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T>;
  visits(room: Room): Promise<Visit[]>;
  /** undefined: there is none */
  info(room: Room): Promise<string | undefined>;
  withRoomPicture(room: Room, use: (picture: Picture) => Promise<void>): Promise<void>;
  withUserPicture(user: string, use: (picture: Picture) => Promise<void>): Promise<void>;
}

/** Rooms are named as on the target here; what cannot be done is an AppError with a message for people. */
export interface CopyTarget {
  /** what this kind of server does not keep, for people */
  notes: readonly string[];
  floors(): Promise<readonly Floor[]>;
  createFloor(name: string): Promise<number>;
  users(): Promise<User[]>;
  /** With the password, level and flags that are given. */
  createUser(user: User): Promise<void>;
  /** Level and flags of an account that a copy has made, and was broken off; `user` has its password. */
  finishUser(user: User): Promise<void>;
  /** `user` has the password of the account. */
  setBio(user: User): Promise<void>;
  /** what copies have brought here */
  brought: Brought;
  hasRoom(room: Room): Promise<boolean>;
  /**
   * One that is not there. Answers what could not be kept of it, or ''. Throws conflict where no room gets its name.
   */
  makeRoom(room: Room): Promise<string>;
  /** Those that a copy has brought here, or could have. */
  list(room: Room): Promise<Listed[]>;
  /** Lets those into a private room who know it, so that they can post there. */
  admit(room: Room, visits: readonly Visit[]): Promise<void>;
  put(room: Room, head: StoredFields, body: AsyncIterable<Buffer>): Promise<Put>;
  /** A message that is in another room, in this one, too; false: this server must get it once more. */
  refer(room: Room, msgnum: number): Promise<boolean>;
  /** Those of users who have had nothing to do with the room at the target, as far as it tells. */
  unvisited(room: Room, visits: readonly Visit[]): Promise<Visit[]>;
  /** Answers what could not be kept of it, one text each. */
  setVisits(room: Room, visits: readonly Visit[], numbers: readonly number[]): Promise<string[]>;
  setInfo(room: Room, text: string): Promise<void>;
  setRoomPicture(room: Room, picture: Picture): Promise<void>;
  setUserPicture(user: string, picture: Picture): Promise<void>;
  /** Nothing of what was made for the copy alone remains. */
  finish(): Promise<void>;
  close(): void;
}
