// PATCH r/:room/:name: the read mark of one message, which is all of a message that can be changed.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { withNumber } from '../gateway/message/head.ts';
import { roomContext } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { accountName, nameKey } from '../protocol/names.ts';
import { serverOf } from '../room-server/driver.ts';

/** `{"seen":true}` or `{"seen":false}` → 204 */
export async function patchMessage(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const isSeen = seenIn(await readJson(exchange));
  const context = await roomContext(exchange, app, caller);
  const { messages } = await serverOf(app.pool, caller.identity);
  await marksInTurn(context, () =>
    withNumber(context, exchange.params.name!, ({ room, msgnum }) =>
      messages.setSeen(app.pool, caller.identity, room, msgnum, isSeen),
    ),
  );
  await sendEmpty(exchange, 204);
}

/**
 * Marks of one user in one room are set in the order in which they were sent: a page that is left sends once more what
 * may still be under way, on another connection, and the last word counts.
 */
export function marksInTurn<T>({ app, caller, room }: RoomContext, set: () => Promise<T>): Promise<T> {
  return app.serialQueue.run(`marks ${accountName(caller.identity.user)}\n${nameKey(room.name)}`, set);
}

function seenIn(body: unknown): boolean {
  const { seen, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (typeof seen !== 'boolean' || Object.keys(rest).length > 0) {
    throw new AppError('bad_request', 'Send {"seen":true} or {"seen":false}.');
  }
  return seen;
}
