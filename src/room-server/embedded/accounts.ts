// Accounts of the embedded room server: session keys, which a cookie holds instead of a password (verb SKEY,
// backend/verbs/login.ts), and app passwords, which programs log in with instead of their user's own
// password (APPW, protocol section 21.9).

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
  [STATUS.tooBig]: ['conflict', 'There are as many app passwords as can be kept. End one first.'],
  [STATUS.noSuchMessage]: ['not_found', 'There is no such app password.'],
  [STATUS.higherAccess]: ['forbidden', 'This takes a log-in with your own password.'],
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

  /** Asked for whether there is a picture, too. */
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

  /** Just the credentials where the disk has no room for a key: who wants to delete something has to get in. */
  async beginSession(connection, credentials) {
    const answer = await connection.ask(NEW);
    if (answer.code === STATUS.storage) return credentials;
    const key = expectClass(answer, REPLY.done).text;
    // or nothing could be asked with it
    if (key === '' || !isFieldSafe(key)) throw unexpectedAnswer();
    return { user: credentials.user, key };
  },

  async endSession(pool, session) {
    try {
      // sent once more when the connection is lost: then the first time may have been good, and the key is not
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
