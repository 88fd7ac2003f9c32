// What is asked of each route in the table of who may do what: the parts of its path, and a body that would be right.

import type { Place, World } from './access-world.ts';

export interface Asked {
  method: string;
  /** of the route table, below the prefix */
  pattern: string;
  place: Place;
  query?: string;
  headers?: Record<string, string>;
  /** `{n}`: another number each time */
  body?: string | Buffer;
}

type Details = Pick<Asked, 'query' | 'headers' | 'body'>;

const json = (value: unknown): Details => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const text = (body: string): Details => ({ headers: { 'content-type': 'text/plain; charset=utf-8' }, body });
const xml = (body: string, depth = '0'): Details => ({
  headers: { 'content-type': 'application/xml; charset=utf-8', depth },
  body,
});
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PNG: Details = {
  headers: { 'content-type': 'image/png' },
  body: Buffer.from(PIXEL, 'base64'),
};
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n--b--\r\n';
const SYNC = '<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop/></sync-collection>';
const LOCK = `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`;
const SET = '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>';
const BESIDE: Details = { headers: { destination: '/svc/r/Lobby/copied-{n}' } };
const ELSEWHERE: Details = { headers: { destination: '/svc/r/elsewhere-{n}' } };

/** by method and last word of the pattern, or the whole of it; the longer key counts */
const DETAILS: Readonly<Record<string, Details>> = {
  'POST a/login': json({ username: 'nobody-here', password: 'x' }),
  'POST a/password': json({ old: 'wrong' }),
  'POST a/app-passwords': json({ name: 'Reader', scope: 'feed', room: 'Lobby' }),
  'POST a/im': json({ to: 'keeper', text: 'hello' }),
  'GET a/complete': { query: '?q=k' },
  'GET a/recipient': { query: '?q=keeper' },
  'GET a/search': { query: '?q=plans' },
  'GET a/hits': { query: '?q=plans' },
  'POST f/': json({ name: 'A floor {n}' }),
  'PATCH f/:num': json({ name: 'Renamed {n}' }),
  'POST r/': json({ name: 'A room {n}' }),
  'PATCH r/:room': json({ name: 'Renamed {n}' }),
  'PATCH r/:room/': json({ name: 'Renamed {n}' }),
  'PUT info.txt': text('Welcome'),
  'PUT roompic': PNG,
  'PUT userpic': PNG,
  'GET slrp': { query: '?last=HIGHEST', headers: { 'x-requested-with': 'test' } },
  'GET a/im': { headers: { 'x-requested-with': 'test' } },
  'GET p/:room/:name': { headers: { 'x-requested-with': 'test' } },
  'GET p/r/:room/:name': { headers: { 'x-requested-with': 'test' } },
  'PATCH mailbox': json({ msgnums: [1], seen: true }),
  'MOVE :name': BESIDE,
  'COPY :name': BESIDE,
  'MOVE *path': BESIDE,
  'COPY *path': BESIDE,
  'PATCH :name': json({ seen: true }),
  'POST invitation': json({ answer: 'accepted' }),
  'POST u/': json({ username: 'somebody-{n}', password: 'password' }),
  'PATCH :user': json({ axlevel: 6 }),
  'PATCH u/:user/': json({ axlevel: 6 }),
  'PUT bio': text('About somebody'),
  'POST p': { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: FORM },
  'POST p/': { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: FORM },
  'POST u/:user/outbox': { headers: { 'content-type': 'text/calendar' }, body: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
  'POST u/:user/outbox/': {
    headers: { 'content-type': 'text/calendar' },
    body: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
  },
};
const BY_METHOD: Readonly<Record<string, Details>> = {
  PUT: text('Other words'),
  PROPFIND: xml('<propfind xmlns="DAV:"><allprop/></propfind>'),
  PROPPATCH: xml(SET),
  REPORT: xml(SYNC),
  LOCK: xml(LOCK, 'infinity'),
  UNLOCK: { headers: { 'lock-token': '<urn:uuid:00000000-0000-0000-0000-000000000000>' } },
  MOVE: ELSEWHERE,
  COPY: ELSEWHERE,
};
/** what the wildcards of a pattern stand for, or what is asked in place of it, by itself or with its method */
const WILDCARDS: Readonly<Record<string, string>> = {
  's/*path': 's/landing.html',
  'src/*path': 'src/main.ts',
  '/.well-known/*path': '/.well-known/security.txt',
  'r/:room/:name/*path': 'r/:room/inner/deep.txt',
  'r/:room/:name/:part': 'r/:room/:name/2',
  'r/:room/:name/:part/json': 'r/:room/:name/2/json',
  'a/app-passwords/:id': 'a/app-passwords/:password',
  'MKCOL r/:room': 'r/new-{n}',
  'MKCOL r/:room/': 'r/new-{n}/',
  'MKCALENDAR r/:room': 'r/new-{n}',
  'MKCALENDAR r/:room/': 'r/new-{n}/',
};

/** The rows of a route: one, or one of each place where it names a room. */
export function askedOf(method: string, pattern: string): Asked[] {
  const last = pattern.split('/').at(-1)!;
  const details = DETAILS[`${method} ${pattern}`] ?? DETAILS[`${method} ${last}`] ?? BY_METHOD[method] ?? {};
  return placesOf(method, pattern).map((place) => ({ method, pattern, place, ...details }));
}

function placesOf(method: string, pattern: string): Place[] {
  if (pattern.startsWith('u/:user')) {
    const isAccount = /^u\/:user\/?$/.test(pattern) && (method === 'PATCH' || method === 'DELETE');
    return isAccount ? ['open'] : ['open', 'own'];
  }
  if (!pattern.includes(':room')) return ['open'];
  if (pattern.includes('*path')) return ['files'];
  return pattern.includes('/history') ? ['wiki'] : ['open', 'closed'];
}

/** The path of a request, below the prefix or absolute. `room`: in place of the world's. */
export function pathOf({ method, pattern, place, query = '' }: Asked, world: World, room = world.room): string {
  // a room that is there is asked for, too: the closed one
  const other = place === 'open' ? WILDCARDS[`${method} ${pattern}`] : undefined;
  const path = (other ?? WILDCARDS[pattern] ?? pattern)
    .replace('members/:user', 'members/other')
    .replace(/:(\w+)/g, (_, name: string) => values(world, room)[name] ?? name);
  return `${path}${query}`;
}

function values(world: World, room: string): Record<string, string> {
  const { floor, upload, ...others } = world;
  return { ...others, num: floor, id: upload, room };
}
