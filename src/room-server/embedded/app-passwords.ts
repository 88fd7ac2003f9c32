// App passwords: what programs log in with instead of their user's own password (verb APPW, protocol section 21.9).

import { APP_PASSWORD_SCOPES, type AppPasswordScope } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import { expectClass, type KnownRefusals, unexpectedAnswer } from '../connection/refusal.ts';
import type { AppPassword } from '../server.ts';

const KNOWN: KnownRefusals = {
  [STATUS.tooBig]: ['conflict', 'There are as many app passwords as can be kept. End one first.'],
  [STATUS.noSuchMessage]: ['not_found', 'There is no such app password.'],
  [STATUS.higherAccess]: ['forbidden', 'This takes a log-in with your own password.'],
};

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

export async function listAppPasswords(connection: Connection, owner = ''): Promise<AppPassword[]> {
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

export async function endAppPassword(connection: Connection, id: number, owner = ''): Promise<void> {
  expectClass(await connection.ask(command('APPW', 'end', id, owner)), REPLY.done, KNOWN);
}
