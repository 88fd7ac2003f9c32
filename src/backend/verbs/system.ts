// The server as such: NOOP ECHO TIME MORE IDEN INFO QUIT, its end (DOWN at once, SCDN when nobody is logged in; it
// cannot start itself again), and verbs that mean nothing here (protocol sections 18.1, 18.12).

import { MAX_CLIENT_NAME_CHARACTERS } from '../../limits/backend.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { listing, ok, type Reply, shuttingDown } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { nodeName, numberSetting, setting } from '../store/settings.ts';

/** protocol version that clients compare with what they need */
const PROTOCOL_VERSION = 980;
/** protocol section 21; a gateway that asks INFO need not try them */
const OWN_VERBS = 'APPW|COUN|FIND|HITS|MEMB|NTFY|PROP|ROWS|SCHD|SKEY';

/** → 200, with the flag of waiting instant messages */
export function noop(session: Session): Reply {
  return ok('ok', session.flag);
}

/** the one verb without a reply */
export function qnop(): Reply {
  return '';
}

/** `ECHO text` → `200 text` */
export function echo(_session: Session, args: string): Reply {
  return ok(args);
}

/** → `200 now|offset from UTC in seconds|DST flag|server start` */
export function time({ server }: Session): Reply {
  return ok(`${now()}|${new Date().getTimezoneOffset() * -60}|0|${server.startedAt}`);
}

/** → 200 and the prompt of text clients */
export function more(): Reply {
  return ok('<more>');
}

/** `IDEN developer|client|version|name|host`; the host counts when a gateway on this machine says it. 512 */
export function iden(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length < 4) throw new Refusal(STATUS.illegalValue, 'usage error');
  // Others see both, on terminals.
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
    // app passwords are made at the gateway of this machine, see appw
    session.throttle ? OWN_VERBS.replace('APPW|', '') : OWN_VERBS,
  ];
  return listing('Server info:', `${lines.join('\n')}\n`);
}

/** → 200, and the connection ends */
export function quit(session: Session): Reply {
  session.quit();
  return ok('Goodbye.');
}

/** The directory is looked up, never kept: it is always as good as rebuilt. */
export function rbdi(): Reply {
  return ok('Directory index has been rebuilt.');
}

/** A real server's own way to export and import itself. */
export function migr(): Reply {
  throw new Refusal(STATUS.unsupported, 'Not here: see the commands backup and copy of the program.');
}

const NO_RESTART = 'This server cannot start itself again.';

/** `DOWN` → 231; `DOWN 0` the same as 200; 530 for a restart */
export function down(session: Session, args: string): Reply {
  const mode = args.trim();
  if (mode !== '' && toInt(mode) !== 0) throw new Refusal(STATUS.unsupported, NO_RESTART);
  session.quit();
  // Behind the reply, which is written when this turn is over.
  setImmediate(session.server.onDown);
  const text = 'Shutting down server.  Goodbye.';
  return mode === '' ? shuttingDown(text) : ok(text);
}

/** 530 */
export function halt(): Reply {
  throw new Refusal(STATUS.unsupported, 'This server only ends: DOWN.');
}

/** `SCDN 1`: go down when the last user logs out; `SCDN 0`: do not; otherwise → the state. 530 for a restart */
export function scdn({ server }: Session, args: string): Reply {
  const mode = args.trim();
  if (toInt(mode) > 1) throw new Refusal(STATUS.unsupported, NO_RESTART);
  if (mode !== '') server.isDownWhenIdle = toInt(mode) === 1;
  return ok(server.isDownWhenIdle ? 1 : 0);
}
