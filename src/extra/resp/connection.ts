// One connection to a server that speaks RESP: commands go out as they come, those of one turn in one write, and their
// replies come in the same order. What waits is bounded, and so is the time that it waits.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import { type HostPort, hostPortText } from '../../fleet/store-address.ts';
import {
  MAX_COMMAND_BYTES_WAITING,
  MAX_COMMANDS_WAITING,
  STORE_CONNECT_MS,
  STORE_REPLY_MS,
} from '../../limits/resp.ts';
import { encodeCommand, ReplyError, ReplyReader, type RespReply } from './reply.ts';

/** Words of a command, its name first. */
export type RespCommand = readonly (string | number | Buffer)[];

/** How a connection begins. */
export interface ConnectionSettings {
  user: string | undefined;
  password: string | undefined;
  database: number;
  /** undefined: in clear */
  tls: SecureContext | undefined;
}

/** Of what gateways share: it cannot be asked now. `cause` is for the log. */
export function storeUnreachable(cause: unknown): AppError {
  const text = 'What the gateways share cannot be reached now. Try again in a moment.';
  return new AppError('shared_unreachable', text, { cause, retryAfterSeconds: 2 });
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
  /** whose replies are awaited, the oldest first; those before `#next` have theirs */
  #waiting: Waiting[] = [];
  #next = 0;
  #isCorked = false;
  #timer: NodeJS.Timeout | undefined;
  #fault: AppError | undefined;
  /** takes what comes unasked, such as messages of a channel */
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

  /** Connected, logged in, and at its database. Throws shared_unreachable. */
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

  /** An error that the server replies is the value. Throws shared_unreachable, and busy where too much waits. */
  ask(command: RespCommand): Promise<RespReply> {
    return this.askAll([command])[0]!;
  }

  /** Several, that nothing else comes between. */
  askAll(commands: readonly RespCommand[]): Promise<RespReply>[] {
    if (this.#fault) return commands.map(() => Promise.reject(this.#fault!));
    const waits = this.#waiting.length - this.#next + commands.length;
    if (waits > MAX_COMMANDS_WAITING || this.#socket.writableLength > MAX_COMMAND_BYTES_WAITING) {
      const error = new AppError('busy', 'Too much is asked of what the gateways share.', { retryAfterSeconds: 1 });
      return commands.map(() => Promise.reject(error));
    }
    this.#cork();
    return commands.map((command) => {
      const { promise, resolve, reject } = Promise.withResolvers<RespReply>();
      this.#waiting.push({ resolve, reject, since: performance.now() });
      this.#socket.write(encodeCommand(command));
      return promise;
    });
  }

  /** Sends what has no reply of its own, such as SUBSCRIBE: what comes goes to onPush. */
  send(command: RespCommand): void {
    if (!this.#fault) this.#socket.write(encodeCommand(command));
  }

  /** At once; what waits fails with shared_unreachable. */
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
    if (oldest && performance.now() - oldest.since > STORE_REPLY_MS) this.close(new Error('it does not answer'));
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
      else this.close(new Error('a reply that was not asked for'));
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
    const timer = setTimeout(() => fail(new Error('it does not answer')), STORE_CONNECT_MS);
    socket.once(secureContext ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('close', fail);
      resolve(socket);
    });
    // it stays: an error that comes before the new owner listens must not end the process
    socket.on('error', fail);
    socket.once('close', fail);
  });
}

/** Whom it was, and what happened, in a line for the log. */
function refusedBy(at: HostPort, cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error(`${hostPortText(at)}: the connection was closed`);
  const { code } = cause as NodeJS.ErrnoException;
  return new Error(`${hostPortText(at)}: ${cause.message || code}`, { cause });
}
