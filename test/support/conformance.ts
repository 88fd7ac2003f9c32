// What the suite in test/contract/http runs against: a gateway with its embedded room server; a second gateway, under
// another prefix, in front of the first one's room server; or, where CONFORMANCE_URL names one, that deployment alone.
// There nothing is taken for granted but an account, and nothing is left behind.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { type Api, apiAt, basic, type Ending, startGateway } from './gateway.ts';
import { type Init, sendHttp } from './raw-http.ts';

export interface Account {
  name: string;
  password: string;
  api: Api;
}

interface NewRoom extends Record<string, unknown> {
  name?: string;
}

export interface Target {
  name: string;
  /** with the prefix */
  url: string;
  /** begins and ends with '/' */
  prefix: string;
  /** started for these tests: an account may be locked out, a picture replaced */
  isOwn: boolean;
  /** serves the folder that writeSite fills */
  hasSite: boolean;
  /** another gateway with the same key, in front of the same room server */
  peer: Api | undefined;
  user: Account;
  other: Account | undefined;
  /** everybody's, that the account can read and post into */
  publicRoom: string;
  /** below the prefix; a path that begins with `/` is taken as it is */
  nobody: Api;
  /** A room of the user's own, gone at the end: its name. */
  makeRoom(fields?: NewRoom): Promise<string>;
  /** `/svc/r/…/…`, encoded */
  path(room: string, name?: string | number): string;
}

/** One row, rule or decision; in the table of `npm run conformance` it is known by its id. */
export function holds(id: string, title: string, test: (t: TestContext) => Promise<void>): void {
  it(`${id}: ${title}`, test);
}

export async function targets(t: Ending): Promise<Target[]> {
  const url = process.env.CONFORMANCE_URL;
  if (url === undefined) return startOwn(t);
  const { CONFORMANCE_USER, CONFORMANCE_PASSWORD = '', CONFORMANCE_ROOM = 'Lobby' } = process.env;
  const { CONFORMANCE_OTHER_USER, CONFORMANCE_OTHER_PASSWORD = '' } = process.env;
  if (!CONFORMANCE_USER) throw new Error('CONFORMANCE_USER and CONFORMANCE_PASSWORD are needed');
  const prefix = new URL(url.endsWith('/') ? url : `${url}/`).pathname;
  const accounts = [{ name: CONFORMANCE_USER, password: CONFORMANCE_PASSWORD }];
  if (CONFORMANCE_OTHER_USER) {
    accounts.push({ name: CONFORMANCE_OTHER_USER, password: CONFORMANCE_OTHER_PASSWORD });
  }
  const site = { prefix, isOwn: false, hasSite: false, publicRoom: CONFORMANCE_ROOM, peer: undefined };
  return [target(t, url, url, accounts, site)];
}

