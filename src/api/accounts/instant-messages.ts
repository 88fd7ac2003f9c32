// Instant messages: sending one, and fetching those that have come.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { userOf } from '../../gateway/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, send, sendEmpty } from '../../http/respond.ts';
import { MAX_INSTANT_MESSAGE_BYTES, MAX_USER_NAME_BYTES } from '../../limits/backend.ts';
import { MAX_INSTANT_MESSAGE_LINE_BYTES } from '../../limits/http.ts';
import { sendInstantMessage } from '../../room-server/instant-mailbox.ts';
import { line, readJsonFields, required, unicodeText } from '../json-fields.ts';
import { sendableText } from '../text-body.ts';

const MESSAGE = { to: line(MAX_USER_NAME_BYTES), text: unicodeText };

/** POST a/im → 204 */
export async function postInstantMessage(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const fields = await readJsonFields(exchange, MESSAGE);
  const to = required(fields.to, 'to');
  const content = sendableText(required(fields.text, 'text'), MAX_INSTANT_MESSAGE_LINE_BYTES);
  if (content.trim() === '') throw new AppError('bad_request', 'The message is empty.');
  // the room server counts the last line end
  if (Buffer.byteLength(content) >= MAX_INSTANT_MESSAGE_BYTES) {
    throw new AppError('too_large', `An instant message has less than ${MAX_INSTANT_MESSAGE_BYTES} bytes.`);
  }
  await sendInstantMessage(app.pool, identity, to, content);
  await sendEmpty(exchange, 204);
}

/** GET a/im: what is fetched is gone. HEAD fetches nothing. */
export async function getInstantMessages(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const messages = exchange.method === 'HEAD' ? [] : await app.instant.take(identity);
  await send(
    exchange,
    200,
    asJson(
      messages.map(({ time, sender, address, isBroadcast, text }) => ({
        time,
        from: sender,
        addr: address,
        is_broadcast: isBroadcast,
        text,
      })),
    ),
  );
}
