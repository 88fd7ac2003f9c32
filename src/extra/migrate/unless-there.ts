// Banners and pictures that a copy brings: what is there stays (protocol sections 18.4, 18.5 and 18.8).

import { AppError } from '../../errors.ts';
import { command } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { type Picture, readPicture, writePicture } from '../../room-server/pictures.ts';
import { writeText } from '../../room-server/text-transfer.ts';

/** The banner of the room that the connection is in. Throws forbidden, bad_request for a line `000`. */
export async function setInfoUnlessThere(connection: Connection, text: string): Promise<void> {
  if ((await connection.ask(command('RINF'))).code === STATUS.listing) return;
  await writeText(connection, command('EINF', 1), text);
}

/** The picture of the room that the connection is in. Takes all of `picture`. Throws forbidden, bad_request. */
export async function setRoomPictureUnlessThere(connection: Connection, picture: Picture): Promise<void> {
  if (await hasPicture(connection, command('DLRI'))) return drain(picture.bytes);
  await writePicture(connection, command('ULRI', picture.length, picture.contentType), picture);
}

/** The same of a user. */
export async function setUserPictureUnlessThere(connection: Connection, user: string, picture: Picture): Promise<void> {
  if (await hasPicture(connection, command('DLUI', user))) return drain(picture.bytes);
  await writePicture(connection, command('ULUI', picture.length, picture.contentType, user), picture);
}

async function hasPicture(connection: Connection, verb: string): Promise<boolean> {
  try {
    await readPicture(connection, verb, {}, ({ bytes }) => drain(bytes));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}
