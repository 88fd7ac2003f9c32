// Pictures of users.

import { setPicture, withPicture } from '../client/users.ts';
import { AppError } from '../errors.ts';
import { bodyStream } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty, sendStream } from '../http/respond.ts';
import { spool } from '../http/spool.ts';
import { MAX_PICTURE_BYTES } from '../limits.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { callerOf, userOf } from './caller.ts';
import { FOREIGN_CONTENT } from './messages.ts';

/** GET u/:user/userpic */
export async function getPicture(x: Exchange, app: App): Promise<void> {
  const user = x.params.user!;
  if (!isFieldSafe(user)) throw new AppError('not_found', 'No such user.');
  const { identity } = await callerOf(x, app);
  await withPicture(app.pool, identity, user, ({ contentType, length, bytes }) =>
    sendStream(x, {
      contentType,
      length,
      headers: { ...FOREIGN_CONTENT, 'Cache-Control': 'private, max-age=300' },
      body: bytes,
    }),
  );
}

/** PUT u/:user/userpic: one's own. */
export async function putPicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  const { name } = await app.pool.identify(identity);
  if (x.params.user!.toLowerCase() !== name.toLowerCase()) {
    throw new AppError('forbidden', 'Only your own picture can be changed.');
  }
  const contentType = (x.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!/^image\/[\w.+-]+$/.test(contentType)) {
    throw new AppError('unsupported_media_type', 'A picture has an image type, such as image/png.');
  }
  const picture = await spool(bodyStream(x, MAX_PICTURE_BYTES), app.spoolFolder);
  try {
    await setPicture(app.pool, identity, { contentType, length: picture.size, bytes: picture.open() });
  } finally {
    await picture.dispose();
  }
  await sendEmpty(x, 204);
}
