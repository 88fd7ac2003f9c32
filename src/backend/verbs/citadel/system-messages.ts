// System messages: EMSG sets them, text clients show them with MESG, `hello` before and `goodbye` after a session
// (protocol section 18.12). They are stored with the settings, never as files: a name is not a path (quirk Q5e).

import { MAX_INFO_TEXT_BYTES, MAX_SYSTEM_MESSAGE_NAME_BYTES, MAX_SYSTEM_MESSAGES } from '../../../limits/backend.ts';
import { STATUS } from '../../../protocol/status.ts';
import { listingText } from '../../content/listing-text.ts';
import { hasAdminRights } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { Refusal } from '../../store/refusal.ts';
import { nodeName, setting } from '../../store/settings.ts';

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
