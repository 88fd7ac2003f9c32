// The embedded room server: listens, greets, keeps the list of sessions.

import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import {
  BACKEND_IDLE_MS,
  BACKEND_LINGER_MS,
  BACKEND_MAX_SESSIONS,
  BACKEND_MAX_SESSIONS_PER_ADDRESS,
} from '../../limits/backend.ts';
import { DISPLACE_AFTER_MS, MAX_REFUSED_CONNECTIONS } from '../../limits/http.ts';
import { roleOf } from '../../protocol/room-facts.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { ConnectionSlots, type SlotUser } from '../../system/connection-slots.ts';
import { networkOf } from '../../system/networks.ts';
import type { Throttle } from '../../system/throttle.ts';
import { TurnQueue } from '../../system/turn-queue.ts';
import { Housekeeper } from '../maintenance/housekeeping.ts';
import { logOut } from '../maintenance/log-in.ts';
import { OpenedRooms } from '../session/attempts.ts';
import { Chats } from '../session/notices.ts';
import { ok, statusLine } from '../session/reply.ts';
import type { Session, SessionServer } from '../session/session.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { PASSWORD_COST } from '../store/passwords.ts';
import type { StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { roomById, roomFacts } from '../store/rooms.ts';
import { nodeName, numberSetting, type Store } from '../store/store.ts';
import { SessionSocket } from './session-socket.ts';

/** Bounds and hooks; defaults are in limits/backend.ts. */
export interface RoomServerOptions {
  onFault?: (error: unknown) => void;
  /** an administrator sent DOWN: close the server */
  onDown?: () => void;
  idleMs?: number;
  maxSessions?: number;
  /** of one client on a TCP address */
  maxSessionsPerAddress?: number;
  version?: string;
  /** how long removed members of rooms are remembered; by default DEFAULT_SYNC_DAYS */
  syncDays?: number;
  /** scrypt N of new passwords; tests lower it */
  passwordCost?: number;
}

/** An address that accepts sessions. */
interface Entrance {
  listener: Server;
  /** all connections, including refused ones: a listener closes when its connections have */
  sockets: Set<Socket>;
  slots: ConnectionSlots<SlotUser>;
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
  /** for the next handshakes (STLS) */
  tlsContext: SecureContext | undefined;
  isDownWhenIdle = false;
  readonly #maxSessionsByOption: number;
  readonly #maxSessionsPerAddress: number;
  readonly #entrances: Entrance[] = [];
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
    this.#maxSessionsByOption = options.maxSessions ?? BACKEND_MAX_SESSIONS;
    this.#maxSessionsPerAddress = options.maxSessionsPerAddress ?? BACKEND_MAX_SESSIONS_PER_ADDRESS;
    store.onStorageFailure = this.onFault;
    this.housekeeper = new Housekeeper(store, this.onFault, options.syncDays);
    store.onChanges = (changes) => {
      for (const session of this.sessions) session.noticeChanges(changes);
    };
  }

  /**
   * Listens on one more address; resolves when it accepts connections. `throttle`: for ordinary clients. Gateways,
   * which connect from no address or from one that `isGateway` accepts, count the failed log-ins of their users
   * themselves.
   */
  async listen(
    at: ListenOptions,
    isAdminSocket = false,
    throttle?: Throttle,
    isGateway: (address: string) => boolean = () => false,
  ): Promise<Server> {
    // Half-open: a peer may send its commands, close its side, and read the replies.
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      entrance.sockets.add(socket);
      socket.once('close', () => entrance.sockets.delete(socket));
      const address = socket.remoteAddress ?? '';
      if (isGateway(address)) this.#accept(socket, entrance, { address: '', isAdminSocket, throttle: undefined });
      else this.#accept(socket, entrance, { address, isAdminSocket, throttle });
    });
    const slots = new ConnectionSlots<SlotUser>({
      max: () => (isAdminSocket ? Number.POSITIVE_INFINITY : this.#maxSessions()),
      maxPerClient: this.#maxSessionsPerAddress,
      displaceAfterMs: DISPLACE_AFTER_MS,
    });
    const entrance: Entrance = { listener, sockets: new Set(), slots };
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(at, () => {
        listener.off('error', reject);
        resolve();
      });
    });
    listener.on('error', this.onFault);
    this.#entrances.push(entrance);
    return listener;
  }

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

  endSessionsOf(user: StoredUser, except: Session): void {
    for (const session of this.sessions) if (session.user === user && session !== except) session.quit();
  }

  endSessionsOfKeys(hashes: readonly string[]): void {
    for (const session of this.sessions) {
      if (session.keyHash !== undefined && hashes.includes(session.keyHash)) session.quit();
    }
  }

  endSessionsOfAppPassword(id: number): void {
    for (const session of this.sessions) if (session.appPassword?.id === id) session.quit();
  }

  onSessionClosed(session: SessionSocket): void {
    this.sessions.delete(session);
    try {
      logOut(session);
    } catch (error) {
      // A refusal means that the disk failed, which has been reported.
      if (!(error instanceof Refusal)) this.onFault(error);
    }
    this.#goDownWhenIdle();
  }

  loggedOut(session: SessionSocket): void {
    session.onLoggedOut();
    this.#goDownWhenIdle();
  }

  #goDownWhenIdle(): void {
    if (!this.isDownWhenIdle || this.#isClosing) return;
    for (const session of this.sessions) if (session.user) return;
    this.onDown();
  }

  /** Stops listening and closes all sessions; the store stays open. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.housekeeper.stop();
    this.commits.flush();
    const closed = this.#entrances.map(
      ({ listener }) => new Promise<void>((resolve) => void listener.close(() => resolve())),
    );
    for (const session of this.sessions) session.destroy();
    for (const { sockets } of this.#entrances) for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  }

  /** `address`: `''` for gateways, whose users share one */
  #accept(
    socket: Socket,
    entrance: Entrance,
    { address, isAdminSocket, throttle }: { address: string; isAdminSocket: boolean; throttle: Throttle | undefined },
  ): void {
    // It arrived while close() ended the others; nothing else would end it.
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    let session: SessionSocket | undefined;
    const slot: SlotUser = {
      address,
      client: networkOf(address),
      since: 0,
      /** gateways are not displaced, nor is who has logged in */
      get loggedIn() {
        return address === '' || session?.user ? 1 : 0;
      },
      close: () => session?.destroy(),
    };
    const bound = entrance.slots.enter(slot, address !== '' && !isAdminSocket);
    if (bound !== undefined) {
      const text =
        bound === 'total'
          ? `Too many users are already online (maximum is ${this.#maxSessions()})`
          : `Too many sessions from your address (maximum is ${this.#maxSessionsPerAddress})`;
      refuse(socket, statusLine(STATUS.tooManySessions, text), entrance);
      return;
    }
    socket.once('close', () => entrance.slots.leave(slot));
    session = new SessionSocket(this, socket, ++this.#lastSessionId, isAdminSocket, address);
    session.onLoggedOut = () => entrance.slots.begin(slot);
    session.throttle = throttle;
    this.sessions.add(session);
    session.greet(ok(`${nodeName(this.store)} Citadel server ${isAdminSocket ? 'ADMIN CONNECTION ' : ''}ready.`));
  }

  /** the administrator's setting precedes the option */
  #maxSessions(): number {
    const configured = numberSetting(this.store, 'c_maxsessions');
    return configured > 0 ? configured : this.#maxSessionsByOption;
  }
}

/** Sends the reason and ends the connection; if many are being refused, it just ends. */
function refuse(socket: Socket, refusal: string, { sockets, slots }: Entrance): void {
  socket.on('error', () => {});
  if (sockets.size - slots.size > MAX_REFUSED_CONNECTIONS) {
    socket.destroy();
    return;
  }
  const lingering = setTimeout(() => socket.destroy(), BACKEND_LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
  socket.resume();
  socket.end(refusal);
}
