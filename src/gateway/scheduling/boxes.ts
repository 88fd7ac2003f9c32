// The caller's scheduling inbox and outbox (RFC 6638 sections 2.1 and 2.2), closed to all others. The inbox is an
// unlisted room of the embedded room server; other servers have none.

import { AppError } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { accountName } from '../../protocol/names.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { App, Handler } from '../app.ts';
import { type Caller, userOf } from '../caller.ts';
import type { RoomContext } from '../room-context.ts';

/** The caller, who must be the user of the path. Throws as userOf, forbidden. */
export async function ownerOfBox(exchange: Exchange, app: App): Promise<Caller> {
  const owner = await ownerOrNobody(exchange, app);
  if (!owner) throw new AppError('forbidden', 'Inbox and outbox are for their owner only.');
  return owner;
}

async function ownerOrNobody(exchange: Exchange, app: App): Promise<Caller | undefined> {
  const caller = await userOf(exchange, app);
  const { name } = await app.pool.identify(caller.identity);
  return accountName(exchange.params.user!) === accountName(name) ? caller : undefined;
}

/** Whether the room server has an inbox; elsewhere scheduling messages come as mail. */
export function hasInbox({ pool }: App, { identity }: Caller): Promise<boolean> {
  return serverOf(pool, identity).then(({ lacks }) => !lacks.scheduling);
}

/** The room of the caller's scheduling messages. Throws as ownerOfBox, not_found if there is none. */
export async function openInbox(exchange: Exchange, app: App): Promise<RoomContext> {
  return inboxOf(exchange, app, await ownerOfBox(exchange, app));
}

async function inboxOf(exchange: Exchange, app: App, caller: Caller): Promise<RoomContext> {
  const { scheduling } = await serverOf(app.pool, caller.identity);
  return { exchange, app, caller, room: { name: await scheduling.inboxRoom(app.pool, caller.identity), password: '' } };
}

/** The same for one message: another user's looks like a missing one. Throws as userOf, not_found. */
export async function openInboxForMessage(exchange: Exchange, app: App): Promise<RoomContext> {
  const owner = await ownerOrNobody(exchange, app);
  if (!owner) throw new AppError('not_found', 'No such message.');
  return inboxOf(exchange, app, owner);
}

/** Makes a handler of messages work for `u/:user/inbox/:name`. */
export function inInbox(handler: Handler): Handler {
  return async (exchange, app) => {
    const { room } = await openInboxForMessage(exchange, app);
    exchange.params = { ...exchange.params, room: room.name };
    return handler(exchange, app);
  };
}
