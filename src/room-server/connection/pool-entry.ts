// What the pool is made with, what it keeps of an identity, and which identities are one account.

import type { LoggedIn } from '../../model.ts';
import type { Counts } from '../../system/change-counts.ts';
import type { AnswerTimed, Connection } from './connection.ts';
import type { IdentityConnections } from './identity-connections.ts';
import type { ServerAddress } from './open-socket.ts';
import type { Receiver } from './receiver.ts';

export interface PoolOptions {
  target: ServerAddress;
  /** told to the room server by IDEN, for its who-is-online list */
  clientName: string;
  clientVersion: string;
  /** the room server is Vestibule's, in this process: whatever is asked of it is cheap */
  isEmbedded?: boolean;
  /** it counts them here */
  changes?: Counts | undefined;
  /** after so long a connection logs in anew */
  maxAgeMs?: number;
  /** in all */
  maxConnections?: number;
  /** connects under way at once */
  maxConnecting?: number;
  answered?: AnswerTimed | undefined;
}

/** Counts of connections, and of identities that something is kept of. */
export interface PoolState {
  /** logged in */
  open: number;
  /** being opened */
  opening: number;
  /** callers who wait for a place */
  waiting: number;
  /** that may be open or opening */
  max: number;
  identities: number;
  /** false: it has failed so often in a row that it is not asked (circuit.ts) */
  isAnswering: boolean;
}

/** The connections of an identity and who it is. */
export interface Entry {
  /** no other entry has or has had it */
  number: number;
  /** the name that it logs in with, folded; undefined for guests */
  account: string | undefined;
  /** open or opening */
  connectionCount: number;
  connections: IdentityConnections;
  receiver: Receiver;
  loggedIn: LoggedIn | undefined;
  /** under way for all who ask at the same moment */
  loggingIn: Promise<LoggedIn> | undefined;
}

/** By the room server's own number of the user; by the names where one has not logged in yet. */
export function ofSameAccount(entries: readonly Entry[], { loggedIn, account }: Entry): Entry[] {
  return entries.filter((each) =>
    loggedIn && each.loggedIn ? each.loggedIn.usernum === loggedIn.usernum : each.account === account,
  );
}

export function connectionCountOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { connectionCount }) => sum + connectionCount, 0);
}

/** The connection that nobody has used for the longest time, and whose it is; undefined when none is idle. */
export function longestIdle<T>(owners: [T, Connection | undefined][]): [T, Connection] | undefined {
  const idle = owners.filter((each): each is [T, Connection] => each[1] !== undefined);
  return idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0];
}
