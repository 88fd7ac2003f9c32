// The content of a message, posted anew under another name: what MOVE and COPY do when the name changes.

import type { RoomRef } from '../client/connection/goto.ts';
import { contentForm, withContent } from '../gateway/message/content.ts';
import type { OpenedMessage } from '../gateway/message/head.ts';
import { PLAIN_POSTING } from '../gateway/message/post-body.ts';
import { postReplacing } from '../gateway/message/replacement.ts';
import { isMediaType, parseParameters } from '../mime/headers.ts';
import { TraitScanner } from '../mime/traits.ts';

export interface Copied {
  msgnum: number;
  isReplaced: boolean;
}

/** Posts it into `target`, then deletes what it replaces there. Throws as postReplacing. */
export async function postCopy(
  message: OpenedMessage,
  target: RoomRef,
  name: string,
  existing: readonly number[],
  mayOverwrite: boolean,
): Promise<Copied> {
  const { app, caller } = message;
  const { identity } = caller;
  const form = contentForm(message.head);
  const scan = new TraitScanner();
  const account = await app.pool.accountOf(identity);
  const see = (piece: Buffer) => scan.push(piece);
  await using body = await withContent(message, form, (bytes) => app.spools.take(account, bytes, see));
  const isKnown = isMediaType(parseParameters(form.contentType).value);
  const copy = {
    contentType: isKnown ? form.contentType : 'application/octet-stream',
    body,
    traits: scan.end(),
    posting: PLAIN_POSTING,
    attachments: [],
    name,
  };
  return await app.pool.withRoom(identity, target, async (connection, entered) => {
    const context = { ...message, room: target };
    const { posted, isReplaced } = await postReplacing(context, connection, entered, copy, existing, !mayOverwrite);
    return { msgnum: posted.msgnum, isReplaced };
  });
}
