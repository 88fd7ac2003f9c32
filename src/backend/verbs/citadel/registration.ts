// Name and postal address of a user: REGI sets them, GREG shows them to the user and to administrators, GNUR names the
// next who waits for validation by VALI (protocol section 18.2).

import { MAX_INFO_TEXT_BYTES, MAX_REGISTRATION_LINE_BYTES, REGISTRATION_LINES } from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { STATUS } from '../../../protocol/status.ts';
import { isAdmin, requireUser } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, listing, moreNeeded, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { mainAddressOf } from '../../store/addresses.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Store } from '../../store/store.ts';
import { findUser, USER_FLAG, updateUser, userById } from '../../store/users.ts';

/**
 * 400, then name, street, city, state, zip, phone, address, country, one a line. Below level 6 to be validated anew.
 */
export function regi(session: Session): Reply {
  const user = requireUser(session);
  const { store } = session;
  return {
    reply: askText('Send registration...'),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      const lines = text.split('\n').slice(0, REGISTRATION_LINES).map(oneLine);
      store.transaction(() => {
        store.prepare('UPDATE user SET registration = ? WHERE id = ?').run(lines.join('\n'), user.id);
        const waits = user.level < LEVEL.admin ? USER_FLAG.needsValidation : 0;
        updateUser(store, user, { flags: user.flags | USER_FLAG.registered | waits });
      });
      return '';
    }),
  };
}

/**
 * `GREG name`, `_SELF_` for oneself → number, an empty line where a real server shows the password, name, street,
 * city, state, zip, phone, level, mail address, country. Others' for administrators only. 520, 550, 570
 */
export function greg(session: Session, args: string): Reply {
  const { store } = session;
  const name = args.split('|')[0]!.trim();
  const reader = requireUser(session);
  const user = name.toLowerCase() === '_self_' ? reader : findUser(store, name);
  // Whether the name exists is nothing to those who may not read it.
  if (user !== reader && !isAdmin(reader)) throw new Refusal(STATUS.higherAccess, 'Higher access required.');
  if (!user) throw new Refusal(STATUS.noSuchUser, `'${name}' not found.`);
  const lines = registrationOf(store, user);
  const [fullName, street, city, state, zip, phone, address, country] = lines;
  const shown = [
    user.id,
    '',
    fullName || user.name,
    street,
    city,
    state,
    zip,
    phone,
    user.level,
    address || mainAddressOf(store, user),
    country,
  ];
  return listing(
    user.name,
    shown.map((line) => `${line ?? ''}\n`),
  );
}

/** → `300 NAME` of one who waits for VALI; 200 when there is nobody (any more) */
export function gnur(session: Session): Reply {
  const row = session.store
    .prepare(`SELECT id FROM user WHERE flags & ${USER_FLAG.needsValidation} ORDER BY id LIMIT 1`)
    .get();
  const next = row && userById(session.store, Number(row.id));
  const wasValidating = session.isValidating;
  session.isValidating = next !== undefined;
  if (next) return moreNeeded(next.name);
  return wasValidating ? ok('*** End of registration.') : ok('There are no unvalidated users.');
}

function registrationOf(store: Store, { id }: StoredUser): string[] {
  return String(store.prepare('SELECT registration FROM user WHERE id = ?').get(id)?.registration ?? '').split('\n');
}

/** Nothing that could end a listing, or be taken for another line of it. */
function oneLine(line: string): string {
  const text = line.replace(/[\p{Cc}]+/gu, ' ').trim();
  const bytes = Buffer.from(text).subarray(0, MAX_REGISTRATION_LINE_BYTES);
  // as a stream: without the beginning of a character that the cut has parted
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  return cut === '000' ? ' 000' : cut;
}
