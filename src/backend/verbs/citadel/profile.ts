// A user's flags, names, rules for arriving mail and mail counter, and the people on cards: GETU SETU BIFF GVSN ISME
// QDIR GVDN GIBR PIBR DVCA (protocol sections 18.2, 18.9 and 18.12).

import { MAX_INBOX_RULE_BYTES, MAX_INBOX_RULES } from '../../../limits/backend.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { peopleIn, personLine } from '../../content/address-books.ts';
import { inboxRules, setInboxRules } from '../../content/inbox-rules.ts';
import { readableRoom, requireUser } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { userAt } from '../../store/addresses.ts';
import { Refusal } from '../../store/refusal.ts';
import { nodeName } from '../../store/settings.ts';
import { findUser, OWN_FLAGS_MASK, updateUser, userById } from '../../store/users.ts';

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
  return {
    reply: askText('send new rules'),
    text: collectText(MAX_INBOX_RULES * (MAX_INBOX_RULE_BYTES + 1), (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      store.transaction(() => setInboxRules(store, user, text.split('\n')));
      return '';
    }),
  };
}

/** → lines `Name <address>` of the cards in the current room; 550 */
export async function dvca(session: Session): Promise<Reply> {
  const people = await peopleIn(session.store, readableRoom(session));
  return listing('addresses:', people.map(personLine));
}