async function startOwn(t: Ending): Promise<Target[]> {
  const accounts = ['alice', 'bob'].map((name) => ({ name, password: name }));
  const folder = await mkdtemp(join(tmpdir(), 'site-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeSite(folder);
  const site = ['--static', folder];
  const first = await startGateway(t, { users: accounts, options: ['--line-listen', 'tcp://127.0.0.1:0', ...site] });
  const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  await copyFile(join(first.dataFolder, 'session-key'), join(dataFolder, 'session-key'));
  const options = ['--prefix', '/ctdl/', ...site];
  const second = await startGateway(t, { backend: first.lineUrl!, dataFolder, options });
  const own = { isOwn: true, publicRoom: 'Lobby', hasSite: true };
  return [
    target(t, 'embedded', first.url, accounts, { ...own, prefix: '/svc/', peer: apiAt(second.url) }),
    target(t, 'behind another gateway', second.url, accounts, { ...own, prefix: '/ctdl/', peer: apiAt(first.url) }),
  ];
}

const SITE = {
  'index.html': 'site',
  'docs/index.html': 'docs',
  'css/theme.css': 'instead of the built-in one',
  '.secret': 'no',
  '.well-known/here.txt': 'here',
  '.well-known/caldav': 'in the way of the redirect',
};

async function writeSite(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(SITE)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await symlink('/etc/passwd', join(folder, 'outside.txt'));
}

function target(
  t: Ending,
  name: string,
  origin: string,
  accounts: { name: string; password: string }[],
  site: Pick<Target, 'prefix' | 'isOwn' | 'hasSite' | 'publicRoom' | 'peer'>,
): Target {
  const apiOf = (authorization?: string): Api => {
    return (path, init: Init = {}) => {
      const headers = { ...(authorization !== undefined && { authorization }), ...init.headers };
      return sendHttp(origin, path.startsWith('/') ? path : site.prefix + path, { ...init, headers });
    };
  };
  const [user, other] = accounts.map((one) => ({ ...one, api: apiOf(basic(one.name, one.password)) }));
  const path = (room: string, message: string | number = '') =>
    `${site.prefix}r/${encodeURIComponent(room)}/${encodeURIComponent(message)}`;
  return {
    ...site,
    name,
    url: new URL(site.prefix, origin).href,
    user: user!,
    other,
    nobody: apiOf(),
    path,
    async makeRoom(fields: NewRoom = {}) {
      const { name: room = `conformance ${randomBytes(6).toString('hex')}`, ...more } = fields;
      const response = await user!.api('r/', { method: 'POST', ...json({ name: room, kind: 'personal', ...more }) });
      assert.equal(response.status, 201, `a room could not be made: ${await response.text()}`);
      if (!site.isOwn) t.after(() => user!.api(path(room), { method: 'DELETE' }).then(() => {}));
      return room;
    },
  };
}

/** A request body. */
export function json(value: unknown): Pick<Init, 'body' | 'headers'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** The JSON of an answer that has to be one. */
export async function jsonOf<T = Record<string, unknown>>(
  response: Response | Promise<Response>,
  status = 200,
): Promise<T> {
  const answer = await response;
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  return (await answer.json()) as T;
}

type Kind = 'string' | 'number' | 'boolean' | 'array';

/** Each field is there and has its type; there may be more. */
export function assertFields(value: unknown, fields: Readonly<Record<string, Kind>>): void {
  for (const [name, kind] of Object.entries(fields)) {
    const content = (value as Record<string, unknown>)[name];
    assert.equal(Array.isArray(content) ? 'array' : typeof content, kind, name);
  }
}

/** Puts a message into a room: its number. */
export async function post(
  { user, path }: Target,
  room: string,
  body: string | Uint8Array = 'text',
  init: { name?: string; query?: string; type?: string } = {},
): Promise<number> {
  const { name = 'new', query = '', type = 'text/plain' } = init;
  const response = await user.api(path(room, name) + query, { method: 'PUT', body, headers: { 'content-type': type } });
  assert.equal(response.status, 201, await response.clone().text());
  return Number(/^"(\d+)"$/.exec(response.headers.get('etag')!)![1]);
}

/** An error answer as it has to be (RFC 9457); its fields. */
export async function problemOf(
  response: Response | Promise<Response>,
  status: number,
): Promise<Record<string, unknown>> {
  const answer = await response;
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const problem = (await answer.json()) as Record<string, unknown>;
  assertFields(problem, { type: 'string', title: 'string', status: 'number', detail: 'string' });
  assert.equal(problem.status, status);
  return problem;
}

/** The statuses of what `send` does with each of these. */
export async function statusesOf<T>(cases: readonly T[], send: (one: T) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (const one of cases) {
    const response = await send(one);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

/** Logs in with a session cookie, and answers what sends it. */
export async function withSession({ nobody, user }: Target): Promise<{ api: Api; cookie: string; setCookie: string }> {
  const { name: username, password } = user;
  const response = await nobody('a/login', { method: 'POST', ...json({ username, password }) });
  assert.equal(response.status, 200);
  const setCookie = response.headers.getSetCookie()[0] ?? '';
  const cookie = setCookie.split(';')[0]!;
  return {
    cookie,
    setCookie,
    api: (path, init = {}) => nobody(path, { ...init, headers: { cookie, ...init.headers } }),
  };
}
