// Who is online (a/who), and instant messages (a/im).

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { userOf } from '../../gateway/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, send, sendEmpty } from '../../http/respond.ts';
import { MAX_INSTANT_MESSAGE_BYTES, MAX_USER_NAME_BYTES } from '../../limits/backend.ts';
import { MAX_INSTANT_MESSAGE_LINE_BYTES } from '../../limits/http.ts';
import { LEVEL } from '../../model.ts';
import { sendInstantMessage } from '../../room-server/instant-mailbox.ts';
import { listOnline } from '../../room-server/users.ts';
import { line, readJsonFields, required, sendableText, unicodeText } from '../request-body.ts';

/** By user, since a gateway has several sessions of one. Only the user and administrators see the host of a session. */
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
    throw new AppError('too_large', `An instant message must have fewer than ${MAX_INSTANT_MESSAGE_BYTES} bytes.`);
  }
  await sendInstantMessage(app.pool, identity, to, content);
  await sendEmpty(exchange, 204);
}

/** GET a/im: fetched messages are gone. HEAD fetches nothing. */
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
