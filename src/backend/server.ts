// The embedded room server: listens, greets, keeps the list of sessions. Made by worker.ts (and by tests, in process).

import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { BACKEND_IDLE_MS, BACKEND_LINGER_MS, BACKEND_MAX_SESSIONS } from '../limits.ts';
import { now } from './clock.ts';
import { logOut } from './login.ts';
import { PASSWORD_COST } from './passwords.ts';
import type { UserRow } from './records.ts';
import { roomById } from './rooms.ts';
import { Session } from './session.ts';
import { nodeName, numberSetting } from './settings.ts';
import type { Store } from './store.ts';

export interface RoomServerOptions {
  /** what is no refusal but a fault of ours; the session goes on */
  onFault?: (error: unknown) => void;
  /** an administrator sent DOWN; whoever made the server closes it */
  onDown?: () => void;
  idleMs?: number;
  maxSessions?: number;
  /** of the program, shown by INFO */
  version?: string;
  /** scrypt N of new passwords; tests lower it */
  passwordCost?: number;
}

export class RoomServer {
  readonly store: Store;
  readonly sessions = new Set<Session>();
  readonly startedAt = now();
  readonly idleMs: number;
  readonly passwordCost: number;
  readonly version: string;
  readonly onFault: (error: unknown) => void;
  readonly onDown: () => void;
  readonly #maxSessions: number;
  readonly #listeners: Server[] = [];
  #isClosing = false;
  readonly #newMessageHooks: ((roomIds: number[], msgnum: number) => void)[] = [];
  #lastSessionId = 0;

  constructor(store: Store, options: RoomServerOptions = {}) {
    this.store = store;
    this.idleMs = options.idleMs ?? BACKEND_IDLE_MS;
    this.passwordCost = options.passwordCost ?? PASSWORD_COST;
    this.version = options.version ?? '';
    this.onFault = options.onFault ?? (() => {});
    this.onDown = options.onDown ?? (() => {});
    this.#maxSessions = options.maxSessions ?? BACKEND_MAX_SESSIONS;
  }

  /** Opens one more way in; resolves when it accepts connections. `address` is where a TCP listener really is. */
  async listen(at: ListenOptions, isAdminSocket = false): Promise<Server> {
    // Half-open: a peer may send its commands, close its side, and read the answers.
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#accept(socket, isAdminSocket),
    );
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(at, () => {
        listener.off('error', reject);
        resolve();
      });
    });
    listener.on('error', this.onFault);
    this.#listeners.push(listener);
    return listener;
  }

  /** Calls back for every message that was stored: the rooms it is in, its number. */
  onNewMessage(hook: (roomIds: number[], msgnum: number) => void): void {
    this.#newMessageHooks.push(hook);
  }

  /** To be called after a message was stored: counts new mail of those who are here (BIFF). */
  noteNewMessage(roomIds: number[], msgnum: number): void {
    for (const id of roomIds) {
      const room = roomById(this.store, id);
      if (room?.owner == null || room.name.toLowerCase() !== 'mail') continue;
      for (const session of this.sessions) if (session.user?.id === room.owner) session.newMail++;
    }
    for (const hook of this.#newMessageHooks) hook(roomIds, msgnum);
  }

  isOnline(user: UserRow): boolean {
    for (const session of this.sessions) if (session.user === user) return true;
    return false;
  }

  onSessionClosed(session: Session): void {
    this.sessions.delete(session);
    try {
      logOut(session);
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Stops listening and closes all sessions; the store stays open. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = this.#listeners.map(
      (listener) => new Promise<void>((resolve) => void listener.close(() => resolve())),
    );
    for (const session of this.sessions) session.destroy();
    await Promise.all(closed);
  }

  #accept(socket: Socket, isAdminSocket: boolean): void {
    // It was on its way when close() ended the others; nobody would end it.
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    const limit = numberSetting(this.store, 'c_maxsessions') || this.#maxSessions;
    if (!isAdminSocket && this.sessions.size >= limit) {
      socket.on('error', () => {});
      socket.setTimeout(BACKEND_LINGER_MS, () => socket.destroy());
      socket.resume();
      socket.end(`551 Too many users are already online (maximum is ${limit})\n`);
      return;
    }
    const session = new Session(this, socket, ++this.#lastSessionId, isAdminSocket, socket.remoteAddress ?? '');
    this.sessions.add(session);
    session.greet(`200 ${nodeName(this.store)} Citadel server ${isAdminSocket ? 'ADMIN CONNECTION ' : ''}ready.\n`);
  }
}
