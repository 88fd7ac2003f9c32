// App passwords: what programs log in with instead of their user's own password, where the room server is Vestibule's
// own (verb APPW, protocol section 21.9). Any other answers 530.

import { APP_PASSWORD_SCOPES, type AppPasswordScope } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, type KnownRefusals, unexpectedAnswer } from '../connection/refusal.ts';

/** As lists show it. Times are Unix seconds. */
export interface AppPassword {
  id: number;
  name: string;
  scope: AppPasswordScope;
  /** the one that a feed shows; '' without one */
  room: string;
  created: number;
  /** 0: never */
  used: number;
}

const LIST = command('APPW', 'list');
const KNOWN: KnownRefusals = {
  [STATUS.unsupported]: ['not_found', 'This room server has no app passwords.'],
  [STATUS.tooBig]: ['conflict', 'There are as many app passwords as can be kept. End one first.'],
  [STATUS.noSuchMessage]: ['not_found', 'There is no such app password.'],
  [STATUS.higherAccess]: ['forbidden', 'This takes a log-in with your own password.'],
};

/**
 * Makes one; its secret is told this once. The scope feed is for the room that the connection is in. `owner`: whose, on
 * the administration socket; else one's own. Throws conflict where there are too many, forbidden, not_found.
 */
export async function makeAppPassword(
  connection: Connection,
  scope: AppPasswordScope,
  name: string,
  owner = '',
): Promise<{ id: number; secret: string }> {
  const { text } = expectClass(await connection.ask(command('APPW', 'new', scope, name, owner)), REPLY.done, KNOWN);
  const [id, secret = ''] = splitFields(text);
  if (secret === '') throw unexpectedAnswer(text);
  return { id: toInt(id), secret };
}

/** One's own, in the order in which they were made. Throws forbidden, not_found. */
export async function listAppPasswords(pool: Pool, identity: Identity): Promise<AppPassword[]> {
  const [answer] = await pool.read(identity, [LIST]);
  return rowsFrom(answer!);
}

/** Those of a user, on the administration socket. Throws not_found. */
export async function listAppPasswordsOf(connection: Connection, owner: string): Promise<AppPassword[]> {
  return rowsFrom(await connection.ask(command('APPW', 'list', owner)));
}

/** `3|dav|1795221425|0||phone` */
function rowsFrom(answer: Answer): AppPassword[] {
  return expectClass(answer, REPLY.listing, KNOWN).lines.map((line) => {
    const [id, word, created, used, room = '', name = ''] = splitFields(line);
    const scope = APP_PASSWORD_SCOPES.find((each) => each === word);
    if (!scope) throw unexpectedAnswer(line);
    return {
      id: toInt(id),
      name,
      scope,
      room,
      created: toInt(created),
      used: toInt(used),
    };
  });
}

/** Ends one, and the sessions that have logged in with it. Throws forbidden, not_found. */
export async function endAppPassword(connection: Connection, id: number, owner = ''): Promise<void> {
  expectClass(await connection.ask(command('APPW', 'end', id, owner)), REPLY.done, KNOWN);
}
