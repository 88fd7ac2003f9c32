// A user's own profile text, addresses and counters: CHEK RBIO EBIO GVEA (protocol section 18.2).

import { MAX_INFO_TEXT_BYTES } from '../../../limits/backend.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { OWN_ROOM } from '../../../protocol/room-facts.ts';
import { listingText } from '../../content/listing-text.ts';
import { isAdmin, requireUser } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { addressesOf, mainAddressOf } from '../../store/addresses.ts';
import { numberSetting } from '../../store/settings.ts';
import { lastLogIn, personalRoom, USER_FLAG, userNamed } from '../../store/users.ts';
import { visitOf } from '../../store/visits.ts';

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
