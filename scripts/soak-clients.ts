// What the people of a soak do: they ask every route there is, keep a ledger of what they post and delete, break off,
// and read slowly. At the end the ledger is compared with what the room server has.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '../src/api/routes.ts';
import { addDavRoutes } from '../src/dav/routes.ts';
import { VIEW } from '../src/model.ts';
import { type Asked, askedOf, pathOf } from '../test/support/access-requests.ts';
import type { World } from '../test/support/access-world.ts';
import { basic, cookieOf } from '../test/support/gateway.ts';
import type { Random } from '../test/support/random.ts';
import { type Init, sendHttp } from '../test/support/raw-http.ts';

const PREFIX = '/svc/';
/** longer than any answer may take: the room server may be silent for half a minute, and be asked twice */
const HUNG_MS = 120_000;
const EVENTS_MS = 2000;
/** of a slow reader, between two pieces */
const SLOW_MS = 50;
/** these end what the person needs for everything else; he logs in where he has to */
const LEFT_OUT = new Set(['DELETE u/:user', 'DELETE u/:user/', 'POST a/login']);

/** Each route with what is asked of it, once for each place that it may name. */
export function everyRoute(): Asked[] {
  const router = routes(PREFIX);
  addDavRoutes(router, PREFIX);
  return router.routes().flatMap(({ method, pattern }) => {
    const below = pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
    if (LEFT_OUT.has(`${method} ${below}`)) return [];
    return askedOf(method === '*' ? 'PROPFIND' : method, below).slice(0, 1);
  });
}

/** `doubt`: whether it is there is not known, for the answer did not say */
type Fate = 'kept' | 'deleted' | 'doubt';

interface Entry {
  digest: string;
  number: number | undefined;
  fate: Fate;
}

export interface Tally {
  /** by route and answer */
  counts: Map<string, number>;
  problems: string[];
}

const MAIL = [
  '--b',
  'Content-Type: text/plain',
  '',
  'words',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  '',
  'more words',
  '--b--',
  '',
].join('\r\n');

const digestOf = (bytes: string): string => hash('sha256', bytes);

export class Person {
  readonly name: string;
  readonly #url: string;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #routes: readonly Asked[];
  readonly #ledger = new Map<string, Entry>();
  /** half of them log in as browsers do */
  readonly #usesCookie: boolean;
  #cookie: string | undefined;
  #count = 0;
  #message = '1';
  #version: string | undefined;
  #upload = 'none';

  constructor(name: string, url: string, random: Random, tally: Tally, all: readonly Asked[]) {
    this.name = name;
    this.#url = url;
    this.#random = random;
    this.#tally = tally;
    this.#routes = all;
    this.#usesCookie = random(2) === 0;
  }

