// Pictures of users and rooms.

import type { Identity } from '../client/identity.ts';
import {
  type Picture,
  removePicture,
  removeRoomPicture,
  setPicture,
  setRoomPicture,
  withPicture,
  withRoomPicture,
} from '../client/pictures.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf, userOf } from '../gateway/caller.ts';
import { FOREIGN_CONTENT } from '../gateway/message-facts.ts';
import { roomOf } from '../gateway/paths.ts';
import { bodyStream } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty, sendStream } from '../http/respond.ts';
import { MAX_PICTURE_BYTES, MIN_PICTURE_BYTES } from '../limits.ts';
import { requireOwnName, userNameOf } from './user-names.ts';

/** GET u/:user/userpic */
export async function getPicture(x: Exchange, app: App): Promise<void> {
  const user = userNameOf(x);
  const { identity } = await callerOf(x, app);
  await withPicture(app.pool, identity, user, (picture) => sendPicture(x, picture));
}

/** PUT u/:user/userpic: one's own. */
export async function putPicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  await requireOwnName(x, app, identity);
  await receive(x, app, identity, (picture) => setPicture(app.pool, identity, picture));
}

/** DELETE u/:user/userpic: one's own. */
export async function deletePicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  await requireOwnName(x, app, identity);
  await removePicture(app.pool, identity);
  await sendEmpty(x, 204);
}

/** GET r/:room/roompic */
export async function getRoomPicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await callerOf(x, app);
  await withRoomPicture(app.pool, identity, roomOf(x), (picture) => sendPicture(x, picture));
}

/** PUT r/:room/roompic */
export async function putRoomPicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  const room = roomOf(x);
  await receive(x, app, identity, (picture) => setRoomPicture(app.pool, identity, room, picture));
}

/** DELETE r/:room/roompic */
export async function deleteRoomPicture(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  await removeRoomPicture(app.pool, identity, roomOf(x));
  await sendEmpty(x, 204);
}

function sendPicture(x: Exchange, { contentType, length, bytes }: Picture): Promise<void> {
  return sendStream(x, {
    contentType,
    length,
    headers: { ...FOREIGN_CONTENT, 'Cache-Control': 'private, max-age=300' },
    body: bytes,
  });
}

async function receive(
  x: Exchange,
  app: App,
  identity: Identity,
  store: (picture: Picture) => Promise<void>,
): Promise<void> {
  const contentType = (x.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!/^image\/[\w.+-]+$/.test(contentType)) {
    throw new AppError('unsupported_media_type', 'A picture has an image type, such as image/png.');
  }
  const picture = await app.spools.take(identity, bodyStream(x, MAX_PICTURE_BYTES));
  try {
    if (picture.size < MIN_PICTURE_BYTES) throw new AppError('bad_request', 'This is too small to be a picture.');
    await store({ contentType, length: picture.size, bytes: picture.open() });
  } finally {
    await picture.dispose();
  }
  await sendEmpty(x, 204);
}
