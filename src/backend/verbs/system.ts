// The server: NOOP TIME IDEN INFO QUIT STLS (protocol sections 5 and 18.1); its settings, CONF
// (protocol section 18.12); its sessions, RWHO, and instant messages between them, SEXP GEXP DEXP ASYN NTFY
// (protocol section 18.10).

import {
  MAX_CLIENT_NAME_CHARACTERS,
  MAX_INFO_TEXT_BYTES,
  MAX_INSTANT_MESSAGE_BYTES,
  MAX_SETTING_CHARACTERS,
} from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { now } from '../../system/clock.ts';
import { listingText } from '../content/message-text.ts';
import { logOut } from '../maintenance/log-in.ts';
import { hasAdminRights, isAdmin, sessionAccess } from '../session/access.ts';
import { binaryStart, collected, listing, ok, type Reply, takeText } from '../session/reply.ts';
import {
  deliverInstant,
  INSTANT_FLAG,
  isChatting,
  loggedInSessions,
  type Session,
  switched,
  takesMessageOf,
} from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { fullName, shownName } from '../store/rooms.ts';
import { guestsAllowed, isSetting, nodeName, numberSetting, setting, settingNames } from '../store/store.ts';
import { findUser } from '../store/users.ts';

/** protocol version that clients compare with what they need */
const PROTOCOL_VERSION = 980;

/** protocol section 21; listed by INFO, so that a gateway need not probe them */
const OWN_VERBS = 'APPW|COUN|FIND|HITS|MEMB|NTFY|PROP|ROWS|SCHD|SKEY';

/** → 200, with the flag of waiting instant messages */
export function noop(session: Session): Reply {
  return ok('ok', session.flag);
}

/** → `200 now|offset from UTC in seconds|DST flag|server start` */
export function time({ server }: Session): Reply {
  return ok(`${now()}|${new Date().getTimezoneOffset() * -60}|0|${server.startedAt}`);
}

/** `IDEN developer|client|version|name|host`; the host counts when a gateway on this machine says it. 512 */
export function iden(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length < 4) throw new Refusal('illegalValue', 'usage error');
  // Others see both on their terminals.
  const [name, host] = fields.slice(3).map((field) => field.replace(/\p{Cc}/gu, ''));
  session.clientName = name!.slice(0, MAX_CLIENT_NAME_CHARACTERS);
  if (host && session.isLocalPeer) session.clientHost = host;
  return ok('Ok');
}

/** → 25 lines about the server, and one with verbs that others do not have */
export function info(session: Session): Reply {
  const { store } = session;
  const lines = [
    session.id,
    nodeName(store),
    setting(store, 'c_humannode'),
    setting(store, 'c_fqdn'),
    `Vestibule room server ${session.server.version}`,
    PROTOCOL_VERSION,
    '',
    setting(store, 'c_sysadm'),
    0,
    '<more>',
    1,
    1,
    '',
    1,
    0,
    numberSetting(store, 'c_disable_newu'),
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    numberSetting(store, 'c_guest_logins'),
    // APPW is for gateways on this machine only
    session.throttle ? OWN_VERBS.replace('APPW|', '') : OWN_VERBS,
  ];
  return listing('Server info:', `${lines.join('\n')}\n`);
}

/** → 200, and the connection ends */
export function quit(session: Session): Reply {
  session.quit();
  return ok('Goodbye.');
}

/**
 * → 200, then the handshake; 510 if TLS is active already, 530 without a certificate. Ends the log-in: an attacker in
 * between may have made it, and the peer would continue under that account (RFC 3207 section 4.2, for SMTP).
 */
export function stls(session: Session): Reply {
  if (session.encryption) throw new Refusal('internal', 'TLS negotiation error');
  if (!session.startTls()) throw new Refusal('unsupported', 'There is no certificate here.');
  logOut(session);
  return ok('Begin TLS negotiation now');
}

const OBJECT_PREFIX = 'sys:';

