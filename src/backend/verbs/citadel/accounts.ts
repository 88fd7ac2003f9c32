// Accounts: NEWU creates one, LOUT logs out; REGI and GREG set and show postal addresses; VALI, RENU, ASEA and GNUR are
// for administrators; GETU SETU GVSN ISME QDIR GVDN, inbox rules, GIBR PIBR, mail counter, BIFF, and the people on
// cards, DVCA (protocol sections 18.2, 18.9 and 18.12).

import {
  MAX_ADDRESS_LOCAL_BYTES,
  MAX_INBOX_RULE_BYTES,
  MAX_INBOX_RULES,
  MAX_INFO_TEXT_BYTES,
  MAX_REGISTRATION_LINE_BYTES,
  MAX_USER_ADDRESSES,
  REGISTRATION_LINES,
} from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { accountName, nameKey, splitAddress } from '../../../protocol/names.ts';
import { STATUS } from '../../../protocol/status.ts';
import { inboxRules, peopleIn, personLine, setInboxRules } from '../../content/mail.ts';
import { logIn, logOut, requireNobody } from '../../maintenance/log-in.ts';
import { deleteOrMark } from '../../maintenance/removal.ts';
import { isAdmin, readableRoom, requireUser } from '../../session/access.ts';
import { addressKeys, waitForTurn } from '../../session/attempts.ts';
import { listing, ok, type Reply, statusLine, takeText } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { nodeName, numberSetting, type Store } from '../../store/store.ts';
import {
  acceptableName,
  createUser,
  findUser,
  giveAddresses,
  isLevel,
  isOwnDomain,
  mainAddressOf,
  OWN_FLAGS_MASK,
  refuseAddressOfOther,
  refuseTaken,
  refuseUserLookAlike,
  USER_FLAG,
  updateUser,
  userAt,
  userById,
  userNamed,
} from '../../store/users.ts';

/**
 * `NEWU name`: creates an account without a password and logs in → as PASS; 512, 541, 542, 560, 574. Off unless an
 * administrator allows it; then limited for each address like failed log-ins.
 */
export async function newu(session: Session, args: string): Promise<Reply> {
  requireNobody(session);
  if (numberSetting(session.store, 'c_disable_newu') !== 0) {
    throw new Refusal('notHere', 'Self-service user account creation is disabled on this system.');
  }
  const name = args.split('|')[0]!.trim();
  if (['bbs', 'new', '.'].includes(name.toLowerCase()))
    throw new Refusal('illegalValue', `'${name}' is an invalid login name.`);
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
  // After the reply, which is written at the end of this turn.
  setImmediate(() => session.server.loggedOut(session));
  return ok('logged out.');
}

/** `VALI name|level` → 200; 512 for a level outside 0..6; 570 */
export function vali(session: Session, args: string): Reply {
  const [name = '', level] = splitFields(args);
  const user = findUser(session.store, name);
  if (!user) throw new Refusal('noSuchUser', `'${name}' not found.`);
  const newLevel = toInt(level);
  if (!isLevel(newLevel)) throw new Refusal('illegalValue', 'Invalid access level.');
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
  if (!user) throw new Refusal('noSuchUser', `'${oldName}' does not exist.`);
  if (session.server.isOnline(user)) {
    throw new Refusal('alreadyLoggedIn', `'${user.name}' is currently logged in and cannot be renamed.`);
  }
  const name = acceptableName(newName);
  const key = accountName(name);
  const other = findUser(session.store, name);
  if (other && other !== user) throw new Refusal('alreadyExists', `A user named '${other.name}' already exists.`);
  refuseAddressOfOther(session.store, name, user);
  refuseUserLookAlike(session.store, name, user);
  const before = user.name;
  updateUser(session.store, user, { name, key });
  return ok(`'${before}' has been renamed to '${name}'.`);
}

/** RFC 5321 section 4.1.2, Dot-string */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * `ASEA name`: 400, then one address a line, which replace the present ones; without any, the address made from the
 * name. Skips addresses that are not of this server, or belong to another user. 570
 */
export function asea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return takeText('Ok', MAX_INFO_TEXT_BYTES, (text) => {
    if (userById(store, user.id) !== user) return;
    const wanted = text.split('\n').map((line) => nameKey(line.trim()));
    store.transaction(() => {
      giveAddresses(store, user, []);
      const fitting = [...new Set(wanted)].filter((address) => isFree(store, user, address));
      giveAddresses(store, user, fitting.slice(0, MAX_USER_ADDRESSES));
    });
  });
}

function isFree(store: Store, user: StoredUser, address: string): boolean {
  const { local, domain } = splitAddress(address);
  if (domain === undefined || !isOwnDomain(store, domain)) return false;
  if (!LOCAL_PART.test(local) || local.length > MAX_ADDRESS_LOCAL_BYTES) return false;
  if (/^(room_.*|sysop)$/.test(local) || local.includes('|')) return false;
  const owner = userAt(store, address);
  return owner === undefined || owner === user;
}

/**
 * 400, then name, street, city, state, zip, phone, address, country, one a line. Below level 6 to be validated anew.
 */
