// Many users at once in front of a room server that takes few: a real one's backlog of 5, and its bound on sessions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, postedNumber, startGateway } from '../support/gateway.ts';
import { type RealServerOptions, startRealServer } from '../support/real-server.ts';

type Ending = Parameters<typeof startRealServer>[0];

const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `user${i}`);

/** A gateway that has not connected yet, in front of a server with so many users. */
async function startCold(t: Ending, users: string[], options: RealServerOptions = {}, words: string[] = []) {
  const real = await startRealServer(t, { users: Object.fromEntries(users.map((name) => [name, 4])), ...options });
  const gateway = await startGateway(t, { backend: `unix:${real.path}`, options: ['--trust-proxy', ...words] });
  /** of each status, how many got it */
  const all = async (path: string): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {};
    await Promise.all(
      users.map(async (name, i) => {
        const headers = { authorization: basic(name, `${name}pw`), 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` };
        const { status } = await gateway.api(path, { headers });
        counts[status] = (counts[status] ?? 0) + 1;
      }),
    );
    return counts;
  };
  return { real, gateway, all };
}

describe('many users on a cold gateway', () => {
  it('all get in where the room server has a backlog of 5 and accepts slowly', async (t) => {
    const { all } = await startCold(t, named(200), { acceptMs: 10 });
    assert.deepEqual(await all('r/Lobby/msgs.all'), { 200: 200 });
  });

  it('have one session each, besides those on which names are asked', async (t) => {
    const { real, gateway, all } = await startCold(t, named(20));
    for (const path of ['r/Lobby/msgs.all', 'a/whoami', 'r/Lobby/', 'r/']) await all(path);
    const one = gateway.as('user0', 'user0pw');
    for (let i = 0; i < 3; i++) {
      const posted = await one('r/Lobby/new', { method: 'PUT', body: 'text' });
      assert.equal(posted.status, 201);
      assert.equal(await (await one(`r/Lobby/${postedNumber(posted)}`)).text(), 'text');
      assert.equal((await one('r/Lobby/msgs.new')).status, 200);
    }
    assert.equal(real.mostLoggedIn(), 20);
    const withPassword = real.sessions.filter(({ commands }) => commands.some((line) => line.startsWith('PASS ')));
    assert.equal(withPassword.length, 20);
  });

  for (const [name, options] of [
    ['log-ins are refused beyond 30', { maxSessions: 30 }],
    ['connections are refused beyond 30', { settings: { c_maxsessions: '30' } }],
  ] as const) {
    it(`all get in where ${name}, again and again`, async (t) => {
      const { all } = await startCold(t, named(100), options);
      for (let i = 0; i < 2; i++) assert.deepEqual(await all('r/Lobby/msgs.all'), { 200: 100 });
    });
  }

  it('all get in with --backend-connections 10, which are never more', async (t) => {
    const { real, all } = await startCold(t, named(100), {}, ['--backend-connections', '10']);
    assert.deepEqual(await all('r/Lobby/msgs.all'), { 200: 100 });
    assert.ok(real.mostLoggedIn() <= 10, `${real.mostLoggedIn()} at once`);
  });

  it('leave a tenth of its sessions to others, once an administrator has posted', async (t) => {
    const { real, all, gateway } = await startCold(t, named(40), { settings: { c_maxsessions: '20' } });
    const posted = await gateway.as('admin', 'adminpw')('r/Lobby/new', { method: 'PUT', body: 'Hello' });
    assert.equal(posted.status, 201);
    assert.deepEqual(await all('r/Lobby/msgs.all'), { 200: 40 });
    assert.ok(real.mostLoggedIn() <= 18, `${real.mostLoggedIn()} at once`);
  });
});
