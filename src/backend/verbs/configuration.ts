// What administrators set of the server (protocol section 18.12): CONF its settings and texts of other programs, EMSG
// the messages that MESG shows at text clients, `hello` before and `goodbye` behind a session. All of it is kept beside
// the settings, never as files: a name is no path (quirk Q5e).

import {
  MAX_INFO_TEXT_BYTES,
  MAX_SETTING_CHARACTERS,
  MAX_SYSTEM_MESSAGE_NAME_BYTES,
  MAX_SYSTEM_MESSAGES,
} from '../../limits/backend.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { listingText } from '../content/listing-text.ts';
import { hasAdminRights } from '../session/access.ts';
import { collected, collectText } from '../session/collect.ts';
import { askText, binaryStart, listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { isSetting, nodeName, setting, settingNames } from '../store/settings.ts';

const OBJECT_PREFIX = 'sys:';
/** what a real server reads itself; this one would only pretend to obey it */
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
      if (!name || value === undefined) throw new Refusal(STATUS.general, 'name and value required');
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
      if (text === undefined) throw new Refusal(STATUS.illegalValue, 'No such configuration.');
      return listing(name, listingText(text));
    }
    case 'PUTSYS':
      return putObject(session, name);
    default:
      throw new Refusal(STATUS.illegalValue, 'Illegal option(s) specified.');
  }
}

function shownValue({ store }: Session, name: string): string {
  const value = isSetting(name) ? setting(store, name) : undefined;
  if (value === undefined) throw new Refusal(STATUS.general, '|');
  return value;
}

function putValue({ store }: Session, name: string, value: string): void {
  requireSetting(name, value.length);
  store.setConfig(name, value);
}

function requireSetting(name: string, length: number): void {
  if (!isSetting(name)) throw new Refusal(STATUS.illegalValue, 'This server has no such setting.');
  if (length > MAX_SETTING_CHARACTERS) throw new Refusal(STATUS.illegalValue, 'The value is too long.');
}

function storeValue(session: Session, name: string, length: number): Reply {
  requireSetting(name, length);
  if (length <= 0) throw new Refusal(STATUS.illegalValue, 'length required');
  // A value is shown inside lines.
  return collected(length, (bytes) => {
    if (hasAdminRights(session)) putValue(session, name, bytes.toString().replace(/[\r\n\0|]/g, ' '));
  });
}

/** Texts that clients of a real server keep there for themselves, by MIME type. */
function putObject(session: Session, type: string): Reply {
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) || OBEYED_BY_OTHERS.test(type)) {
    throw new Refusal(STATUS.illegalValue, 'This server has no such configuration.');
  }
  return {
    reply: askText(type),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text !== undefined && hasAdminRights(session)) session.store.setConfig(OBJECT_PREFIX + type, text);
      return '';
    }),
  };
}

const MESSAGE_PREFIX = 'mesg:';

/** `MESG name` → listing, with ^nodename, ^username … filled in; `?` and nothing list the names; 571 */
export function mesg(session: Session, args: string): Reply {
  const name = args.trim();
  if (name === '' || name === '?') {
    const names = namesOf(session).map((one) => ` ${one}\n`);
    return listing(name, name === '' ? '' : names);
  }
  const text = session.store.getConfig(MESSAGE_PREFIX + name);
  if (!text) throw new Refusal(STATUS.noSuchFile, `Cannot open 'messages/${name}': No such file or directory`);
  return listing(name, listingText(filledIn(session, text)));
}

/** `EMSG name`: 400, then the text; an empty one removes the message. 511, 512 */
export function emsg(session: Session, args: string): Reply {
  const name = args.trim();
  const isName = /^[\w.-]+$/.test(name) && name.length <= MAX_SYSTEM_MESSAGE_NAME_BYTES;
  if (!isName) throw new Refusal(STATUS.illegalValue, 'A name has letters, digits, dots and dashes.');
  const { store } = session;
  if (!store.getConfig(MESSAGE_PREFIX + name) && namesOf(session).length >= MAX_SYSTEM_MESSAGES) {
    throw new Refusal(STATUS.tooBig, `There are ${MAX_SYSTEM_MESSAGES} system messages already.`);
  }
  return {
    reply: askText(name),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text !== undefined && hasAdminRights(session)) store.setConfig(MESSAGE_PREFIX + name, text);
      return '';
    }),
  };
}

function namesOf({ store }: Session): string[] {
  const rows = store
    .prepare("SELECT name FROM config WHERE name >= ? AND name < ? AND value <> '' ORDER BY name")
    .all(MESSAGE_PREFIX, 'mesg;');
  return rows.map((row) => String(row.name).slice(MESSAGE_PREFIX.length));
}

function filledIn({ store, user }: Session, text: string): string {
  const values: Record<string, string> = {
    nodename: nodeName(store),
    humannode: setting(store, 'c_humannode') ?? '',
    fqdn: setting(store, 'c_fqdn') ?? '',
    sysadm: setting(store, 'c_sysadm') ?? '',
    username: user?.name ?? '',
    usernum: user ? String(user.id) : '',
  };
  return text.replace(/\^(nodename|humannode|fqdn|sysadm|username|usernum)/g, (_, name: string) => values[name]!);
}
