// Members without content: folders (RFC 4918 section 5.2), and files that are locked before they are written.

import { EncodingScanner } from '../../mime/encoding-facts.ts';
import { nameInRoomKey } from '../message/name.ts';
import { PLAIN_POSTING } from '../message/post-body.ts';
import { postReplacing } from '../message/replacement.ts';
import type { RoomContext } from '../room-context.ts';
import { withoutSlash } from './path.ts';

/** of the message that is a folder */
export const FOLDER_TYPE = 'httpd/unix-directory';

/**
 * Posts an empty message under a name that is free, and answers its number. Throws as postReplacing: of two gateways
 * that do it at the same time one gets precondition_failed.
 */
export async function postEmpty(context: RoomContext, name: string, contentType: string): Promise<number> {
  const { app, caller, room } = context;
  const account = await app.pool.accountOf(caller.identity);
  await using body = await app.spools.take(account, nothing());
  const message = {
    contentType,
    body,
    traits: new EncodingScanner().end(),
    posting: PLAIN_POSTING,
    attachments: [],
    name,
  };
  return app.pool.withRoom(caller.identity, room, async (connection, entered) => {
    const { posted } = await postReplacing(context, connection, entered, message, [], true);
    app.watches.posted(entered.name, []);
    return posted.msgnum;
  });
}

/** Changes of a name, be it that of a file or of a folder, wait for each other. Throws what `change` throws. */
export function inTurn<T>({ app, room }: RoomContext, name: string, change: () => Promise<T>): Promise<T> {
  return app.serialQueue.run(nameInRoomKey(room.name, withoutSlash(name)), change);
}

async function* nothing(): AsyncGenerator<Buffer> {}
