// Accounts: CREU AGUP ASUP AGEA for administrators, SETP CHEK RBIO EBIO GVEA for the user, LIST and QUSR for all
// (protocol section 18.2).

import { randomBytes } from 'node:crypto';
import { MAX_INFO_TEXT_BYTES } from '../../limits/backend.ts';
import { LEVEL } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { listingText } from '../content/message-text.ts';
import { hashOf } from '../maintenance/log-in.ts';
import { deleteOrMark } from '../maintenance/removal.ts';
import { isAdmin, requirePassword, requireUser } from '../session/access.ts';
import { inPieces, listing, listingStart, ok, type Reply, takeText } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { dropAppPasswordsOf } from '../store/keys.ts';
import { verifyPassword } from '../store/passwords.ts';
import type { StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { numberSetting } from '../store/store.ts';
import {
  addressesOf,
  allUsers,
  createUser,
  isLevel,
  lastLogIn,
  mainAddressOf,
  personalRoom,
  refuseTaken,
  USER_FLAG,
  updateUser,
  userById,
  userNamed,
} from '../store/users.ts';
import { visitOf } from '../store/visits.ts';

/** `AGUP name` → `200 name||flags|0|0|level|number|last call|purge days`; only a hash of the password is stored. 570 */
export function agup(session: Session, args: string): Reply {
  const user = userNamed(session.store, splitFields(args)[0]!);
  const { name, flags, level, id, lastCall, purgeDays } = user;
  return ok(`${name}||${flags}|0|0|${level}|${id}|${lastCall}|${purgeDays}`);
}

/**
 * `ASUP name|password|flags|-|-|level|-|last call|purge days`; missing fields and an empty password change nothing. A
 * new password ends the user's sessions and app passwords, as deletion does. 512, 550 one's own by a
 * session key, 570
 */
export async function asup(session: Session, args: string): Promise<Reply> {
  const fields = splitFields(args);
  const user = userNamed(session.store, fields[0]!);
  const [, password, flags, , , level, , lastCall, purgeDays] = fields;
  const given = password?.trim() ?? '';
  if (given !== '' && user === session.user) requirePassword(session);
  const isNewPassword = given !== '' && !(await verifyPassword(user.password, given, session));
  const hash = isNewPassword ? await hashOf(session, given) : undefined;
  // Another session may have deleted the account while the password was hashed.
  if (userById(session.store, user.id) !== user) throw new Refusal('noSuchUser', 'No such user.');
  const newLevel = level === undefined || level === '' ? user.level : toInt(level);
  const isDeleted = session.store.transaction(() => {
    updateUser(session.store, user, {
      ...(hash && { password: hash }),
      ...(flags && { flags: toInt(flags) }),
      ...(lastCall && { lastCall: toInt(lastCall) }),
      ...(purgeDays && { purgeDays: toInt(purgeDays) }),
      ...(isLevel(newLevel) && newLevel !== LEVEL.deleted && { level: newLevel }),
    });
    if (hash) dropAppPasswordsOf(session.store, user.id);
    return newLevel === LEVEL.deleted && deleteOrMark(session, user);
  });
  if (hash) session.server.endSessionsOf(user, session);
  return ok(`Ok${isDeleted ? ` (${user.name} deleted)` : ''}`);
}

/** `LIST text` → rows `name|level|number|last log-in, 0 for never|0|0||`, unlisted users for administrators only */
export function list(session: Session, args: string): Reply {
  const wanted = splitFields(args)[0]!.trim().toLowerCase();
  const seesAll = session.isAdminSocket || isAdmin(session.user);
  const row = (user: StoredUser): string => {
    const { name, level, id, flags } = user;
    if (flags & USER_FLAG.unlisted && !seesAll) return '';
    if (wanted && !name.toLowerCase().includes(wanted)) return '';
    return `${name}|${level}|${id}|${lastLogIn(user)}|0|0||\n`;
  };
  return inPieces(listingStart(''), allUsers(session.store).map(row));
}

/** `QUSR name` → the exact spelling; 570 */
export function qusr(session: Session, args: string): Reply {
  return ok(userNamed(session.store, splitFields(args)[0]!).name);
}

/** `AGEA name` → listing of addresses; 570 */
export function agea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return listing(`internet email addresses for ${user.name}`, `${addressesOf(store, user).join('\n')}\n`);
}

