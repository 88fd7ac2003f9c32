// Many users at once in front of a room server that takes few: a real one's backlog of 5, and its bound on sessions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, startGateway } from '../support/gateway.ts';
import { type RealServerOptions, startRealServer } from '../support/real-server.ts';

type Ending = Parameters<typeof startRealServer>[0];

const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `user${i}`);

/** A gateway that has not connected yet, in front of a server with so many users. */
async function startCold(t: Ending, users: string[], options: RealServerOptions, words: string[] = []) {
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
});