/** settings that a real server obeys; this one would not */
const OBEYED_BY_OTHERS = /^application\/x-citadel-(internet|ignet|filter)/i;

/**
 * `CONF GETVAL|name`, `PUTVAL|name|value`, `LISTVAL`, `LOADVAL|name`, `STOREVAL|name|length`, `GETSYS|type`,
 * `PUTSYS|type`
 */
export function conf(session: Session, args: string): Reply {
  const [action = '', name = '', value] = splitFields(args);
  switch (action.toUpperCase()) {
    case 'GETVAL':
      return ok(`${shownValue(session, name)}|`);
    case 'PUTVAL':
      if (!name || value === undefined) throw new Refusal('general', 'name and value required');
      putValue(session, name, value);
      return ok(`setting '${name}' to '${value}'`);
    case 'LISTVAL': {
      const rows = settingNames().map((one) => `${one}|${setting(session.store, one)}\n`);
      return listing('all settings', rows);
    }
    case 'LOADVAL': {
      const bytes = Buffer.from(shownValue(session, name));
      return { stream: [binaryStart(bytes.length), bytes] };
    }
    case 'STOREVAL':
      return storeValue(session, name, toInt(value));
    case 'GETSYS': {
      const text = OBEYED_BY_OTHERS.test(name) ? undefined : session.store.getConfig(OBJECT_PREFIX + name);
      if (text === undefined) throw new Refusal('illegalValue', 'No such configuration.');
      return listing(name, listingText(text));
    }
    case 'PUTSYS':
      return putObject(session, name);
    default:
      throw new Refusal('illegalValue', 'Illegal option(s) specified.');
  }
}

function shownValue({ store }: Session, name: string): string {
  const value = isSetting(name) ? setting(store, name) : undefined;
  if (value === undefined) throw new Refusal('general', '|');
  return value;
}

function putValue({ store }: Session, name: string, value: string): void {
  requireSetting(name, value.length);
  store.setConfig(name, value);
}

function requireSetting(name: string, length: number): void {
  if (!isSetting(name)) throw new Refusal('illegalValue', 'This server has no such setting.');
  if (length > MAX_SETTING_CHARACTERS) throw new Refusal('illegalValue', 'The value is too long.');
}

function storeValue(session: Session, name: string, length: number): Reply {
  requireSetting(name, length);
  if (length <= 0) throw new Refusal('illegalValue', 'length required');
  // A value is shown inside lines.
  return collected(length, (bytes) => {
    if (hasAdminRights(session)) putValue(session, name, bytes.toString().replace(/[\r\n\0|]/g, ' '));
  });
}

/** Texts that clients store there for themselves, by MIME type. */
function putObject(session: Session, type: string): Reply {
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) || OBEYED_BY_OTHERS.test(type)) {
    throw new Refusal('illegalValue', 'This server has no such configuration.');
  }
  return takeText(type, MAX_INFO_TEXT_BYTES, (text) => {
    if (hasAdminRights(session)) session.store.setConfig(OBJECT_PREFIX + type, text);
  });
}

/** `SEXP user|text`: no text only asks, `-` takes lines (400), `broadcast` is everybody → 200; 550, 553, 570 */
export function sexp(session: Session, args: string): Reply {
  const [name = '', text = ''] = splitFields(args);
  const isBroadcast = name.trim().toLowerCase() === 'broadcast';
  if (isBroadcast && !isAdmin(session.user)) {
    throw new Refusal('higherAccess', 'Higher access required to send a broadcast.');
  }
  const receivers = isBroadcast ? loggedInSessions(session) : receiversNamed(session, name.trim());
  const flags = isBroadcast ? INSTANT_FLAG.broadcast : 0;
  if (text === '') return ok('Ok to send message.');
  if (text === '-') {
    const users = receivers.map((one) => one.user);
    return takeText(
      `Transmit message (will deliver to ${receivers.length} users)`,
      MAX_INSTANT_MESSAGE_BYTES,
      (lines) => {
        // On a receiver's connection another user may have logged in meanwhile.
        const still = receivers.filter((one, i) => one.user !== undefined && one.user === users[i]);
        deliverInstant(session, still, lines, flags);
      },
    );
  }
  deliverInstant(session, receivers, text, flags);
  return receivers.length === 1 ? ok('Message sent.') : ok(`Message sent to ${receivers.length} users.`);
}

