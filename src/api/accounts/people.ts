// GET a/who: who is online.

import type { App } from '../../gateway/app.ts';
import { userOf } from '../../gateway/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, send } from '../../http/respond.ts';
import { LEVEL } from '../../model.ts';
import { listOnline } from '../../room-server/users.ts';

/**
 * By user, for a gateway has several sessions of one. The host of a session is shown to its user and to administrators
 * only.
 */
export async function getOnline(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const viewer = await app.pool.identify(identity);
  const byUser = Map.groupBy(await listOnline(app.pool, identity), ({ user }) => user);
  const people = Array.from(byUser, ([username, sessions]) => ({
    username,
    last_activity: Math.max(...sessions.map(({ lastActivity }) => lastActivity)),
    sessions: sessions.map(({ session, room, client, host, lastActivity }) => ({
      session,
      room,
      client,
      last_activity: lastActivity,
      ...((viewer.level >= LEVEL.admin || username === viewer.name) && { host }),
    })),
  }));
  await send(exchange, 200, asJson(people.sort((a, b) => b.last_activity - a.last_activity)));
}
