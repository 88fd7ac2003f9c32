// Plays a recorded session to the embedded room server over its real sockets and compares the replies, exchange by
// exchange. The server is given the message numbers of the recording, so that they need no translation.

import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../src/backend/store/store.ts';
import { Comparison } from './replay-compare.ts';
import { type Exchange, type Happening, parseScript } from './replay-script.ts';
import { startRoomServer, type TestRoomServer } from './room-server.ts';
import { WireClient } from './wire-client.ts';

/**
 * silence after which nothing more is expected: a difference, for where all goes as recorded nothing is waited for in
 * vain
 */
const PATIENCE_MS = 20_000;

export interface Outcome {
  line: number;
  command: string;
  isSame: boolean;
  recorded: string;
  actual: string;
}

/** Settings under which the recordings were made, where this server starts with others. */
const RECORDED_SETTINGS: Record<string, string> = {
  c_nodename: 'vm',
  c_fqdn: 'vm',
  c_humannode: 'Citadel Server',
  c_creataide: '0',
  c_disable_newu: '0',
  c_maxmsglen: '10485760',
};

/**
 * Replies of the server to everything in the recording, in its order. `prepare` makes what was there before. At the
 * lines `openAt` the recorded server closed a connection that is known to stay open here: that is asked, not waited
 * for.
 */
export async function replay(
  t: TestContext,
  text: string,
  prepare: (server: TestRoomServer) => Promise<void> = async () => {},
  openAt: ReadonlySet<number> = new Set(),
): Promise<Outcome[]> {
  const { TZ } = process.env;
  process.env.TZ = 'UTC'; // as where the recordings were made: TIME tells it
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const server: TestRoomServer = await startRoomServer(t, { onDown: () => void server.server.close() });
  await emptyLobby(server);
  for (const [name, value] of Object.entries(RECORDED_SETTINGS)) server.store.setConfig(name, value);
  await prepare(server);
  const player = new Player(server, parseScript(text), openAt);
  return player.play();
}

/** A new server greets in its Lobby; the recorded one had nothing there. */
async function emptyLobby({ adminSocketPath }: TestRoomServer): Promise<void> {
  const admin = await WireClient.connect(adminSocketPath);
  await admin.expect('GOTO Lobby', 200);
  const { lines } = await admin.ask('MSGS ALL');
  await admin.expect(`DELE ${lines.join(',')}`, 200);
  await admin.expect('QUIT', 200);
}

class Player {
  readonly #server: TestRoomServer;
  readonly #script: Happening[];
  readonly #comparison = new Comparison();
  readonly #connections = new Map<string, Connection>();
  readonly #numbers: Map<Exchange, number>;
  readonly #openAt: ReadonlySet<number>;

  constructor(server: TestRoomServer, script: Happening[], openAt: ReadonlySet<number>) {
    this.#server = server;
    this.#script = script;
    this.#openAt = openAt;
    this.#numbers = postedNumbers(script);
  }

  async play(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const happening of this.#script) {
      const outcome = await this.#one(happening);
      if (outcome) outcomes.push({ line: happening.line, ...outcome });
    }
    for (const { socket } of this.#connections.values()) socket.destroy();
    return outcomes;
  }

  async #one(happening: Happening): Promise<Omit<Outcome, 'line'> | undefined> {
    if (happening.kind === 'connect') {
      const path = happening.isAdminSocket ? this.#server.adminSocketPath : this.#server.socketPath;
      const connection = new Connection(connect({ path }));
      this.#connections.set(happening.session, connection);
      const actual = await connection.line();
      return this.#compare('(connects)', happening.greeting, actual);
    }
    const connection = this.#connections.get(happening.session)!;
    switch (happening.kind) {
      case 'notice':
        return this.#compare('(waits)', happening.bytes, await connection.line());
      case 'clientCloses':
        connection.socket.end();
        return undefined;
      case 'serverCloses':
        return this.#expectClosed(connection, this.#openAt.has(happening.line));
      default:
        return this.#exchange(connection, happening);
    }
  }

  /** The recording tells when a connection was closed, not always which. */
  async #expectClosed(current: Connection, isKnownToBeOpen: boolean): Promise<Omit<Outcome, 'line'>> {
    const end = Date.now() + (isKnownToBeOpen && (await current.answers()) ? 0 : PATIENCE_MS);
    for (;;) {
      const candidates = [current, ...[...this.#connections.values()].filter((one) => !one.hasQuit)];
      const closed = candidates.find((one) => one.hasEnded && !one.isClosedInScript);
      if (closed) closed.isClosedInScript = true;
      const isSame = closed !== undefined;
      if (isSame || Date.now() >= end) {
        return { command: '(waits)', isSame, recorded: '(closed)', actual: isSame ? '(closed)' : '(open)' };
      }
      await pause(5);
    }
  }

  async #exchange(connection: Connection, exchange: Exchange): Promise<Omit<Outcome, 'line'>> {
    const number = this.#numbers.get(exchange);
    if (number !== undefined) giveNextNumber(this.#server.store, number);
    const command = this.#comparison.translate(exchange.command.toString('latin1'));
    const actual = await connection.exchange(Buffer.from(command, 'latin1'), exchange);
    const recorded = Buffer.concat([exchange.reply, exchange.confirmation]);
    const shown = exchange.omitted > 0 ? actual.subarray(0, exchange.reply.length) : actual;
    return this.#compare(exchange.command.toString('latin1').trimEnd(), recorded, shown);
  }

  #compare(command: string, recorded: Buffer, actual: Buffer): Omit<Outcome, 'line'> {
    const [left, right] = [recorded.toString('latin1'), actual.toString('latin1')];
    return { command, isSame: this.#comparison.isSame(command, left, right), recorded: left, actual: right };
  }
}

