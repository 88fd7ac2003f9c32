// `vestibule user …`: manages accounts of an embedded room server over its administration socket. Starts a server for
// the duration of the command if none is running.

import { createInterface } from 'node:readline';
import type { CreatedAdmin } from '../backend/maintenance/bootstrap.ts';
import { databaseFile, requireDatabase } from '../backend/store/store.ts';
import { AppError } from '../errors.ts';
import { MAX_PASSWORD_BYTES } from '../limits/backend.ts';
import { LEVEL } from '../model.ts';
import { Connection } from '../room-server/connection/connection.ts';
import { serverOn } from '../room-server/driver.ts';
import { createUser, listUsers, updateUser } from '../room-server/users.ts';
import { adminSocketOf } from './admin-socket.ts';
import type { UserAction } from './commands.ts';

/** exit code of shells for SIGINT */
const INTERRUPTED = 130;
const LEVEL_NAMES = ['deleted', 'new', 'problem', 'local', 'network', 'preferred', 'admin'];

/** Prints the result. Throws AppError for the user. */
export async function runUserCommand(
  action: UserAction & { dataFolder: string; adminPassword?: string },
  announceAdmin: (admin: CreatedAdmin) => void,
): Promise<void> {
  // only `add` may create a data folder; otherwise a missing one is a typo
  if (action.action !== 'add') {
    requireDatabase(databaseFile(action.dataFolder), `There is no room server in ${action.dataFolder}.`);
  }
  const password = 'password' in action ? (action.password ?? (await readPassword())) : '';
  if ('password' in action) requirePassword(password);
  await using opened = new AsyncDisposableStack();
  const { dataFolder, adminPassword } = action;
  const path = await adminSocketOf(dataFolder, opened, { adminPassword, announceAdmin });
  const connection = opened.adopt(await Connection.open({ path }), (it) => it.close());
  await run(connection, action, password);
}

async function run(connection: Connection, action: UserAction, password: string): Promise<void> {
  const { accounts } = await serverOn(connection);
  switch (action.action) {
    case 'add':
      await createUser(connection, action.name, password);
      if (action.isAdmin) await updateUser(connection, action.name, { level: LEVEL.admin });
      console.log(`Added ${action.name}`);
      return;
    case 'passwd':
      await updateUser(connection, action.name, { password });
      console.log(`Changed the password of ${action.name}`);
      return;
    case 'remove':
      await updateUser(connection, action.name, { level: LEVEL.deleted });
      console.log(`Removed ${action.name}`);
      return;
    case 'apps':
      for (const { id, scope, name, room, used } of await accounts.listAppPasswords(connection, action.name)) {
        console.log([id, scope, name, ...(room === '' ? [] : [room]), timeOf(used)].join('\t'));
      }
      return;
    case 'add-app':
      console.log((await accounts.makeAppPassword(connection, action.scope, action.app, action.name)).secret);
      return;
    case 'remove-app':
      await accounts.endAppPassword(connection, action.id, action.name);
      console.log(`Removed app password ${action.id} of ${action.name}`);
      return;
    case 'list':
      for (const user of await listUsers(connection)) {
        console.log([user.usernum, user.name, LEVEL_NAMES[user.level] ?? user.level, timeOf(user.lastCall)].join('\t'));
      }
  }
}

/** Takes Unix seconds; 0: never. */
function timeOf(seconds: number): string {
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : 'never';
}

function requirePassword(password: string): void {
  if (password === '') throw new AppError('bad_request', 'The password is empty.');
  if (Buffer.byteLength(password) <= MAX_PASSWORD_BYTES && !/[|\p{Cc}]/u.test(password)) return;
  const text = `A password has 1 to ${MAX_PASSWORD_BYTES} bytes, no | and no control characters.`;
  throw new AppError('bad_request', text);
}

/** Reads a line of standard input; prompts at a terminal, without echo. Ctrl-C ends the program. */
function readPassword(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) process.stderr.write('Password: ');
  const lines = createInterface({ input: stdin, terminal: stdin.isTTY, output: undefined });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line); // before close(), whose event resolves, too
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close(); // restores the echo
      process.exit(INTERRUPTED);
    });
    lines.once('close', () => {
      if (stdin.isTTY) process.stderr.write('\n');
      resolve('');
    });
  });
}
