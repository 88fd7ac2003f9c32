// The content of a message, posted anew under another name: what MOVE and COPY do when the name changes.

import type { RoomRef } from '../client/connection/goto.ts';
import type { Identity } from '../client/connection/identity.ts';
import type { MessageHead } from '../client/messages.ts';
import type { App } from '../gateway/app.ts';
import { contentForm, withContent } from '../gateway/message/content.ts';
import { rememberName } from '../gateway/message/head.ts';
import { PLAIN_POSTING, postBody, removeReplaced, settleName } from '../gateway/message/post-body.ts';
import { isMediaType, parseParameters } from '../mime/headers.ts';
import { scanned, TraitScanner } from '../mime/traits.ts';

export interface Source {
  room: RoomRef;
  msgnum: number;
  head: MessageHead;
}

export interface Copied {
  msgnum: number;
  isReplaced: boolean;
}

/** Posts it into `target`, then deletes what it replaces there. Throws as postBody and settleName. */
export async function postCopy(
  app: App,
  identity: Identity,
  { room, msgnum, head }: Source,
  target: RoomRef,
  name: string,
  existing: readonly number[],
  mayOverwrite: boolean,
): Promise<Copied> {
  const form = contentForm(head);
  const survey = new TraitScanner();
  const account = await app.pool.accountOf(identity);
  const body = await withContent(app, identity, room, msgnum, form, (bytes) =>
    app.spools.take(account, scanned(bytes, survey)),
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
      const { posted } = await postBody(app, identity, connection, entered, message);
      const rivals = await settleName(connection, entered, name, posted.msgnum, !mayOverwrite);
      await removeReplaced(connection, [...existing, ...rivals]);
      rememberName(app, identity, target, name, posted.msgnum);
      return { msgnum: posted.msgnum, isReplaced: existing.length + rivals.length > 0 };
    });
  } finally {
    await body.dispose();
  }
}
