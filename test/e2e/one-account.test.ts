// A request that names an account does nothing for another one: each route of the table, asked with the cookie of
// somebody else, is refused before anything is changed. A session that is over is one that nobody is logged in with.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { SESSION_COOKIE } from '../../src/gateway/caller.ts';
import { loadOrCreateKey, newSessionId, Sealer } from '../../src/gateway/seal.ts';
import { isDeep } from '../support/access-places.ts';
import { askedOf, requestOf } from '../support/access-requests.ts';
import { startAccessSite } from '../support/access-world.ts';
import { ADMIN_PASSWORD, type Api, cookieOf, withCookie } from '../support/gateway.ts';

const PREFIX = '/svc/';
const OTHER_ACCOUNT = 'urn:vestibule:other-account';
/** the program's and its operator's, and ways to other addresses: they are the same for everybody */
const NOBODYS = /^(?:s\/|src\/|\/|a\/landing\.html$|a\/worker\.js$|[rfu]$)/;

const router = routes(PREFIX);
addDavRoutes(router, PREFIX);
const rows = router.routes().flatMap(({ method, pattern }) => {
  const below = pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
  if (method === 'GET' && NOBODYS.test(below)) return [];
  if (method === '*') return [];
  const asked = askedOf(method, below);
  // elsewhere there is nothing below a message, whoever asks
  return asked.find(({ place }) => place === 'files' && isDeep(below)) ?? asked[0]!;
});
const site = await startAccessSite({ after });
const { gateway } = site;

const numberOf = async (api: Api) => String(((await (await api('a/whoami')).json()) as { usernum: number }).usernum);
const keeper = await numberOf(site.as.keeper);
const admin = await numberOf(site.as.admin);
const typeOf = async (answer: Response) => ((await answer.json()) as { type: string }).type;
const put = (account: string) => ({ method: 'PUT', headers: { 'x-account': account }, body: 'words' });

describe('a request that names another account than that of its session', () => {
  it('is refused on each route, and changes nothing', async () => {
    const asAdmin = await withCookie(gateway, 'admin', ADMIN_PASSWORD);
    const worlds = await Promise.all(rows.map(async (row) => site.furnish(row, site.newWorld(row.place))));
    const before = await site.look(worlds);
    const wrong: string[] = [];
    for (const [i, row] of rows.entries()) {
      const { path, headers, ...init } = requestOf(row, worlds[i]!, { n: String(i), ...site.wordsOf('admin') });
      const named = { accept: 'application/json', ...headers, 'x-account': keeper };
      const answer = await asAdmin(path, { ...init, headers: named });
      const type = answer.status === 403 ? await typeOf(answer) : '';
      if (type !== OTHER_ACCOUNT) wrong.push(`${row.method} ${row.pattern}: ${answer.status} ${type}`);
    }
    assert.deepEqual(wrong, []);
    assert.equal(await site.look(worlds), before);
    assert.equal((await asAdmin('r/Lobby/new', put(admin))).status, 201, 'nor was the session ended');
  });

  it('is refused with credentials of its own as well, to a guest, and as a guest', async () => {
    assert.equal(await typeOf(await site.as.keeper('r/Lobby/new', put(admin))), OTHER_ACCOUNT);
    assert.equal((await site.as.keeper('r/Lobby/new', put(keeper))).status, 201);
    assert.equal(await typeOf(await site.as.keeper('a/whoami', { headers: { 'x-account': '0' } })), OTHER_ACCOUNT);
    assert.equal((await gateway.api('a/whoami', { headers: { 'x-account': '0' } })).status, 200);
    const ended = await gateway.api('a/whoami', { headers: { 'x-account': keeper } });
    assert.deepEqual([ended.status, ended.headers.get('www-authenticate') !== null], [401, true]);
    for (const account of ['keeper', '', '-1', '1, 1', '1'.repeat(16)])
      assert.equal((await site.as.keeper('r/Lobby/new', put(account))).status, 400, account);
  });

  it('is known by cookies of earlier versions, too', async () => {
    const now = Math.floor(Date.now() / 1000);
    const data = { user: 'keeper', password: 'keeper', id: newSessionId(), inbox: 0, issued: now, expires: now + 60 };
    const sealer = new Sealer(await loadOrCreateKey(`${gateway.dataFolder}/session-key`));
    const cookie = `${SESSION_COOKIE}=${sealer.seal(data)}`;
    const ask = (account: string) => gateway.api('a/whoami', { headers: { cookie, 'x-account': account } });
    assert.equal(await typeOf(await ask(admin)), OTHER_ACCOUNT);
    const known = await ask(keeper);
    const renewed = sealer.open(cookieOf(known).slice(SESSION_COOKIE.length + 1));
    assert.deepEqual([known.status, String(renewed?.usernum), renewed?.id], [200, keeper, data.id]);
  });
});

describe('an event stream', () => {
  const streamOf = async (api: Api, account = keeper) => api(`a/events?account=${account}`);

  it('is of the account that its address names', async () => {
    const mine = await withCookie(gateway, 'keeper');
    assert.equal(await typeOf(await streamOf(mine, admin)), OTHER_ACCOUNT);
    assert.equal((await streamOf(gateway.api)).status, 401);
    assert.equal((await streamOf(mine, 'x')).status, 400);
  });

  for (const way of ['log-out', 'log-in as somebody else'] as const) {
    it(`ends at once with a ${way}`, async () => {
      const mine = await withCookie(gateway, 'keeper');
      const stream = await streamOf(mine);
      assert.equal(stream.status, 200);
      const ended = stream.text();
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ username: 'other', password: 'other' });
      const [path, init] = way === 'log-out' ? ['a/logout', {}] : ['a/login', { headers, body }];
      assert.ok((await mine(path, { method: 'POST', ...init })).ok);
      const told = performance.now();
      await ended;
      assert.ok(performance.now() - told < 500, 'not when it is looked at next');
      assert.equal((await mine('a/biff')).status, way === 'log-out' ? 401 : 200);
      if (way === 'log-out') return;
      const again = await streamOf(mine);
      assert.equal(again.status, 200, 'whoever has a copy of the cookie goes on');
      await again.body!.cancel();
    });
  }
});
