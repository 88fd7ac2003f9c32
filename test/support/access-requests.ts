// What is asked of each route in the table of who may do what: the parts of its path, and a body that would be right.

import { isDeep, OWN_COLLECTION, type Place, placesOf } from './access-places.ts';
import { reportBody, reportsOn } from './access-reports.ts';
import { calendarObject, contact } from './calendar-object.ts';
import { meetingOf, requestIn } from './meetings.ts';

export interface Asked {
  method: string;
  /** of the route table, below the prefix */
  pattern: string;
  /** which of several requests of the route this is; empty where there is one */
  kind: string;
  place: Place;
  /** in place of the pattern; like it, but that `{word}` is filled in */
  path?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

type Words = Readonly<Record<string, string>>;
/** `{word}`: of the world, of who asks, or `{n}`, another number each time */
type Details = Pick<Asked, 'path' | 'query' | 'headers' | 'body'>;

const json = (value: unknown): Details => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const text = (body: string, type = 'text/plain'): Details => ({
  headers: { 'content-type': `${type}; charset=utf-8` },
  body,
});
const xml = (body: string, depth = '0'): Details => ({
  headers: { 'content-type': 'application/xml; charset=utf-8', depth },
  body,
});
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PNG: Details = {
  headers: { 'content-type': 'image/png' },
  body: Buffer.from(PIXEL, 'base64'),
};
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n--b--\r\n';
const FILE: Details = { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: FORM };
export const LOCK = xml(
  `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`,
  'infinity',
);
const SET = '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>';
const SET_CALENDAR =
  '<propertyupdate xmlns="DAV:"><set><prop><schedule-default-calendar-URL xmlns="urn:ietf:params:xml:ns:caldav">' +
  '<href xmlns="DAV:">/svc/r/Calendar/</href></schedule-default-calendar-URL></prop></set></propertyupdate>';
const busyRequest = (organizer: string): Details =>
  text(
    requestIn(
      calendarObject('VFREEBUSY', 'busy-{n}', [
        'DTSTART:20260105T000000Z',
        'DTEND:20260106T000000Z',
        `ORGANIZER:${organizer}`,
        'ATTENDEE:mailto:{keeper}',
      ]),
    ),
    'text/calendar',
  );
const INVITES = meetingOf('invited-{n}', 'mailto:{me}', ['mailto:{keeper}']).text;
const INVITATION = text(requestIn(INVITES), 'text/calendar');
const UNLOCK: Details = { headers: { 'lock-token': '<{lock}>' } };
const ELSEWHERE: Details = { headers: { destination: '/svc/r/elsewhere-{n}' } };
/** from an open room into that of the place */
const INTO: Details = { path: 'r/Lobby/:source', headers: { destination: '/svc/r/{room}/copied-{n}' } };
const OBJECTS: Readonly<Partial<Record<Place, Details>>> = {
  cal: text(calendarObject('VEVENT', '{uid}', ['DTSTART:20260106T100000Z', 'SUMMARY:Other']), 'text/calendar'),
  tasks: text(calendarObject('VTODO', '{uid}', ['SUMMARY:Other']), 'text/calendar'),
  cards: text(contact('{uid}', 'Other'), 'text/vcard'),
};

/** by method and last word of the pattern, or the whole of it; the longer key counts */
const DETAILS: Readonly<Record<string, Details>> = {
  'POST a/login': json({ username: 'keeper', password: 'keeper' }),
  'POST a/password': json({ old: '{secret}', new: '{secret}' }),
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
  'PUT info.txt': text('Welcome, all'),
  'PUT roompic': PNG,
  'PUT userpic': PNG,
  'GET slrp': { query: '?last=HIGHEST', headers: { 'x-requested-with': 'test' } },
  'GET a/im': { headers: { 'x-requested-with': 'test' } },
  'GET p/:room/:name': { headers: { 'x-requested-with': 'test' } },
  'GET p/r/:room/:name': { headers: { 'x-requested-with': 'test' } },
  'PATCH mailbox': json({ msgnums: [1], seen: true }),
  'PATCH :name': json({ seen: true }),
  'POST invitation': json({ answer: 'accepted' }),
  'POST u/': json({ username: 'somebody-{n}', password: 'password' }),
  'PATCH :user': json({ axlevel: 6 }),
  'PATCH u/:user/': json({ axlevel: 6 }),
  'PUT bio': text('About somebody'),
  'POST p': FILE,
  'POST p/': FILE,
  'PROPPATCH inbox': xml(SET_CALENDAR),
  'PROPPATCH u/:user/inbox/': xml(SET_CALENDAR),
  'POST outbox': busyRequest('mailto:{me}'),
};
const BY_METHOD: Readonly<Record<string, Details>> = {
  PUT: text('Other words'),
  PROPFIND: xml('<propfind xmlns="DAV:"><allprop/></propfind>'),
  PROPPATCH: xml(SET),
  LOCK,
  UNLOCK,
  MOVE: ELSEWHERE,
  COPY: ELSEWHERE,
};
/** by method and pattern, each request by what tells it from the others */
const SEVERAL: Readonly<Record<string, Record<string, Details>>> = {
  'POST a/app-passwords': {
    all: json({ name: 'Reader', scope: 'all' }),
    feed: json({ name: 'Reader', scope: 'feed', room: 'Lobby' }),
  },
  'POST u/:user/outbox/': {
    'free-busy': busyRequest('mailto:{me}'),
    'free-busy for another': busyRequest('mailto:nobody@elsewhere.example'),
    invitation: INVITATION,
  },
  // of the keeper's lock, as everywhere, and of the administrator's
  'UNLOCK r/:room': { '': UNLOCK, 'of admin': UNLOCK },
  'UNLOCK r/:room/:name': { '': UNLOCK, 'of admin': UNLOCK },
};
/** what is asked in place of a pattern, by itself or with its method */
const PATHS: Readonly<Record<string, string>> = {
  's/*path': 's/landing.html',
  'src/*path': 'src/mime/objects/components.ts',
  '/.well-known/*path': '/.well-known/security.txt',
  'a/app-passwords/:id': 'a/app-passwords/:password',
  'PUT r/:room/members/:user': 'r/:room/members/other',
  'DELETE r/:room/members/:user': 'r/:room/members/member',
};
/** of the world, for a parameter of a pattern */
const WORD_OF: Words = { num: 'floor', id: 'upload' };
const MAKING = new Set(['MKCOL', 'MKCALENDAR']);

/** The rows of a route: in each place that it may name, each request that is to be told from others. */
export function askedOf(method: string, pattern: string): Asked[] {
  return placesOf(method, pattern).flatMap((place) =>
    Object.entries(requestsOf(method, pattern, place)).map(([kind, details]) => {
      return { method, pattern, kind, place, ...details };
    }),
  );
}

function requestsOf(method: string, pattern: string, place: Place): Record<string, Details> {
  if (method === 'REPORT') {
    const href = pattern.startsWith('u/') ? 'u/{user}/inbox/{name}' : 'r/{room}/{name}';
    return Object.fromEntries(reportsOn(pattern, place).map((name) => [name, xml(reportBody(name, href), '1')]));
  }
  const isMember = pattern === 'r/:room/:name';
  if (isMember && method === 'PUT' && place in OBJECTS) return { '': OBJECTS[place]! };
  if (isMember && method === 'PUT' && place === 'mail') return { '': { ...BY_METHOD.PUT, query: '?mailto=keeper' } };
  // the number of a message is no name
  if (isMember && method === 'PUT') return { '': BY_METHOD.PUT!, new: { ...BY_METHOD.PUT, path: 'r/:room/new' } };
  if (pattern.includes(':name') && (method === 'MOVE' || method === 'COPY')) {
    const target = place === 'files' ? '{room}' : (OWN_COLLECTION[place] ?? 'Lobby');
    const away = { headers: { destination: `/svc/r/${target}/copied-{n}${pattern.endsWith('/') ? '/' : ''}` } };
    return isMember && !(place in OWN_COLLECTION) ? { '': away, into: INTO } : { '': away };
  }
  const last = pattern.split('/').at(-1)!;
  const details = DETAILS[`${method} ${pattern}`] ?? DETAILS[`${method} ${last}`] ?? BY_METHOD[method] ?? {};
  return (place === 'open' || place === 'own' ? SEVERAL[`${method} ${pattern}`] : undefined) ?? { '': details };
}

/** A request, with what `{word}` and `:word` stand for (a World or less); its path is below the prefix or absolute. */
export function requestOf(row: Asked, world: Words, more: Words) {
  const { method, headers = {}, body } = row;
  const values: Words = { ...world, ...more };
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (word, name: string) => values[name] ?? word);
  const fields = Object.entries(headers).map(([name, value]) => [name, filled(value)]);
  return {
    method,
    path: filled(pathOf(row, world)),
    headers: Object.fromEntries(fields) as Record<string, string>,
    ...(body !== undefined && { body: typeof body === 'string' ? filled(body) : body }),
  };
}

function pathOf({ method, pattern, place, path, query = '' }: Asked, world: Words): string {
  const asked = path ?? patternIn(place, method, pattern);
  return asked.replace(/:(\w+)/g, (_, name: string) => world[WORD_OF[name] ?? name] ?? name) + query;
}

function patternIn(place: Place, method: string, pattern: string): string {
  // in other places what is there already is to be made
  const isFree = place === 'open' || (place === 'files' && pattern.includes(':name'));
  if (MAKING.has(method) && isFree && !isDeep(pattern)) return pattern.replace(/:\w+(\/?)$/, 'new-{n}$1');
  // files may be named as what is made of a message; the interface's document, which answers are held to, is of those
  if (place === 'files' && isDeep(pattern))
    return pattern
      .replace(':name', ':folder')
      .replace('*path', 'deeper/deep.txt')
      .replaceAll(/\/(j|h)(?=son$|istory\b)/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`);
  return PATHS[`${method} ${pattern}`] ?? PATHS[pattern] ?? pattern.replace('*path', 'deeper/deep.txt');
}
