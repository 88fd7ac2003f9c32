// GET a/recipient: whether mail would reach what somebody has typed, asked before it is sent.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { fitting, PLAIN_POSTING } from '../gateway/message/post-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';
import { probePost } from '../room-server/posting.ts';
import { questionOf } from './search.ts';

const MAIL = { name: ROOM_MACRO.mail, password: '' };

/**
 * GET a/recipient?q=text: `{"is_known", "detail"}`, what the room server says to a mail that is only asked for
 * (ENT0 with 0, protocol section 15); `detail` says why not. Throws bad_request where nothing is asked.
 */
export async function getRecipient(exchange: Exchange, app: App): Promise<void> {
  const recipients = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const refusal = await app.pool.withRoom(identity, MAIL, async (connection, entered) => {
    try {
      await probePost(connection, fitting({ ...PLAIN_POSTING, recipients }, entered));
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_request') return error.message;
      throw error;
    }
  });
  await send(exchange, 200, asJson({ is_known: refusal === undefined, detail: refusal ?? '' }));
}
