// Who may do what: every route, asked by everybody, in one table (test/fixtures/access.txt), whose rows are place,
// route and a status for each who asks. What is refused changes nothing; a room that one may not see is like one that
// is not there; a session that has ended, a cookie that was changed and a wrong password are worth nothing.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { MAX_LOGIN_FAILURES, MAX_WAITING_LOG_INS } from '../../src/limits/sessions.ts';
import { isDeep, PLACES, type Place, ROOM_PASSWORD, type World } from '../support/access-places.ts';
import { type Asked, askedOf, requestOf } from '../support/access-requests.ts';
import { ASKERS, PEOPLE, type Person, SPARE_USERS, startAccessSite, withoutId } from '../support/access-world.ts';
import type { Api } from '../support/gateway.ts';
import { writeSiteFiles } from '../support/site-files.ts';

const PREFIX = '/svc/';
const SAFE = new Set(['GET', 'PROPFIND', 'REPORT']);
const ROWS_AT_ONCE = 6;
/** of one account from one network, before none is looked at any more */
const FEW_FAILURES = MAX_LOGIN_FAILURES - 1;
/** by invitation, and what a person has for himself */
const HIDDEN: ReadonlySet<Place> = new Set<Place>(['closed', 'files', 'wiki', 'cal', 'tasks', 'cards', 'mail']);
/** that a name is taken cannot be hidden from who wants to take it */
const MAKES_ROOM = /^(?:MKCOL|MKCALENDAR) r\/:room\/?$/;
/** those who may not see a hidden room */
const OUTSIDE: ReadonlySet<Person> = new Set<Person>(['nobody', 'newcomer', 'other']);
/** these change something (HTTP decision 37) */
const HAS_NO_HEAD = /^(?:a\/logout|r\/:room\/slrp|p\/(?:r\/)?:room\/:name)$/;
/** where a file could be called `slrp`, they are refused before it is looked for (HTTP decision 97) */
const READS_NO_FILE: ReadonlySet<Person> = new Set<Person>(['nobody', 'feed']);
/** not to be asked twice of the same things */
const ONCE = /^(?:DELETE|MOVE|COPY|MKCOL|LOCK|UNLOCK) |^PATCH [ru]\/:\w+\/?$|a\/im$/;
/** no app password is asked for there */
const ASKS_OPTIONS: ReadonlySet<Person> = new Set<Person>(['nobody', 'newcomer', 'other', 'keeper']);
/** one of each kind of asker: who may read does not depend on it */
const ASKS_HEAD: ReadonlySet<Person> = new Set<Person>([...ASKS_OPTIONS, 'feed']);
/** a 207 says of one thing alone what has become of it */
const TELLS_INSIDE = /^PROPPATCH |^REPORT .*-multiget$/;

const router = routes(PREFIX);
addDavRoutes(router, PREFIX);
const asked: Asked[] = router.routes().flatMap(({ method, pattern }) => {
  const below = pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
  return askedOf(method === '*' ? 'PROPFIND' : method, below);
});
const rows = asked.toSorted((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place));
const statics = await mkdtemp(join(tmpdir(), 'access-'));
await writeSiteFiles(statics);
after(() => rm(statics, { recursive: true }));
const site = await startAccessSite({ after }, ['--trust-proxy', '--static', statics]);

