// The session and the server as verbs see them: interfaces, so that no verb depends on a socket. wire/ implements both;
// tests use plain objects.

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
  /** QUIT: reads no further command, and closes once pending replies are written. */
  quit(): void;
  /** Starts a TLS handshake after the reply to this command. False if there is no certificate, or TLS already. */
  startTls(): boolean;
  /** Closes at once, without a reply. */
  destroy(): void;
  /** Notifies an ASYN 1 session of an instant message: 902, between complete replies. */
  noticeInstantMessage(): void;
  /** Notifies an NTFY 1 session of changes: 903 and 904, between complete replies. */
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
  /** turns for long work */
  readonly turns: Pick<TurnQueue, 'next' | 'run' | 'begin'>;
  /** Makes changes of several sessions durable together (store/group-commit.ts). */
  readonly commits: Pick<GroupCommit, 'run'>;
  /** `expire` starts to remove expired messages (TDAP). */
  readonly housekeeper: { expire(): void };
  /** SCDN 1 */
  isDownWhenIdle: boolean;
  /** receives faults of ours, as opposed to refusals; the session goes on */
  readonly onFault: (error: unknown) => void;
  /** an administrator sent DOWN */
  readonly onDown: () => void;
  /** Call it after a message was stored: counts new mail for sessions (BIFF). */
  noteNewMessage(roomIds: number[], msgnum: number): void;
  isOnline(user: StoredUser): boolean;
  /** After a change of password: ends the user's sessions but the one that made it. */
  endSessionsOf(user: StoredUser, except: Session): void;
  /** Ends the sessions that logged in with revoked session keys, named by their hashes. */
  endSessionsOfKeys(hashes: readonly string[]): void;
  /** Ends the sessions that logged in with this revoked app password. */
  endSessionsOfAppPassword(id: number): void;
  /** Call it after a log-out. */
  downWhenIdle(): void;
}

/** `args` is everything after the fifth byte of the line. Throws Refusal. */
export type Verb = (session: Session, args: string) => Reply | Promise<Reply>;
