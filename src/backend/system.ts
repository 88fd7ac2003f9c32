// The server as such: NOOP ECHO TIME MORE IDEN INFO QUIT DOWN CONF and what has no meaning here (spec sections 18.1, 18.12).

import { splitFields } from '../protocol/fields.ts';
import { now } from './clock.ts';
import type { Session } from './session.ts';
import { isSetting, nodeName, numberSetting, setting } from './settings.ts';
import { Refusal, type Reply } from './verb.ts';

/** protocol version that clients compare with what they need */
const PROTOCOL_VERSION = 980;
const MAX_CLIENT_NAME_CHARACTERS = 31;
const MAX_SETTING_CHARACTERS = 255;

export function noop(session: Session): Reply {
  return `200${session.flag}ok\n`;
}

/** the one verb without a reply */
export function qnop(): Reply {
  return '';
}

export function echo(_session: Session, args: string): Reply {
  return `200 ${args}\n`;
}

/** → `200 now|offset from UTC in seconds|DST flag|server start` */
export function time({ server }: Session): Reply {
  return `200 ${now()}|${new Date().getTimezoneOffset() * -60}|0|${server.startedAt}\n`;
}

export function more(): Reply {
  return '200 <more>\n';
}

/** `IDEN developer|client|version|name|host`; the host counts when a gateway on this machine says it. 512 */
export function iden(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length < 4) throw new Refusal(512, 'usage error');
  session.clientName = fields[3]!.slice(0, MAX_CLIENT_NAME_CHARACTERS);
  if (fields[4] && session.isLocalPeer) session.clientHost = fields[4];
  return '200 Ok\n';
}

/** → 25 lines about the server */
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
  ];
  return `100 Server info:\n${lines.join('\n')}\n000\n`;
}

export function quit(session: Session): Reply {
  session.quit();
  return '200 Goodbye.\n';
}

/** Ends the server. */
export function down(session: Session): Reply {
  session.quit();
  // Behind the reply, which is written when this turn is over.
  setImmediate(session.server.onDown);
  return '231 Shutting down server.  Goodbye.\n';
}

/** `CONF GETVAL|name`, `CONF PUTVAL|name|value` for the settings of settings.ts. 500, 512 */
export function conf(session: Session, args: string): Reply {
  const [action = '', name = '', value] = splitFields(args);
  switch (action.toUpperCase()) {
    case 'GETVAL': {
      const found = setting(session.store, name);
      if (found === undefined) throw new Refusal(500, '|');
      return `200 ${found}|\n`;
    }
    case 'PUTVAL':
      if (!name || value === undefined) throw new Refusal(500, 'name and value required');
      if (!isSetting(name)) throw new Refusal(512, 'This server has no such setting.');
      if (value.length > MAX_SETTING_CHARACTERS) throw new Refusal(512, 'The value is too long.');
      session.store.setConfig(name, value);
      return `200 setting '${name}' to '${value}'\n`;
    default:
      throw new Refusal(512, 'Illegal option(s) specified.');
  }
}

export function mesg(_session: Session, args: string): Reply {
  throw new Refusal(571, `There is no system message '${args.trim()}'.`);
}

export function gtls(): Reply {
  throw new Refusal(500, 'Session is not encrypted.');
}