const routeOf = ({ method, pattern, kind }: Asked) => [method, pattern, kind].join(' ').trim();
const beginningOf = (row: Asked) => `${row.place.padEnd(6)} ${routeOf(row).padEnd(52)} `;
const lines = (await readFile(new URL('../fixtures/access.txt', import.meta.url), 'utf8'))
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const agreed = lines.map((line) => line.replace(/ +#.*/, ''));
const agreedStatuses = new Map(
  agreed.map((line) => [line.replace(/ +(?:\d{3} +)+\d{3}$/, ''), line.match(/(?<= )\d{3}(?= |$)/g)!.map(Number)]),
);
const agreedOn = (row: Asked) => agreedStatuses.get(beginningOf(row).trimEnd()) ?? ASKERS.map(() => 0);
let count = 0;

interface Seen {
  status: number;
  body: string;
  headers: Headers;
}

async function ask(
  api: Api,
  row: Asked,
  world: World,
  more: Record<string, string> = {},
  words: Record<string, string> = {},
): Promise<Seen> {
  const stop = new AbortController();
  const { path, ...init } = requestOf(row, world, { n: String(++count), ...words });
  const answer = await api(path, { ...init, headers: { ...init.headers, ...more }, signal: stop.signal });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const body = isStream ? '' : withoutId(await answer.text());
  stop.abort();
  const inner = TELLS_INSIDE.test(routeOf(row)) && answer.status === 207 ? / (\d{3}) /.exec(body)?.[1] : undefined;
  return { status: inner === undefined ? answer.status : Number(inner), body, headers: answer.headers };
}

/** A room's password is known to its members. */
function askAs(person: Person, row: Asked, world: World): Promise<Seen> {
  const knowsPassword = row.place === 'secret' && person === 'member';
  return ask(
    site.as[person],
    row,
    world,
    knowsPassword ? { 'x-room-password': ROOM_PASSWORD } : {},
    site.wordsOf(person),
  );
}

/** The route that is asked, below the prefix. */
function routeAsked(row: Asked, world: World): string | undefined {
  const path = requestOf(row, world, { n: '0' }).path.replace(/\?.*/, '');
  const match = router.match(row.method, path.startsWith('/') ? path : PREFIX + path);
  return match.kind === 'found' ? match.pattern.replace(/^\/svc\/(?=.)/, '') : undefined;
}

/** So that one waits while another is answered. */
async function someAtOnce(of: readonly Asked[], each: (row: Asked) => Promise<void>): Promise<void> {
  for (let i = 0; i < of.length; i += ROWS_AT_ONCE) await Promise.all(of.slice(i, i + ROWS_AT_ONCE).map(each));
}

const isOutside = (person: Person, place: Place) => OUTSIDE.has(person) || (place === 'mail' && person === 'member');

describe('the table of who may do what', () => {
  const statuses = new Map<Asked, number[]>();
  const otherRoute: string[] = [];
  const notHidden: string[] = [];
  const changed: string[] = [];
  const otherHead: string[] = [];
  const optionsTell: string[] = [];
  const worlds = new Map<Asked, World>();
  /** with a password that was set anew each log-in takes long */
  const atEnd: (() => Promise<void>)[] = [];
  /** the password of a feed of its room */
  const feeds = new Map<Place, string>();
  const nobodySees = (row: Asked) => statuses.get(row)![0];

  const lookForHidden = async (person: Person, row: Asked, world: World, seen: Seen, told = notHidden) => {
    if (!HIDDEN.has(row.place) || !isOutside(person, row.place) || MAKES_ROOM.test(routeOf(row))) return;
    const room = `${/^\d+\.|/.exec(world.room)![0]}nowhere-${count}`;
    const nowhere = await askAs(person, row, { ...world, room });
    const [same, other] = [seen, nowhere].map(({ status, body, headers }, i) => {
      const text = body.replaceAll(i === 0 ? world.room : room, 'ROOM').replaceAll(/-\d+\b/g, '-N');
      return `${status} ${text} ${headers.get('allow')} ${headers.get('dav')}`;
    });
    if (same !== other) told.push(`${person} ${row.place} ${routeOf(row)}: ${same}, not ${other}`);
  };

  const note = async (person: Person, row: Asked, world: World): Promise<void> => {
    const seen = await askAs(person, row, world);
    statuses.get(row)![ASKERS.indexOf(person)] = seen.status;
    await lookForHidden(person, row, world, seen);
  };

  /** What is asked of HEAD and OPTIONS at the address of a row that changes nothing. */
  const noteOthers = async (person: Person, row: Asked, world: World): Promise<void> => {
    const told = (text: string) => `${person} ${row.place} ${routeOf(row)}: ${text}`;
    if (row.method === 'GET' && ASKS_HEAD.has(person)) {
      const ofGet = statuses.get(row)![ASKERS.indexOf(person)];
      const isRefusedAFile = row.pattern === 'r/:room/slrp' && READS_NO_FILE.has(person);
      const wanted = HAS_NO_HEAD.test(row.pattern) && !isRefusedAFile ? 405 : ofGet;
      const { status } = await askAs(person, { ...row, method: 'HEAD' }, world);
      if (status !== wanted) otherHead.push(told(`${status}, not ${wanted}`));
    }
    if (!ASKS_OPTIONS.has(person)) return;
    const options: Asked = { ...row, method: 'OPTIONS', headers: {}, body: '' };
    const answer = await askAs(person, options, world);
    const wanted = row.pattern.startsWith('/.well-known/c') ? 301 : 200;
    if (answer.status !== wanted) optionsTell.push(told(String(answer.status)));
    await lookForHidden(person, options, world, answer, optionsTell);
  };

  const walk = async (place: Place): Promise<void> => {
    const here = rows.filter((row) => row.place === place);
    const world = site.newWorld(place);
    for (const row of here) {
      // what is locked for one request is locked for all
      const own = await site.furnish(row, row.method === 'UNLOCK' ? site.newWorld(place) : world);
      worlds.set(row, own);
      statuses.set(row, []);
      if (row.path === undefined && routeAsked(row, own) !== row.pattern) otherRoute.push(routeOf(row));
    }
    feeds.set(place, await site.feedOf(world));
    const [safe, changing] = [true, false].map((isSafe) => here.filter(({ method }) => SAFE.has(method) === isSafe));
    const wasRefused = (person: Person, row: Asked) => agreedOn(row)[ASKERS.indexOf(person)]! >= 400;

    // of two versions within a second the later counts one second on, and is told no earlier (HTTP decision 96)
    if (place === 'wiki') await setTimeout(1000);
    const used = here.map((row) => worlds.get(row)!);
    const before = await site.look(used);
    await someAtOnce(changing!, async (row) => {
      const refused = ASKERS.filter((person) => wasRefused(person, row));
      await Promise.all(refused.map((person) => note(person, row, worlds.get(row)!)));
    });
    const now = await site.look(used);
    if (now !== before) changed.push(`${place}\n${difference(before, now)}`);

    await someAtOnce(safe!, async (row) => {
      await Promise.all(ASKERS.map((person) => note(person, row, worlds.get(row)!)));
      await Promise.all(ASKERS.map((person) => noteOthers(person, row, worlds.get(row)!)));
    });
    const allow = async (row: Asked) => {
      for (const person of ASKERS.filter((each) => !wasRefused(each, row))) {
        const isFolder = place === 'files' && isDeep(row.pattern) && row.method !== 'UNLOCK';
        const own = () => site.furnish(row, isFolder ? world : site.newWorld(place));
        await note(person, row, ONCE.test(routeOf(row)) ? await own() : worlds.get(row)!);
      }
    };
    // an account, and what belongs to it, is the same in all worlds
    const [ofRooms, others] = [true, false].map((is) =>
      changing!.filter((row) => row.pattern.includes(':room') === is),
    );
    for (const row of others!) {
      if (row.pattern === 'a/password') atEnd.push(() => allow(row));
      else await allow(row);
    }
    await someAtOnce(ofRooms!, allow);
  };

  before(async () => {
    for (const place of PLACES) await walk(place);
    for (const each of atEnd) await each();
  });

  it('is as it was agreed upon', () => {
    const table = rows.map((row) => {
      const all = statuses.get(row)!;
      return `${beginningOf(row)}${all.slice(0, PEOPLE.length).join(' ')}  ${all.slice(PEOPLE.length).join(' ')}`;
    });
    assert.deepEqual(table, agreed);
  });

  it('says why where nobody is served', () => {
    const unsaid = lines.filter((line) => !/ [23]\d\d(?: |$)| # \w/.test(line));
    assert.deepEqual(unsaid, []);
  });

  it('asks each route itself', () => assert.deepEqual(otherRoute, []));

  it('has no room that is not to be seen and yet is told from one that is not there', () => {
    assert.deepEqual(notHidden, []);
  });

  it('has no refusal that changes anything', () => assert.deepEqual(changed, []));

  it('has the same statuses for HEAD as for GET', () => assert.deepEqual(otherHead, []));

  it('has OPTIONS on each path, which tell nobody of what is hidden', () => assert.deepEqual(optionsTell, []));

  it('refuses a wrong password wherever it is looked who asks', async () => {
    const others: string[] = [];
    let refused = 0;
    const accounts = SPARE_USERS.slice(-5); // the others may have been deleted
    const askWrongly = async (name: string, row: Asked, from: Record<string, string>) => {
      const { status } = await ask(site.gateway.as(name, 'wrong'), row, worlds.get(row)!, from);
      // where nobody is served, nobody is asked for a password either
      const isAsNobody = status === nobodySees(row) && (status >= 300 || /^a\/log(?:in|out)$/.test(row.pattern));
      if (status === 401) refused++;
      else if (!isAsNobody) others.push(`${row.place} ${routeOf(row)}: ${status}`);
    };
    const askGroup = async (i: number) => {
      // a network from which the account has logged in: what others get wrong does not count there
      const [from, name] = [{ 'x-forwarded-for': `10.1.0.${i}` }, accounts[i % accounts.length]!];
      assert.equal((await site.gateway.as(name)('a/whoami', { headers: from })).status, 200);
      const some = rows.slice(i * FEW_FAILURES, (i + 1) * FEW_FAILURES);
      await Promise.all(some.map((row) => askWrongly(name, row, from)));
    };
    const groups = Array.from({ length: Math.ceil(rows.length / FEW_FAILURES) }, (_, i) => i);
    // no more than may wait
    const atOnce = Math.floor(MAX_WAITING_LOG_INS / FEW_FAILURES);
    for (let i = 0; i < groups.length; i += atOnce) await Promise.all(groups.slice(i, i + atOnce).map(askGroup));
    assert.deepEqual(others, []);
    assert.ok(refused > rows.length / 2, `${refused} of ${rows.length}`);
  });

  it('gives nothing more for an ended session, a changed cookie, or a feed’s password in an address', async () => {
    const more: string[] = [];
    await someAtOnce(rows, async (row) => {
      const world = worlds.get(row)!;
      const expected = nobodySees(row);
      const query = `${row.query === undefined ? '?' : `${row.query}&`}user=keeper&token=${feeds.get(row.place)}`;
      const byFeed = row.pattern === 'r/:room/feed' ? [] : [['a feed’s password', {}, { ...row, query }] as const];
      const tries = [...[...site.bad].map(([kind, headers]) => [kind, headers, row] as const), ...byFeed];
      await Promise.all(
        tries.map(async ([kind, headers, request]) => {
          const { status } = await ask(site.gateway.api, request, world, headers, site.wordsOf('nobody'));
          if (status !== expected) more.push(`${kind}: ${row.place} ${routeOf(row)}: ${status}, not ${expected}`);
        }),
      );
    });
    assert.deepEqual(more, []);
  });

  it('opens the room of a feed by its password, and no other', async () => {
    const opened: string[] = [];
    const feedRows = rows.filter((row) => row.pattern === 'r/:room/feed');
    for (const row of feedRows) {
      for (const [place, token] of feeds) {
        const query = `?user=keeper&token=${token}`;
        const { status } = await ask(site.gateway.api, { ...row, query }, worlds.get(row)!);
        if (status < 400) opened.push(`${row.place} by ${place}`);
      }
    }
    assert.deepEqual(
      opened,
      feedRows.map(({ place }) => `${place} by ${place}`),
    );
  });

  it('has no message, upload, app password or letter of others that is told from one that is not there', async () => {
    const told: string[] = [];
    let compared = 0;
    const closed = worlds.get(rows.find(({ place }) => place === 'closed')!)!;
    for (const row of rows) {
      const isOfOpen = row.place === 'open' && /\/:name|\/:id$/.test(row.pattern) && row.path === undefined;
      const isLetter = row.place === 'own' && row.pattern.endsWith('/:name');
      // what is not there may be made
      if (!(isOfOpen || isLetter) || ['PUT', 'MKCOL', 'MKCALENDAR', 'LOCK'].includes(row.method)) continue;
      const open = worlds.get(row)!;
      const theirs = isOfOpen && !row.pattern.startsWith('u/') ? { ...open, name: closed.name } : open;
      const unknown = { name: '1000000', upload: 'A'.repeat(open.upload.length), password: '1000000' };
      const hidden = await askAs('other', row, theirs);
      const nowhere = await askAs('other', row, { ...theirs, ...unknown });
      const same = nowhere.body.replaceAll(unknown.name, theirs.name);
      compared++;
      if (hidden.status !== nowhere.status || hidden.body !== same)
        told.push(`${routeOf(row)}: ${hidden.status} ${hidden.body}, not ${nowhere.status} ${same}`);
    }
    assert.deepEqual(told, []);
    assert.ok(compared > 30, `${compared}`);
  });

  it('has nothing in it that was a fault', () => assert.deepEqual(site.gateway.faults, []));
});

function difference(before: string, now: string): string {
  const lines = before.split('\n');
  return now
    .split('\n')
    .flatMap((line, i) => (line === lines[i] ? [] : [`  was ${lines[i]}`, `  is  ${line}`]))
    .join('\n');
}
