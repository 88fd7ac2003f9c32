// People of every kind, and things that belong to one of them, for the table of who may do what
// (test/e2e/access.test.ts). A world is a room with a message and what else a request may name; it is used until a
// request has changed it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SESSION_COOKIE } from '../../src/gateway/caller.ts';
import { loadOrCreateKey, newSessionId, Sealer } from '../../src/gateway/seal.ts';
import { LEVEL, VIEW } from '../../src/model.ts';
import { ADMIN_PASSWORD, type Api, cookieOf, type Ending, startGateway, type TestGateway } from './gateway.ts';

/** who asks; each column of the table */
export const PEOPLE = ['nobody', 'newcomer', 'other', 'member', 'keeper', 'admin'] as const;
export type Person = (typeof PEOPLE)[number];

/** open to all; the same, where a user is named who asks himself; by invitation, with messages, files, pages */
export const PLACES = ['open', 'own', 'closed', 'files', 'wiki'] as const;
export type Place = (typeof PLACES)[number];

/** what a path may name, as it stands in a path */
export interface World extends Record<string, string> {
  room: string;
  name: string;
  version: string;
  user: string;
  floor: string;
  upload: string;
  /** the id of an app password of who keeps the room */
  password: string;
}

const SECONDS_OF_A_DAY = 86_400;
const VIEW_OF: Readonly<Record<Place, number>> = {
  open: VIEW.board,
  own: VIEW.board,
  closed: VIEW.board,
  files: VIEW.files,
  wiki: VIEW.wiki,
};
const MAIL = [
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'What nobody else is to read.',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  '',
  'Nor this.',
  '--b--',
  '',
].join('\r\n');

export interface AccessSite {
  gateway: TestGateway;
  as: Readonly<Record<Person, Api>>;
  /** cookies and credentials of the administrator that are not good, or no longer */
  bad: ReadonlyMap<string, Record<string, string>>;
  newWorld(place: Place): Promise<World>;
  /** what an administrator sees of it: the same before and after a request that is refused */
  look(world: World): Promise<string>;
}

export async function startAccessSite(t: Ending, options: string[] = []): Promise<AccessSite> {
  const users = ['other', 'member', 'keeper'].map((name) => ({ name, password: name }));
  const newcomer = { name: 'newcomer', password: 'newcomer', level: LEVEL.new };
  const gateway = await startGateway(t, { users: [...users, newcomer], options });
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const keeper = gateway.as('keeper');
  const as = {
    nobody: gateway.api,
    newcomer: gateway.as('newcomer'),
    other: gateway.as('other'),
    member: gateway.as('member'),
    keeper,
    admin,
  };
  let count = 0;
  let [user, floor, password] = ['none', 'none', 'none']; // each is used until somebody has deleted it
  const newWorld = async (place: Place): Promise<World> => {
    const name = `${place}-${++count}`;
    const kind = place === 'open' || place === 'own' ? 'public' : 'invitation';
    await sent(keeper, 'POST', 'r/', { name, kind, view: VIEW_OF[place] });
    if (kind === 'invitation') await sent(keeper, 'PUT', `r/${name}/members/member`);
    const title = { files: 'plans.txt', wiki: 'Plans' }[place as string];
    const type = title === undefined ? 'multipart/mixed; boundary=b' : 'text/plain; charset=utf-8';
    const headers = { 'content-type': type };
    await put(keeper, `r/${name}/${title ?? 'new'}`, headers, MAIL);
    if (place === 'wiki') await put(keeper, `r/${name}/Plans`, headers, 'Other plans.');
    if (place === 'files') await sent(keeper, 'MKCOL', `r/${name}/inner`);
    if (place === 'files') await put(keeper, `r/${name}/inner/deep.txt`, headers, 'deep');
    const [message] = (await (await keeper(`r/${name}/msgs.all`)).json()) as number[];
    const form = new FormData();
    form.append('file', new Blob(['mine alone']), 'mine.txt');
    const encoded = new Response(form);
    const formHeaders = { 'content-type': encoded.headers.get('content-type')! };
    const uploaded = await keeper('p', { method: 'POST', headers: formHeaders, body: await encoded.bytes() });
    const [{ ref }] = (await uploaded.json()) as [{ ref: string }];
    if ((await admin(`u/${user}`)).status !== 200) {
      user = `user-${count}`;
      await sent(admin, 'POST', 'u/', { username: user, password: `password-${count}` });
    }
    if ((await admin(`f/${floor}`)).status !== 200) {
      const made = await sent(admin, 'POST', 'f/', { name: `Floor ${count}` });
      floor = made.headers.get('location')!.replace(/.*\//, '');
    }
    const has = async () => (await (await keeper('a/app-passwords')).json()) as { id: number }[];
    if (!(await has()).some(({ id }) => String(id) === password)) {
      await sent(keeper, 'POST', 'a/app-passwords', { name: `Reader ${count}`, scope: 'all' });
      password = String((await has()).at(-1)!.id);
    }
    let version = 'none';
    if (place === 'wiki') {
      const versions = (await (await keeper(`r/${name}/Plans/history`)).json()) as { version: string }[];
      version = versions.at(-1)!.version;
    }
    return {
      room: name,
      name: title ?? String(message),
      version,
      user: place === 'own' ? 'keeper' : user,
      floor,
      upload: ref,
      password,
    };
  };
  const look = async ({ room, user, floor, upload }: World): Promise<string> => {
    const paths = ['', 'mailbox', 'members', 'info.txt', 'msgs.all'].map((each) => `r/${room}/${each}`);
    const seen = await Promise.all(
      [...paths, `u/${user}`, `u/${user}/bio`, `f/${floor}`, 'f/', 'u/', 'r/'].map(async (path) => {
        const answer = await admin(path);
        // a room that somebody has deleted goes in pieces, later
        return `${path} ${answer.status} ${withoutId(await answer.text()).replaceAll(/"refcount":\d+/g, '')}`;
      }),
    );
    return [...seen, (await keeper(`p/${upload}`)).status].join('\n');
  };
  return { gateway, as, bad: await badCredentials(gateway), newWorld, look };
}

/** The text of an answer without the id of its request. */
export function withoutId(text: string): string {
  return text.replace(/,?"request_id":"\w+"/, '');
}

async function put(api: Api, path: string, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await api(path, { method: 'PUT', headers, body });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
}

/** All of them name the administrator. */
async function badCredentials(gateway: TestGateway): Promise<ReadonlyMap<string, Record<string, string>>> {
  const now = Math.floor(Date.now() / 1000);
  const sealer = new Sealer(await loadOrCreateKey(join(gateway.dataFolder, 'session-key')));
  const session = { id: newSessionId(), user: 'admin', password: ADMIN_PASSWORD, inbox: -1 };
  const expired = { ...session, issued: now - 2 * SECONDS_OF_A_DAY, expires: now - 1 };
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const logIn = async () => cookieOf(await gateway.api('a/login', { method: 'POST', headers, body }));
  const [good, revoked] = [await logIn(), await logIn()];
  await gateway.api('a/logout', { method: 'POST', headers: { cookie: revoked } });
  const at = good.length - 5;
  const tampered = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
  return new Map([
    ['an expired session', { cookie: `${SESSION_COOKIE}=${sealer.seal(expired)}` }],
    ['a session that was logged out', { cookie: revoked }],
    ['a tampered cookie', { cookie: tampered }],
  ]);
}

async function sent(api: Api, method: string, path: string, fields?: object): Promise<Response> {
  const init = fields && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
  const answer = await api(path, { method, ...init });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}