export function regi(session: Session): Reply {
  const user = requireUser(session);
  const { store } = session;
  return takeText('Send registration...', MAX_INFO_TEXT_BYTES, (text) => {
    if (userById(store, user.id) !== user) return;
    const lines = text.split('\n').slice(0, REGISTRATION_LINES).map(oneLine);
    store.transaction(() => {
      store.run`UPDATE user SET registration = ${lines.join('\n')} WHERE id = ${user.id}`;
      const waits = user.level < LEVEL.admin ? USER_FLAG.needsValidation : 0;
      updateUser(store, user, { flags: user.flags | USER_FLAG.registered | waits });
    });
  });
}

/**
 * `GREG name`, `_SELF_` for oneself → number, an empty line where a real server shows the password, name, street,
 * city, state, zip, phone, level, mail address, country. Others' for administrators only. 520, 550, 570
 */
export function greg(session: Session, args: string): Reply {
  const { store } = session;
  const name = args.split('|')[0]!.trim();
  const reader = requireUser(session);
  const user = name.toLowerCase() === '_self_' ? reader : findUser(store, name);
  // Checked first, so that the reply does not reveal whether the name exists.
  if (user !== reader && !isAdmin(reader)) throw new Refusal('higherAccess', 'Higher access required.');
  if (!user) throw new Refusal('noSuchUser', `'${name}' not found.`);
  const lines = registrationOf(store, user);
  const [fullName, street, city, state, zip, phone, address, country] = lines;
  const shown = [
    user.id,
    '',
    fullName || user.name,
    street,
    city,
    state,
    zip,
    phone,
    user.level,
    address || mainAddressOf(store, user),
    country,
  ];
  return listing(
    user.name,
    shown.map((line) => `${line ?? ''}\n`),
  );
}

/** → `300 NAME` of one who waits for VALI; 200 when there is nobody (any more) */
export function gnur(session: Session): Reply {
  const row = session.store
    .prepare(`SELECT id FROM user WHERE flags & ${USER_FLAG.needsValidation} ORDER BY id LIMIT 1`)
    .get();
  const next = row && userById(session.store, Number(row.id));
  const wasValidating = session.isValidating;
  session.isValidating = next !== undefined;
  if (next) return statusLine(STATUS.moreNeeded, next.name);
  return wasValidating ? ok('*** End of registration.') : ok('There are no unvalidated users.');
}

function registrationOf(store: Store, { id }: StoredUser): string[] {
  return String(store.get`SELECT registration FROM user WHERE id = ${id}`?.registration ?? '').split('\n');
}

/** Without what could end a listing, or look like another of its lines. */
function oneLine(line: string): string {
  const text = line.replace(/[\p{Cc}]+/gu, ' ').trim();
  const bytes = Buffer.from(text).subarray(0, MAX_REGISTRATION_LINE_BYTES);
  // as a stream, which drops a character that the cut has split
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  return cut === '000' ? ' 000' : cut;
}

/** → `200 80|24|flags|` */
export function getu(session: Session): Reply {
  return ok(`80|24|${(session.user?.flags ?? 0) & OWN_FLAGS_MASK}|`);
}

/** `SETU width|height|flags`: only flags of the mask change. 512 */
export function setu(session: Session, args: string): Reply {
  const user = requireUser(session);
  const fields = splitFields(args);
  if (fields.length < 3) throw new Refusal('illegalValue', 'Usage error.');
  const flags = (user.flags & ~OWN_FLAGS_MASK) | (toInt(fields[2]) & OWN_FLAGS_MASK);
  updateUser(session.store, user, { flags });
  return ok('Ok');
}

/** → mail that arrived in this session since the last BIFF */
export function biff(session: Session): Reply {
  const count = session.newMail;
  session.newMail = 0;
  return ok(count);
}

/** → listing of the own name */
export function gvsn(session: Session): Reply {
  return listing('valid screen names:', `${requireUser(session).name}\n`);
}

/** `ISME address` → 200 when the address or name is one's own, else 512 */
export function isme(session: Session, args: string): Reply {
  const user = requireUser(session);
  const name = args.trim();
  const meant = name.includes('@') ? userAt(session.store, name) : findUser(session.store, name);
  if (meant !== user) throw new Refusal('illegalValue', 'Not you.');
  return ok(user.name);
}

/** `QDIR address` → 200 name of the local owner; 570 */
export function qdir(session: Session, args: string): Reply {
  const address = args.trim();
  const user = userAt(session.store, address);
  if (!user) throw new Refusal('noSuchUser', `${address} was not found.`);
  return ok(user.name);
}

/** → listing of the domains of this server */
export function gvdn(session: Session): Reply {
  return listing('Valid Domains', `${nodeName(session.store)}\n`);
}

/** → rows `rule|n|BASE64` */
export function gibr(session: Session): Reply {
  const user = requireUser(session);
  const lines = inboxRules(session.store, user).map((line) => `${line}\n`);
  return listing(`inbox rules for ${user.name}`, lines);
}

/** 400, then lines `rule|n|BASE64` that replace the rules; others are dropped */
export function pibr(session: Session): Reply {
  const user = requireUser(session);
  const { store } = session;
  return takeText('send new rules', MAX_INBOX_RULES * (MAX_INBOX_RULE_BYTES + 1), (text) => {
    if (userById(store, user.id) !== user) return;
    store.transaction(() => setInboxRules(store, user, text.split('\n')));
  });
}

/** → lines `Name <address>` of the cards in the current room; 550 */
export async function dvca(session: Session): Promise<Reply> {
  const people = await peopleIn(session, readableRoom(session));
  return listing('addresses:', people.map(personLine));
}
