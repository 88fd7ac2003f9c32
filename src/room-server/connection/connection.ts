// One connection to a room server: commands go out, answers come back in order (protocol sections 3 to 5). It knows
// nothing of users and rooms. After any violation, time-out or loss it is closed for good and everything that waits
// on it fails; a refusal (5xx) is an ordinary answer.

import type { Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { MAX_DRAIN_BYTES, STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { type Answer, AnswerReader, IN_STEP } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { ListingReader, ListingStream, readStatus } from '../../protocol/framing.ts';
import type { ByteQueue } from '../../protocol/lines.ts';
import { REPLY, type ReplyClass, replyClass, STATUS, type StatusLine } from '../../protocol/status.ts';
import { type Pieces, ReadQueue } from './read-queue.ts';
import { expectClass, type KnownRefusals, refusal } from './server-errors.ts';
import { encryptSocket, openSocket, type Patience, type ServerAddress } from './socket.ts';

/** behind these replies something is transferred, in one direction or the other */
const TRANSFERS: ReadonlySet<ReplyClass> = new Set([
  REPLY.listing,
  REPLY.sendText,
  REPLY.binary,
  REPLY.sendBinary,
  REPLY.sendTextThenListing,
]);

/** Is told of each answer how long it took, in milliseconds. */
export type AnswerTimed = (milliseconds: number) => void;

/** What is told of a room server while it is spoken to. */
export interface ServerObserver {
  answered?: AnswerTimed | undefined;
  /** something has come from it */
  heard(): void;
  /** it has not answered in time */
  failed(): void;
}

/** What a connection tells without being asked. */
export interface ConnectionListener {
  notice(notice: StatusLine): void;
  /** it was lost, or closed by this side */
  closed(): void;
}

export class Connection {
  readonly #reads: ReadQueue;
  #listener: ConnectionListener | undefined;
  readonly #onNotice = (notice: StatusLine) => this.#listener?.notice(notice);
  /** a started command has not been carried through: its listing, bytes or text are still owed by one side */
  #isMidTransfer = false;
  /** Unix milliseconds; the pool's business */
  readonly openedAt = Date.now();

  private constructor(socket: Socket, observer: ServerObserver | undefined) {
    this.#reads = new ReadQueue(socket, {
      answered: observer?.answered,
      heard: observer?.heard,
      failed: observer?.failed,
      unasked: (queue) => {
        if (queue.length === 0 || this.#isMidTransfer) return;
        const isSurplus = readStatus(queue, this.#onNotice) || (queue.length > 0 && !this.#listener);
        // who asks next would take it for his answer
        if (isSurplus) throw new Error('an answer that was not asked for');
      },
      closed: () => this.#listener?.closed(),
    });
  }

  /**
   * Connects, reads the greeting, and has the connection encrypted where `target` wants TLS: it is that or none. Throws
   * backend_unreachable, backend_timeout, backend_protocol, busy (551, or as openSocket).
   */
  static async open(target: ServerAddress, patience?: Patience, observer?: ServerObserver): Promise<Connection> {
    const connection = new Connection(await openSocket(target, patience), observer);
    const greeting = await connection.#collect();
    if (greeting.code !== STATUS.done) {
      connection.close();
      throw refusal(greeting);
    }
    if ('path' in target || !target.tls) return connection;
    const reply = await connection.ask(command('STLS'));
    if (reply.code !== STATUS.done) {
      connection.close();
      const text = 'The room server speaks no TLS, and nothing is sent to it in clear.';
      throw new AppError('backend_unreachable', text, { backendCode: reply.code, cause: reply.text });
    }
    return new Connection(await encryptSocket(connection.#reads.release(), target.host, target.tls), observer);
  }

  /** No more commands can be sent. */
  get isClosed(): boolean {
    return this.#reads.isClosed;
  }

  /** Unix milliseconds: when something was asked last */
  get lastUsed(): number {
    return this.#reads.lastUsed;
  }

  /** Nothing is owed in either direction. */
  get isIdle(): boolean {
    return this.#reads.isEmpty && !this.#isMidTransfer && !this.isClosed;
  }

  /** What the room server says by itself is told from now on: for a connection that is not used to transfer. */
  listen(listener: ConnectionListener | undefined): void {
    this.#listener = listener;
  }

  /** Sends a command line and collects its answer. */
  ask(command: string): Promise<Answer> {
    const answer = this.#collect();
    this.#reads.write(command);
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
    this.#reads.write(commands);
    return groups;
  }

  /** Sends command lines in one write; each reader takes what answers its own, in order. */
  readEach<T>(commands: string, readers: readonly { read(queue: ByteQueue): T | undefined }[]): Promise<T>[] {
    const answers = readers.map((reader) => this.#reads.take((queue) => reader.read(queue)));
    this.#reads.write(commands);
    return answers;
  }

  /** Sends a command of which only the status line is awaited: what follows is streamed or sent by the caller. */
  start(command: string): Promise<StatusLine> {
    return this.startBehind([], command).status;
  }

  /** The same in one write behind others, whose answers are collected. */
  startBehind(others: readonly string[], command: string): { answers: Promise<Answer>[]; status: Promise<StatusLine> } {
    const answers = others.map(() => this.#collect());
    const status = this.#reads.take((queue) => {
      const line = readStatus(queue);
      const kind = line && replyClass(line.code);
      this.#isMidTransfer = kind !== undefined && TRANSFERS.has(kind);
      if (kind === REPLY.listing || kind === REPLY.binary) this.#reads.pause(); // until the first pull
      return line;
    });
    this.#reads.write(others.join('') + command);
    return { answers, status };
  }

  /**
   * The listing after a started 1xx, as raw bytes with their line ends, without the final `000`. When the consumer
   * stops early, a short rest is read away; for a long one the connection is closed.
   */
  async *listing(): AsyncGenerator<Buffer> {
    const stream = new ListingStream();
    let isEnded = false;
    try {
      for (;;) {
        const piece = await this.#reads.pull((queue) => stream.read(queue));
        if (piece === 'end') {
          isEnded = true;
          return;
        }
        yield piece;
      }
    } finally {
      let drained = 0;
      while (!isEnded && !this.isClosed) {
        const piece = await this.#reads.pull((queue) => stream.read(queue)).catch(() => 'end' as const);
        if (piece === 'end') isEnded = true;
        else if ((drained += piece.length) > MAX_DRAIN_BYTES) this.close();
      }
      this.#isMidTransfer = false;
      this.#reads.resume();
    }
  }

  /** Exactly `length` bytes after a started 6xx. The rest after an early stop as in `listing`. */
  async *binary(length: number): AsyncGenerator<Buffer> {
    let left = length;
    const next = (queue: ByteQueue) =>
      queue.length === 0 ? undefined : queue.take(Math.min(left, STREAM_CHUNK_BYTES));
    try {
      while (left > 0) {
        const piece = await this.#reads.pull(next);
        left -= piece.length;
        yield piece;
      }
    } finally {
      if (left > MAX_DRAIN_BYTES) this.close();
      while (left > 0 && !this.isClosed) {
        const piece = await this.#reads.pull(next).catch(() => undefined);
        left -= piece?.length ?? left;
      }
      this.#isMidTransfer = false;
      this.#reads.resume();
    }
  }

  /**
   * Sends what a started 4xx (the final `000` included) or 7xx waits for, pausing while the socket is full. Closes the
   * connection if the body fails.
   */
  async sendBinary(body: Pieces): Promise<void> {
    await this.#reads.send(body);
    this.#isMidTransfer = false;
  }

  /**
   * Sends the text body after a started 8xx, then `000`, and collects the listing that follows. The body ends in LF.
   * Closes the connection if the body fails.
   */
  async sendText(body: Pieces): Promise<string[]> {
    const listing = new ListingReader();
    const confirmation = this.#reads.take((queue) => listing.read(queue));
    confirmation.catch(() => undefined); // awaited below, unless sending fails first
    await this.#reads.send(body, '000\n');
    const lines = await confirmation;
    this.#isMidTransfer = false;
    return lines;
  }

  /**
   * Sends a command with the text that it takes, and `000`, in few writes, and collects the answer: for commands that
   * take the text even where they refuse it. The body ends in LF. Closes the connection if the body fails.
   */
  async askWithText(command: string, body: Pieces): Promise<Answer> {
    const answer = this.#collect();
    answer.catch(() => undefined); // awaited below, unless sending fails first
    this.#isMidTransfer = true;
    await this.#reads.send(body, '000\n', command);
    this.#isMidTransfer = false;
    return answer;
  }

  /** Closes at once; what waits fails with backend_lost. */
  close(): void {
    this.#reads.fail('backend_lost', 'closed by us');
  }

  #collect(): Promise<Answer> {
    const reader = new AnswerReader(this.#onNotice);
    return this.#reads.take((queue) => reader.read(queue));
  }
}

/**
 * Sends the command and, when it is answered 4xx, the text; returns when the room server has taken it. Throws
 * bad_request for a text with a line `000`, which would end it early; else as expectClass.
 */
export async function writeText(
  connection: Connection,
  verb: string,
  text: string,
  known?: KnownRefusals,
): Promise<void> {
  if (/^000$/m.test(text)) throw new AppError('bad_request', 'A line that is just 000 cannot be sent.');
  expectClass(await connection.start(verb), REPLY.sendText, known);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await connection.sendBinary([Buffer.from(`${ended}000\n`)]);
  expectClass(await connection.ask(IN_STEP), REPLY.done);
}
