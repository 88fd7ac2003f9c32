// The content of a message, posted anew under another name: what MOVE and COPY do when the name changes.

import type { RoomRef } from '../client/goto.ts';
import type { Identity } from '../client/identity.ts';
import type { MessageHead } from '../client/messages.ts';
import type { App } from '../gateway/app.ts';
import { contentForm, withContent } from '../gateway/message-content.ts';
import { PLAIN_POSTING, postBody, removeReplaced } from '../gateway/post-body.ts';
import { spool } from '../http/spool.ts';
import { isMediaType, parseParameters } from '../mime/headers.ts';
import { Survey, surveyed } from '../mime/survey.ts';

export interface Source {
  room: RoomRef;
  msgnum: number;
  head: MessageHead;
}

/** Posts it into `target`, then deletes what it replaces there; the number of the new message. Throws as postBody. */
export async function postCopy(
  app: App,
  identity: Identity,
  { room, msgnum, head }: Source,
  target: RoomRef,
  name: string,
  replaced: readonly number[],
): Promise<number> {
  const form = contentForm(head);
  const survey = new Survey();
  const body = await withContent(app, identity, room, msgnum, form, (bytes) =>
    spool(surveyed(bytes, survey), app.spoolFolder),
  );
  try {
    const isKnown = isMediaType(parseParameters(form.contentType).value);
    const message = {
      contentType: isKnown ? form.contentType : 'application/octet-stream',
      body,
      facts: survey.end(),
      posting: PLAIN_POSTING,
      attachments: [],
      name,
    };
    return await app.pool.withRoom(identity, target, async (connection, entered) => {
      const { posted } = await postBody(app, connection, entered, message);
      await removeReplaced(connection, replaced);
      return posted.msgnum;
    });
  } finally {
    await body.dispose();
  }
}
