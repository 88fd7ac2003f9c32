// One request and its answer, as every handler sees them. Everything that costs something is worked out when it is
// first asked for.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { AppError } from '../errors.ts';
import { networkOf } from '../system/networks.ts';
import { randomId } from '../system/random-id.ts';
import type { WaitClock } from '../system/wait-clock.ts';
import { parseCookies } from './cookies.ts';
import { preferredType } from './negotiate.ts';
import type { Outgoing } from './outgoing.ts';
import { Query } from './query.ts';
import { authorityOf } from './request-head.ts';
import type { Params } from './router.ts';
import type { Waiter } from './waiting.ts';

/** by connection, so that it costs nothing for each of the requests that come on one */
const GONE = new WeakMap<Socket, AbortController>();
const NO_PARAMS: Params = Object.freeze({});

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** as sent, still percent-encoded, without the query; `*` for a server-wide OPTIONS */
  readonly rawPath: string;
  params: Params = NO_PARAMS;
  /** the pattern of its route: what the log calls it. Empty until one is found */
  route = '';
  /** its GET changes something */
  isChanging = false;
  /** the client waits for `100 Continue` before it sends its body; body.ts sends it at the first read */
  awaitsContinue = false;
  /** who it is, once the credentials have been checked */
  user: string | undefined;
  /** of the answer's body, given to the connection so far */
  sentBytes = 0;
  /** of the request's body, read so far */
  receivedBytes = 0;
  /** runs while something of the room server is awaited; undefined where nobody wants to know */
  backendTime: WaitClock | undefined;
  /** what its connection is counted as, where that is: admission.ts */
  servedAs: Waiter | undefined;
  /** all of its answer has been handed over */
  isAnswered = false;
  /** takes what is sent, `size` bytes of body: what sends it once more, in answer to another request */
  keep: ((size: number, reply: (exchange: Exchange) => Promise<void>) => void) | undefined;
  /** added to whatever answer is sent, as a flat list of names and values; see addHeader */
  extraHeaders: string[] | undefined;
  readonly outgoing: Outgoing;
  readonly #queryText: string;
  readonly #trustProxy: boolean;
  #query: Query | undefined;
  #cookies: Map<string, string> | undefined;
  #requestId: string | undefined;
  #isLoggedIn = false;

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

  /** joins an answer that a client reports to the log */
  get requestId(): string {
    return (this.#requestId ??= randomId(6));
  }

  /** Throws bad_request when it cannot be decoded. */
  get query(): Query {
    return (this.#query ??= new Query(this.#queryText));
  }

  /** what stands behind the `?`, as sent */
  get rawQuery(): string {
    return this.#queryText;
  }

  get cookies(): Map<string, string> {
    return (this.#cookies ??= parseCookies(this.header('cookie')));
  }

  /** The client's address; with trustProxy the one that the proxy in front of us saw. `::ffff:1.2.3.4` → `1.2.3.4` */
  get remoteAddress(): string {
    const forwarded = this.#proxyWord('for');
    // some proxies add the port, which another connection of the client does not share
    const bare = forwarded && /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(forwarded);
    const address = (bare ? bare[1] || bare[2] : forwarded) || (this.request.socket.remoteAddress ?? '');
    return address.startsWith('::ffff:') ? address.slice(7) : address;
  }

  /** `host:port` that the client asked for, as far as it says so; `Host` may be a proxy's word. */
  get host(): string | undefined {
    return authorityOf(this.request);
  }

  /** The same as the browser sent it, from the header field of a trusted proxy. */
  get forwardedHost(): string | undefined {
    return this.#proxyWord('host');
  }

  /** `host:port` that the browser asked for: what a trusted proxy says, else Host. */
  get authority(): string | undefined {
    return this.forwardedHost ?? this.host;
  }

  /**
   * What the trusted proxy says in an X-Forwarded field. It comes last: what stands before it may be the client's own
   * claim. `Forwarded` (RFC 7239) is not read: a proxy that sets X-Forwarded lets a client's one through.
   */
  #proxyWord(what: 'for' | 'host' | 'proto'): string | undefined {
    return this.#trustProxy ? this.header(`x-forwarded-${what}`)?.split(',').at(-1)?.trim() : undefined;
  }

  /** What counts as one client (networks.ts). */
  get remoteNetwork(): string {
    return networkOf(this.remoteAddress);
  }

  /** Aborts when the client has closed the connection: nothing more needs to be made for it. */
  get gone(): AbortSignal {
    const { socket } = this.request;
    return GONE.getOrInsertComputed(socket, () => {
      const controller = new AbortController();
      const left = () => controller.abort(new AppError('request_timeout', 'The client has closed the connection.'));
      if (socket.destroyed) left();
      else socket.once('close', left);
      return controller;
    }).signal;
  }

  /** The client speaks TLS, to us or to the proxy that we trust. */
  get secure(): boolean {
    if (this.request.socket instanceof TLSSocket) return true;
    return this.#proxyWord('proto')?.toLowerCase() === 'https';
  }

  /** `name` in lower case. Repeated fields come joined by `, `. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /**
   * The best of these types (first listed wins a tie; no Accept header: the first); undefined when none is accepted.
   */
  accepts(...types: string[]): string | undefined {
    return preferredType(this.header('accept'), types);
  }

  /** The credentials have been checked, not just sent: more time for the body, and the connection keeps its place. */
  get isLoggedIn(): boolean {
    return this.#isLoggedIn;
  }

  markLoggedIn(user?: string): void {
    this.user = user;
    if (this.#isLoggedIn) return;
    this.#isLoggedIn = true;
    if (this.servedAs) this.servedAs.loggedIn++;
  }

  /** A header for whatever answer this request gets, an error included: a renewed cookie, a challenge. */
  addHeader(name: string, value: string): void {
    (this.extraHeaders ??= []).push(name, value);
  }
}
