// Connections that may be given up when there are too many: those of clients that have not logged in and are waited
// for. Kept in the order in which they began to wait, in all and for each client.

import type { Socket } from 'node:net';

interface Wait {
  client: string;
  since: number;
}

export class WaitingConnections {
  readonly #all = new Map<Socket, Wait>();
  readonly #ofClient = new Map<string, Set<Socket>>();

  /** It begins to wait now; one that waited already begins anew. */
  add(socket: Socket, client: string): void {
    this.delete(socket);
    this.#all.set(socket, { client, since: performance.now() });
    this.#ofClient.getOrInsertComputed(client, () => new Set()).add(socket);
  }

  delete(socket: Socket): void {
    const wait = this.#all.get(socket);
    if (!wait) return;
    this.#all.delete(socket);
    const own = this.#ofClient.get(wait.client)!;
    own.delete(socket);
    if (own.size === 0) this.#ofClient.delete(wait.client);
  }

  /** The one that has waited longest, of all or of one client; undefined when none has for `ms`. */
  longest(ms: number, client?: string): Socket | undefined {
    const sockets = client === undefined ? this.#all.keys() : this.#ofClient.get(client)?.keys();
    const socket = sockets?.next().value;
    return socket && performance.now() - this.#all.get(socket)!.since >= ms ? socket : undefined;
  }
}
