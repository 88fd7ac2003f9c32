// GET r/:room/:name/:part/json: a message inside a message (a forward, an entry of a digest, what a bounce came back
// with), as message-json.ts gives the outer one.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type OpenedMessage, withNamed } from '../gateway/message/head.ts';
import { readingTurn } from '../gateway/message/reading-turn.ts';
import { numberPath } from '../gateway/paths.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, send } from '../http/respond.ts';
import { isMessageType } from '../mime/message-facts.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { RenderJob, Wanted } from '../render/job.ts';
import { firstBytes, isSmall, readingKey, viewOf, wantedOf } from './message-reading.ts';
import { type OpenPart, withAnyPart } from './packed-parts.ts';

/** '' because a real server does not know what the parts of a digest are when they do not say so */
const mayBeMessage = (type: string) => type === '' || isMessageType(type.toLowerCase());

/** GET r/:room/:name/:part/json. Throws not_found for a part that is no message. */
export async function getInnerMessageJson(exchange: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(exchange);
  const partnum = exchange.params.part!;
  if (!isFieldSafe(partnum)) throw noSuchMessage();
  const context = await callerInRoom(exchange, app);
  return withNamed(context, exchange.params.name!, (message) => sendInner(message, partnum, wanted));
}

async function sendInner(message: OpenedMessage, partnum: string, wanted: Wanted): Promise<void> {
  const { app, msgnum, head } = message;
  const row = head.parts.find((part) => part.partnum === partnum);
  if (row && !mayBeMessage(row.contentType)) throw noSuchMessage();
  const path = numberPath(app, head.entered, msgnum);
  const jobOf = async (part: OpenPart, maxBytes: number): Promise<RenderJob> => {
    if (!mayBeMessage(part.contentType)) throw noSuchMessage();
    const { bytes: source, isWhole } = await firstBytes(part.bytes, maxBytes);
    const canLookInside = part.canLookInside && row?.contentType !== '';
    return { kind: 'inner', ...wanted, source, isWhole, rows: head.parts, msgnum, partnum, path, canLookInside };
  };
  const json = await app.readings.get({
    turn: () => readingTurn(message),
    key: readingKey(message, `inner ${partnum} ${viewOf(head, wanted)}`),
    isSmall: row ? isSmall([row]) : isSmall(head.parts),
    fetch: (maxBytes) => withAnyPart(message, partnum, (part) => jobOf(part, maxBytes)),
  });
  if (!json) throw noSuchMessage();
  await send(message.exchange, 200, { type: JSON_TYPE, body: json });
}

function noSuchMessage(): AppError {
  return new AppError('not_found', 'That part is no message.');
}
