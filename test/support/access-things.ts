// What a request in the table of who may do what names, made before it is asked: a room with a message, files in
// folders, a lock, an invitation, an account.

import assert from 'node:assert/strict';
import { isDeep, type Place, ROOM_PASSWORD, VIEW_OF, type World } from './access-places.ts';
import { reportBody } from './access-reports.ts';
import { type Asked, LOCK, PNG, requestOf } from './access-requests.ts';
import { calendarObject, contact } from './calendar-object.ts';
import { eventually } from './eventually.ts';
import { type Api, postedNumber, type TestGateway } from './gateway.ts';
import { meetingOf, requestIn } from './meetings.ts';

interface Makers {
  gateway: TestGateway;
  admin: Api;
  keeper: Api;
  member: Api;
  /** of who keeps the rooms */
  usernum: number;
  /** of mail addresses */
  host: string;
}

const NO_LOCK = 'urn:uuid:00000000-0000-0000-0000-000000000000';
const TEXT = 'text/plain; charset=utf-8';
/** With a mail in it, and the boundary b. */
export const MAIL = [
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

/** Puts into the world what the request names, each thing once. → the world with names of its own for this request */
export async function furnish(makers: Makers, row: Asked, world: World): Promise<World> {
  const isOfNoRoom = row.place === 'own' || (row.place === 'open' && !row.pattern.includes(':room'));
  if (!isOfNoRoom && world.room === 'Lobby') await makeRoom(makers, row.place, world);
  if (row.place === 'open' && row.pattern.includes(':user')) world.user = await spareUser(makers, world);
  const own: Record<string, string> = {};
  for (const [pattern, make] of THINGS) {
    if (pattern.test(`${row.method} ${row.pattern}`)) Object.assign(own, await make(makers, row, world));
  }
  if (row.place === 'files' && isDeep(row.pattern)) own.folder = await makeFolders(makers, row, world);
  if (row.method === 'UNLOCK') own.lock = await lock(makers, row, { ...world, ...own });
  return { ...world, ...own };
}

/** What is to be used once more is put into the world, and what is returned is of this request alone. */
type Make = (makers: Makers, row: Asked, world: World) => Promise<Record<string, string> | undefined>;

const THINGS: readonly [route: RegExp, make: Make][] = [
  [/\/(?:info\.txt|roompic)$/, showRoom],
  [/\/(?:bio|userpic)$/, showUser],
  [/ u\/:user\/inbox/, invite],
  [/^POST .*\/invitation$/, postInvitation],
  [/\/history/, writeAgain],
  [/^(?:MOVE|COPY) r\/:room\/:name$/, postSource],
  [/ a\/im$/, listen],
  [/ p\/:id$/, upload],
  [/ f\/:num$/, makeFloor],
  [/ a\/app-passwords\/:id$/, makeAppPassword],
];

/** What a room of the place holds: its name, its type, itself. */
function contentOf(place: Place, uid: string): [name: string, type: string, body: string] {
  switch (place) {
    case 'files':
      return ['plans.txt', TEXT, 'Plans'];
    case 'wiki':
      return ['Plans', TEXT, 'Plans'];
    case 'cal':
      return [`${uid}.ics`, 'text/calendar', calendarObject('VEVENT', uid, ['DTSTART:20260105T100000Z', 'SUMMARY:A'])];
    case 'tasks':
      return [`${uid}.ics`, 'text/calendar', calendarObject('VTODO', uid, ['SUMMARY:A'])];
    case 'cards':
      return [`${uid}.vcf`, 'text/vcard', contact(uid, 'A')];
    default:
      return ['new', 'multipart/mixed; boundary=b', MAIL];
  }
}

const KINDS: Readonly<Partial<Record<Place, object>>> = {
  open: { kind: 'public' },
  mail: { kind: 'personal' },
  secret: { kind: 'password', password: ROOM_PASSWORD },
  still: { kind: 'public' },
};

async function makeRoom({ keeper, usernum }: Makers, place: Place, world: World): Promise<void> {
  const name = `${place}-${world.id}`;
  const kind = KINDS[place] ?? { kind: 'invitation' };
  await sent(keeper, 'POST', 'r/', { name, view: VIEW_OF[place] ?? 0, ...kind });
  if (KINDS[place] === undefined) await sent(keeper, 'PUT', `r/${name}/members/member`);
  world.uid = `object-${world.id}`;
  const [title, type, body] = contentOf(place, world.uid);
  if (title === 'new') world.name = await post(keeper, place, name, type, body);
  else await put(keeper, `r/${name}/${(world.name = title)}`, type, body);
  if (place === 'still') await sent(keeper, 'PATCH', `r/${name}`, { is_read_only: true });
  // to others than its owner: if anything, it has this name
  world.room = place === 'mail' ? `${String(usernum).padStart(10, '0')}.${name}` : name;
}

/** A letter goes to a mailbox by itself; what is in a room of letters comes from elsewhere. → its number */
async function post(keeper: Api, place: Place, room: string, type: string, body: string): Promise<string> {
  if (place !== 'mail') return String(postedNumber(await put(keeper, `r/${room}/new`, type, body)));
  const number = postedNumber(await put(keeper, 'r/Lobby/new', type, body));
  const headers = { destination: `/svc/r/${room}/${number}` };
  assert.equal((await keeper(`r/Lobby/${number}`, { method: 'COPY', headers })).status, 201);
  return String(number);
}

/** One that nobody has deleted. */
async function spareUser({ admin }: Makers, { user }: World): Promise<string> {
  for (let i = 0, name = user; ; name = `spare-${i++}`) if ((await admin(`u/${name}`)).status === 200) return name;
}

/** The file, or for who makes one the folders above it; a folder of its own for each request. */
async function makeFolders({ keeper }: Makers, row: Asked, world: World): Promise<string> {
  const folder = `inner-${(foldersMade += 1)}`;
  const { path } = requestOf(row, { ...world, folder }, {});
  const isFolder = path.endsWith('/');
  const segments = path.replace(/\/$/, '').split('/');
  const isMade = row.method === 'MKCOL';
  for (let i = 3; i < segments.length + (isFolder && !isMade ? 1 : 0); i++) {
    await sent(keeper, 'MKCOL', segments.slice(0, i).join('/'));
  }
  if (!isFolder && !isMade) await put(keeper, path, TEXT, 'deep');
  return folder;
}
let foldersMade = 0;

/** Who does not ask for instant messages gets none. */
async function listen({ keeper }: Makers): Promise<undefined> {
  assert.equal((await keeper('a/im', { headers: { 'x-requested-with': 'test' } })).status, 200);
}

async function showRoom({ keeper }: Makers, _row: Asked, { room }: World): Promise<undefined> {
  await put(keeper, `r/${room}/info.txt`, TEXT, 'Welcome');
  await keeper(`r/${room}/roompic`, { ...PNG, method: 'PUT' });
}

async function showUser({ gateway }: Makers, _row: Asked, { user }: World): Promise<undefined> {
  await put(gateway.as(user), `u/${user}/bio`, TEXT, 'About me');
  await gateway.as(user)(`u/${user}/userpic`, { ...PNG, method: 'PUT' });
}

/** An event of the member's, to which the user of the path is invited. */
async function invite({ gateway, member, host }: Makers, _row: Asked, world: World) {
  if (world.letter !== undefined) return { name: world.letter };
  const { uid, text } = meetingOf(`meeting-${world.id}`, `mailto:member@${host}`, [`mailto:${world.user}@${host}`]);
  await put(member, `r/Calendar/${uid}.ics`, 'text/calendar', text);
  const headers = { depth: '1', 'content-type': 'application/xml' };
  const query = { method: 'REPORT', headers, body: reportBody('calendar-query') };
  await eventually(async () => {
    const answer = await gateway.as(world.user)(`u/${world.user}/inbox/`, query);
    const responses = (await answer.text()).split('<D:response>');
    const found = responses.find((each) => each.includes(`UID:${uid}`)) ?? '';
    world.letter = /<D:href>[^<]+\/([^<]+)</.exec(found)?.[1] ?? '';
    return world.letter !== '';
  }, true);
  return { name: world.letter! };
}

/** Everybody is invited: who cannot read it cannot answer it. */
async function postInvitation({ keeper, host }: Makers, { place }: Asked, world: World) {
  if (place === 'cal') return undefined; // its objects are events, not messages
  const guests = ['newcomer', 'other', 'member', 'keeper', 'admin'].map((name) => `mailto:${name}@${host}`);
  const { text } = meetingOf(`invitation-${world.id}`, 'mailto:host@elsewhere.example', guests);
  return { name: await post(keeper, place, world.room, 'text/calendar; method=REQUEST', requestIn(text)) };
}

async function writeAgain({ keeper }: Makers, { place }: Asked, world: World): Promise<undefined> {
  if (place !== 'wiki' || world.version !== 'none') return;
  await put(keeper, `r/${world.room}/Plans`, TEXT, 'Other plans.');
  const versions = (await (await keeper(`r/${world.room}/Plans/history`)).json()) as { version: string }[];
  world.version = versions.at(-1)!.version;
}

/** Nothing below a message can be locked. */
async function lock({ admin, keeper }: Makers, row: Asked, world: World): Promise<string> {
  const api = row.kind === 'of admin' ? admin : keeper;
  const answer = await api(requestOf(row, world, {}).path, { ...LOCK, method: 'LOCK' });
  return /<(.+)>/.exec(answer.headers.get('lock-token') ?? '')?.[1] ?? NO_LOCK;
}

async function postSource({ admin }: Makers, { kind }: Asked) {
  if (kind !== 'into') return undefined;
  return { source: String(postedNumber(await put(admin, 'r/Lobby/new', TEXT, 'For all.'))) };
}

async function upload({ keeper }: Makers, _row: Asked, world: World): Promise<undefined> {
  if (world.upload !== 'none') return;
  const made = await keeper('p?filename=mine.txt', { method: 'POST', headers: { 'content-type': TEXT }, body: 'mine' });
  const [{ ref }] = (await made.json()) as [{ ref: string }];
  world.upload = ref;
}

async function makeFloor({ admin }: Makers, _row: Asked, world: World): Promise<undefined> {
  if (world.floor !== 'none') return;
  const made = await sent(admin, 'POST', 'f/', { name: `Floor ${world.id}` });
  world.floor = made.headers.get('location')!.replace(/.*\//, '');
}

async function makeAppPassword({ keeper }: Makers, _row: Asked, world: World): Promise<undefined> {
  if (world.password !== 'none') return;
  const made = await sent(keeper, 'POST', 'a/app-passwords', { name: `Reader ${world.id}`, scope: 'all' });
  world.password = String(((await made.json()) as { id: number }).id);
}

async function put(api: Api, path: string, type: string, body: string): Promise<Response> {
  const answer = await api(path, { method: 'PUT', headers: { 'content-type': type }, body });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}

export async function sent(api: Api, method: string, path: string, fields?: object): Promise<Response> {
  const init = fields && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
  const answer = await api(path, { method, ...init });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}
