// The embedded room server: listens, greets, keeps the list of sessions.

import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import {
  BACKEND_IDLE_MS,
  BACKEND_LINGER_MS,
  BACKEND_MAX_SESSIONS,
  BACKEND_MAX_SESSIONS_PER_ADDRESS,
} from '../../limits/backend.ts';
import { MAX_REFUSED_CONNECTIONS } from '../../limits/http.ts';
import { roleOf } from '../../protocol/room-facts.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { NetworkCounts } from '../../system/networks.ts';
import type { Throttle } from '../../system/throttle.ts';
import { TurnQueue } from '../../system/turn-queue.ts';
import { Housekeeper } from '../maintenance/housekeeping.ts';
import { logOut } from '../maintenance/log-in.ts';
import { Chats } from '../session/chats.ts';
import { OpenedRooms } from '../session/opened-rooms.ts';
import { ok, statusLine } from '../session/reply.ts';
import type { Session, SessionServer } from '../session/session.ts';
import { PASSWORD_COST } from '../store/credentials/passwords.ts';
import { GroupCommit } from '../store/group-commit.ts';
import type { StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { roomById, roomFacts } from '../store/rooms.ts';
import { nodeName, numberSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { SessionSocket } from './session-socket.ts';

/** Bounds and hooks; what is missing is as in limits/backend.ts. */
export interface RoomServerOptions {
  /** what is no refusal but a fault of ours; the session goes on */
  onFault?: (error: unknown) => void;
  /** an administrator sent DOWN; whoever made the server closes it */
  onDown?: () => void;
  idleMs?: number;
  maxSessions?: number;
  /** of one client on a TCP address */
  maxSessionsPerAddress?: number;
  /** of the program, shown by INFO */
  version?: string;
  /** how long it is known which members of rooms were removed; DEFAULT_SYNC_DAYS when missing */
  syncDays?: number;
  /** scrypt N of new passwords; tests lower it */
  passwordCost?: number;
}

/** An address where sessions begin. */
interface WayIn {
  listener: Server;
  /** all connections, the refused ones included: a listener is closed when its connections are */
  sockets: Set<Socket>;
  /** those of sessions */
  admitted: number;
  clients: NetworkCounts;
}

/** A server with any number of listeners over one store. */
export class RoomServer implements SessionServer {
  readonly store: Store;
  readonly sessions = new Set<SessionSocket>();
  readonly startedAt = now();
  readonly idleMs: number;
  readonly passwordCost: number;
  readonly openedRooms = new OpenedRooms();
  readonly chats = new Chats();
  readonly version: string;
  readonly onFault: (error: unknown) => void;
  readonly onDown: () => void;
  readonly housekeeper: Housekeeper;
  readonly turns = new TurnQueue();
  readonly commits: GroupCommit;
  /** for the handshakes of those who come from now on (STLS) */
  tlsContext: SecureContext | undefined;
  /** SCDN 1 */
  isDownWhenIdle = false;
  readonly #maxSessions: number;
  readonly #maxSessionsPerAddress: number;
  readonly #waysIn: WayIn[] = [];
  #isClosing = false;
  #lastSessionId = 0;

  constructor(store: Store, options: RoomServerOptions = {}) {
    this.store = store;
    this.commits = new GroupCommit(store);
    this.idleMs = options.idleMs ?? BACKEND_IDLE_MS;
    this.passwordCost = options.passwordCost ?? PASSWORD_COST;
    this.version = options.version ?? '';
    this.onFault = options.onFault ?? (() => {});
    this.onDown = options.onDown ?? (() => {});
    this.#maxSessions = options.maxSessions ?? BACKEND_MAX_SESSIONS;
    this.#maxSessionsPerAddress = options.maxSessionsPerAddress ?? BACKEND_MAX_SESSIONS_PER_ADDRESS;
    store.onStorageFailure = this.onFault;
    this.housekeeper = new Housekeeper(store, this.onFault, options.syncDays);
    store.onChanges = (changes) => {
      for (const session of this.sessions) session.noticeChanges(changes);
    };
  }

  /**
   * Opens one more way in; resolves when it accepts connections. `address` is where a TCP listener really is.
   * `throttle`: for those who come here themselves; a gateway counts the failed log-ins of its users on its own, and is
   * one who comes from no address, or from one that `isGateway` knows.
   */
  async listen(
    at: ListenOptions,
    isAdminSocket = false,
    throttle?: Throttle,
    isGateway: (address: string) => boolean = () => false,
  ): Promise<Server> {
    // Half-open: a peer may send its commands, close its side, and read the answers.
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      wayIn.sockets.add(socket);
      socket.once('close', () => wayIn.sockets.delete(socket));
      const address = socket.remoteAddress ?? '';
      if (isGateway(address)) this.#accept(socket, wayIn, { address: '', isAdminSocket, throttle: undefined });
      else this.#accept(socket, wayIn, { address, isAdminSocket, throttle });
    });
    const clients = new NetworkCounts(this.#maxSessionsPerAddress);
    const wayIn: WayIn = { listener, sockets: new Set(), admitted: 0, clients };
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(at, () => {
        listener.off('error', reject);
        resolve();
      });
    });
    listener.on('error', this.onFault);
    this.#waysIn.push(wayIn);
    return listener;
  }

  /** To be called after a message was stored: counts new mail of those who are here (BIFF). */
  noteNewMessage(roomIds: number[]): void {
    for (const id of roomIds) {
      const room = roomById(this.store, id);
      if (!room || roleOf(roomFacts(room)) !== 'mail') continue;
      for (const session of this.sessions) if (session.user?.id === room.owner) session.newMail++;
    }
  }

  isOnline(user: StoredUser): boolean {
    for (const session of this.sessions) if (session.user === user) return true;
    return false;
  }

  /** For all who are logged in by a password that counts no longer, but the session that has changed it. */
  endSessionsOf(user: StoredUser, except: Session): void {
    for (const session of this.sessions) if (session.user === user && session !== except) session.quit();
  }

  /** For all who are logged in by session keys that count no longer; `hashes` of them. */
  endSessionsOfKeys(hashes: readonly string[]): void {
    for (const session of this.sessions) {
      if (session.keyHash !== undefined && hashes.includes(session.keyHash)) session.quit();
    }
  }

  /** For all who are logged in by this app password, which counts no longer. */
  endSessionsOfAppPassword(id: number): void {
    for (const session of this.sessions) if (session.appPassword?.id === id) session.quit();
  }

  onSessionClosed(session: SessionSocket): void {
    this.sessions.delete(session);
    try {
      logOut(session);
    } catch (error) {
      // A refusal is a disk that fails, which has been told.
      if (!(error instanceof Refusal)) this.onFault(error);
    }
    this.downWhenIdle();
  }

  /** To be called when somebody has logged out. */
  downWhenIdle(): void {
    if (!this.isDownWhenIdle || this.#isClosing) return;
    for (const session of this.sessions) if (session.user) return;
    this.onDown();
  }

  /** Stops listening and closes all sessions; the store stays open. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.housekeeper.stop();
    this.commits.flush();
    const closed = this.#waysIn.map(
      ({ listener }) => new Promise<void>((resolve) => void listener.close(() => resolve())),
    );
    for (const session of this.sessions) session.destroy();
    for (const { sockets } of this.#waysIn) for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  }

  /** `address`: `''` where many who are no concern of each other come from one. */
  #accept(
    socket: Socket,
    wayIn: WayIn,
    { address, isAdminSocket, throttle }: { address: string; isAdminSocket: boolean; throttle: Throttle | undefined },
  ): void {
    // It was on its way when close() ended the others; nobody would end it.
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    const refusal = isAdminSocket ? undefined : this.#refusalOf(address, wayIn);
    if (refusal !== undefined) {
      refuse(socket, refusal, wayIn);
      return;
    }
    wayIn.admitted++;
    socket.once('close', () => {
      wayIn.admitted--;
      if (address !== '' && !isAdminSocket) wayIn.clients.leave(address);
    });
    const session = new SessionSocket(this, socket, ++this.#lastSessionId, isAdminSocket, address);
    session.throttle = throttle;
    this.sessions.add(session);
    session.greet(ok(`${nodeName(this.store)} Citadel server ${isAdminSocket ? 'ADMIN CONNECTION ' : ''}ready.`));
  }

  /**
   * The text for a connection that is one too many. A unix socket has no addresses, and a bound on all of them only.
   */
  #refusalOf(address: string, { admitted, clients }: WayIn): string | undefined {
    const refused = (text: string) => statusLine(STATUS.tooManySessions, text);
    const configured = numberSetting(this.store, 'c_maxsessions');
    const limit = configured > 0 ? configured : this.#maxSessions;
    if (admitted >= limit) return refused(`Too many users are already online (maximum is ${limit})`);
    if (address === '' || clients.enter(address)) return undefined;
    return refused(`Too many sessions from your address (maximum is ${this.#maxSessionsPerAddress})`);
  }
}

/** Tells why, and ends the connection; when many are being told already it just ends. */
function refuse(socket: Socket, refusal: string, { sockets, admitted }: WayIn): void {
  socket.on('error', () => {});
  if (sockets.size - admitted > MAX_REFUSED_CONNECTIONS) {
    socket.destroy();
    return;
  }
  const lingering = setTimeout(() => socket.destroy(), BACKEND_LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
  socket.resume();
  socket.end(refusal);
}
