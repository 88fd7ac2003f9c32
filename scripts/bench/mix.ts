// The requests of the benchmark: of each kind one that is always the same, and many of which hardly two are equal, of
// all users, rooms and messages that there are. Found by asking the server itself: any with the same paths will do.

import { randomFrom } from '../../test/support/random.ts';
import type { LoadRequest } from './load.ts';

/** a user as HTTP has one, and what this user can read */
interface Reader {
  headers: Record<string, string>;
  rooms: { path: string; numbers: readonly number[] }[];
}

export interface Kind {
  name: string;
  equal: LoadRequest;
  /** in the order in which they are to be sent */
  mix: readonly LoadRequest[];
}

/** enough of a kind that nothing comes again soon */
const MIX = 400;
/** of messages, which servers may keep */
const MESSAGES_MIX = 2000;
/** a busy server takes these at once */
const AT_ONCE = 8;
const WANTED_PROPERTIES = '<propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getcontenttype/></prop></propfind>';
const PAGES = ['guide/start.html', 'guide/curl.html', 'guide/dav.html', 'guide/operating.html', 'openapi.json'];
/** header fields that a node:http server adds to all its answers */
const WRITTEN_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
/** from the server's root */
const PREFIX = '/svc/';

/** The answer. Throws where the status is 400 or more. */
export async function ask(url: string, request: LoadRequest): Promise<Response> {
  const { method = 'GET', path, headers = {}, body } = request;
  const response = await fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** `each` for all of `list`, some at once; the results in the order of the list. */
export async function forAll<T, R>(list: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = list.entries();
  const run = async () => {
    for (const [i, item] of left) results[i] = await each(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return results;
}

/** The header fields of each user: a cookie. */
export async function logInAll(
  url: string,
  users: readonly { name: string; password: string }[],
): Promise<Record<string, string>[]> {
  return forAll(users, async ({ name, password }) => {
    const answer = await ask(url, {
      method: 'POST',
      path: `${PREFIX}a/login`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: name, password }),
    });
    await answer.text();
    return { cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! };
  });
}

/** What users can ask, given the header fields that each of them sends. */
export async function findKinds(url: string, users: readonly Record<string, string>[]): Promise<Kind[]> {
  const random = randomFrom(1);
  const known = new Map<string, readonly number[]>();
  const readers = await forAll(users, async (headers): Promise<Reader> => {
    const rooms: Reader['rooms'] = [];
    const list = (await (await ask(url, { path: `${PREFIX}r/`, headers })).json()) as { name: string }[];
    for (const { name } of list) {
      const path = `${PREFIX}r/${encodeURIComponent(name)}`;
      // others see the same of a room that has a name of its own; that of a mailbox is everybody's
      const isShared = /^(Room|Archive)/.test(name);
      const numbers = (isShared && known.get(name)) || (await numbersIn(url, path, headers));
      if (isShared) known.set(name, numbers);
      rooms.push({ path, numbers });
    }
    return { headers, rooms };
  });
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const many = (count: number, make: () => LoadRequest) => Array.from({ length: count }, make);
  const ofUser = (path: string) => many(MIX, () => ({ path: PREFIX + path, headers: pick(readers).headers }));
  const inRoom = (make: (room: string) => Partial<LoadRequest>) => () => {
    const { headers, rooms } = pick(readers);
    const made = make(pick(rooms).path);
    return { path: '', ...made, headers: { ...headers, ...made.headers } };
  };
  const ofMessage = (rest: string) => () => {
    const { headers, rooms } = pick(readers);
    const { path, numbers } = pick(rooms.filter((room) => room.numbers.length > 0));
    return { path: `${path}/${pick(numbers)}${rest}`, headers };
  };
  const pages = await forAll(PAGES, async (page) => {
    // the tag of what comes unpacked, as the load asks for it
    const answer = await ask(url, { path: `${PREFIX}s/${page}`, headers: { 'accept-encoding': 'identity' } });
    await answer.arrayBuffer();
    return { path: `${PREFIX}s/${page}`, tag: answer.headers.get('etag') ?? '' };
  });
  const propfind = (path: string) => ({
    method: 'PROPFIND',
    path: `${path}/`,
    headers: { Depth: '1', 'Content-Type': 'application/xml' },
    body: WANTED_PROPERTIES,
  });
  const mixes: Record<string, LoadRequest[]> = {
    floors: ofUser('f/'),
    rooms: ofUser('r/'),
    room: many(
      MIX,
      inRoom((path) => ({ path: `${path}/` })),
    ),
    stat: many(
      MIX,
      inRoom((path) => ({ path: `${path}/stat` })),
    ),
    'msgs.all': many(
      MIX,
      inRoom((path) => ({ path: `${path}/msgs.all` })),
    ),
    'msgs.new': many(
      MIX,
      inRoom((path) => ({ path: `${path}/msgs.new` })),
    ),
    mailbox: many(
      MIX,
      inRoom((path) => ({ path: `${path}/mailbox` })),
    ),
    message: many(MESSAGES_MIX, ofMessage('')),
    'message json': many(MESSAGES_MIX, ofMessage('/json')),
    part: await thatAre(url, many(MIX, ofMessage('/1'))),
    PROPFIND: many(MIX, inRoom(propfind)),
    static: pages.map(({ path }) => ({ path })),
    '304 ': pages.map(({ path, tag }) => ({ path, headers: { 'if-none-match': tag } })),
  };
  const kinds = Object.entries(mixes).map(([name, mix]) => ({ name: name.trim(), equal: mix[0]!, mix }));
  const reads = kinds.filter(({ name }) => name !== 'PROPFIND').flatMap(({ mix }) => mix.slice(0, MIX));
  return [...kinds, { name: 'all', equal: reads[0]!, mix: shuffled(reads, random) }];
}

/** Those that the server has: not each message has parts. */
async function thatAre(url: string, requests: readonly LoadRequest[]): Promise<LoadRequest[]> {
  const found = await forAll(requests, async ({ path, headers = {} }) => {
    const answer = await fetch(new URL(path, url), { headers });
    await answer.arrayBuffer();
    return answer.ok;
  });
  return requests.filter((_, i) => found[i]);
}

async function numbersIn(url: string, path: string, headers: Record<string, string>): Promise<number[]> {
  return (await (await ask(url, { path: `${path}/msgs.all`, headers })).json()) as number[];
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  const left = [...list];
  return Array.from(list, () => left.splice(random(left.length), 1)[0]!);
}

/** The answers, head and body, for a server that sends nothing else. */
export function answersTo(url: string, requests: readonly LoadRequest[]) {
  return forAll(requests, async (request) => {
    const answer = await ask(url, { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } });
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
    // fetch tells no two fields of one name apart: of these answers none has such
    const head = [...answer.headers].filter(([name]) => !WRITTEN_BY_NODE.has(name)).flat();
    return { status: answer.status, head, body };
  });
}
