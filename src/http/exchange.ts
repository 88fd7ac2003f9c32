// One request and its response. Derived values are computed on first use.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { AppError } from '../errors.ts';
import type { Asker } from '../system/fair-queue.ts';
import { networkOf } from '../system/networks.ts';
import { randomId } from '../system/random-id.ts';
import type { WaitClock } from '../system/wait-clock.ts';
import { parseCookies } from './cookies.ts';
import { preferredType } from './negotiate.ts';
import type { Outgoing } from './outgoing.ts';
import { Query } from './query.ts';
import { authorityOf } from './request-head.ts';
import type { Params } from './router.ts';

/** per connection rather than per request */
const GONE = new WeakMap<Socket, AbortController>();

function goneOf(socket: Socket): AbortSignal {
  return GONE.getOrInsertComputed(socket, () => {
    const controller = new AbortController();
    const left = () => controller.abort(new AppError('request_timeout', 'The client has closed the connection.'));
    if (socket.destroyed) left();
    else socket.once('close', left);
    return controller;
  }).signal;
}

/** Holds no request: connections to the room server outlive the one that they were opened for. */
class Requester implements Asker {
  readonly #socket: Socket;
  turnKey: string;

  constructor(socket: Socket, network: string) {
    this.#socket = socket;
    this.turnKey = `network ${network}`;
  }

  get gone(): AbortSignal {
    return goneOf(this.#socket);
  }
}
const NO_PARAMS: Params = Object.freeze({});

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** as sent: percent-encoded, without query; `*` for a server-wide OPTIONS */
  readonly rawPath: string;
  params: Params = NO_PARAMS;
  /** pattern of the matching route, for the log; '' if there is none */
  route = '';
  /** a GET with side effects */
  isChanging = false;
  /** the client waits for `100 Continue`, which body.ts sends at the first read */
  awaitsContinue = false;
  /** user name, once authenticated */
  user: string | undefined;
  /** response body bytes written so far */
  sentBytes = 0;
  /** request body bytes read so far */
  receivedBytes = 0;
  /** measures time spent waiting for the room server; undefined: not measured */
  backendTime: WaitClock | undefined;
  /** the connection's entry in admission.ts */
  servedAs: { loggedIn: number } | undefined;
  /** the whole response has been handed over */
  isAnswered = false;
  /** called with the size of a cacheable response and a function that sends it again */
  keep: ((size: number, reply: (exchange: Exchange) => Promise<void>) => void) | undefined;
  /** names and values added to the response; see addHeader */
  extraHeaders: string[] | undefined;
  readonly outgoing: Outgoing;
  readonly #queryText: string;
  readonly #trustProxy: boolean;
  #query: Query | undefined;
  #cookies: Map<string, string> | undefined;
  #requestId: string | undefined;
  #isLoggedIn = false;
  #asker: Requester | undefined;

  /** `target` is in origin form: `/path?query`. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    trustProxy: boolean,
    outgoing: Outgoing,
  ) {
    this.request = request;
    this.response = response;
    this.method = request.method!;
    const mark = target.indexOf('?');
    this.rawPath = mark < 0 ? target : target.slice(0, mark);
    this.#queryText = mark < 0 ? '' : target.slice(mark + 1);
    this.#trustProxy = trustProxy;
    this.outgoing = outgoing;
  }

  /** identifies the response in the log */
  get requestId(): string {
    return (this.#requestId ??= randomId(6));
  }

  /** Throws bad_request if it is malformed. */
  get query(): Query {
    return (this.#query ??= new Query(this.#queryText));
  }

  /** the text after `?`, as sent */
  get rawQuery(): string {
    return this.#queryText;
  }

  get cookies(): Map<string, string> {
    return (this.#cookies ??= parseCookies(this.header('cookie')));
  }

  /** The client's address, with trustProxy the one the proxy reports. `::ffff:1.2.3.4` → `1.2.3.4` */
  get remoteAddress(): string {
    const forwarded = this.#proxyWord('for');
    // some proxies append the port
    const bare = forwarded && /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(forwarded);
    const address = (bare ? bare[1] || bare[2] : forwarded) || (this.request.socket.remoteAddress ?? '');
    return address.startsWith('::ffff:') ? address.slice(7) : address;
  }

  /** `host:port` from the request; a proxy may have changed it */
  get host(): string | undefined {
    return authorityOf(this.request);
  }

  /** The original host, as reported by a trusted proxy. */
  get forwardedHost(): string | undefined {
    return this.#proxyWord('host');
  }

  /** `host:port` that the browser requested: from a trusted proxy, else Host. */
  get authority(): string | undefined {
    return this.forwardedHost ?? this.host;
  }

  /**
   * The last value of an X-Forwarded field: earlier ones may be forged by the client. `Forwarded` (RFC 7239) is
   * ignored, because proxies that set X-Forwarded pass it through.
   */
  #proxyWord(what: 'for' | 'host' | 'proto'): string | undefined {
    return this.#trustProxy ? this.header(`x-forwarded-${what}`)?.split(',').at(-1)?.trim() : undefined;
  }

  /** The network that counts as one client (networks.ts). */
  get remoteNetwork(): string {
    return networkOf(this.remoteAddress);
  }

  /** Aborts when the client disconnects. */
  get gone(): AbortSignal {
    return goneOf(this.request.socket);
  }

  /** Who takes turns with others: the client's network, and once logged in the account. */
  get asker(): Asker & { turnKey: string } {
    return (this.#asker ??= new Requester(this.request.socket, this.remoteNetwork));
  }

  /** The client uses TLS, with us or with the trusted proxy. */
  get secure(): boolean {
    if (this.request.socket instanceof TLSSocket) return true;
    return this.#proxyWord('proto')?.toLowerCase() === 'https';
  }

  /** `name` in lower case. Repeated fields are joined by `, `. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** The best of these types; the first one on a tie or without Accept. undefined: none is acceptable. */
  accepts(...types: string[]): string | undefined {
    return preferredType(this.header('accept'), types);
  }

  /** Authenticated: grants more time for the body, and protects the connection from displacement. */
  get isLoggedIn(): boolean {
    return this.#isLoggedIn;
  }

  /** `account`: the same for all names that the user may log in by. */
  markLoggedIn(user?: string, account: string | number | undefined = user): void {
    this.user = user;
    this.asker.turnKey = `user ${account}`;
    if (this.#isLoggedIn) return;
    this.#isLoggedIn = true;
    if (this.servedAs) this.servedAs.loggedIn++;
  }

  /** Adds a header to any response, including errors: a renewed cookie, a challenge. */
  addHeader(name: string, value: string): void {
    (this.extraHeaders ??= []).push(name, value);
  }
}
