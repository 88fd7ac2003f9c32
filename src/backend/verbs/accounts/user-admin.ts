// Users as administrators see and change them: AGUP, ASUP, VALI, RENU and the mail addresses of AGEA and ASEA; LIST and
// QUSR for all (protocol section 18.2).

import { MAX_ADDRESS_LOCAL_BYTES, MAX_INFO_TEXT_BYTES, MAX_USER_ADDRESSES } from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { accountName, nameKey, splitAddress } from '../../../protocol/names.ts';
import { STATUS } from '../../../protocol/status.ts';
import { deleteUser } from '../../maintenance/removal.ts';
import { isAdmin } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, listingStart, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { addressesOf, giveAddresses, userAt } from '../../store/addresses.ts';
import { dropAppPasswordsOf } from '../../store/credentials/app-passwords.ts';
import { verifyPassword } from '../../store/credentials/passwords.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Store } from '../../store/store.ts';
import {
  acceptableName,
  allUsers,
  findUser,
  isOwnDomain,
  lastLogIn,
  refuseAddressOfOther,
  refuseUserLookAlike,
  USER_FLAG,
  updateUser,
  userById,
  userNamed,
} from '../../store/users.ts';
import { inPieces } from '../message-lists.ts';
import { hashOf } from './accounts.ts';
import { requirePassword } from './key-login.ts';

/** `AGUP name` → `200 name||flags|0|0|level|number|last call|purge days`; the password is kept as a hash only. 570 */
export function agup(session: Session, args: string): Reply {
  const user = userNamed(session.store, splitFields(args)[0]!);
  const { name, flags, level, id, lastCall, purgeDays } = user;
  return ok(`${name}||${flags}|0|0|${level}|${id}|${lastCall}|${purgeDays}`);
}

/**
 * `ASUP name|password|flags|-|-|level|-|last call|purge days`; what is missing or an empty password stays. Another
 * password than before ends the user's sessions and app passwords, as deleting him does. 512, 550 one's own by a
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
  if (userById(session.store, user.id) !== user) throw new Refusal(STATUS.noSuchUser, 'No such user.');
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

/** `VALI name|level` → 200; 512 for a level outside 0..6; 570 */
export function vali(session: Session, args: string): Reply {
  const [name = '', level] = splitFields(args);
  const user = findUser(session.store, name);
  if (!user) throw new Refusal(STATUS.noSuchUser, `'${name}' not found.`);
  const newLevel = toInt(level);
  if (!isLevel(newLevel)) throw new Refusal(STATUS.illegalValue, 'Invalid access level.');
  if (newLevel === LEVEL.deleted) {
    deleteOrMark(session, user);
    return ok(`${user.name} Deleted.`);
  }
  updateUser(session.store, user, { level: newLevel, flags: user.flags & ~USER_FLAG.needsValidation });
  return ok(`User '${user.name}' validated.`);
}

/** `RENU old|new` → 200; 512, 541, 542, 570, 574 */
export function renu(session: Session, args: string): Reply {
  const [oldName = '', newName = ''] = splitFields(args);
  const user = findUser(session.store, oldName);
  if (!user) throw new Refusal(STATUS.noSuchUser, `'${oldName}' does not exist.`);
  if (session.server.isOnline(user)) {
    throw new Refusal(STATUS.alreadyLoggedIn, `'${user.name}' is currently logged in and cannot be renamed.`);
  }
  const name = acceptableName(newName);
  const key = accountName(name);
  const other = findUser(session.store, name);
  if (other && other !== user) throw new Refusal(STATUS.alreadyExists, `A user named '${other.name}' already exists.`);
  refuseAddressOfOther(session.store, name, user);
  refuseUserLookAlike(session.store, name, user);
  const before = user.name;
  updateUser(session.store, user, { name, key });
  return ok(`'${before}' has been renamed to '${name}'.`);
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

function isLevel(level: number): boolean {
  return level >= LEVEL.deleted && level <= LEVEL.admin;
}

/** Deletes now (true), or when the user's last session has ended, which this is the end of. */
function deleteOrMark(session: Session, user: StoredUser): boolean {
  if (session.server.isOnline(user)) {
    updateUser(session.store, user, { level: LEVEL.deleted });
    session.server.endSessionsOf(user, session);
    return false;
  }
  deleteUser(session.server, user);
  return true;
}

/** RFC 5321 section 4.1.2, Dot-string */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** `AGEA name` → listing of addresses; 570 */
export function agea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return listing(`internet email addresses for ${user.name}`, `${addressesOf(store, user).join('\n')}\n`);
}

/**
 * `ASEA name`: 400, then one address a line, instead of those there were; without any, the one made from the name. What
 * is no address of this server, or means somebody else, is left out. 570
 */
export function asea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return {
    reply: askText('Ok'),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      const wanted = text.split('\n').map((line) => nameKey(line.trim()));
      store.transaction(() => {
        giveAddresses(store, user, []);
        const fitting = [...new Set(wanted)].filter((address) => isFree(store, user, address));
        giveAddresses(store, user, fitting.slice(0, MAX_USER_ADDRESSES));
      });
      return '';
    }),
  };
}

function isFree(store: Store, user: StoredUser, address: string): boolean {
  const { local, domain } = splitAddress(address);
  if (domain === undefined || !isOwnDomain(store, domain)) return false;
  if (!LOCAL_PART.test(local) || local.length > MAX_ADDRESS_LOCAL_BYTES) return false;
  if (/^(room_.*|sysop)$/.test(local) || local.includes('|')) return false;
  const owner = userAt(store, address);
  return owner === undefined || owner === user;
}
