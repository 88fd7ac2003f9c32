// Accounts of the embedded room server: session keys (verb SKEY, protocol section 21.3), which a cookie has instead of a
// password, and app passwords (APPW, protocol section 21.9), which programs use instead of their user's password.

import { AppError } from '../../errors.ts';
import { MAX_PASSWORD_BYTES, MAX_ROOM_PASSWORD_BYTES } from '../../limits/backend.ts';
import { APP_PASSWORD_SCOPES } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, isFieldSafe, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import { parseEnteredRoom } from '../connection/goto.ts';
import { expectClass, type KnownRefusals, unexpectedAnswer } from '../connection/server-errors.ts';
import type { AccountMethods, AppPassword } from '../server.ts';
import { ENTER_INBOX, newMailIn, profileFrom, suggestRecipients } from '../users.ts';

const NEW = command('SKEY', 'new');
const END = command('SKEY', 'end');

const KNOWN: KnownRefusals = {
  [STATUS.tooBig]: ['conflict', 'There are too many app passwords. Revoke one first.'],
  [STATUS.noSuchMessage]: ['not_found', 'No such app password.'],
  [STATUS.higherAccess]: ['forbidden', 'Log in with your own password to do this.'],
};

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

export const accounts: AccountMethods = {
  passwordBounds: { user: MAX_PASSWORD_BYTES, room: MAX_ROOM_PASSWORD_BYTES },

  suggest: suggestRecipients, // which book comes first: backend/verbs/completion.ts

  async profile(pool, identity, name) {
    const [answer] = await pool.read(identity, [command('RBIO', name, 1)]);
    return profileFrom(answer!, name);
  },

  async newMailSince(pool, identity, previous) {
    const list = previous === undefined ? [] : [command('MSGS', 'GT', previous)];
    const [inbox, later] = await pool.read(identity, [ENTER_INBOX, ...list]);
    const { highest } = parseEnteredRoom(inbox!);
    return later ? newMailIn(later, highest, previous!) : { inbox: highest, count: 0 };
  },

  /** Returns the credentials if the disk is full, so that users can still log in to delete something. */
  async beginSession(connection, credentials) {
    const answer = await connection.ask(NEW);
    if (answer.code === STATUS.storage) return credentials;
    const key = expectClass(answer, REPLY.done).text;
    // otherwise it could not be sent
    if (key === '' || !isFieldSafe(key)) throw unexpectedAnswer();
    return { user: credentials.user, key };
  },

  async endSession(pool, session) {
    try {
      // a retry after a lost connection may find the key revoked already
      const [answer] = await pool.read(session, [END]);
      expectClass(answer!, REPLY.done);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_logged_in')) throw error;
    }
  },

  async makeAppPassword(connection, scope, name, owner = '') {
    const { text } = expectClass(await connection.ask(command('APPW', 'new', scope, name, owner)), REPLY.done, KNOWN);
    const [id, secret = ''] = splitFields(text);
    if (secret === '') throw unexpectedAnswer(text);
    return { id: toInt(id), secret };
  },

  async listAppPasswords(connection, owner = '') {
    return rowsFrom(await connection.ask(command('APPW', 'list', owner)));
  },

  async endAppPassword(connection, id, owner = '') {
    expectClass(await connection.ask(command('APPW', 'end', id, owner)), REPLY.done, KNOWN);
  },
};
