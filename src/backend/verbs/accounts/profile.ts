// What a user keeps about himself: flags, profile text, mail counters and addresses (protocol section 18.2), and his
// rules for arriving mail (protocol section 18.12). GETU SETU CHEK BIFF RBIO EBIO GVEA GVSN ISME QDIR GVDN GIBR PIBR

import { MAX_INBOX_RULE_BYTES, MAX_INBOX_RULES, MAX_INFO_TEXT_BYTES } from '../../../limits/backend.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { OWN_ROOM } from '../../../protocol/room-facts.ts';
import { STATUS } from '../../../protocol/status.ts';
import { inboxRules, setInboxRules } from '../../content/inbox-rules.ts';
import { listingText } from '../../content/listing-text.ts';
import { isAdmin, requireUser } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { addressesOf, mainAddressOf, userAt } from '../../store/addresses.ts';
import { Refusal } from '../../store/refusal.ts';
import { nodeName, numberSetting } from '../../store/settings.ts';
import {
  findUser,
  lastLogIn,
  OWN_FLAGS_MASK,
  personalRoom,
  USER_FLAG,
  updateUser,
  userById,
  userNamed,
} from '../../store/users.ts';
import { visitOf } from '../../store/visits.ts';

/** → `200 80|24|flags|` */
export function getu(session: Session): Reply {
  return ok(`80|24|${(session.user?.flags ?? 0) & OWN_FLAGS_MASK}|`);
}

/** `SETU width|height|flags`: only flags of the mask change. 512 */
export function setu(session: Session, args: string): Reply {
  const user = requireUser(session);
  const fields = splitFields(args);
  if (fields.length < 3) throw new Refusal(STATUS.illegalValue, 'Usage error.');
  const flags = (user.flags & ~OWN_FLAGS_MASK) | (toInt(fields[2]) & OWN_FLAGS_MASK);
  updateUser(session.store, user, { flags });
  return ok('Ok');
}

/** → `200 new mail|must register|users wait for validation|own address|` */
export function chek(session: Session): Reply {
  const { store, user } = session;
  if (!user) return ok('0|0|0||');
  const mail = personalRoom(store, user, OWN_ROOM.mail);
  const row = store
    .prepare('SELECT count(*) AS count FROM room_message WHERE room = ? AND message > ?')
    .get(mail.id, visitOf(store, user.id, mail.id).lastRead);
  const waiting =
    isAdmin(user) &&
    store.prepare(`SELECT 1 FROM user WHERE flags & ${USER_FLAG.needsValidation} LIMIT 1`).get() !== undefined
      ? 1
      : 0;
  const mustRegister = numberSetting(store, 'c_regiscall') !== 0 && !(user.flags & USER_FLAG.registered) ? 1 : 0;
  return ok(`${row!.count}|${mustRegister}|${waiting}|${mainAddressOf(store, user)}|`);
}

/** → mail that arrived in this session since the last BIFF */
export function biff(session: Session): Reply {
  const count = session.newMail;
  session.newMail = 0;
  return ok(count);
}

/** `RBIO name[|1]` → `100 OK|name|number|level|last call|0|0[|has a picture]` and the profile; 570 */
export function rbio(session: Session, args: string): Reply {
  const [asked, isPictureAsked] = splitFields(args);
  const user = userNamed(session.store, asked!);
  const { name, id, level } = user;
  const row = session.store.prepare('SELECT profile, picture IS NOT NULL AS pictured FROM user WHERE id = ?').get(id);
  const more = toInt(isPictureAsked) === 1 ? `|${row?.pictured}` : '';
  return listing(`OK|${name}|${id}|${level}|${lastLogIn(user)}|0|0${more}`, listingText(String(row?.profile ?? '')));
}

/** 400, then the text that replaces the own profile */
export function ebio(session: Session): Reply {
  const user = requireUser(session);
  return {
    reply: askText('Transmit user profile in plain text now.'),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text !== undefined) {
        session.store.transaction(() =>
          session.store.prepare('UPDATE user SET profile = ? WHERE id = ?').run(text, user.id),
        );
      }
      return '';
    }),
  };
}

/** → listing of the own mail addresses */
export function gvea(session: Session): Reply {
  return listing('valid email addresses:', `${addressesOf(session.store, requireUser(session)).join('\n')}\n`);
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
  if (meant !== user) throw new Refusal(STATUS.illegalValue, 'Not you.');
  return ok(user.name);
}

/** `QDIR address` → 200 name of the local owner; 570 */
export function qdir(session: Session, args: string): Reply {
  const address = args.trim();
  const user = userAt(session.store, address);
  if (!user) throw new Refusal(STATUS.noSuchUser, `${address} was not found.`);
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
  return {
    reply: askText('send new rules'),
    text: collectText(MAX_INBOX_RULES * (MAX_INBOX_RULE_BYTES + 1), (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      store.transaction(() => setInboxRules(store, user, text.split('\n')));
      return '';
    }),
  };
}
