// Accounts: NEWU creates one's own, LOUT logs out; VALI, RENU and ASEA are for administrators (protocol section 18.2).

import { MAX_ADDRESS_LOCAL_BYTES, MAX_INFO_TEXT_BYTES, MAX_USER_ADDRESSES } from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { accountName, nameKey, splitAddress } from '../../../protocol/names.ts';
import { STATUS } from '../../../protocol/status.ts';
import { logIn, logOut, requireNobody } from '../../maintenance/log-in.ts';
import { deleteOrMark } from '../../maintenance/removal.ts';
import { addressKeys, waitForTurn } from '../../session/attempts.ts';
import { collectText } from '../../session/collect.ts';
import { askText, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { giveAddresses, userAt } from '../../store/addresses.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { numberSetting } from '../../store/settings.ts';
import type { Store } from '../../store/store.ts';
import {
  acceptableName,
  createUser,
  findUser,
  isLevel,
  isOwnDomain,
  refuseAddressOfOther,
  refuseTaken,
  refuseUserLookAlike,
  USER_FLAG,
  updateUser,
  userById,
  userNamed,
} from '../../store/users.ts';

/**
 * `NEWU name`: creates an account without a password and logs in → as PASS; 512, 541, 542, 560, 574. Off unless an
 * administrator allows it; then as many from one address as there may be failed log-ins.
 */
export async function newu(session: Session, args: string): Promise<Reply> {
  requireNobody(session);
  if (numberSetting(session.store, 'c_disable_newu') !== 0) {
    throw new Refusal(STATUS.notHere, 'Self-service user account creation is disabled on this system.');
  }
  const name = args.split('|')[0]!.trim();
  if (['bbs', 'new', '.'].includes(name.toLowerCase()))
    throw new Refusal(STATUS.illegalValue, `'${name}' is an invalid login name.`);
  refuseTaken(session.store, name);
  const keys = addressKeys(session);
  await waitForTurn(session, keys);
  try {
    return logIn(session, createUser(session.store, name, null));
  } finally {
    await session.throttle?.failed(keys);
  }
}

/** `LOUT` → 200; the session stays. */
export function lout(session: Session): Reply {
  logOut(session);
  // Behind the reply, which is written when this turn is over.
  setImmediate(() => session.server.downWhenIdle());
  return ok('logged out.');
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

/** RFC 5321 section 4.1.2, Dot-string */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

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
