// A RESP connection: sends commands of one turn in one write; replies arrive in the same order. Bounds the number and
// the waiting time of pending commands.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import { type HostPort, hostPortText } from '../../fleet/store-address.ts';
import {
  MAX_COMMAND_BYTES_WAITING,
  MAX_COMMANDS_WAITING,
  STORE_CONNECT_MS,
  STORE_REPLY_MS,
} from '../../limits/processes.ts';
import { encodeCommand, ReplyError, ReplyReader, type RespReply } from './reply.ts';

/** The words of a command. */
export type RespCommand = readonly (string | number | Buffer)[];

/** Settings applied when connecting. */
export interface ConnectionSettings {
  user: string | undefined;
  password: string | undefined;
  database: number;
  /** undefined: unencrypted */
  tls: SecureContext | undefined;
}

/** The shared store is unreachable. `cause` is for the log. */
export function storeUnreachable(cause: unknown): AppError {
  const text = 'The state shared by the gateways is unreachable. Try again in a moment.';
  return new AppError('shared_unreachable', text, { cause, retryAfterSeconds: 2 });
}

export function storeOverloaded(): AppError {
  return new AppError('busy', 'The shared store is overloaded.', { retryAfterSeconds: 1 });
}

interface Waiting {
  resolve(reply: RespReply): void;
  reject(error: Error): void;
  /** performance.now() */
  since: number;
}

export class RespConnection {
  readonly at: HostPort;
  readonly #socket: Socket;
  readonly #reader = new ReplyReader();
  /** pending commands, oldest first; those before `#next` have their replies */
  #waiting: Waiting[] = [];
  #next = 0;
  #isCorked = false;
  #timer: NodeJS.Timeout | undefined;
  #fault: AppError | undefined;
  /** receives unsolicited replies, such as messages of a channel */
  onPush: ((reply: RespReply) => void) | undefined;
  onClose: (() => void) | undefined;

  private constructor(socket: Socket, at: HostPort) {
    this.#socket = socket;
    this.at = at;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', (error) => this.close(error));
    socket.on('close', () => this.close(new Error('the connection was closed')));
  }

  /** Connects, logs in and selects the database. Throws shared_unreachable. */
  static async open(at: HostPort, settings: ConnectionSettings): Promise<RespConnection> {
    const connection = new RespConnection(await openSocket(at, settings.tls), at);
    try {
      const { user, password, database } = settings;
      const begin: RespCommand[] = [];
      if (password !== undefined) begin.push(user === undefined ? ['AUTH', password] : ['AUTH', user, password]);
      if (database !== 0) begin.push(['SELECT', database]);
      for (const reply of await Promise.all(begin.map((command) => connection.ask(command)))) {
        if (reply instanceof ReplyError) throw reply;
      }
      return connection;
    } catch (error) {
      connection.close(error);
      throw error instanceof AppError ? error : storeUnreachable(refusedBy(at, error));
    }
  }

  get isClosed(): boolean {
    return this.#fault !== undefined;
  }

  /** Returns error replies as values. Throws shared_unreachable, and busy if too much is pending. */
  ask(command: RespCommand): Promise<RespReply> {
    return this.askAll([command])[0]!;
  }

  /** Sends several commands without others in between. */
  askAll(commands: readonly RespCommand[]): Promise<RespReply>[] {
    if (this.#fault) return commands.map(() => Promise.reject(this.#fault!));
    const waits = this.#waiting.length - this.#next + commands.length;
    if (waits > MAX_COMMANDS_WAITING || this.#socket.writableLength > MAX_COMMAND_BYTES_WAITING) {
      return commands.map(() => Promise.reject(storeOverloaded()));
    }
    this.#cork();
    return commands.map((command) => {
      const { promise, resolve, reject } = Promise.withResolvers<RespReply>();
      this.#waiting.push({ resolve, reject, since: performance.now() });
      this.#socket.write(encodeCommand(command));
      return promise;
    });
  }

  /** Sends a command without a reply of its own, such as SUBSCRIBE; replies go to onPush. */
  send(command: RespCommand): void {
    if (!this.#fault) this.#socket.write(encodeCommand(command));
  }

  /** Closes at once; pending commands fail with shared_unreachable. */
  close(cause: unknown = new Error('closed by us')): void {
    if (this.#fault) return;
    this.#fault = storeUnreachable(refusedBy(this.at, cause));
    clearInterval(this.#timer);
    this.#socket.destroy();
    const waiting = this.#waiting.slice(this.#next);
    this.#waiting = [];
    this.#next = 0;
    for (const { reject } of waiting) reject(this.#fault);
    this.onClose?.();
  }

  #cork(): void {
    this.#timer ??= setInterval(() => this.#giveUpLate(), STORE_REPLY_MS / 4).unref();
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  #giveUpLate(): void {
    const oldest = this.#waiting[this.#next];
    if (oldest && performance.now() - oldest.since > STORE_REPLY_MS) this.close(new Error('it does not respond'));
  }

  #take(bytes: Buffer): void {
    let replies: RespReply[];
    try {
      replies = this.#reader.read(bytes);
    } catch (error) {
      this.close(error);
      return;
    }
    for (const reply of replies) {
      const waiting = this.#waiting[this.#next];
      if (waiting) {
        this.#next++;
        waiting.resolve(reply);
      } else if (this.onPush) this.onPush(reply);
      else this.close(new Error('unsolicited reply'));
    }
    if (this.#next === this.#waiting.length || this.#next > MAX_COMMANDS_WAITING) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
  }
}

function openSocket({ host, port }: HostPort, secureContext: SecureContext | undefined): Promise<Socket> {
  const name = isIP(host) ? {} : { servername: host };
  const socket = secureContext
    ? connectTls({ host, port, ...name, secureContext, rejectUnauthorized: true })
    : connectTcp({ host, port });
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(storeUnreachable(refusedBy({ host, port }, cause)));
    };
    const timer = setTimeout(() => fail(new Error('it does not respond')), STORE_CONNECT_MS);
    socket.once(secureContext ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('close', fail);
      resolve(socket);
    });
    // stays: an error before the new owner listens must not end the process
    socket.on('error', fail);
    socket.once('close', fail);
  });
}

/** Address and error in one line for the log. */
function refusedBy(at: HostPort, cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(`${hostPortText(at)}: the connection was closed`);
  const { code } = cause as NodeJS.ErrnoException;
  return new Error(`${hostPortText(at)}: ${cause.message || code}`, { cause });
}
