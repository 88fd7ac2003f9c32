// One connection to a room server: sends commands and receives their answers in order (protocol sections 3 to 5). It
// knows nothing of users and rooms. After a protocol violation, timeout or loss it is closed for good, and everything
// that waits on it fails. A refusal (5xx) is an ordinary answer.

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

/** replies that start a transfer in either direction */
const TRANSFERS: ReadonlySet<ReplyClass> = new Set([
  REPLY.listing,
  REPLY.sendText,
  REPLY.binary,
  REPLY.sendBinary,
  REPLY.sendTextThenListing,
]);

/** Called for each answer with its latency in milliseconds. */
export type AnswerTimed = (milliseconds: number) => void;

export interface ServerObserver {
  answered?: AnswerTimed | undefined;
  /** the server has sent something */
  heard(): void;
  /** it did not answer in time */
  failed(): void;
}

/** Receives unsolicited events. */
export interface ConnectionListener {
  notice(notice: StatusLine): void;
  /** lost, or closed by us */
  closed(): void;
}

export class Connection {
  readonly #reads: ReadQueue;
  #listener: ConnectionListener | undefined;
  readonly #onNotice = (notice: StatusLine) => this.#listener?.notice(notice);
  /** a started command still waits for a listing, bytes or text from either side */
  #isMidTransfer = false;
  /** Unix milliseconds */
  readonly openedAt = Date.now();

  private constructor(socket: Socket, observer: ServerObserver | undefined) {
    this.#reads = new ReadQueue(socket, {
      answered: observer?.answered,
      heard: observer?.heard,
      failed: observer?.failed,
      unsolicited: (queue) => {
        if (queue.length === 0 || this.#isMidTransfer) return;
        const isSurplus = readStatus(queue, this.#onNotice) || (queue.length > 0 && !this.#listener);
        // the next command would take it for its answer
        if (isSurplus) throw new Error('unsolicited answer');
      },
      closed: () => this.#listener?.closed(),
    });
  }

  /**
   * Connects, reads the greeting, and encrypts the connection if `target` wants TLS. Throws backend_unreachable,
   * backend_timeout, backend_protocol, busy (551, or as openSocket).
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
      const text = 'The room server does not support TLS; nothing is sent in clear text.';
      throw new AppError('backend_unreachable', text, { backendCode: reply.code, cause: reply.text });
    }
    return new Connection(await encryptSocket(connection.#reads.release(), target.host, target.tls), observer);
  }

  /** No more commands can be sent. */
  get isClosed(): boolean {
    return this.#reads.isClosed;
  }

  /** Unix milliseconds */
  get lastUsed(): number {
    return this.#reads.lastUsed;
  }

  /** No answer or transfer is pending. */
  get isIdle(): boolean {
    return this.#reads.isEmpty && !this.#isMidTransfer && !this.isClosed;
  }

  /** Notices of the room server go to `listener`, for a connection without transfers. */
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

  /** Sends groups of command lines in one write; `counts[i]` is the number of commands in group i. */
  askEach(commands: string, counts: readonly number[]): Promise<Answer[]>[] {
    const groups = counts.map((count) => Promise.all(Array.from({ length: count }, () => this.#collect())));
    this.#reads.write(commands);
    return groups;
  }

  /** Sends command lines in one write; each reader consumes the answer of one command, in order. */
  readEach<T>(commands: string, readers: readonly { read(queue: ByteQueue): T | undefined }[]): Promise<T>[] {
    const answers = readers.map((reader) => this.#reads.take((queue) => reader.read(queue)));
    this.#reads.write(commands);
    return answers;
  }

  /** Sends a command and awaits only its status line; the caller transfers what follows. */
  start(command: string): Promise<StatusLine> {
    return this.startBehind([], command).status;
  }

  /** The same, in one write with commands before it, whose answers are collected. */
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
   * The listing after a started 1xx, as raw bytes with line ends, without the final `000`. If the consumer stops early,
   * a short remainder is discarded; for a long one the connection is closed.
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

  /** Exactly `length` bytes after a started 6xx. On an early stop as `listing`. */
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
   * Sends the body after a started 4xx (including the final `000`) or 7xx, with back-pressure. Closes the connection if
   * the body fails.
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
   * Sends a command, its text and `000` without waiting in between, for commands that read the text even if they refuse
   * it. The body ends in LF. Closes the connection if the body fails.
   */
  async askWithText(command: string, body: Pieces): Promise<Answer> {
    const answer = this.#collect();
    answer.catch(() => undefined); // awaited below, unless sending fails first
    this.#isMidTransfer = true;
    await this.#reads.send(body, '000\n', command);
    this.#isMidTransfer = false;
    return answer;
  }

  /** Closes at once; pending answers fail with backend_lost. */
  close(): void {
    this.#reads.fail('backend_lost', 'closed by us');
  }

  #collect(): Promise<Answer> {
    const reader = new AnswerReader(this.#onNotice);
    return this.#reads.take((queue) => reader.read(queue));
  }
}

/**
 * Sends a command and, after its 4xx, a text (verbs EINF, EBIO, SEXP). The room server does not confirm it; an answered
 * NOOP does. Throws bad_request for a text with a line `000`, which would end it early; otherwise as expectClass.
 */
export async function writeText(
  connection: Connection,
  verb: string,
  text: string,
  known?: KnownRefusals,
): Promise<void> {
  if (/^000$/m.test(text)) throw new AppError('bad_request', 'A text cannot contain a line that is just 000.');
  expectClass(await connection.start(verb), REPLY.sendText, known);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await connection.sendBinary([Buffer.from(`${ended}000\n`)]);
  expectClass(await connection.ask(IN_STEP), REPLY.done);
}
