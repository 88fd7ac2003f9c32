// What verbs know of the session they run in and of the server around it: interfaces, so that no verb depends on a
// socket. wire/ implements both; tests make plain objects of this shape.

import type { TurnQueue } from '../../system/turn-queue.ts';
import type { GroupCommit } from '../store/group-commit.ts';
import type { StoredUser } from '../store/records.ts';
import type { Store, StoreChanges } from '../store/store.ts';
import type { Chats } from './chats.ts';
import type { OpenedRooms } from './opened-rooms.ts';
import type { Reply } from './reply.ts';
import type { SessionState } from './session-state.ts';

/** One session, as verbs see it. */
export interface Session extends SessionState {
  readonly id: number;
  readonly server: SessionServer;
  readonly store: Store;
  /** on the administration socket every check of rights passes; what needs a user identity fails */
  readonly isAdminSocket: boolean;
  /** Takes no further command, and closes behind the answers to those that run; QUIT. */
  quit(): void;
  /** Behind the answer to this command a TLS handshake begins; false: it cannot, or it did before. */
  startTls(): boolean;
  /** Ends it at once. */
  destroy(): void;
  /** Tells an ASYN 1 session of an instant message: 902, between complete replies. */
  noticeInstantMessage(): void;
  /** Tells an NTFY 1 session what has changed: 903 and 904, between complete replies. */
  noticeChanges(changes: StoreChanges): void;
}

/** What the sessions of one server share. */
export interface SessionServer {
  readonly store: Store;
  readonly sessions: ReadonlySet<Session>;
  /** Unix seconds */
  readonly startedAt: number;
  /** of the program, shown by INFO */
  readonly version: string;
  /** scrypt N of new passwords */
  readonly passwordCost: number;
  readonly openedRooms: OpenedRooms;
  readonly chats: Chats;
  /** whose turn it is, where somebody has much to do */
  readonly turns: Pick<TurnQueue, 'next' | 'run' | 'begin'>;
  /** What several sessions change becomes durable together (store/group-commit.ts). */
  readonly commits: Pick<GroupCommit, 'run'>;
  /** Begins to remove what has expired (TDAP). */
  readonly housekeeper: { expire(): void };
  /** SCDN 1 */
  isDownWhenIdle: boolean;
  /** what is no refusal but a fault of ours; the session goes on */
  readonly onFault: (error: unknown) => void;
  /** an administrator sent DOWN */
  readonly onDown: () => void;
  /** To be called after a message was stored: counts new mail of those who are here (BIFF). */
  noteNewMessage(roomIds: number[], msgnum: number): void;
  isOnline(user: StoredUser): boolean;
  /** For all who are logged in by a password that counts no longer, but the session that has changed it. */
  endSessionsOf(user: StoredUser, except: Session): void;
  /** For all who are logged in by session keys that count no longer; `hashes` of them. */
  endSessionsOfKeys(hashes: readonly string[]): void;
  /** For all who are logged in by this app password, which counts no longer. */
  endSessionsOfAppPassword(id: number): void;
  /** To be called when somebody has logged out. */
  downWhenIdle(): void;
}

/** `args` is everything behind the fifth byte of the line. Throws Refusal. */
export type Verb = (session: Session, args: string) => Reply | Promise<Reply>;
