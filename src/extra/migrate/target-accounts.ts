// Creates accounts at the target with the ordinary protocol (verbs CREU, ASUP, EBIO; protocol section 18.2).

import { AppError } from '../../errors.ts';
import { command } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import { type Connection, writeText } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { type Picture, readPicture, writePicture } from '../../room-server/pictures.ts';
import { createUser } from '../../room-server/users.ts';
import type { User } from './model.ts';

/**
 * Calls ASUP only after CREU succeeded, or it might change somebody else's account. `password`: for ASUP; '' removes it
 * on a real server, and keeps it on the embedded one. Throws conflict if the name is taken.
 */
export async function createAccount(connection: Connection, user: User, password: string): Promise<void> {
  await createUser(connection, user.name, user.password);
  await setAccount(connection, user, password);
}

/** Completes an interrupted createAccount. Throws not_logged_in if it is somebody else's account. */
export async function finishAccount(
  connection: Connection,
  open: () => Promise<Connection>,
  user: User,
  password: string,
): Promise<void> {
  await loggedIn(open, user, async () => {});
  await setAccount(connection, user, password);
}

async function setAccount(connection: Connection, { name, flags, level }: User, password: string): Promise<void> {
  expectClass(await connection.ask(command('ASUP', name, password, flags, 0, 0, level)), REPLY.done);
}

/** Only users can write their profiles, so this logs in. */
export async function setBio(open: () => Promise<Connection>, user: User): Promise<void> {
  await loggedIn(open, user, (connection) => writeText(connection, command('EBIO'), user.bio));
}

async function loggedIn(
  open: () => Promise<Connection>,
  { name, password }: User,
  run: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await open();
  try {
    await logIn(connection, { user: name, password });
    await run(connection);
  } finally {
    connection.close();
  }
}

/** The description of the current room. Throws forbidden, bad_request for a line `000`. */
export async function setInfoUnlessThere(connection: Connection, text: string): Promise<void> {
  if ((await connection.ask(command('RINF'))).code === STATUS.listing) return;
  await writeText(connection, command('EINF', 1), text);
}

/** The picture of the current room. Consumes `picture`. Throws forbidden, bad_request. */
export async function setRoomPictureUnlessThere(connection: Connection, picture: Picture): Promise<void> {
  if (await hasPicture(connection, command('DLRI'))) return drain(picture.bytes);
  await writePicture(connection, command('ULRI', picture.length, picture.contentType), picture);
}

/** A user's picture. */
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
