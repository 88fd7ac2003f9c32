// One connection to a room server: commands go out, answers come back in order (protocol sections 3 to 5). It knows
// nothing of users and rooms. After any violation, time-out or loss it is closed for good and everything that waits
// on it fails; a refusal (5xx) is an ordinary answer.

import type { Socket } from 'node:net';
import type { AppError } from '../../errors.ts';
import { REPLY_TIMEOUT_MS } from '../../limits/protocol.ts';
import { type Answer, AnswerReader } from '../../protocol/answer.ts';
import { ListingReader, readStatus } from '../../protocol/framing.ts';
import { ByteQueue } from '../../protocol/lines.ts';
import { REPLY, type ReplyClass, replyClass, STATUS, type StatusLine } from '../../protocol/status.ts';
import { type Fault, faultError } from './connection-fault.ts';
import { openSocket, type Patience, type ServerAddress } from './open-socket.ts';
import { type Receiving, receivedBytes, receivedListing } from './received-transfers.ts';
import { refusal } from './refusal.ts';

/** what is sent, piece by piece */
type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** behind these replies something is transferred, in one direction or the other */
const TRANSFERS: ReadonlySet<ReplyClass> = new Set([
  REPLY.listing,
  REPLY.sendText,
  REPLY.binary,
  REPLY.sendBinary,
  REPLY.sendTextThenListing,
]);

/** What a connection tells without being asked. */
export interface ConnectionListener {
  notice(notice: StatusLine): void;
  /** it was lost, or closed by this side */
  closed(): void;
}

