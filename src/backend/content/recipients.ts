// Resolves the recipients of a mail, as its sender has typed them, to users and rooms of this server
// (protocol section 16). This server sends no mail to others.

import { MAX_RECIPIENTS } from '../../limits/backend.ts';
import { ACCESS, LEVEL } from '../../model.ts';
import { nameKey, splitAddress } from '../../protocol/names.ts';
import { accessOf } from '../session/access.ts';
import { userAt } from '../store/addresses.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { AIDE_ROOM_KEY, findRoom, roomByName } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { findUser, isOwnDomain } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';
import { splitRecipients } from './rfc822.ts';

/** One destination of a mail; `label` is its name in the reply to a probe. */
export type MailDestination = { label: string; user: StoredUser } | { label: string; room: StoredRoom };

/** The resolved recipients of one mail. */
export interface Recipients {
  to: MailDestination[];
  /** to, cc and bcc */
  all: MailDestination[];
}

const ROOM_PREFIX = 'room_';
const ANGLE_ADDRESS = /<([^<>]*)>\s*$/;

/** Throws Refusal 570 with all unknown recipients. Mail of users who are not validated goes to the Aide room. */
export function resolveRecipients(store: Store, sender: StoredUser, to: string, cc: string, bcc: string): Recipients {
  const typed = [to, cc, bcc].map(splitRecipients);
  const all = typed.flat();
  if (all.length > MAX_RECIPIENTS) throw new Refusal('noSuchUser', `More than ${MAX_RECIPIENTS} recipients.`);
  if (sender.level < LEVEL.problem) {
    const target = aide(store);
    return { to: to === '' ? [] : [target], all: all.length === 0 ? [] : [target] };
  }
  const targets = all.map((one) => resolve(store, sender, one));
  const invalid = all.filter((_, i) => targets[i] === undefined);
  if (invalid.length > 0) {
    throw new Refusal(
      'noSuchUser',
      invalid.map((one) => `Invalid recipient: ${withoutOwnDomain(store, one)}`).join('; '),
    );
  }
  const found = targets as MailDestination[];
  return { to: found.slice(0, typed[0]!.length), all: found };
}

function resolve(store: Store, sender: StoredUser, typed: string): MailDestination | undefined {
  const name = (ANGLE_ADDRESS.exec(typed)?.[1] ?? typed).trim().replace(/^"(.*)"$/, '$1');
  const { local, domain } = splitAddress(name);
  if (domain !== undefined && !isOwnDomain(store, domain)) return undefined;
  if (nameKey(local) === 'sysop') return aide(store);
  if (nameKey(local).startsWith(ROOM_PREFIX)) {
    const room = mailableRoom(store, sender, local.slice(ROOM_PREFIX.length));
    return room && { label: typed, room };
  }
  const user = domain === undefined ? findUser(store, local) : userAt(store, name);
  return user && user.level > LEVEL.deleted ? { label: user.name, user } : undefined;
}

/** Its name in a refusal: `nobody@vm` → `nobody` on the server vm. */
function withoutOwnDomain(store: Store, typed: string): string {
  const { local, domain } = splitAddress(typed);
  return local !== '' && domain !== undefined && isOwnDomain(store, domain) ? local : typed;
}

/** `room_Team_Chat` → the room Team Chat, if the sender may post there. */
function mailableRoom(store: Store, sender: StoredUser, name: string): StoredRoom | undefined {
  const room = findRoom(store, undefined, name) ?? findRoom(store, undefined, name.replaceAll('_', ' '));
  if (!room || room.owner !== null) return undefined;
  const access = accessOf(sender, room, visitOf(store, sender.id, room.id));
  return (access & ACCESS.known) !== 0 && (access & ACCESS.post) !== 0 ? room : undefined;
}

function aide(store: Store): MailDestination {
  return { label: 'Aide', room: roomByName(store, AIDE_ROOM_KEY)! };
}
