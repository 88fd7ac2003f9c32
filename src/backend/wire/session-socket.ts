// One connection of the embedded room server: takes commands off the socket strictly in order and writes the replies,
// in turns with the other sessions (protocol section 5). What the protocol keeps per connection is in SessionState.

import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import {
  BACKEND_FLUSH_BYTES,
  BACKEND_HIGH_WATER_BYTES,
  BACKEND_LINGER_MS,
  BACKEND_SHORT_WORK_MS,
  BACKEND_TURN_MS,
} from '../../limits/backend.ts';
import { ByteQueue } from '../../protocol/lines.ts';
import type { TurnQueue } from '../../system/turn-queue.ts';
import type { Reply, StreamReply } from '../session/reply.ts';
import type { Session, SessionServer } from '../session/session.ts';
import { SessionState } from '../session/session-state.ts';
import type { Store, StoreChanges } from '../store/store.ts';
import { refusalLine, runCommand } from './command.ts';
import { CommandReader } from './command-reader.ts';
import { encrypt } from './encrypt.ts';
import { Incoming } from './incoming.ts';
import { ReplyWriter } from './reply-writer.ts';

/** The server as the socket of a session sees it: with more than verbs need. */
interface SocketServer extends SessionServer {
  readonly turns: TurnQueue;
  readonly idleMs: number;
  /** for handshakes behind STLS; undefined: there is no certificate */
  readonly tlsContext: SecureContext | undefined;
  onSessionClosed(session: Session): void;
}

/** A session and its socket; it ends when the socket closes. */
export class SessionSocket extends SessionState implements Session {
  readonly id: number;
  readonly server: SocketServer;
  readonly store: Store;
  /** on the administration socket every check of rights passes; what needs a user identity fails */
  readonly isAdminSocket: boolean;
  #socket: Socket; // another one behind STLS
  readonly #queue = new ByteQueue();
  readonly #commands = new CommandReader(this.#queue);
  #writer: ReplyWriter;

  /** what the peer is sending behind a 4xx, 7xx or 8xx */
  #transfer: Incoming | undefined;
  /** promises and streams that own the connection: a late answer may be a stream */
  #occupants = 0;
  #working = false;
  /** no command is read any more */
  #closing = false;
  #closed = false;
  #ended = false; // the peer has sent all it will
  /** when the turn began (performance.now()): not with every #work(), many of which may come in one round */
  #turnStart = 0;
  #lingering: NodeJS.Timeout | undefined;
  /** STLS was answered: behind the answer the handshake begins */
  #handshake: SecureContext | undefined;

