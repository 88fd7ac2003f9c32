// PATCH r/:room/:name: the read mark of one message, which is all of a message that can be changed.

import { setSeen } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { withNumber } from '../gateway/message/head.ts';
import { roomOf } from '../gateway/paths.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';

/** `{"seen":true}` or `{"seen":false}` → 204 */
export async function patchMessage(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const isSeen = seenIn(await readJson(x));
  const room = await roomOf(x, app, caller);
  await withNumber(app, caller, room, x.params.name!, (msgnum) =>
    setSeen(app.pool, caller.identity, room, msgnum, isSeen),
  );
  await sendEmpty(x, 204);
}

function seenIn(body: unknown): boolean {
  const { seen, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (typeof seen !== 'boolean' || Object.keys(rest).length > 0) {
    throw new AppError('bad_request', 'Send {"seen":true} or {"seen":false}.');
  }
  return seen;
}
