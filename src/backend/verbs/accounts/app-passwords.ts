// APPW, our own verb: app passwords, with which programs log in by USER and PASS. The gateway enforces their scopes for
// HTTP paths (gateway/scope.ts). Here, no app password allows creating others, setting a password or administering the
// server.

import { MAX_APP_PASSWORD_NAME_BYTES } from '../../../limits/sessions.ts';
import { APP_PASSWORD_SCOPES, type AppPasswordScope } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { readableRoom, refuseAppPassword, requirePassword, requireUser } from '../../session/access.ts';
import { listing, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { appPasswordsOf, dropAppPassword, storeAppPassword } from '../../store/credentials/app-passwords.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { roomById, shownName } from '../../store/rooms.ts';
import { userNamed } from '../../store/users.ts';

/**
 * `APPW new|scope|name` → `200 id|secret`; `APPW list` → rows `id|scope|created|used|room|name`; `APPW end|id` → 200,
 * and every session that has logged in with it ends. On the administration socket a further field names whose they are.
 * 511, 512, 520, 530 where no gateway of this machine asks, 550, 570, 575
 */
export function appw(session: Session, args: string): Reply {
  if (session.throttle) throw new Refusal('unsupported', 'App passwords are made at the gateway of this server.');
  const [what, ...fields] = splitFields(args);
  switch (what) {
    case 'new':
      return make(session, fields);
    case 'list':
      return list(session, ownerOf(session, fields[0]));
    case 'end':
      return end(session, ownerOf(session, fields[1]), toInt(fields[0]));
    default:
      throw new Refusal('illegalValue', 'APPW takes new, list or end.');
  }
}

function make(session: Session, [scope, name = '', owner]: readonly string[]): Reply {
  const user = ownerOf(session, owner);
  if (!isScope(scope)) throw new Refusal('illegalValue', `A scope is one of ${APP_PASSWORD_SCOPES.join(', ')}.`);
  // a feed shows one room, which the user can read anyway; the other scopes outlive the session
  if (scope !== 'feed') requirePassword(session);
  const clean = name.trim();
  if (clean === '' || Buffer.byteLength(clean) > MAX_APP_PASSWORD_NAME_BYTES || /\p{Cc}/u.test(clean)) {
    throw new Refusal('illegalValue', `A name has 1 to ${MAX_APP_PASSWORD_NAME_BYTES} bytes.`);
  }
  const room = scope === 'feed' ? readableRoom(session).id : null;
  const { id, secret } = storeAppPassword(session.store, { user: user.id, name: clean, scope, room });
  return ok(`${id}|${secret}`);
}

function list({ store }: Session, user: StoredUser): Reply {
  let rows = '';
  for (const { id, scope, created, used, room, name } of appPasswordsOf(store, user.id)) {
    const found = room === null ? undefined : roomById(store, room);
    rows += `${id}|${scope}|${created}|${used}|${found ? shownName(found, user) : ''}|${name}\n`;
  }
  return listing('App passwords:', rows);
}

function end(session: Session, user: StoredUser, id: number): Reply {
  if (!dropAppPassword(session.store, user.id, id)) throw new Refusal('noSuchMessage', 'No such app password.');
  session.server.endSessionsOfAppPassword(id);
  return ok('The app password has ended.');
}

/** The user whose app passwords are managed. Throws Refusal 520, 550, 570. */
function ownerOf(session: Session, name: string | undefined): StoredUser {
  if (session.isAdminSocket && name) return userNamed(session.store, name);
  refuseAppPassword(session);
  return requireUser(session);
}

function isScope(word: string | undefined): word is AppPasswordScope {
  return APP_PASSWORD_SCOPES.some((scope) => scope === word);
}
