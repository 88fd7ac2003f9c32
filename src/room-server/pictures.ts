// Pictures of users and rooms (verbs DLUI ULUI DLRI ULRI, protocol sections 18.5 and 18.8).

import { AppError } from '../errors.ts';
import { IN_STEP } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { binaryLength } from '../protocol/framing.ts';
import { REPLY, replyClass, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals, ROOM_ADMINS_ONLY, unexpectedAnswer } from './connection/server-errors.ts';

export interface Picture {
  contentType: string;
  length: number;
  /** to be consumed before the connection is given back */
  bytes: AsyncIterable<Buffer>;
}

/** other stored types are replaced */
const IMAGE_TYPE = /^image\/[\w.+-]+$/i;
const NO_USER_PICTURE: KnownRefusals = {
  [STATUS.noSuchFile]: ['not_found', 'No such picture.'],
  [STATUS.noSuchUser]: ['not_found', 'No such picture.'],
};
const NO_ROOM_PICTURE: KnownRefusals = { [STATUS.noSuchFile]: ['not_found', 'The room has no picture.'] };

/** Streams a user's picture to `use`. Throws not_found (571), also for an unknown user: guests may ask. */
export function withPicture<T>(
  pool: Pool,
  identity: Identity,
  user: string,
  use: (picture: Picture) => Promise<T>,
): Promise<T> {
  return pool.withConnection(identity, (connection) =>
    readPicture(connection, command('DLUI', user), NO_USER_PICTURE, use).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.backendCode !== STATUS.noSuchUser) throw error;
      throw new AppError('not_found', error.message, { backendCode: STATUS.noSuchFile });
    }),
  );
}

/** Streams a room's picture to `use`. Throws not_found (571). */
export function withRoomPicture<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  use: (picture: Picture) => Promise<T>,
): Promise<T> {
  return pool.visitRoom(identity, room, (connection) => readPicture(connection, command('DLRI'), NO_ROOM_PICTURE, use));
}

/** Streams the picture that `verb` returns to `use`. */
export async function readPicture<T>(
  connection: Connection,
  verb: string,
  known: KnownRefusals,
  use: (picture: Picture) => Promise<T>,
): Promise<T> {
  const status = expectClass(await connection.start(verb), REPLY.binary, known);
  const length = binaryLength(status);
  const type = splitFields(status.text)[3] ?? '';
  const contentType = IMAGE_TYPE.test(type) ? type : 'application/octet-stream';
  return use({ contentType, length, bytes: connection.binary(length) });
}

/** Stores one's own picture. Throws bad_request for other content than an image (512). */
export function setPicture(pool: Pool, identity: Identity, picture: Picture): Promise<void> {
  return pool.withConnection(identity, (connection) =>
    writePicture(connection, command('ULUI', picture.length, picture.contentType, ''), picture),
  );
}

const OF_ROOM: KnownRefusals = { [STATUS.higherAccess]: ROOM_ADMINS_ONLY };

/** Stores the picture of a room. Throws forbidden (550), bad_request (512). */
export function setRoomPicture(pool: Pool, identity: Identity, room: RoomRef, picture: Picture): Promise<void> {
  return pool.visitRoom(identity, room, (connection) =>
    writePicture(connection, command('ULRI', picture.length, picture.contentType), picture, OF_ROOM),
  );
}

/** Sends a picture after `verb`. */
export async function writePicture(
  connection: Connection,
  verb: string,
  { bytes }: Picture,
  known?: KnownRefusals,
): Promise<void> {
  expectClass(await connection.start(verb), REPLY.sendBinary, known);
  await connection.sendBinary(bytes);
  expectClass(await connection.ask(IN_STEP), REPLY.done); // an upload is not confirmed; an answered NOOP is
}

/** A size of 0 removes a picture from the embedded room server. A real one cannot remove any. */
const CANNOT_REMOVE: KnownRefusals = {
  [STATUS.illegalValue]: ['method_not_allowed', 'This room server cannot remove a picture, only replace it.'],
};

/** Removes one's own picture. Throws not_found (571), method_not_allowed if the room server cannot. */
export function removePicture(pool: Pool, identity: Identity): Promise<void> {
  const verb = command('ULUI', 0, 'image/png', '');
  return pool.withConnection(identity, (connection) => remove(connection, verb, NO_USER_PICTURE));
}

/** Removes the picture of a room. Throws forbidden (550), not_found (571), method_not_allowed. */
export function removeRoomPicture(pool: Pool, identity: Identity, room: RoomRef): Promise<void> {
  const verb = command('ULRI', 0, 'image/png');
  return pool.visitRoom(identity, room, (connection) => remove(connection, verb, { ...NO_ROOM_PICTURE, ...OF_ROOM }));
}

async function remove(connection: Connection, verb: string, noPicture: KnownRefusals): Promise<void> {
  const status = await connection.start(verb);
  if (replyClass(status.code) === REPLY.sendBinary) {
    connection.close(); // it waits for bytes
    throw unexpectedAnswer(status);
  }
  expectClass(status, REPLY.done, { ...CANNOT_REMOVE, ...noPicture });
}