function receiversNamed(session: Session, name: string): Session[] {
  const user = name === '' ? session.lastPager : findUser(session.store, name);
  if (!user)
    throw new Refusal('noSuchUser', name === '' ? 'You were not previously paged.' : `'${name}' does not exist.`);
  const mayIntrude = session.isAdminSocket || isAdmin(session.user);
  const receivers = loggedInSessions(session).filter(
    (other) => other.user === user && (mayIntrude || !other.refusesMessages) && takesMessageOf(session, other),
  );
  if (receivers.length === 0) {
    throw new Refusal('notOpen', `'${user.name}' is not logged in or is not accepting messages.`);
  }
  return receivers;
}

/** Takes the next message → `100 more|time|flags|sender|node|address` and its text; 575 */
export function gexp(session: Session): Reply {
  const message = session.instantMessages.shift();
  if (!message) throw new Refusal('noSuchMessage', 'No instant messages waiting.');
  const { time, flags, sender, address, text } = message;
  session.lastPager = sender === '' ? undefined : findUser(session.store, sender);
  const more = session.instantMessages.length > 0 ? 1 : 0;
  return listing(`${more}|${time}|${flags}|${sender}|${nodeName(session.store)}|${address}`, listingText(text));
}

/** `DEXP 0|1`: refuse messages of all but administrators → the state */
export function dexp(session: Session, args: string): Reply {
  session.refusesMessages = switched(session.refusesMessages, args);
  return ok(session.refusesMessages ? 1 : 0);
}

/** `ASYN 0|1`: say 902 when an instant message arrives → the state */
export function asyn(session: Session, args: string): Reply {
  session.asyncMode = switched(session.asyncMode, args);
  return ok(session.asyncMode ? 1 : 0);
}

/** `NTFY 0|1`: say 903 and 904 when rooms change → the state */
export function ntfy({ notices }: Session, args: string): Reply {
  notices.isWatching = toInt(args) === 1;
  return ok(notices.isWatching ? 1 : 0);
}

/** the column of the chat mark in RWHO, as on a real server */
const CHAT_MARK_COLUMN = 14;

/**
 * → rows `session|user|room|host|client|last activity|last command|flags||||logged in`, newest first. Without
 * the right to read here, only the session itself.
 */
export function rwho(viewer: Session): Reply {
  const seesAll = viewer.isAdminSocket || isAdmin(viewer.user);
  const seesOthers = viewer.isAdminSocket || viewer.user !== undefined || guestsAllowed(viewer.store);
  let rows = '';
  for (const other of [...viewer.server.sessions].reverse()) {
    if (other !== viewer && (!seesOthers || (other.stealth && !seesAll))) continue;
    const flags = (other.lastCommand === 'ENT0' ? '*' : '.') + (other.stealth && seesAll ? '-' : '');
    rows += [
      other.id,
      other.user?.name ?? '(not logged in)',
      seenRoom(viewer, other),
      other.clientHost,
      other.clientName,
      other.lastActivity,
      other.lastCommand,
      flags,
      '',
      '',
      '',
      other.user ? 1 : 0,
    ].join('|');
    rows += '\n';
  }
  return listing(' ', rows, viewer.flag);
}

function seenRoom(viewer: Session, other: Session): string {
  const { room } = other;
  if (!room) return '';
  const isOwn = room.owner !== null && room.owner === viewer.user?.id;
  if (!isOwn && !(sessionAccess(viewer, room) & ACCESS.known)) return ' ';
  const name = isOwn ? shownName(room, viewer.user) : fullName(room);
  return isChatting(other) ? `${name.padEnd(CHAT_MARK_COLUMN)}<chat>` : name;
}
