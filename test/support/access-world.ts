// People of every kind, and things that belong to one of them, for the table of who may do what
// (test/e2e/access.test.ts). A world is a room with a message and what else a request may name; it is used until a
// request has changed it.

import { join } from 'node:path';
import { SESSION_COOKIE } from '../../src/gateway/caller.ts';
import { loadOrCreateKey, newSessionId, Sealer } from '../../src/gateway/seal.ts';
import { APP_PASSWORD_SCOPES, type AppPasswordScope, LEVEL } from '../../src/model.ts';
import type { Place, World } from './access-places.ts';
import type { Asked } from './access-requests.ts';
import { furnish, sent } from './access-things.ts';
import { ADMIN_PASSWORD, type Api, cookieOf, type Ending, startGateway, type TestGateway } from './gateway.ts';

/** who asks; each column of the table: people, and programs of who keeps the room, by what their passwords are for */
export const PEOPLE = ['nobody', 'newcomer', 'other', 'member', 'keeper', 'admin'] as const;
export type Person = (typeof PEOPLE)[number] | AppPasswordScope;
export const ASKERS: readonly Person[] = [...PEOPLE, ...APP_PASSWORD_SCOPES];

export interface AccessSite {
  gateway: TestGateway;
  as: Readonly<Record<Person, Api>>;
  /** cookies and credentials of the administrator that are not good, or no longer */
  bad: ReadonlyMap<string, Record<string, string>>;
  /** of who asks, for bodies: his address, his own password */
  wordsOf(person: Person): Record<string, string>;
  /** without anything in it */
  newWorld(place: Place): World;
  /** Makes what the request names, unless it is there. → the world with names of its own for this request */
  furnish(row: Asked, world: World): Promise<World>;
  /** From then on the feed's password is for the room of this world. */
  feedOf(world: World): Promise<string>;
  /** what those see who see all of it: the same before and after a request that is refused */
  look(worlds: readonly World[]): Promise<string>;
}

const SECONDS_OF_A_DAY = 86_400;
/** accounts that a request may change or delete */
export const SPARE_USERS = Array.from({ length: 12 }, (_, i) => `spare-${i}`);
const ALL_PROPERTIES = {
  method: 'PROPFIND',
  headers: { depth: '1', 'content-type': 'application/xml' },
  body: '<propfind xmlns="DAV:"><allprop/><include><lockdiscovery/></include></propfind>',
};

export async function startAccessSite(t: Ending, options: string[] = []): Promise<AccessSite> {
  const users = ['other', 'member', 'keeper', ...SPARE_USERS].map((name) => ({ name, password: name }));
  const newcomer = { name: 'newcomer', password: 'newcomer', level: LEVEL.new };
  const gateway = await startGateway(t, { users: [...users, newcomer], options });
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const keeper = gateway.as('keeper');
  let feed = gateway.api;
  const programs = APP_PASSWORD_SCOPES.map(async (scope) => {
    if (scope === 'feed') return [scope, (path, init) => feed(path, init)] as [string, Api];
    return [scope, gateway.as('keeper', (await appPassword(keeper, { scope })).secret)] as [string, Api];
  });
  const as = {
    nobody: gateway.api,
    newcomer: gateway.as('newcomer'),
    other: gateway.as('other'),
    member: gateway.as('member'),
    keeper,
    admin,
    ...Object.fromEntries(await Promise.all(programs)),
  } as Record<Person, Api>;
  const { email, usernum } = (await (await keeper('a/whoami')).json()) as { email: string; usernum: number };
  const host = email.replace(/.*@/, '');
  const people = new Set<string>(PEOPLE);
  let count = 0;
  return {
    gateway,
    as,
    bad: await badCredentials(gateway),
    wordsOf(person) {
      const name = people.has(person) ? person : 'keeper';
      return { me: `${name}@${host}`, keeper: email, secret: person === 'admin' ? ADMIN_PASSWORD : name };
    },
    newWorld(place) {
      const none = { version: 'none', floor: 'none', upload: 'none', password: 'none' };
      // an object is one part, a letter has two
      const [user, part] = [place === 'own' ? 'keeper' : 'nobody', place === 'cal' ? '1' : '2'];
      return { id: String(++count), room: 'Lobby', name: '1', user, part, ...none };
    },
    furnish: (row, world) => furnish({ gateway, admin, keeper, member: as.member, usernum, host }, row, world),
    async feedOf({ room }) {
      const { secret } = await appPassword(keeper, { scope: 'feed', room });
      feed = gateway.as('keeper', secret);
      return secret;
    },
    async look(worlds) {
      const seen: Promise<string>[] = [];
      const see = (api: Api, path: string, init = {}) => seen.push(lookAt(api, path, init));
      for (const path of ['f/', 'u/', 'r/', 'r/Lobby/msgs.all']) see(admin, path);
      for (const path of ['a/app-passwords', 'r/', 'r/Calendar/msgs.all']) see(keeper, path);
      see(keeper, 'u/keeper/inbox/', ALL_PROPERTIES);
      see(as.newcomer, 'r/Calendar/msgs.all');
      const named = (word: keyof World) => new Set(worlds.map((world) => world[word]!));
      for (const room of named('room')) {
        for (const path of ['', 'info.txt', 'roompic', 'mailbox']) see(keeper, `r/${room}/${path}`);
        // who opens it with its password is in it from then on
        if (!room.startsWith('secret')) see(keeper, `r/${room}/members`);
        see(keeper, `r/${room}/`, ALL_PROPERTIES);
      }
      for (const user of named('user')) for (const path of ['', 'bio', 'userpic']) see(admin, `u/${user}/${path}`);
      for (const upload of named('upload')) see(keeper, `p/${upload}`);
      return (await Promise.all(seen)).join('\n');
    },
  };
}

async function lookAt(api: Api, path: string, init: object): Promise<string> {
  const answer = await api(path, init);
  // a room that somebody has deleted goes in pieces, later; when one has called, or how long a lock lasts, is no change
  const text = withoutId(await answer.text()).replaceAll(/,"(?:refcount|used|last_call)":\d+|Second-\d+/g, '');
  return `${path} ${answer.status} ${text}`;
}

async function appPassword(api: Api, fields: { scope: AppPasswordScope; room?: string }): Promise<{ secret: string }> {
  const made = await sent(api, 'POST', 'a/app-passwords', { name: 'A program', ...fields });
  return (await made.json()) as { secret: string };
}

/** The text of an answer without the id of its request. */
export function withoutId(text: string): string {
  return text.replace(/,?"request_id":"\w+"/, '');
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