class Connection {
  readonly socket: Socket;
  /** the server has closed it, and the recording has said so */
  isClosedInScript = false;
  hasQuit = false;
  #bytes: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#hasEnded = true;
        this.#wake();
      });
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded && this.#bytes.length === 0;
  }

  /** The next line with its LF; nothing when the server says nothing more. */
  async line(): Promise<Buffer> {
    await this.#until(() => this.#bytes.includes(10));
    const end = this.#bytes.indexOf(10);
    return this.#take(end < 0 ? this.#bytes.length : end + 1);
  }

  /** Whether the server goes on with it. */
  async answers(): Promise<boolean> {
    if (this.#hasEnded) return false;
    this.socket.write('NOOP\n');
    return (await this.line()).toString('latin1').startsWith('200');
  }

  /** Sends the command and, if this server wants it, the body; answers everything that came back. */
  async exchange(command: Buffer, { body }: Exchange): Promise<Buffer> {
    if (this.#hasEnded) return Buffer.alloc(0);
    this.socket.write(command);
    if (/^QNOP/i.test(command.toString('latin1'))) return Buffer.alloc(0);
    this.hasQuit = /^QUIT/i.test(command.toString('latin1'));
    const first = await this.line();
    const digit = Math.floor(Number(first.toString('latin1', 0, 3)) / 100);
    if (digit === 1) return Buffer.concat([first, await this.#listing()]);
    const count = Number.parseInt(first.toString('latin1', 4), 10);
    if (digit === 6) {
      await this.#until(() => this.#bytes.length >= count);
      return Buffer.concat([first, this.#take(count)]);
    }
    if (digit === 7) this.socket.write(body.length === count ? body : Buffer.alloc(count));
    if (digit === 4 || digit === 8) this.socket.write(body.length > 0 ? body : '000\n');
    return digit === 8 ? Buffer.concat([first, await this.#listing()]) : first;
  }

  async #listing(): Promise<Buffer> {
    const lines: Buffer[] = [];
    for (;;) {
      const line = await this.line();
      lines.push(line);
      if (line.length === 0 || line.toString('latin1') === '000\n') return Buffer.concat(lines);
    }
  }

  #take(count: number): Buffer {
    const bytes = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(bytes.length);
    return bytes;
  }

  async #until(isThere: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!isThere() && !this.#hasEnded && Date.now() < end) {
      const late = setTimeout(() => this.#wake(), end - Date.now());
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearTimeout(late);
    }
  }
}

/** The numbers the recorded server gave, by the command that made the message. */
function postedNumbers(script: readonly Happening[]): Map<Exchange, number> {
  const exchanges = script.filter((one) => one.kind === 'exchange');
  const numbers = new Map<Exchange, number>();
  const open: { exchange: Exchange; position: number }[] = [];
  for (const [position, exchange] of exchanges.entries()) {
    const code = Math.floor(Number(exchange.reply.toString('latin1', 0, 3)) / 100);
    const isPost = /^ENT0 1/i.test(exchange.command.toString('latin1')) && (code === 4 || code === 8);
    const number = Number.parseInt(exchange.confirmation.toString('latin1'), 10);
    if (isPost && number > 0) numbers.set(exchange, number);
    else if ((isPost && code === 4) || /^UCLS 1/i.test(exchange.command.toString('latin1')))
      open.push({ exchange, position });
  }
  // Without a confirmation the number shows when the message is listed or read.
  for (const { exchange, position } of open) {
    const known = new Set(numbers.values());
    const before = exchanges.slice(0, position).map((one) => numbers.get(one) ?? 0);
    const lowest = Math.max(0, ...before);
    const highest = exchanges
      .slice(position)
      .map((one) => numbers.get(one))
      .find((one) => one !== undefined);
    const shown = exchanges.slice(position).flatMap(({ command, reply }) => {
      const text = reply.toString('latin1');
      const rows = /^MSGS/i.test(command.toString('latin1')) ? (text.match(/^\d+(?=[|\n])/gm) ?? []).map(Number) : [];
      const ids = [...text.matchAll(/\b[0-9A-F]{8}-([0-9A-F]{8})@vm/g)].map((match) => Number.parseInt(match[1]!, 16));
      return [...rows.filter((row) => row > 0), ...ids];
    });
    const fits = shown.filter((one) => one > lowest && one < (highest ?? Number.POSITIVE_INFINITY) && !known.has(one));
    if (fits.length > 0) numbers.set(exchange, Math.min(...fits));
  }
  return numbers;
}

/** The next message gets this number, unless one of them was given already. */
export function giveNextNumber(store: Store, number: number): void {
  store.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'message'").run(number - 1);
}
