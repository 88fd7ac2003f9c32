// A line protocol client for tests of the embedded room server: sends lines as they are written in the tests and reads
// replies by their class. It shares no code with src/room-server, so that both cannot be wrong in the same way.

import { connect, type NetConnectOpts, type Socket } from 'node:net';

export interface WireReply {
  /** first line without LF */
  line: string;
  code: number;
  /** lines of a listing without the `000`; empty for other classes */
  lines: string[];
  /** content of a 6xx reply */
  bytes: Buffer;
}

export class WireClient {
  readonly socket: Socket;
  greeting = '';
  #bytes: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake?.();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake?.();
      });
    }
  }

  /** Connects and reads the greeting. */
  static async connect(at: string | NetConnectOpts): Promise<WireClient> {
    const client = new WireClient(connect(typeof at === 'string' ? { path: at } : at));
    client.greeting = await client.line();
    return client;
  }

  /** Connects and logs in; a reply other than 200 is an error. */
  static async login(at: string | NetConnectOpts, name: string, password: string): Promise<WireClient> {
    const client = await WireClient.connect(at);
    await client.expect(`USER ${name}`, 300);
    await client.expect(`PASS ${password}`, 200);
    return client;
  }

  /** Writes text or bytes as they are. */
  write(data: string | Buffer): void {
    this.socket.write(data);
  }

  /** Sends a line and reads the reply. */
  async ask(line: string): Promise<WireReply> {
    this.write(`${line}\n`);
    return this.reply();
  }

  /** Sends a line and reads the reply as text: first line, then the lines of a listing. */
  async text(line: string): Promise<string> {
    const { line: first, lines } = await this.ask(line);
    return [first, ...lines].join('\n');
  }

  /** Sends a line whose reply must have this code. */
  async expect(line: string, code: number): Promise<WireReply> {
    const reply = await this.ask(line);
    if (reply.code !== code) throw new Error(`${line}: expected ${code}, got ${reply.line}`);
    return reply;
  }

  /** Sends a line that is answered 4xx or 8xx, then the text; returns the listing of an 8xx. */
  async send(line: string, text: string | Buffer): Promise<string[]> {
    const { code, line: first } = await this.ask(line);
    if (code < 400 || (code >= 500 && code < 800)) throw new Error(`${line}: expected 4xx or 8xx, got ${first}`);
    this.write(text);
    this.write(text.length > 0 && !text.toString('latin1').endsWith('\n') ? '\n000\n' : '000\n');
    return code >= 800 ? this.listing() : [];
  }

  /** The next reply. */
  async reply(): Promise<WireReply> {
    const line = await this.line();
    const code = Number(line.slice(0, 3));
    const kind = Math.floor(code / 100);
    const lines = kind === 1 ? await this.listing() : [];
    const bytes = kind === 6 ? await this.take(Number.parseInt(line.slice(4), 10)) : Buffer.alloc(0);
    return { line, code, lines, bytes };
  }

  async listing(): Promise<string[]> {
    const lines: string[] = [];
    for (let line = await this.line(); line !== '000'; line = await this.line()) lines.push(line);
    return lines;
  }

  /** The next line without LF, UTF-8. */
  async line(): Promise<string> {
    let end = this.#bytes.indexOf(10);
    while (end < 0) {
      await this.#more();
      end = this.#bytes.indexOf(10);
    }
    const line = this.#bytes.subarray(0, end).toString();
    this.#bytes = this.#bytes.subarray(end + 1);
    return line;
  }

  async take(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await this.#more();
    const bytes = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return bytes;
  }

  /** What comes until the server closes. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#wait();
    return this.#bytes.toString();
  }

  close(): void {
    this.socket.destroy();
  }

  async #more(): Promise<void> {
    if (this.#ended) throw new Error(`the server closed the connection; left over: ${this.#bytes.toString()}`);
    await this.#wait();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