  get #room(): string {
    return `r/Kept%20${this.name}`;
  }

  get posted(): number {
    return this.#ledger.size;
  }

  /** Of these, those whose answer said what became of them. */
  get acknowledged(): number {
    return this.#ledger.values().reduce((sum, { fate }) => sum + (fate === 'doubt' ? 0 : 1), 0);
  }

  /** Before anything is disturbed. */
  async settle(): Promise<void> {
    const made = await this.#ask('setup', 'POST', 'r/', json({ name: `Kept ${this.name}`, kind: 'personal' }));
    if (made?.status !== 201) throw new Error(`${this.name} has no room: ${made?.status}`);
    await this.#makeScratch();
  }

  /** What any route may change or remove; it is made anew when it has gone: files, pages, mails and an upload. */
  async #makeScratch(): Promise<void> {
    const newRoom = (name: string, view: number) =>
      this.#ask('setup', 'POST', 'r/', json({ name: `${name} ${this.name}`, kind: 'personal', view }));
    const put = (path: string, type = 'text/plain', body = `words ${++this.#count}`) =>
      this.#ask('setup', 'PUT', path, { headers: { 'content-type': type }, body });
    const [files, pages, mails] = [this.#roomOf('Scratch'), this.#roomOf('Pages'), this.#roomOf('Mails')];
    await newRoom('Scratch', VIEW.files);
    await put(`r/${files}/file.txt`);
    await this.#ask('setup', 'MKCOL', `r/${files}/inner`);
    await put(`r/${files}/inner/deep.txt`);
    await newRoom('Pages', VIEW.wiki);
    for (let i = 0; i < 2; i++) await put(`r/${pages}/Plans`);
    const history = await this.#ask('setup', 'GET', `r/${pages}/Plans/history`);
    if (history?.status === 200) this.#version = (JSON.parse(history.text) as { version: string }[]).at(-1)?.version;
    await newRoom('Mails', VIEW.board);
    const mail = await put(`r/${mails}/new`, 'multipart/mixed; boundary=b', MAIL);
    this.#message = mail?.headers.get('location')?.split('/').at(-1) ?? this.#message;
    const upload = await this.#ask('setup', 'POST', 'p?filename=a', { body: 'words' });
    if (upload?.status === 201) this.#upload = (JSON.parse(upload.text) as { ref: string }[])[0]!.ref;
  }

  #roomOf(kind: string): string {
    return `${kind}%20${this.name}`;
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const chance = this.#random(10);
      if (chance < 3) await this.#post();
      else if (chance === 3) await this.#remove();
      else if (chance === 4) await this.#readBack();
      else if (chance === 5) await this.#breakOff();
      else await this.#anyRoute();
      await sleep(this.#random(1000));
    }
  }

  async #anyRoute(): Promise<void> {
    const row = this.#routes[this.#random(this.#routes.length)]!;
    const isPage = row.pattern.includes('/history');
    const isMail = /:part|:name\/json|invitation/.test(row.pattern);
    const world: World = {
      room: this.#roomOf(isPage ? 'Pages' : isMail ? 'Mails' : 'Scratch'),
      name: isPage ? 'Plans' : isMail ? this.#message : 'file.txt',
      version: this.#version ?? '1',
      user: this.name,
      floor: '0',
      upload: this.#upload,
      password: 'none',
    };
    const numbered = (text: string) => text.replaceAll('{n}', `${this.name}-${++this.#count}`);
    const headers = Object.fromEntries(
      Object.entries(row.headers ?? {}).map(([name, value]) => [name, numbered(value)]),
    );
    const body = typeof row.body === 'string' ? numbered(row.body) : row.body;
    const route = `${row.method} ${row.pattern}`;
    const path = numbered(pathOf(row, world));
    const own = route === 'POST r/' ? json({ name: `Scratch ${this.name}`, kind: 'personal' }) : undefined;
    const answer = await this.#ask(route, row.method, path, own ?? { headers, ...(body !== undefined && { body }) });
    if (answer?.status === 404) await this.#makeScratch();
  }

  async #post(): Promise<void> {
    const subject = `${this.name}-${++this.#count}`;
    const length = this.#random(50) === 0 ? 20_000 : 1 + this.#random(200);
    const body = `${subject} says ${this.#random(1e9)} words\n`.repeat(length);
    const entry: Entry = { digest: digestOf(body), number: undefined, fate: 'doubt' };
    this.#ledger.set(subject, entry);
    const init = { headers: { 'content-type': 'text/plain' }, body };
    const answer = await this.#ask('post', 'PUT', `${this.#room}/new?subj=${subject}`, init);
    if (answer?.status === 201) {
      entry.fate = 'kept';
      entry.number = Number(answer.headers.get('location')!.split('/').at(-1));
    } else if (answer && answer.status < 500) {
      entry.fate = 'deleted'; // it says that nothing was done
    }
  }

  #some(): Entry | undefined {
    const kept = [...this.#ledger.values()].filter(({ fate, number }) => fate === 'kept' && number !== undefined);
    return kept[this.#random(kept.length || 1)];
  }

  async #remove(): Promise<void> {
    const entry = this.#some();
    if (!entry) return;
    entry.fate = 'doubt';
    const answer = await this.#ask('delete', 'DELETE', `${this.#room}/${entry.number}`);
    if (answer?.status === 204) entry.fate = 'deleted';
    else if (answer?.status === 401) entry.fate = 'kept';
    else if (answer && answer.status < 500) this.#complain(`deleting ${entry.number} was answered ${answer.status}`);
  }

  async #readBack(): Promise<void> {
    const entry = this.#some();
    if (!entry) return;
    const answer = await this.#ask('read', 'GET', `${this.#room}/${entry.number}`);
    if (!answer || answer.status >= 500 || answer.status === 401) return;
    if (answer.status !== 200 || digestOf(answer.text) !== entry.digest) {
      this.#complain(`message ${entry.number} was read as ${answer.status}, ${answer.text.length} bytes`);
    }
  }

  /** In the middle of a request, of an answer, or after some slow reading. */
  async #breakOff(): Promise<void> {
    const { hostname, port } = new URL(this.#url);
    const entry = this.#some();
    const isSending = this.#random(2) === 0;
    const path = `${PREFIX}${isSending ? `${this.#room}/broken.txt` : `${this.#room}/${entry?.number ?? 'mailbox'}`}`;
    const headers = { authorization: basic(this.name), ...(isSending && { 'content-length': '100000' }) };
    const outgoing = requestHttp({ hostname, port, path, method: isSending ? 'PUT' : 'GET', headers, agent: false });
    outgoing.on('error', () => {});
    if (isSending) {
      outgoing.write('x'.repeat(this.#random(50_000)));
      await sleep(this.#random(200));
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

  /** undefined: the connection was lost, or the client went */
  async #ask(route: string, method: string, path: string, init: Init = {}) {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      this.#complain(`${method} ${path} was not answered in ${HUNG_MS} ms`);
      stop.abort();
    }, HUNG_MS);
    const headers = { ...init.headers, ...(await this.#credentials()) };
    const target = path.startsWith('/') ? path : `${PREFIX}${path}`;
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
      if (status === 401) this.#cookie = undefined; // some route has logged out
      if (status === 500) this.#complain(`${method} ${path}: 500 ${text}`);
      return { status, text, headers: answer.headers };
    } catch {
      this.#counted(route, 'lost');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** All that was acknowledged is there once, and whole; what was deleted is not, nor anything that nobody posted. */
  async settleUp(): Promise<void> {
    const list = await this.#ask('at the end', 'GET', `${this.#room}/mailbox`);
    if (list?.status !== 200) return this.#complain(`the list of messages: ${list?.status}`);
    const { msgs } = JSON.parse(list.text) as { msgs: { msgnum: number; subject: string }[] };
    const found = Map.groupBy(msgs, ({ subject }) => subject);
    for (const [subject, { fate, digest }] of this.#ledger) {
      const there = found.get(subject) ?? [];
      found.delete(subject);
      const isRight =
        fate === 'kept' ? there.length === 1 : fate === 'deleted' ? there.length === 0 : there.length <= 1;
      if (!isRight) this.#complain(`${subject} (${fate}) is there ${there.length} times`);
      for (const { msgnum } of there) {
        const read = await this.#ask('at the end', 'GET', `${this.#room}/${msgnum}`);
        if (!read || digestOf(read.text) !== digest) this.#complain(`${subject} has changed`);
      }
    }
    for (const subject of found.keys()) this.#complain(`nobody posted ${subject}`);
  }

  #counted(route: string, answer: string): void {
    const key = `${route}\t${answer}`;
    this.#tally.counts.set(key, (this.#tally.counts.get(key) ?? 0) + 1);
  }

  #complain(text: string): void {
    this.#tally.problems.push(`${this.name}: ${text}`);
  }
}

function json(value: unknown): Init {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