  /** `host`: address of the peer, '' on a unix socket */
  constructor(server: SocketServer, socket: Socket, id: number, isAdminSocket: boolean, host: string) {
    super(host);
    this.server = server;
    this.store = server.store;
    this.#socket = socket;
    this.#writer = new ReplyWriter(socket, server.turns);
    this.id = id;
    this.isAdminSocket = isAdminSocket;
    socket.on('close', () => this.#onClose());
    this.#listen(socket);
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => {
      if (this.#closing) return;
      this.#queue.push(chunk);
      this.#turnStart = performance.now();
      this.#work();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.#work();
    });
    socket.on('error', () => {}); // 'close' follows and does what is to be done
    socket.setTimeout(this.server.idleMs, () => socket.destroy());
  }

  /** Behind the answer to this command a TLS handshake begins; false: it cannot, or it did before. */
  startTls(): boolean {
    if (this.encryption === undefined) this.#handshake = this.server.tlsContext;
    return this.#handshake !== undefined;
  }

  /** What the peer has sent ahead is dropped: it came in clear, from whoever is in between. */
  #beginTls(context: SecureContext): void {
    this.#handshake = undefined;
    this.#queue.take(this.#queue.length);
    const encrypted = encrypt(this.#socket, context).then((socket) => {
      this.#socket = socket;
      this.#writer = new ReplyWriter(socket, this.server.turns);
      this.encryption = { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name };
      this.#listen(socket);
    });
    this.#occupy(encrypted);
  }

  greet(line: string): void {
    this.#writer.add(line);
    this.#flush();
  }

  /** Tells an ASYN 1 session of an instant message: 902, between complete replies. */
  noticeInstantMessage(): void {
    if (!this.asyncMode) return;
    this.notices.noteInstantMessage();
    this.#tell();
  }

  /** Tells an NTFY 1 session what has changed: 903 and 904, between complete replies. */
  noticeChanges(changes: StoreChanges): void {
    if (this.notices.noteChanges(changes, this.user?.id)) this.#tell();
  }

  #tell(): void {
    if (!this.#working && !this.#busy) this.#flush();
  }

  /** Takes no further command, and closes behind the answers to those that run; QUIT. */
  quit(): void {
    this.#closing = true;
    this.#work();
  }

  /** Closes at once, without a word. */
  destroy(): void {
    this.#closing = true;
    this.#socket.destroy();
  }

  get #busy(): boolean {
    return this.#occupants > 0;
  }

  #work(): void {
    if (this.#working || this.#closed) return;
    this.#working = true;
    // Answers go out in few writes, for each costs a system call, but not all in one: the peer can work on the first
    // answers of a long batch while we work on the next.
    this.#socket.cork();
    try {
      while (
        !this.#busy &&
        !this.#closing &&
        !this.#handshake &&
        this.#hasRoomToWrite() &&
        this.#hasTurn() &&
        this.#step()
      ) {
        if (this.#writer.waiting < BACKEND_FLUSH_BYTES) continue;
        this.#flush();
        this.#writer.push();
      }
      if (!this.#busy) this.#flush();
    } finally {
      this.#working = false;
      this.#socket.uncork();
    }
    if (this.#busy) return;
    if (this.#closing || this.#ended) this.#close();
    else if (this.#handshake) this.#beginTls(this.#handshake);
    else this.#rest();
  }

  #close(): void {
    this.#closing = true;
    this.#socket.end();
    // What the peer still sends is read and dropped, so that it sees the last reply instead of a reset.
    this.#lingering ??= setTimeout(() => this.#socket.destroy(), BACKEND_LINGER_MS);
  }

  /** Where very many commands have come at once, the other sessions have their turn before the rest of them. */
  #hasTurn(): boolean {
    if (this.#queue.length === 0 || performance.now() - this.#turnStart < BACKEND_TURN_MS) return true;
    this.#flush();
    this.#wait(this.server.turns.next());
    return false;
  }

  /** After much work others come first: the socket would be read many times before the event loop comes round. */
  #rest(): void {
    const worked = performance.now() - this.#turnStart;
    const { turns } = this.server;
    if (this.#transfer?.endsTurn()) this.#wait(turns.nextOfBulk(worked));
    else if (!this.#transfer && worked > BACKEND_SHORT_WORK_MS) this.#wait(turns.next());
    else if (!this.#transfer) turns.noteShort();
  }

  #wait(turn: Promise<void>): void {
    this.#occupy(turn.then(() => void (this.#turnStart = performance.now())));
  }

  /** Consumes the next command, or what has come of a transfer; false when more must arrive first. */
  #step(): boolean {
    if (this.#transfer) return this.#continue(this.#transfer);
    const line = this.#commands.next();
    if (line === undefined) return false;
    this.#runCommand(line);
    return true;
  }

  #continue(transfer: Incoming): boolean {
    try {
      if (!transfer.read(this.#queue)) return false;
    } catch (error) {
      this.#breakOff(error);
      return true;
    }
    // What is long may cost much to store: not several of them in one round of the event loop.
    if (transfer.isLong) this.#occupy(this.server.turns.next().then(() => this.#endTransfer(transfer)));
    else this.#endTransfer(transfer);
    return true;
  }

  #endTransfer(transfer: Incoming): void {
    if (this.#closed) return;
    try {
      const owed = transfer.end();
      this.#transfer = undefined;
      this.#answer(owed instanceof Promise ? owed.catch((error: unknown) => this.#breakOff(error)) : owed);
    } catch (error) {
      this.#breakOff(error);
    }
  }

  /** A transfer has failed behind its first line: only the end of the connection keeps both sides in step. */
  #breakOff(error: unknown): string {
    this.server.onFault(error);
    this.destroy();
    return '';
  }

  #runCommand(line: Buffer): void {
    try {
      this.#answer(runCommand(this, line));
    } catch (error) {
      this.#answer(refusalLine(this, error));
    }
  }

  #answer(reply: Reply | Promise<Reply>): void {
    if (typeof reply === 'string') {
      this.#writer.add(reply);
    } else if (reply instanceof Promise) {
      this.#occupy(this.#answerLater(reply));
    } else if ('stream' in reply) {
      this.#answerStream(reply);
    } else {
      this.#writer.add(reply.reply);
      this.#transfer = new Incoming(reply, this.server.onFault);
    }
  }

  async #answerLater(pending: Promise<Reply>): Promise<void> {
    try {
      const reply = await pending;
      if (!this.#closed) this.#answer(reply);
    } catch (error) {
      this.#writer.add(refusalLine(this, error));
    }
  }

  #answerStream({ stream }: StreamReply): void {
    const source = stream[Symbol.iterator]();
    // A refusal before the first piece is an answer like any other.
    const first = source.next();
    // A reply that breaks off later must not look complete.
    const breakOff = (error: unknown): void => void this.#breakOff(error);
    try {
      if (!this.#writer.pull(source, first)) this.#occupy(this.#writer.pullRest(source).catch(breakOff));
    } catch (error) {
      breakOff(error);
    }
  }

  /** Lets nothing else of this session run until `work` is done. */
  #occupy(work: Promise<void>): void {
    this.#occupants++;
    this.#socket.pause();
    void work.then(() => {
      this.#occupants--;
      if (this.#closed || this.#busy) return;
      this.#socket.resume();
      this.#work();
    });
  }

  /** A peer that sends commands and does not read the answers is not read from any further. */
  #hasRoomToWrite(): boolean {
    if (this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES) return true;
    this.#writer.flush();
    if (this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES) return true;
    this.#occupy(this.#writer.drained());
    return false;
  }

  /** Writes what one turn has answered, and behind it the notices that are owed, unless the peer is far behind. */
  #flush(): void {
    const mayTell = !this.#transfer && this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES;
    if (mayTell) this.#writer.add(this.notices.take(this));
    this.#writer.flush();
  }

  #onClose(): void {
    this.#closed = true;
    this.end();
    clearTimeout(this.#lingering);
    this.#transfer?.abort();
    this.server.onSessionClosed(this);
  }
}
