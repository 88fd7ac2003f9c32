// One of the people of a soak, as a client of the gateway: who logs in, asks, counts what is answered, and sometimes
// breaks off, or reads slowly.

import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../test/support/access-places.ts';
import { type Asked, requestOf } from '../../test/support/access-requests.ts';
import { NAMESPACES } from '../../test/support/dav-world.ts';
import { basic, cookieOf } from '../../test/support/gateway.ts';
import type { Random } from '../../test/support/random.ts';
import { type Init, sendHttp } from '../../test/support/raw-http.ts';
import { PREFIX, routeOf, rowOf } from './routes.ts';

/** longer than any answer may take: the room server may be silent for half a minute, and be asked twice */
const HUNG_MS = 120_000;
const EVENTS_MS = 2000;
/** of a slow reader, between two pieces */
const SLOW_MS = 50;

export interface Tally {
  /** by route and answer */
  counts: Map<string, number>;
  problems: string[];
}

/** A whole answer. */
export interface Told {
  status: number;
  text: string;
  headers: Headers;
}

interface NewPerson {
  name: string;
  /** another one, who is there, too */
  neighbour: string;
  isAdmin: boolean;
  /** logs in as browsers do */
  usesCookie: boolean;
  url: string;
  random: Random;
  tally: Tally;
}

export class Person {
  readonly name: string;
  readonly neighbour: string;
  readonly isAdmin: boolean;
  readonly random: Random;
  readonly #url: string;
  readonly #tally: Tally;
  readonly #usesCookie: boolean;
  #cookie: string | undefined;
  #count = 0;

  constructor({ name, neighbour, isAdmin, usesCookie, url, random, tally }: NewPerson) {
    this.name = name;
    this.neighbour = neighbour;
    this.isAdmin = isAdmin;
    this.#url = url;
    this.random = random;
    this.#tally = tally;
    this.#usesCookie = usesCookie;
  }

  /** `'soaker3-17'`: nobody else has it, nor will anything again. */
  fresh(): string {
    return `${this.name}-${++this.#count}`;
  }

  /** Path of one of the rooms that the person keeps. */
  room(kind: string): string {
    return `r/${kind}%20${this.name}`;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.random(from.length || 1)];
  }

  /**
   * Asks below the prefix, or for a path that begins with `/`; without `init` what the table of who may do what asks of
   * the route. `headers`: in place of the person's credentials. undefined: the connection was lost, or the client went.
   */
  async ask(method: string, path: string, init?: Init, headers?: Record<string, string>): Promise<Told | undefined> {
    const target = path.startsWith('/') ? path : `${PREFIX}${path}`;
    const route = routeOf(method, target);
    const row = rowOf(route);
    if (!init && row) {
      return this.#send(route, method, `${target}${row.query ?? ''}`, this.#requestOf(row), headers);
    }
    return this.#send(route, method, target, init ?? {}, headers);
  }

  /** The same for what stands in that table. */
  askRow(row: Asked, world: World): Promise<Told | undefined> {
    const { path, ...init } = this.#requestOf(row, world);
    return this.ask(row.method, path, init);
  }

  /** As the neighbour, whose password is known. */
  askAsNeighbour(method: string, path: string, init?: Init): Promise<Told | undefined> {
    return this.ask(method, path, init, { authorization: basic(this.neighbour) });
  }

  /** A report whose body has the prefixes D, C and CR. */
  report(path: string, body: string): Promise<Told | undefined> {
    return this.ask('REPORT', path, typed('application/xml', withNamespaces(body)));
  }

  /** Calendar address. undefined: it was not told */
  async address(): Promise<string | undefined> {
    const told = await this.ask('GET', 'a/whoami');
    return told?.status === 200 ? `mailto:${(JSON.parse(told.text) as { email: string }).email}` : undefined;
  }

  #requestOf(row: Asked, world: Readonly<Record<string, string>> = {}) {
    return requestOf(row, world, { n: this.fresh(), secret: this.name });
  }

  async #send(
    route: string,
    method: string,
    target: string,
    init: Init,
    credentials?: Record<string, string>,
  ): Promise<Told | undefined> {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      this.complain(`${method} ${target} was not answered in ${HUNG_MS} ms`);
      stop.abort();
    }, HUNG_MS);
    const headers = { ...init.headers, ...(credentials ?? (await this.#credentials())) };
    try {
      const answer = await sendHttp(this.#url, target, { ...init, method, headers, signal: stop.signal });
      const { status } = answer;
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
      if (isStream) setTimeout(() => stop.abort(), EVENTS_MS);
      const text = await answer.text().catch((error: unknown) => {
        if (isStream) return '';
        throw error;
      });
      this.#counted(route, String(status));
      const place = target.slice(PREFIX.length);
      if (status === 401 || place === 'a/logout') this.#cookie = undefined;
      else if (this.#usesCookie && place === 'a/password' && status === 204) this.#cookie = cookieOf(answer);
      if (status === 500) this.complain(`${method} ${target}: 500 ${text}`);
      return { status, text, headers: answer.headers };
    } catch {
      this.#counted(route, 'lost');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async #credentials(): Promise<Record<string, string>> {
    if (!this.#usesCookie) return { authorization: basic(this.name) };
    if (this.#cookie === undefined) {
      const init = { method: 'POST', ...json({ username: this.name, password: this.name }) };
      const answer = await sendHttp(this.#url, `${PREFIX}a/login`, init).catch(() => undefined);
      this.#counted('POST a/login', answer ? String(answer.status) : 'lost');
      await answer?.text().catch(() => '');
      this.#cookie = answer?.status === 200 ? cookieOf(answer) : undefined;
    }
    return this.#cookie === undefined ? { authorization: basic(this.name) } : { cookie: this.#cookie };
  }

  /** In the middle of a request to this path, of an answer from it, or after some slow reading. */
  async breakOff(path: string, isSending: boolean): Promise<void> {
    const { hostname, port } = new URL(this.#url);
    const headers = { authorization: basic(this.name), ...(isSending && { 'content-length': '100000' }) };
    const target = `${PREFIX}${path}`;
    const method = isSending ? 'PUT' : 'GET';
    const outgoing = requestHttp({ hostname, port, path: target, method, headers, agent: false });
    outgoing.on('error', () => {});
    if (isSending) {
      outgoing.write('x'.repeat(this.random(50_000)));
      await sleep(this.random(200));
    } else {
      outgoing.end();
      const answered = once(outgoing, 'response', { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
      const [incoming] = (await answered) ?? [];
      incoming?.on('error', () => {});
      for (let i = 0; i < 5 && incoming; i++) {
        incoming.read(1000);
        await sleep(SLOW_MS);
      }
    }
    outgoing.destroy();
    this.#counted('broken off by the client', 'gone');
  }

  #counted(route: string, answer: string): void {
    const key = `${route}\t${answer}`;
    this.#tally.counts.set(key, (this.#tally.counts.get(key) ?? 0) + 1);
  }

  complain(text: string): void {
    this.#tally.problems.push(`${this.name}: ${text}`);
  }
}

/** A request with these fields as its body. */
export function json(fields: object): Init {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
}

/** A request with this body. */
export function typed(type: string, body: string): Init {
  return { headers: { 'content-type': type }, body };
}

function withNamespaces(body: string): string {
  return body.replace(/^<([^\s/>]+)/, `<$1 ${NAMESPACES}`);
}
