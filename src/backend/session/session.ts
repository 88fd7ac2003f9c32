// The session and the server as verbs see them: the state that the protocol keeps per connection (protocol section 6),
// and interfaces, so that no verb depends on a socket. wire/ implements both; tests use plain objects.

import { MAX_INSTANT_MESSAGES } from '../../limits/backend.ts';
import { toInt } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import { now } from '../../system/clock.ts';
import { networkOf } from '../../system/networks.ts';
import type { Steps } from '../../system/steps.ts';
import type { Throttle } from '../../system/throttle.ts';
import type { TurnQueue } from '../../system/turn-queue.ts';
import type { GroupCommit } from '../store/group-commit.ts';
import type { AppPasswordRow } from '../store/keys.ts';
import type { InstantMessage, StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import type { FileWriter } from '../store/room-files.ts';
import type { Store, StoreChanges } from '../store/store.ts';
import { mainAddressOf } from '../store/users.ts';
import type { OpenedRooms } from './attempts.ts';
import { type Chats, Notices } from './notices.ts';
import type { Flag, Reply } from './reply.ts';

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
  readonly turns: Pick<TurnQueue, 'next' | 'run' | 'begin' | 'map'>;
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
  /** Call it after a log-out: the session may be displaced, and the server may be about to go down. */
  loggedOut(session: Session): void;
}

/** `args` is everything after the fifth byte of the line. Throws Refusal. */
export type Verb = (session: Session, args: string) => Reply | Promise<Reply>;

/** '' is a unix socket */
const LOCAL_HOSTS = new Set(['', '127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** An open part or file, of which READ takes pieces. */
export interface OpenDownload {
  room: StoredRoom;
  length: number;
  /** fewer bytes at the end */
  read(offset: number, count: number): Buffer | Promise<Buffer>;
}

/** the one open upload of a session */
export interface Upload {
  room: StoredRoom;
  name: string;
  type: string;
  comment: string;
  writer: FileWriter;
}

/** Scheduling messages that go with the next change of an object (SCHD send). */
export interface StagedScheduling {
  uid: string;
  /** from then on it is a scheduling object */
  isTagged: boolean;
  /** number of the message that the room has for this object when they go, 0: none; undefined: whichever */
  expected: number | undefined;
  room: StoredRoom;
  user: StoredUser;
  /** each with the numbers of the users who get it */
  messages: readonly { text: string; recipients: readonly number[] }[];
}

/** The state of one session, without its socket. */
export class SessionState {
  /** after STLS: `TLSv1.3` and the name of the cipher, for GTLS */
  encryption: { version: string; cipher: string } | undefined;
  user: StoredUser | undefined;
  /** named by USER, waiting for PASS */
  selectedUser: StoredUser | undefined;
  /** the name of a USER command that found nobody */
  unknownName: string | undefined;
  /** of the session key used to log in; undefined after a password */
  keyHash: string | undefined;
  /** used to log in, if any */
  appPassword: AppPasswordRow | undefined;
  room: StoredRoom | undefined;
  /** the room's stored password, if one admitted the session: a new one revokes that; else empty */
  roomPassword = '';
  /** of the last GOTO that found nothing */
  missedName = '';
  /** highest number of the room as this session last saw it: SLRP HIGHEST */
  highestKnown = 0;
  /** MSGP, best first */
  mimePreferences: string[] = [];
  dontDecode = false;
  /** mail that arrived since the last BIFF */
  newMail = 0;
  /** of OPNA or OPEN; independent of the room */
  openDownload: OpenDownload | undefined;
  openUpload: Upload | undefined;
  /** RCHT enter, for this room */
  chatRoom: StoredRoom | undefined;
  /** GNUR has named somebody */
  isValidating = false;
  /** version of a page fetched by WIKI rev: readable although it is in no room */
  fetchedRevision: number | undefined;
  scheduling: StagedScheduling | undefined;
  /** what it prepared has been sent, and is to be delivered */
  hasSentScheduling = false;
  instantMessages: InstantMessage[] = [];
  /** who sent the message read last, for SEXP without a name */
  lastPager: StoredUser | undefined;
  asyncMode = false;
  readonly notices = new Notices();
  stealth = false;
  refusesMessages = false;
  clientName = '(unknown)';
  clientHost: string;
  /** a gateway on this machine, which may name its client's host (IDEN) */
  readonly isLocalPeer: boolean;
  /** the address of the peer, '' on a unix socket */
  readonly address: string;
  /** counts failed log-ins of clients that are no gateways */
  throttle: Throttle | undefined;
  lastCommand = '';
  lastActivity = now();

  #gone: AbortController | undefined;

  /** `host`: address of the peer, '' on a unix socket */
  constructor(host: string) {
    this.clientHost = host;
    this.address = host;
    this.isLocalPeer = LOCAL_HOSTS.has(host);
  }

  /** As of an Asker; of a gateway's session the account that is to be logged in. */
  get turnKey(): string {
    if (this.user) return `user ${this.user.id}`;
    if (this.address !== '') return `address ${networkOf(this.address)}`;
    return `account ${this.selectedUser?.id ?? accountName(this.unknownName ?? '')}`;
  }

  /** Aborts when the connection closes, with a Refusal that nobody will read. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    return this.#gone.signal;
  }

  protected end(): void {
    this.#gone?.abort(new Refusal('busy', 'The connection has closed.'));
  }

  /** byte 4 of replies that announce waiting instant messages */
  get flag(): Flag {
    return this.instantMessages.length > 0 ? '*' : ' ';
  }
}

/** The state after `0` or `1`; anything else only asks. */
export function switched(state: boolean, args: string): boolean {
  if (/^\s*\d/.test(args) && toInt(args) <= 1) return toInt(args) === 1;
  return state;
}

export const INSTANT_FLAG = { broadcast: 1, logOff: 2 } as const;

/** In chat mode, and still in the room of that chat. */
export function isChatting({ room, chatRoom }: Session): boolean {
  return chatRoom !== undefined && chatRoom === room;
}

/** Sessions with a user. */
export function loggedInSessions({ server }: Session): Session[] {
  return [...server.sessions].filter((other) => other.user);
}

/** Whether a session has room for a message: one sender may have half of it. */
export function takesMessageOf({ user }: Session, { instantMessages }: Session): boolean {
  const own = instantMessages.filter(({ sender }) => sender === user?.name).length;
  return instantMessages.length < MAX_INSTANT_MESSAGES && own < MAX_INSTANT_MESSAGES / 2;
}

/** Adds the message to each receiver's queue that has room, and notifies it. */
export function deliverInstant(session: Session, receivers: Session[], text: string, flags: number): void {
  const { user, store } = session;
  const message: InstantMessage = {
    time: now(),
    flags,
    sender: user?.name ?? '',
    address: user ? mainAddressOf(store, user) : '',
    text,
  };
  for (const receiver of receivers) {
    if (!takesMessageOf(session, receiver)) continue;
    receiver.instantMessages.push(message);
    receiver.noticeInstantMessage();
  }
}

/**
 * The result of `work`: at once if it never yields, else with turns of other sessions wherever it does; '' if the
 * server ends meanwhile.
 */
export function withTurns<T>({ store, server }: Session, work: Steps<T>): T | '' | Promise<T | ''> {
  const first = work.next();
  if (first.done) return first.value;
  const goOn = async (): Promise<T | ''> => {
    for (;;) {
      await server.turns.next();
      if (!store.db.isOpen) return '';
      const step = work.next();
      if (step.done) return step.value;
    }
  };
  return goOn();
}
