// Who may do what: every route, asked by everybody, in one table (test/fixtures/access.txt), whose rows are place,
// route and a status for each who asks. What is refused changes nothing; a room that one may not see is like one that
// is not there; a session that has ended, a cookie that was changed and a wrong password are worth nothing.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';
import { type Asked, askedOf, pathOf } from '../support/access-requests.ts';
import { PEOPLE, type Person, PLACES, startAccessSite, type World, withoutId } from '../support/access-world.ts';
import type { Api } from '../support/gateway.ts';

const PREFIX = '/svc/';
const SAFE = new Set(['GET', 'PROPFIND', 'REPORT', 'OPTIONS']);
/** of one account from one network, before none is looked at any more */
const FEW_FAILURES = MAX_LOGIN_FAILURES - 1;
const HIDDEN = new Set(['closed', 'files', 'wiki']);
/** that a name is taken cannot be hidden from who wants to take it */
const MAKES_ROOM = /^(?:MKCOL|MKCALENDAR|LOCK) r\/:room\/?$/;
/** those who may not see a room by invitation */
const OUTSIDE: ReadonlySet<Person> = new Set(['nobody', 'newcomer', 'other']);

const router = routes(PREFIX);
addDavRoutes(router, PREFIX);
const asked: Asked[] = router.routes().flatMap(({ method, pattern }) => {
  const below = pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
  return askedOf(method === '*' ? 'PROPFIND' : method, below);
});
const rows = asked.toSorted((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place));
const site = await startAccessSite({ after }, ['--trust-proxy']);

let count = 0;
const withNumber = (text: string): string => text.replaceAll('{n}', String(count));

interface Seen {
  status: number;
  body: string;
}

async function ask(api: Api, row: Asked, path: string, more: Record<string, string> = {}): Promise<Seen> {
  const stop = new AbortController();
  count++;
  const { method, headers, body } = row;
  const numbered = Object.entries({ ...headers, ...more }).map(([name, value]) => [name, withNumber(value)]);
  const sent = typeof body === 'string' ? withNumber(body) : body;
  const init = { method, headers: Object.fromEntries(numbered), signal: stop.signal, ...(sent && { body: sent }) };
  const answer = await api(withNumber(path), init);
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const seen = { status: answer.status, body: isStream ? '' : withoutId(await answer.text()) };
  stop.abort();
  return seen;
}

