// One connection of the embedded room server: takes commands off the socket strictly in order, runs them, writes the
// replies of one turn at once, and carries what the protocol keeps per connection (spec sections 5 and 6).

import type { Socket } from 'node:net';
import { BACKEND_FLUSH_BYTES, BACKEND_HIGH_WATER_BYTES, BACKEND_LINGER_MS } from '../limits.ts';
import { ByteQueue } from '../protocol/lines.ts';
import { requireWho } from './access.ts';
import { BinaryReader } from './binary-reader.ts';
import { now } from './clock.ts';
import { CommandReader } from './command-reader.ts';
import type { InstantMessage, RoomRow, UserRow } from './records.ts';
import { ReplyWriter } from './reply-writer.ts';
import type { RoomServer } from './server.ts';
import { type Store, storageRefusal } from './store.ts';
import { decodeText, TextReader } from './text-reader.ts';
import { Refusal, type Reply, type StreamReply } from './verb.ts';
import { VERBS } from './verbs.ts';

const NUL = 0;
/** '' is a unix socket */
const LOCAL_HOSTS = new Set(['', '127.0.0.1', '::1', '::ffff:127.0.0.1']);
/** what clients send by themselves is no activity to others */
const UNNOTICED_VERBS = new Set(['NOOP', 'QNOP', 'TIME', 'RWHO', 'GEXP']);

export class Session {
  readonly id: number;
  readonly server: RoomServer;
  readonly store: Store;
  /** on the administration socket every check of rights passes; what needs a user identity fails */
  readonly isAdminSocket: boolean;
  readonly #socket: Socket;
  readonly #queue = new ByteQueue();
  readonly #commands = new CommandReader(this.#queue);
  readonly #writer: ReplyWriter;

  user: UserRow | undefined;
  /** named by USER, waiting for PASS */
  selectedUser: UserRow | undefined;
  room: RoomRow | undefined;
  /** highest number of the room as this session last saw it: SLRP HIGHEST */
  highestKnown = 0;
  /** MSGP, best first */
  mimePreferences: string[] = [];
  dontDecode = false;
  /** mail that arrived since the last BIFF */
  newMail = 0;
  /** the one open download of OPNA */
  openDownload: unknown;
  instantMessages: InstantMessage[] = [];
  /** who sent the message read last, for SEXP without a name */
  lastPager: UserRow | undefined;
  asyncMode = false;
  stealth = false;
  refusesMessages = false;
  clientName = '(unknown)';
  clientHost: string;
  /** a gateway on this machine, which may say for whom it speaks (IDEN) */
  readonly isLocalPeer: boolean;
  lastCommand = '';
  lastActivity: number;

  /** what the peer is sending behind a 4xx, 7xx or 8xx */
  #transfer: TextReader | BinaryReader | undefined;
  /** promises and streams that own the connection: a late answer may be a stream */
  #occupants = 0;
  #working = false;
  /** no command is read any more */
  #closing = false;
  #closed = false;
  /** the peer has sent all it will */
  #ended = false;
  #owesNotice = false;

