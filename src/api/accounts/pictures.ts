// Pictures of users and rooms. Their entity tag is a hash of their bytes, since the room server records no change, so
// they are received completely before the answer begins.

import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { callerOf, userOf } from '../../gateway/caller.ts';
import { FOREIGN_CONTENT } from '../../gateway/message/representation.ts';
import { callerInRoom, userInRoom } from '../../gateway/request-room.ts';
import { bodyStream } from '../../http/body.ts';
import type { Exchange } from '../../http/exchange.ts';
import { sendRepresentation } from '../../http/representation.ts';
import { sendEmpty } from '../../http/respond.ts';
import type { Spooled } from '../../http/spool.ts';
import { MIN_PICTURE_BYTES } from '../../limits/backend.ts';
import { MAX_PICTURE_BYTES } from '../../limits/http.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import {
  type Picture,
  removePicture,
  removeRoomPicture,
  setPicture,
  setRoomPicture,
  withPicture,
  withRoomPicture,
} from '../../room-server/pictures.ts';
import { requireOwnName, userNameOf } from './users.ts';

/** GET u/:user/userpic */
export async function getPicture(exchange: Exchange, app: App): Promise<void> {
  const user = userNameOf(exchange);
  const { identity } = await callerOf(exchange, app);
  await sendPicture(exchange, await withPicture(app.pool, identity, user, (picture) => keep(app, identity, picture)));
}

/** PUT u/:user/userpic: one's own. */
export async function putPicture(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  await requireOwnName(exchange, app, identity);
  await receive(exchange, app, identity, (picture) => setPicture(app.pool, identity, picture));
}

/** DELETE u/:user/userpic: one's own. */
export async function deletePicture(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  await requireOwnName(exchange, app, identity);
  await removePicture(app.pool, identity);
  await sendEmpty(exchange, 204);
}

/** GET r/:room/roompic */
export async function getRoomPicture(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await callerInRoom(exchange, app);
  await sendPicture(
    exchange,
    await withRoomPicture(app.pool, caller.identity, room, (picture) => keep(app, caller.identity, picture)),
  );
}

/** PUT r/:room/roompic */
export async function putRoomPicture(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await receive(exchange, app, caller.identity, (picture) => setRoomPicture(app.pool, caller.identity, room, picture));
}

/** DELETE r/:room/roompic */
export async function deleteRoomPicture(exchange: Exchange, app: App): Promise<void> {
  const { caller, room } = await userInRoom(exchange, app);
  await removeRoomPicture(app.pool, caller.identity, room);
  await sendEmpty(exchange, 204);
}

interface KeptPicture {
  contentType: string;
  etag: string;
  bytes: Spooled;
}

async function keep(app: App, identity: Identity, { contentType, bytes }: Picture): Promise<KeptPicture> {
  const hash = createHash('sha256').update(`${contentType}\n`);
  const account = await app.pool.accountOf(identity);
  const kept = await app.spools.take(account, bytes, (piece) => hash.update(piece));
  return { contentType, etag: `"${hash.digest('base64url').slice(0, 22)}"`, bytes: kept };
}

/** To be asked for again before it is shown, so that a new one shows at once. */
async function sendPicture(exchange: Exchange, { contentType, etag, ...picture }: KeptPicture): Promise<void> {
  await using bytes = picture.bytes;
  await sendRepresentation(exchange, {
    contentType,
    size: bytes.size,
    etag,
    headers: FOREIGN_CONTENT,
    open: (start, end) => bytes.open(start, end),
  });
}

async function receive(
  exchange: Exchange,
  app: App,
  identity: Identity,
  store: (picture: Picture) => Promise<void>,
): Promise<void> {
  const contentType = (exchange.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!/^image\/[\w.+-]+$/.test(contentType)) {
    throw new AppError('unsupported_media_type', 'Send a picture with an image type, such as image/png.');
  }
  await using picture = await app.spools.take(
    await app.pool.accountOf(identity),
    bodyStream(exchange, MAX_PICTURE_BYTES),
  );
  if (picture.size < MIN_PICTURE_BYTES) throw new AppError('bad_request', 'The picture is too small.');
  await store({ contentType, length: picture.size, bytes: picture.open() });
  await sendEmpty(exchange, 204);
}
