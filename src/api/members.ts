// Who belongs to a room: the list, letting in, putting out.

import type { App } from '../gateway/app.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import { inviteMember, listRoomMembers, removeMember } from '../room-server/rooms.ts';
import { userNameOf } from './accounts/user-names.ts';

/** GET r/:room/members */
export async function getMembers(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  const names = await listRoomMembers(app.pool, caller.identity, room);
  await send(exchange, 200, asJson(names.map((name) => ({ name }))));
}

/** PUT r/:room/members/:user → 204 */
export async function putMember(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await inviteMember(app.pool, caller.identity, room, userNameOf(exchange));
  await sendEmpty(exchange, 204);
}

/** DELETE r/:room/members/:user → 204; he stays out until he is invited again. */
export async function removeMemberOf(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await removeMember(app.pool, caller.identity, room, userNameOf(exchange));
  await sendEmpty(exchange, 204);
}
