// Runs verbs of the embedded room server without sockets: a store in a temporary folder, sessions that are plain
// objects, bodies fed as the socket of a session would feed them. What needs the wire uses room-server.ts.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenedRooms } from '../../src/backend/session/attempts.ts';
import { Chats } from '../../src/backend/session/notices.ts';
import type { StreamReply } from '../../src/backend/session/reply.ts';
import type { Session, SessionServer, Verb } from '../../src/backend/session/session.ts';
import { SessionState } from '../../src/backend/session/session.ts';
import { GroupCommit } from '../../src/backend/store/group-commit.ts';
import type { StoredRoom, StoredUser } from '../../src/backend/store/records.ts';
import { Refusal } from '../../src/backend/store/refusal.ts';
import { createRoom, findRoom } from '../../src/backend/store/rooms.ts';
import { openStore, type Store } from '../../src/backend/store/store.ts';
import { createUser } from '../../src/backend/store/users.ts';
import { ROOM_FLAG } from '../../src/model.ts';
import { now } from '../../src/system/clock.ts';
import { TurnQueue } from '../../src/system/turn-queue.ts';

export interface MessageWorld {
  store: Store;
  /** every message that was announced: rooms and number */
  announced: { rooms: number[]; msgnum: number }[];
  /** faults that a verb reported */
  faults: unknown[];
  user(name: string, level?: number): StoredUser;
  room(name: string, view?: number, more?: { flags?: number; flags2?: number }): StoredRoom;
  /** a session of that user, standing in that room */
  session(user: StoredUser | undefined, room: StoredRoom): Session;
}

export function messageWorld(t: { after(done: () => void): void }): MessageWorld {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-test-'));
  const store = openStore(folder);
  t.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  store.db.exec("INSERT OR IGNORE INTO floor (num, name, key) VALUES (0, 'Main Floor', 'main floor')");
  store.setConfig('c_nodename', 'vm');
  store.setConfig('c_fqdn', 'vm');
  const announced: MessageWorld['announced'] = [];
  const faults: unknown[] = [];
  const server: SessionServer = {
    store,
    sessions: new Set(),
    startedAt: now(),
    version: '',
    passwordCost: 16,
    openedRooms: new OpenedRooms(),
    chats: new Chats(),
    turns: new TurnQueue(),
    commits: new GroupCommit(store),
    housekeeper: { expire: () => {} },
    isDownWhenIdle: false,
    onFault: (error) => void faults.push(error),
    onDown: () => {},
    noteNewMessage: (rooms, msgnum) => void announced.push({ rooms, msgnum }),
    isOnline: () => false,
    endSessionsOf: () => {},
    endSessionsOfKeys: () => {},
    endSessionsOfAppPassword: () => {},
    loggedOut: () => {},
  };
  const room: MessageWorld['room'] = (name, view = 0, more = {}) =>
    findRoom(store, undefined, name) ?? createRoom(store, { name, view, flags: ROOM_FLAG.permanent, ...more });
  room('Lobby');
  room('Aide', 0, { flags: ROOM_FLAG.private });
  return {
    store,
    announced,
    faults,
    room,
    user: (name, level = 4) => createUser(store, name, null, level),
    session: (user, current) => new PlainSession(server, user, current),
  };
}

class PlainSession extends SessionState implements Session {
  readonly id = 1;
  readonly isAdminSocket = false;
  readonly server: SessionServer;
  readonly store: Store;

  constructor(server: SessionServer, user: StoredUser | undefined, room: StoredRoom) {
    super('');
    this.server = server;
    this.store = server.store;
    this.user = user;
    this.room = room;
  }

  quit(): void {}
  startTls(): boolean {
    return false;
  }
  destroy(): void {}
  noticeInstantMessage(): void {}
  noticeChanges(): void {}
}

/** The whole reply of a verb as bytes; a refusal as its status line. `body`: what is sent after 4xx or 8xx. */
export function runBytes(session: Session, verb: Verb, args: string, body?: string | Buffer): Buffer {
  try {
    const reply = verb(session, args);
    if (typeof reply === 'string' || 'stream' in reply) return bytesOf(reply);
    if (!('text' in reply)) throw new Error('no such reply is expected');
    reply.text.write(Buffer.from(body ?? ''));
    return Buffer.concat([Buffer.from(reply.reply), bytesOf(reply.text.end() as string | StreamReply)]);
  } catch (error) {
    if (error instanceof Refusal) return Buffer.from(`${error.code} ${error.message}\n`);
    throw error;
  }
}

export function run(session: Session, verb: Verb, args: string, body?: string | Buffer): string {
  return runBytes(session, verb, args, body).toString('utf8');
}

function bytesOf(reply: string | StreamReply): Buffer {
  if (typeof reply === 'string') return Buffer.from(reply);
  return Buffer.concat([...reply.stream].map((piece) => Buffer.from(piece as string)));
}
