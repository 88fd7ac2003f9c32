// One connection of the embedded room server: runs its commands strictly in order and writes the replies, in turns with
// the other sessions (protocol section 5). SessionState holds what the protocol knows of the session.

import type { Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import {
  BACKEND_FLUSH_BYTES,
  BACKEND_HIGH_WATER_BYTES,
  BACKEND_LINGER_MS,
  BACKEND_ROUND_MS,
  BACKEND_SHORT_WORK_MS,
  BACKEND_TURN_MS,
} from '../../limits/backend.ts';
import { ByteQueue } from '../../protocol/lines.ts';
import { onBehalfOf } from '../../system/fair-queue.ts';
import { acceptTls } from '../../system/tls.ts';
import type { TurnQueue } from '../../system/turn-queue.ts';
import type { Reply, StreamReply } from '../session/reply.ts';
import { type Session, type SessionServer, SessionState } from '../session/session.ts';
import type { Store, StoreChanges } from '../store/store.ts';
import { CommandReader, Incoming, refusalLine, runCommand } from './incoming.ts';
import { ReplyWriter } from './reply-writer.ts';

/** The server as seen from a socket: more than verbs need. */
interface SocketServer extends SessionServer {
  readonly turns: TurnQueue;
  readonly idleMs: number;
  /** for the handshake after STLS; undefined: no certificate */
  readonly tlsContext: SecureContext | undefined;
  onSessionClosed(session: Session): void;
}

/** What the socket reads next. */
type State =
  | { name: 'commands' }
  /** the body after a 4xx, 7xx or 8xx reply */
  | { name: 'transfer'; transfer: Incoming }
  /** nothing: STLS was answered, and the handshake begins once the reply is written */
  | { name: 'handshake'; context: SecureContext }
  /** nothing: the connection ends once the replies are written */
  | { name: 'closing' }
  /** what still arrives is dropped, so that the peer sees the last reply instead of a reset */
  | { name: 'lingering'; timer: NodeJS.Timeout }
  | { name: 'closed' };

/** A session and its socket; it ends when the socket closes. */
export class SessionSocket extends SessionState implements Session {
  readonly id: number;
  readonly server: SocketServer;
  readonly store: Store;
  readonly isAdminSocket: boolean;
  onLoggedOut: () => void = () => {};
  #state: State = { name: 'commands' };
  /** a command runs, now or until its promise settles: nothing else of this session runs meanwhile */
  #isBusy = false;
  /** performance.now() when the turn began, which may comprise several calls of #work() */
  #turnStart = 0;
  /** something has run since: each turn makes progress */
  #hasStepped = false;
  /** replaced by a TLS socket after STLS */
  #socket: Socket;
  #writer: ReplyWriter;
  readonly #queue = new ByteQueue();
  readonly #commands = new CommandReader(this.#queue);

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
      if (!this.#isReading()) return;
      this.#queue.push(chunk);
      this.#turnStart = performance.now();
      onBehalfOf(this, () => this.#begin());
    });
    socket.on('end', () => this.#work());
    socket.on('error', () => {}); // 'close' follows
    socket.setTimeout(this.server.idleMs, () => socket.destroy());
  }

  startTls(): boolean {
    const context = this.encryption === undefined ? this.server.tlsContext : undefined;
    if (context && this.#isReading()) this.#state = { name: 'handshake', context };
    return context !== undefined;
  }

  greet(line: string): void {
    this.#writer.add(line);
    this.#flush();
  }

  noticeInstantMessage(): void {
    if (!this.asyncMode) return;
    this.notices.noteInstantMessage();
    this.#flushNotices();
  }

  noticeChanges(changes: StoreChanges): void {
    if (this.notices.noteChanges(changes, this.user?.id)) this.#flushNotices();
  }

  #flushNotices(): void {
    if (!this.#isBusy) this.#flush();
  }

  quit(): void {
    this.#stopReading();
    this.#work();
  }

  destroy(): void {
    this.#stopReading();
    this.#socket.destroy();
  }

  #isReading(): boolean {
    return this.#state.name === 'commands' || this.#state.name === 'transfer';
  }

  #stopReading(): void {
    if (this.#state.name === 'transfer') this.#state.transfer.abort();
    if (this.#isReading() || this.#state.name === 'handshake') this.#state = { name: 'closing' };
  }

  /** Not at once if other sessions of the account have had its share of this round. */
  #begin(): void {
    const { turns } = this.server;
    if (this.#isBusy) return;
    if (turns.isSpent(BACKEND_ROUND_MS)) {
      this.#isBusy = true;
      this.#workAfter(this.#newTurn(turns.next()));
    } else {
      this.#work();
    }
  }

  #work(): void {
    onBehalfOf(this, () => this.#workAsAsker());
  }

  #workAsAsker(): void {
    if (this.#isBusy || this.#state.name === 'lingering' || this.#state.name === 'closed') return;
    this.#isBusy = true;
    // Few writes, because each costs a system call, but not one for a whole batch: the peer can work on the first
    // replies while we work on the next.
    this.#socket.cork();
    let pending: Promise<void> | undefined;
    const began = performance.now();
    try {
      pending = this.#runCommands();
      if (!pending) this.#flush();
    } finally {
      this.#socket.uncork();
      this.server.turns.noteWork(performance.now() - began);
    }
    pending ??= this.#endTurn();
    if (!pending) {
      this.#isBusy = false;
      return;
    }
    this.#workAfter(pending);
  }

  #workAfter(pending: Promise<void>): void {
    this.#socket.pause();
    void pending.then(() => {
      this.#isBusy = false;
      if (this.#isClosed()) return;
      this.#socket.resume();
      this.#work();
    });
  }

  /** Runs what has arrived. Returns what the session must wait for before it goes on. */
  #runCommands(): Promise<void> | undefined {
    while (this.#isReading()) {
      const wait = this.#untilWritable() ?? this.#untilTurn();
      if (wait) return wait;
      const result = this.#step();
      this.#hasStepped = true;
      if (result === 'starved') return undefined;
      if (this.#writer.waiting >= BACKEND_FLUSH_BYTES) {
        this.#flush();
        this.#writer.push();
      }
      if (result) return result;
    }
    return undefined;
  }

  /** A peer that does not read its replies may not send further commands. */
  #untilWritable(): Promise<void> | undefined {
    if (this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES) return undefined;
    this.#writer.flush();
    return this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES ? undefined : this.#writer.drained();
  }

  /** Lets other sessions run in the middle of a very long batch of commands. */
  #untilTurn(): Promise<void> | undefined {
    if (!this.#hasStepped || this.#queue.length === 0) return undefined;
    if (performance.now() - this.#turnStart < BACKEND_TURN_MS) return undefined;
    this.#flush();
    return this.#newTurn(this.server.turns.next());
  }

  #newTurn(turn: Promise<void>): Promise<void> {
    return turn.then(() => {
      this.#turnStart = performance.now();
      this.#hasStepped = false;
    });
  }

  /** Everything that has arrived was handled. After much work the socket rests until others had their turn. */
  #endTurn(): Promise<void> | undefined {
    const state = this.#state;
    if (state.name === 'closing' || this.#socket.readableEnded) {
      this.#linger();
      return undefined;
    }
    if (state.name === 'handshake') return this.#secure(state.context);
    const worked = performance.now() - this.#turnStart;
    const { turns } = this.server;
    if (state.name === 'transfer')
      return state.transfer.endsTurn() ? this.#newTurn(turns.nextOfBulk(worked)) : undefined;
    if (worked > BACKEND_SHORT_WORK_MS) return this.#newTurn(turns.next());
    turns.noteShort();
    return undefined;
  }

  #linger(): void {
    this.#stopReading();
    this.#socket.end();
    this.#state = { name: 'lingering', timer: setTimeout(() => this.#socket.destroy(), BACKEND_LINGER_MS) };
  }

  /** Drops what the peer has sent ahead: it came in clear, possibly from somebody in between. */
  async #secure(context: SecureContext): Promise<void> {
    this.#queue.take(this.#queue.length);
    const socket = await encrypt(this.#socket, context);
    if (this.#state.name !== 'handshake') return void socket.destroy();
    this.#state = { name: 'commands' };
    this.#socket = socket;
    this.#writer = new ReplyWriter(socket, this.server.turns);
    this.encryption = { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name };
    this.#listen(socket);
  }

  /** Handles the next command or piece of a transfer. */
  #step(): Promise<void> | undefined | 'starved' {
    if (this.#state.name === 'transfer') return this.#continue(this.#state.transfer);
    const line = this.#commands.next();
    if (line === undefined) return 'starved';
    try {
      return this.#answer(runCommand(this, line));
    } catch (error) {
      return this.#answer(refusalLine(this, error));
    }
  }

  #continue(transfer: Incoming): Promise<void> | undefined | 'starved' {
    try {
      if (!transfer.read(this.#queue)) return 'starved';
    } catch (error) {
      this.#breakOff(error);
      return undefined;
    }
    this.#state = { name: 'commands' };
    // Storing a long body may take long: not several of them in one round of the event loop.
    if (transfer.isLong) return this.server.turns.next().then(() => this.#endTransfer(transfer));
    return this.#endTransfer(transfer);
  }

  #endTransfer(transfer: Incoming): Promise<void> | undefined {
    if (this.#isClosed()) {
      transfer.abort();
      return undefined;
    }
    let owed: ReturnType<Incoming['end']>;
    try {
      owed = transfer.end();
    } catch (error) {
      transfer.abort();
      this.#breakOff(error);
      return undefined;
    }
    try {
      return this.#answer(owed instanceof Promise ? owed.catch((error: unknown) => this.#breakOff(error)) : owed);
    } catch (error) {
      this.#breakOff(error);
      return undefined;
    }
  }

  /** Part of a reply is out already: only closing the connection keeps both sides in step. */
  #breakOff(error: unknown): string {
    this.server.onFault(error);
    this.destroy();
    return '';
  }

  /** Returns what the session must wait for. Throws what the first piece of a stream throws. */
  #answer(reply: Reply | Promise<Reply>): Promise<void> | undefined {
    if (typeof reply === 'string') {
      this.#writer.add(reply);
      return undefined;
    }
    if (reply instanceof Promise) return this.#answerLater(reply);
    if ('stream' in reply) return this.#answerStream(reply);
    this.#writer.add(reply.reply);
    const transfer = new Incoming(reply, this.server.onFault);
    if (this.#isReading()) this.#state = { name: 'transfer', transfer };
    else transfer.abort();
    return undefined;
  }

  async #answerLater(pending: Promise<Reply>): Promise<void> {
    try {
      const reply = await pending;
      if (!this.#isClosed()) await this.#answer(reply);
    } catch (error) {
      this.#writer.add(refusalLine(this, error));
    }
  }

  #answerStream({ stream }: StreamReply): Promise<void> | undefined {
    const source = stream[Symbol.iterator]();
    // A refusal before the first piece is an ordinary reply; a stream that fails later must not look complete.
    const first = source.next();
    const breakOff = (error: unknown): void => void this.#breakOff(error);
    try {
      return this.#writer.pull(source, first) ? undefined : this.#writer.pullRest(source).catch(breakOff);
    } catch (error) {
      breakOff(error);
      return undefined;
    }
  }

  /** Writes the replies of one turn, then pending notices unless the peer lags behind. */
  #flush(): void {
    const mayTell = this.#state.name !== 'transfer' && this.#writer.waiting <= BACKEND_HIGH_WATER_BYTES;
    if (mayTell) this.#writer.add(this.notices.take(this));
    this.#writer.flush();
  }

  #isClosed(): boolean {
    return this.#state.name === 'closed';
  }

  #onClose(): void {
    if (this.#state.name === 'lingering') clearTimeout(this.#state.timer);
    this.#stopReading();
    this.#state = { name: 'closed' };
    this.end();
    this.server.onSessionClosed(this);
  }
}

/** Detaches `raw`, and resolves when it is encrypted. If that fails, `raw` is closed and this never settles. */
function encrypt(raw: Socket, context: SecureContext): Promise<TLSSocket> {
  for (const event of ['data', 'end', 'timeout']) raw.removeAllListeners(event);
  raw.setTimeout(0).pause();
  return new Promise((secured) => acceptTls(raw, { context, secured }));
}