describe('the table of who may do what', () => {
  const table: string[] = [];
  const notHidden: string[] = [];
  const changed: string[] = [];
  const nobodySees = new Map<Asked, number>();

  before(async () => {
    let world: World | undefined;
    let place: string | undefined;
    let looks = '';
    for (const row of rows) {
      const statuses: number[] = [];
      for (const person of PEOPLE) {
        if (world === undefined || place !== row.place) {
          world = await site.newWorld(row.place);
          place = row.place;
          looks = '';
        }
        const isSafe = SAFE.has(row.method);
        if (!isSafe && looks === '') looks = await site.look(world);
        const path = pathOf(row, world);
        const seen = await ask(site.as[person], row, path);
        statuses.push(seen.status);
        if (person === 'nobody') nobodySees.set(row, seen.status);
        if (HIDDEN.has(row.place) && OUTSIDE.has(person) && !MAKES_ROOM.test(`${row.method} ${row.pattern}`)) {
          const name = `nowhere-${count}`;
          const nowhere = await ask(site.as[person], row, pathOf(row, world, name));
          const same = seen.body.replaceAll(world.room, name);
          if (nowhere.status !== seen.status || nowhere.body !== same)
            notHidden.push(
              `${person} ${row.method} ${path}: ${seen.status} ${same}, not ${nowhere.status} ${nowhere.body}`,
            );
        }
        if (isSafe) continue;
        if (seen.status < 400) {
          await site.as.admin(`r/${world.room}/`, { method: 'DELETE' }); // lists stay short
          world = undefined;
        } else {
          const now = await site.look(world);
          if (now !== looks) changed.push(`${person} ${row.method} ${path}: ${seen.status}\n${difference(looks, now)}`);
          looks = now;
        }
      }
      table.push(`${row.place.padEnd(6)} ${`${row.method} ${row.pattern}`.padEnd(44)} ${statuses.join(' ')}`);
    }
  });

  it('is as it was agreed upon', async () => {
    const file = new URL('../fixtures/access.txt', import.meta.url);
    const agreed = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    assert.deepEqual(table, agreed);
  });

  it('has no room that is not to be seen and yet is told from one that is not there', () => {
    assert.deepEqual(notHidden, []);
  });

  it('has no refusal that changes anything', () => assert.deepEqual(changed, []));

  it('refuses a wrong password wherever it is looked who asks', async () => {
    const others: string[] = [];
    let refused = 0;
    const worlds = new Map(
      await Promise.all(PLACES.map(async (place) => [place, await site.newWorld(place)] as const)),
    );
    const people = PEOPLE.filter((person) => person !== 'nobody');
    const askWrongly = async (person: Person, row: Asked, from: Record<string, string>) => {
      const { status } = await ask(site.gateway.as(person, 'wrong'), row, pathOf(row, worlds.get(row.place)!), from);
      // where nobody is served, nobody is asked for a password either
      const isAsNobody = status === nobodySees.get(row) && (status >= 300 || row.pattern === 'a/logout');
      if (status === 401) refused++;
      else if (!isAsNobody) others.push(`${row.method} ${row.pattern}: ${status}`);
    };
    const groups = Array.from({ length: Math.ceil(rows.length / FEW_FAILURES) }, async (_, i) => {
      // a network from which the account has logged in: what others get wrong does not count there
      const [from, person] = [{ 'x-forwarded-for': `10.1.0.${i}` }, people[i % people.length]!];
      assert.equal((await ask(site.as[person], rows[0]!, 'a/whoami', from)).status, 200);
      const some = rows.slice(i * FEW_FAILURES, (i + 1) * FEW_FAILURES);
      await Promise.all(some.map((row) => askWrongly(person, row, from)));
    });
    await Promise.all(groups);
    assert.deepEqual(others, []);
    assert.ok(refused > rows.length / 2, `${refused} of ${rows.length}`);
  });

  it('gives nothing more for a session that has ended or a changed cookie', async () => {
    const more: string[] = [];
    for (const place of PLACES) {
      const world = await site.newWorld(place);
      for (const row of rows.filter((each) => each.place === place)) {
        const path = pathOf(row, world);
        const expected = nobodySees.get(row);
        for (const [kind, headers] of site.bad) {
          const { status } = await ask(site.gateway.api, row, path, headers);
          if (status !== expected && row.pattern !== 'a/login')
            more.push(`${kind}: ${row.method} ${path}: ${status}, not ${expected}`);
        }
      }
    }
    assert.deepEqual(more, []);
  });

  it('has no message of a closed room, nor upload of another, that is told from one that is not there', async () => {
    const [open, closed] = [await site.newWorld('open'), await site.newWorld('closed')];
    const unknown = { name: String(Number(closed.name) + 1_000_000), upload: 'A'.repeat(closed.upload.length) };
    const told: string[] = [];
    let compared = 0;
    for (const row of rows) {
      const isNamed = row.place === 'open' && /:name|^p\/:id$/.test(row.pattern);
      // what is not there may be made
      if (!isNamed || row.pattern.startsWith('u/') || ['PUT', 'MKCOL', 'MKCALENDAR', 'LOCK'].includes(row.method))
        continue;
      const { name, upload } = closed;
      const hidden = await ask(site.as.other, row, pathOf(row, { ...open, name, upload }));
      const nowhere = await ask(site.as.other, row, pathOf(row, { ...open, ...unknown }));
      const same = nowhere.body.replaceAll(unknown.name, name);
      compared++;
      if (hidden.status !== nowhere.status || hidden.body !== same)
        told.push(`${row.method} ${row.pattern}: ${hidden.status} ${hidden.body}, not ${nowhere.status} ${same}`);
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