const GENERATED_PASSWORD_BYTES = 8;

/** `CREU name|password` → 200; 512, 542, 574 */
export async function creu(session: Session, args: string): Promise<Reply> {
  const bar = args.indexOf('|');
  const name = (bar < 0 ? args : args.slice(0, bar)).trim();
  const password = bar < 0 ? '' : args.slice(bar + 1).trim();
  refuseTaken(session.store, name);
  const hash = password === '' ? null : await hashOf(session, password);
  const user = createUser(session.store, name, hash);
  return ok(`User '${user.name}' created ${hash === null ? 'with no password' : 'and password set'}.`);
}

/**
 * `SETP password`, the whole line → 200, and the user's other sessions end; 512 too long; 550 by a session key; 560
 * without a user
 */
export async function setp(session: Session, args: string): Promise<Reply> {
  const { user } = session;
  if (!user) throw new Refusal('notHere', 'Not allowed. Log in as a user first.');
  requirePassword(session);
  let password = args.trim();
  if (password === '') return ok('Password unchanged.');
  const isGenerated = password === 'GENERATE_RANDOM_PASSWORD';
  if (isGenerated) password = randomBytes(GENERATED_PASSWORD_BYTES).toString('hex');
  const hash = await hashOf(session, password);
  // The connection may have ended, and a deleted account with it.
  if (userById(session.store, user.id) === user) {
    updateUser(session.store, user, { password: hash });
    session.server.endSessionsOf(user, session);
  }
  return isGenerated ? ok(password) : ok('Password changed.');
}

/** → `200 new mail|must register|users wait for validation|own address|` */
export function chek(session: Session): Reply {
  const { store, user } = session;
  if (!user) return ok('0|0|0||');
  const mail = personalRoom(store, user, OWN_ROOM.mail);
  const row = store.get`SELECT count(*) AS count FROM room_message WHERE room = ${mail.id}
    AND message > ${visitOf(store, user.id, mail.id).lastRead}`;
  const waiting =
    isAdmin(user) &&
    store.prepare(`SELECT 1 FROM user WHERE flags & ${USER_FLAG.needsValidation} LIMIT 1`).get() !== undefined
      ? 1
      : 0;
  const mustRegister = numberSetting(store, 'c_regiscall') !== 0 && !(user.flags & USER_FLAG.registered) ? 1 : 0;
  return ok(`${row!.count}|${mustRegister}|${waiting}|${mainAddressOf(store, user)}|`);
}

/** `RBIO name[|1]` → `100 OK|name|number|level|last call|0|0[|has a picture]` and the profile; 570 */
export function rbio(session: Session, args: string): Reply {
  const [asked, isPictureAsked] = splitFields(args);
  const user = userNamed(session.store, asked!);
  const { name, id, level } = user;
  const row = session.store.get`SELECT profile, picture IS NOT NULL AS pictured FROM user WHERE id = ${id}`;
  const more = toInt(isPictureAsked) === 1 ? `|${row?.pictured}` : '';
  return listing(`OK|${name}|${id}|${level}|${lastLogIn(user)}|0|0${more}`, listingText(String(row?.profile ?? '')));
}

/** 400, then the text that replaces the user's profile */
export function ebio(session: Session): Reply {
  const user = requireUser(session);
  return takeText('Transmit user profile in plain text now.', MAX_INFO_TEXT_BYTES, (text) => {
    session.store.transaction(() => session.store.run`UPDATE user SET profile = ${text} WHERE id = ${user.id}`);
  });
}

/** → listing of the own mail addresses */
export function gvea(session: Session): Reply {
  return listing('valid email addresses:', `${addressesOf(session.store, requireUser(session)).join('\n')}\n`);
}