  /** `host`: address of the peer, '' on a unix socket */
  constructor(server: RoomServer, socket: Socket, id: number, isAdminSocket: boolean, host: string) {
    this.server = server;
    this.store = server.store;
    this.#socket = socket;
    this.#writer = new ReplyWriter(socket);
    this.id = id;
    this.isAdminSocket = isAdminSocket;
    this.clientHost = host;
    this.isLocalPeer = LOCAL_HOSTS.has(host);
    this.lastActivity = now();
    socket.on('data', (chunk: Buffer) => {
      if (this.#closing) return;
      this.#queue.push(chunk);
      this.#work();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.#work();
    });
    socket.on('close', () => this.#onClose());
    // 'close' follows and does what is to be done.
    socket.on('error', () => {});
    socket.setTimeout(server.idleMs, () => socket.destroy());
  }

  greet(line: string): void {
    this.#writer.add(line);
    this.#flush();
  }

  /** byte 4 of the replies that tell of waiting instant messages */
  get flag(): '*' | ' ' {
    return this.instantMessages.length > 0 ? '*' : ' ';
  }

  /** Tells an ASYN 1 session of an instant message: 902, between complete replies. */
  noticeInstantMessage(): void {
    if (!this.asyncMode) return;
    this.#owesNotice = true;
    if (!this.#working && !this.#busy) this.#flush();
  }

  /** Closes after what is written already; QUIT. */
  quit(): void {
    this.#closing = true;
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
      while (!this.#busy && !this.#closing && this.#hasRoomToWrite() && this.#step()) {
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
    if (!this.#closing && !this.#ended) return;
    this.#closing = true;
    this.#socket.end();
    // What the peer still sends is read and dropped, so that it sees the last reply instead of a reset.
    this.#socket.setTimeout(BACKEND_LINGER_MS);
  }

  /** Consumes the next command, or what has come of a transfer; false when more must arrive first. */
  #step(): boolean {
    if (this.#transfer) return this.#continue(this.#transfer);
    const line = this.#commands.next();
    if (line === undefined) return false;
    this.#runCommand(line);
    return true;
  }

  #continue(transfer: TextReader | BinaryReader): boolean {
    try {
      if (!transfer.read(this.#queue)) return false;
      this.#transfer = undefined;
      const owed = transfer.end();
      this.#answer(typeof owed === 'string' ? owed : owed.catch((error: unknown) => this.#breakOff(error)));
    } catch (error) {
      this.#transfer = undefined;
      transfer.abort();
      this.#breakOff(error);
    }
    return true;
  }

  /** A transfer has failed behind its first line: only the end of the connection keeps both sides in step. */
  #breakOff(error: unknown): string {
    this.server.onFault(error);
    this.destroy();
    return '';
  }

  #runCommand(bytes: Buffer): void {
    const nul = bytes.indexOf(NUL);
    const line = decodeText(nul < 0 ? bytes : bytes.subarray(0, nul));
    const word = line.slice(0, 4).toUpperCase();
    const verb = VERBS.get(word);
    if (!verb) {
      this.#writer.add('530 Unrecognized or unsupported command.\n');
      return;
    }
    if (!UNNOTICED_VERBS.has(word)) {
      this.lastCommand = word;
      this.lastActivity = now();
    }
    try {
      requireWho(this, verb.who);
      this.#answer(verb.run(this, line.slice(5)));
    } catch (error) {
      this.#answer(this.#refusalLine(error));
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
      this.#transfer = 'text' in reply ? new TextReader(reply.text) : new BinaryReader(reply);
    }
  }

  async #answerLater(pending: Promise<Reply>): Promise<void> {
    try {
      const reply = await pending;
      if (!this.#closed) this.#answer(reply);
    } catch (error) {
      this.#writer.add(this.#refusalLine(error));
    }
  }

  #answerStream({ stream }: StreamReply): void {
    const source = stream[Symbol.iterator]();
    // A refusal before the first piece is an answer like any other.
    const first = source.next();
    if (!this.#pull(source, first)) this.#occupy(this.#pullRest(source));
  }

  async #pullRest(source: Iterator<string | Buffer>): Promise<void> {
    do {
      await this.#writer.drained();
      if (this.#closed) {
        source.return?.();
        return;
      }
    } while (!this.#pull(source));
  }

  #pull(source: Iterator<string | Buffer>, next?: IteratorResult<string | Buffer>): boolean {
    try {
      return this.#writer.pull(source, next);
    } catch (error) {
      // A reply that breaks off must not look complete.
      this.#breakOff(error);
      return true;
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

  /** Writes what one turn has answered, and behind it the notice that is owed. */
  #flush(): void {
    if (this.#owesNotice && !this.#transfer) {
      this.#owesNotice = false;
      this.#writer.add('902 instant msg\n');
    }
    this.#writer.flush();
  }

  #refusalLine(error: unknown): string {
    const refusal = error instanceof Refusal ? error : storageRefusal(error);
    if (refusal) return `${refusal.code} ${refusal.message}\n`;
    this.server.onFault(error);
    return '510 Internal error.\n';
  }

  #onClose(): void {
    this.#closed = true;
    this.#transfer?.abort();
    this.#transfer = undefined;
    this.server.onSessionClosed(this);
  }
}