/** Something that waits for bytes; the first of the queue is fed. */
interface Waiting {
  /** Takes what it needs; true when it is done. Throws on a violation. */
  advance(queue: ByteQueue): boolean;
  fail(error: AppError): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #queue = new ByteQueue();
  readonly #waiting: Waiting[] = [];
  #failure: AppError | undefined;
  #listener: ConnectionListener | undefined;
  readonly #onNotice = (notice: StatusLine) => this.#listener?.notice(notice);
  /** a started command has not been carried through: its listing, bytes or text are still owed by one side */
  #isMidTransfer = false;
  readonly #receiving: Receiving = {
    pull: (read) => this.#pull(read),
    isOver: () => this.isClosed,
    close: () => this.close(),
    finish: () => {
      this.#isMidTransfer = false;
      this.#socket.resume();
    },
  };
  /** Unix milliseconds; the pool's business */
  readonly openedAt = Date.now();
  lastUsed = this.openedAt;
  /** the room server is Vestibule's; the pool's business */
  isOwn = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#queue.push(chunk);
      this.#advance();
    });
    socket.on('error', (error) => this.#fail('backend_lost', error));
    socket.on('close', () => this.#fail('backend_lost', 'closed'));
    socket.setTimeout(REPLY_TIMEOUT_MS, () => {
      if (this.#waiting.length > 0 && !socket.isPaused()) this.#fail('backend_timeout', 'silence');
    });
  }

  /** Connects and reads the greeting. Throws backend_unreachable, backend_timeout, busy (551, or as openSocket). */
  static async open(target: ServerAddress, patience?: Patience): Promise<Connection> {
    const connection = new Connection(await openSocket(target, patience));
    const greeting = await connection.#collect();
    if (greeting.code !== STATUS.done) {
      connection.close();
      throw refusal(greeting);
    }
    return connection;
  }

  /** No more commands can be sent. */
  get isClosed(): boolean {
    return this.#failure !== undefined;
  }

  /** Nothing is owed in either direction. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#queue.length === 0 && !this.#isMidTransfer && !this.isClosed;
  }

  /** What the room server says by itself is told from now on: for a connection that is not used to transfer. */
  listen(listener: ConnectionListener | undefined): void {
    this.#listener = listener;
  }

  /** Sends a command line and collects its answer. */
  ask(command: string): Promise<Answer> {
    const answer = this.#collect();
    this.#write(command);
    return answer;
  }

  /** Sends command lines in one write and collects their answers, in order. */
  askAll(commands: readonly string[]): Promise<Answer[]> {
    return this.askEach(commands.join(''), [commands.length])[0]!;
  }

  /**
   * Sends several groups of command lines in one write; `counts[i]` commands make group i, each group has its
   * answers.
   */
  askEach(commands: string, counts: readonly number[]): Promise<Answer[]>[] {
    const groups = counts.map((count) => Promise.all(Array.from({ length: count }, () => this.#collect())));
    this.#write(commands);
    return groups;
  }

  /** Sends command lines in one write; each reader takes what answers its own, in order. */
  readEach<T>(commands: string, readers: readonly { read(queue: ByteQueue): T | undefined }[]): Promise<T>[] {
    const answers = readers.map((reader) => this.#take((queue) => reader.read(queue)));
    this.#write(commands);
    return answers;
  }

  /** Sends a command of which only the status line is awaited: what follows is streamed or sent by the caller. */
  start(command: string): Promise<StatusLine> {
    const status = this.#take((queue) => {
      const line = readStatus(queue);
      const kind = line && replyClass(line.code);
      this.#isMidTransfer = kind !== undefined && TRANSFERS.has(kind);
      if (kind === REPLY.listing || kind === REPLY.binary) this.#socket.pause(); // until the first pull
      return line;
    });
    this.#write(command);
    return status;
  }

  /**
   * The listing after a started 1xx, as raw bytes with their line ends, without the final `000`. When the consumer
   * stops early, a short rest is read away; for a long one the connection is closed.
   */
  listing(): AsyncGenerator<Buffer> {
    return receivedListing(this.#receiving);
  }

  /** Exactly `length` bytes after a started 6xx. The rest after an early stop as in `listing`. */
  binary(length: number): AsyncGenerator<Buffer> {
    return receivedBytes(this.#receiving, length);
  }

  /**
   * Sends what a started 4xx (the final `000` included) or 7xx waits for, pausing while the socket is full. Closes the
   * connection if the body fails.
   */
  async sendBinary(body: Pieces): Promise<void> {
    await this.#send(body);
    this.#isMidTransfer = false;
  }

  /**
   * Sends the text body after a started 8xx, then `000`, and collects the listing that follows. The body ends in LF.
   * Closes the connection if the body fails.
   */
  async sendText(body: Pieces): Promise<string[]> {
    const listing = new ListingReader();
    const confirmation = this.#take((queue) => listing.read(queue));
    confirmation.catch(() => undefined); // awaited below, unless sending fails first
    await this.#send(body);
    this.#write('000\n');
    const lines = await confirmation;
    this.#isMidTransfer = false;
    return lines;
  }

  async #send(body: Pieces): Promise<void> {
    try {
      for await (const bytes of body) {
        if (this.#failure) throw this.#failure;
        if (!this.#socket.write(bytes)) await this.#drained();
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Closes at once; what waits fails with backend_lost. */
  close(): void {
    this.#fail('backend_lost', 'closed by us');
  }

  #collect(): Promise<Answer> {
    const reader = new AnswerReader(this.#onNotice);
    return this.#take((queue) => reader.read(queue));
  }

  /** Resolves with what `read` makes of the bytes that come next. */
  #take<T>(read: (queue: ByteQueue) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#await({
        advance: (queue) => {
          const value = read(queue);
          if (value !== undefined) resolve(value);
          return value !== undefined;
        },
        fail: reject,
      });
    });
  }

  /** The next piece of a stream. The socket rests while nobody pulls. */
  #pull<T>(read: (queue: ByteQueue) => T | undefined): Promise<T> {
    const ready = read(this.#queue);
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve, reject) => {
      this.#await({
        advance: (queue) => {
          const piece = read(queue);
          if (piece === undefined) return false;
          this.#socket.pause();
          resolve(piece);
          return true;
        },
        fail: reject,
      });
    });
  }

  #await(waiting: Waiting): void {
    if (this.#failure) {
      waiting.fail(this.#failure);
      return;
    }
    this.#waiting.push(waiting);
    this.lastUsed = Date.now();
    if (this.#socket.isPaused()) {
      this.#socket.resume();
      // it may have run out during the pause, and starts anew by traffic only
      this.#socket.setTimeout(REPLY_TIMEOUT_MS);
    }
    if (this.#waiting.length === 1 && this.#queue.length > 0) this.#advance();
  }

  #advance(): void {
    try {
      while (this.#waiting.length > 0) {
        if (!this.#waiting[0]!.advance(this.#queue)) return;
        this.#waiting.shift();
      }
      if (!this.#listener || this.#isMidTransfer) return;
      if (readStatus(this.#queue, this.#onNotice)) throw new Error('an answer that was not asked for');
    } catch (error) {
      this.#fail('backend_protocol', error);
    }
  }

  #write(text: string): void {
    if (!this.#failure) this.#socket.write(text);
  }

  #drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#socket.off('drain', settle);
        this.#socket.off('close', settle);
        if (this.#failure) reject(this.#failure);
        else resolve();
      };
      this.#socket.on('drain', settle);
      this.#socket.on('close', settle);
    });
  }

  #fail(fault: Fault, cause: unknown): void {
    if (this.#failure) return;
    this.#failure = faultError(fault, cause);
    this.#socket.destroy();
    const [first, ...others] = this.#waiting.splice(0);
    first?.fail(this.#failure);
    // a violation is the answer to the first one; the others only lose their connection, and may be asked again
    const loss = fault === 'backend_protocol' ? faultError('backend_lost', 'closed after a violation') : this.#failure;
    for (const waiting of others) waiting.fail(loss);
    this.#listener?.closed();
  }
}
