// Who belongs to a room: the list, letting in, putting out.

import { inviteMember, listMembers, removeMember } from '../client/members.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { roomOf } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty, sendJson } from '../http/respond.ts';
import { userNameOf } from './user-names.ts';

/** GET r/:room/members */
export async function getMembers(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const names = await listMembers(app.pool, caller.identity, await roomOf(x, app, caller));
  await sendJson(
    x,
    200,
    names.map((name) => ({ name })),
  );
}

/** PUT r/:room/members/:user → 204 */
export async function putMember(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  await inviteMember(app.pool, caller.identity, await roomOf(x, app, caller), userNameOf(x));
  await sendEmpty(x, 204);
}

/** DELETE r/:room/members/:user → 204; he stays out until he is invited again. */
export async function removeMemberOf(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  await removeMember(app.pool, caller.identity, await roomOf(x, app, caller), userNameOf(x));
  await sendEmpty(x, 204);
}
