// Accounts that a copy makes at its target, by the ordinary protocol (verbs CREU, ASUP, EBIO; protocol section 18.2).

import { command } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import { expectClass } from '../../room-server/connection/refusal.ts';
import { writeText } from '../../room-server/text-transfer.ts';
import { createUser } from '../../room-server/users.ts';
import type { User } from './model.ts';

/**
 * ASUP only when the account is known to be a new one, or it would change somebody else's. `password`: in ASUP, where
 * an empty one is none at all on a real server, and leaves it as it is on ours. Throws conflict when the name is
 * taken.
 */
export async function createAccount(connection: Connection, user: User, password: string): Promise<void> {
  await createUser(connection, user.name, user.password);
  await setAccount(connection, user, password);
}

/** As createAccount, when it was broken off behind CREU. Throws not_logged_in when the account is somebody else's. */
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

/** Only the user himself can write his profile; a copy knows the password of an account that it makes. */
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
