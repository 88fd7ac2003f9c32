// Runs verbs of the embedded room server without sockets: a store in a temporary folder, sessions that are plain objects,
// bodies fed as session.ts would feed them. For the tests of the message half; what needs the wire uses room-server.ts.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Refusal, type StreamReply, type Verb } from '../../src/backend/session/verb.ts';
import type { RoomRow, UserRow } from '../../src/backend/store/records.ts';
import { createRoom, findRoom } from '../../src/backend/store/rooms.ts';
import { openStore, type Store } from '../../src/backend/store/store.ts';
import { createUser } from '../../src/backend/store/users.ts';
import type { Session } from '../../src/backend/wire/session-socket.ts';
import { TurnQueue } from '../../src/backend/wire/turn-queue.ts';
import { ROOM_FLAG } from '../../src/model.ts';

export interface MessageWorld {
  store: Store;
  /** every message that was announced: rooms and number */
  announced: { rooms: number[]; msgnum: number }[];
  /** faults that a verb reported */
  faults: unknown[];
  user(name: string, level?: number): UserRow;
  room(name: string, view?: number, more?: { flags?: number; flags2?: number }): RoomRow;
  /** a session of that user, standing in that room */
  session(user: UserRow | undefined, room: RoomRow): Session;
}

export function messageWorld(t: TestContext): MessageWorld {
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
  const server = {
    turns: new TurnQueue(),
    store,
    noteNewMessage: (rooms: number[], msgnum: number) => void announced.push({ rooms, msgnum }),
    onFault: (error: unknown) => void faults.push(error),
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
    session: (user, current) =>
      ({
        store,
        server,
        user,
        room: current,
        isAdminSocket: false,
        mimePreferences: [],
        dontDecode: false,
        highestKnown: 0,
        openDownload: undefined,
      }) as unknown as Session,
  };
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
