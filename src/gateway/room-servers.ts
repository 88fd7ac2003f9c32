// Which room server a request is for: by the host that it names, where there are several. Requests under way are
// bounded for each of several, so that one that hangs leaves connections of clients to the others.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { hostNameOf } from '../http/request-head.ts';
import { MAX_REQUESTS_OF_ONE_SERVER } from '../limits/http.ts';
import type { App } from './app.ts';

export interface HostedServer {
  /** '' for the one that has none */
  name: string;
  /** as hostNameOf makes them */
  hosts: readonly string[];
  app: App;
}

interface Served extends HostedServer {
  requests: number;
}

export class RoomServers {
  readonly #all: readonly Served[];
  readonly #byHost: ReadonlyMap<string, Served>;
  /** for all other hosts */
  readonly #default: Served | undefined;
  /** undefined: there is nobody to leave something to */
  readonly #maxRequests: number | undefined;

  /** One at least. `maxRequests`: under way to one of several. */
  constructor(servers: readonly HostedServer[], maxRequests = MAX_REQUESTS_OF_ONE_SERVER) {
    this.#all = servers.map((server) => ({ ...server, requests: 0 }));
    this.#byHost = new Map(this.#all.flatMap((server) => server.hosts.map((host) => [host, server])));
    this.#default = this.#all.find(({ name }) => name === '');
    this.#maxRequests = this.#all.length === 1 ? undefined : maxRequests;
  }

  /**
   * Runs `use` with the App of the room server that the request is for. Throws misdirected_request where there is none
   * (RFC 9110 section 15.5.20), and busy where too many run for it.
   */
  async serve(exchange: Exchange, use: (exchange: Exchange, app: App) => Promise<void>): Promise<void> {
    const server = this.#serverOf(exchange);
    if (!server) throw new AppError('misdirected_request', 'No server of this host is reached here.');
    if (this.#maxRequests === undefined) return use(exchange, server.app);
    if (server.requests >= this.#maxRequests) {
      throw new AppError('busy', 'Too many requests to this host are under way.', { retryAfterSeconds: 5 });
    }
    server.requests++;
    try {
      return await use(exchange, server.app);
    } finally {
      server.requests--;
    }
  }

  #serverOf({ authority }: Exchange): Served | undefined {
    if (this.#byHost.size === 0) return this.#default;
    const host = authority === undefined ? undefined : hostNameOf(authority);
    return (host === undefined ? undefined : this.#byHost.get(host)) ?? this.#default;
  }
}
