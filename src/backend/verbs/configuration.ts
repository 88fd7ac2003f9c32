// CONF: the settings of the server, and texts that clients store beside them (protocol section 18.12).

import { MAX_INFO_TEXT_BYTES, MAX_SETTING_CHARACTERS } from '../../limits/backend.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { listingText } from '../content/listing-text.ts';
import { hasAdminRights } from '../session/access.ts';
import { collected, collectText } from '../session/collect.ts';
import { askText, binaryStart, listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { isSetting, setting, settingNames } from '../store/settings.ts';

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
  return {
    reply: askText(type),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text !== undefined && hasAdminRights(session)) session.store.setConfig(OBJECT_PREFIX + type, text);
      return '';
    }),
  };
}
