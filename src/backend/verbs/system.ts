// NOOP TIME IDEN INFO QUIT (protocol section 18.1) and STLS (protocol section 5).

import { MAX_CLIENT_NAME_CHARACTERS } from '../../limits/backend.ts';
import { splitFields } from '../../protocol/fields.ts';
import { now } from '../../system/clock.ts';
import { logOut } from '../maintenance/log-in.ts';
import { listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { nodeName, numberSetting, setting } from '../store/settings.ts';

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
 * between may have made it, and the peer would continue in his name (RFC 3207 section 4.2, for SMTP).
 */
export function stls(session: Session): Reply {
  if (session.encryption) throw new Refusal('internal', 'TLS negotiation error');
  if (!session.startTls()) throw new Refusal('unsupported', 'There is no certificate here.');
  logOut(session);
  return ok('Begin TLS negotiation now');
}
