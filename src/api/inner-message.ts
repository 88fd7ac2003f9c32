// GET r/:room/:name/:part/json: a message inside a message (a forward, an entry of a digest, what a bounce came back
// with), as message-json.ts gives the outer one.

import type { RoomRef } from '../client/connection/goto.ts';
import type { MessageHead } from '../client/messages.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { type Caller, callerOf } from '../gateway/caller.ts';
import { withNamed } from '../gateway/message/head.ts';
import { messagePath, roomOf } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJsonText } from '../http/respond.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { RenderJob, Wanted } from '../render/job.ts';
import { firstBytes, isSmall, readingKey, readingTurn, viewOf, wantedOf } from './message-reading.ts';
import { type OpenPart, withAnyPart } from './packed-parts.ts';

/** '' because a real server does not know what the parts of a digest are when they do not say so */
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['message/rfc822', 'message/global', '']);

export async function getInnerMessageJson(x: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(x);
  const partnum = x.params.part!;
  if (!isFieldSafe(partnum)) throw noSuchMessage();
  const caller = await callerOf(x, app);
  const room = await roomOf(x, app, caller);
  return withNamed(app, caller, room, x.params.name!, (msgnum, head) =>
    sendInner(x, app, caller, { ...head, room, msgnum }, partnum, wanted),
  );
}

async function sendInner(
  x: Exchange,
  app: App,
  caller: Caller,
  head: MessageHead & { room: RoomRef; msgnum: number },
  partnum: string,
  wanted: Wanted,
): Promise<void> {
  const { room, msgnum } = head;
  const row = head.parts.find((part) => part.partnum === partnum);
  if (row && !MESSAGE_TYPES.has(row.contentType)) throw noSuchMessage();
  const path = messagePath(app, head.entered.name, msgnum);
  const jobOf = async (part: OpenPart, maxBytes: number): Promise<RenderJob> => {
    if (!MESSAGE_TYPES.has(part.contentType.toLowerCase())) throw noSuchMessage();
    const { bytes: source, isWhole } = await firstBytes(part.bytes, maxBytes);
    const canLookInside = part.canLookInside && row?.contentType !== '';
    return { kind: 'inner', ...wanted, source, isWhole, rows: head.parts, msgnum, partnum, path, canLookInside };
  };
  const json = await app.readings.get({
    turn: () => readingTurn(x, app, caller),
    key: readingKey(msgnum, head, `inner ${partnum} ${viewOf(head, wanted)}`),
    isSmall: row ? isSmall([row]) : isSmall(head.parts),
    fetch: (maxBytes) =>
      withAnyPart(app, caller.identity, room, msgnum, head.parts, partnum, (part) => jobOf(part, maxBytes)),
  });
  if (!json) throw noSuchMessage();
  await sendJsonText(x, 200, json);
}

function noSuchMessage(): AppError {
  return new AppError('not_found', 'That part is no message.');
}
