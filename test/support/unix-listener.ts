// A unix socket in a folder of its own, and a reader of what comes in on a connection. For the peers that tests talk
// to.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface UnixListener {
  path: string;
  /** Drops all connections and removes the socket. */
  close(): Promise<void>;
}

export async function listenOnUnixSocket(onConnection: (socket: Socket) => void): Promise<UnixListener> {
  const folder = await mkdtemp(join(tmpdir(), 'peer-'));
  const path = join(folder, 'socket');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the other end may go at any moment; readers see the end
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}

export class SocketReader {
  #chunks: AsyncIterator<Buffer>;
  #waiting = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** A whole line has come that nobody has taken. */
  hasLine(): boolean {
    return this.#waiting.includes(10);
  }

  /** The next line with its LF; fewer bytes, without LF, when the connection ended. */
  async line(): Promise<Buffer> {
    let end: number;
    while ((end = this.#waiting.indexOf(10)) < 0 && (await this.#more()));
    return this.#take(end < 0 ? this.#waiting.length : end + 1);
  }

  /** The next `count` bytes, fewer when the connection ended. */
  async bytes(count: number): Promise<Buffer> {
    while (this.#waiting.length < count && (await this.#more()));
    return this.#take(count);
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next().catch(() => ({ done: true as const }));
    if (next.done) return false;
    this.#waiting = Buffer.concat([this.#waiting, next.value]);
    return true;
  }

  #take(count: number): Buffer {
    const bytes = this.#waiting.subarray(0, count);
    this.#waiting = this.#waiting.subarray(count);
    return bytes;
  }
}
