// What is to be posted, by ENT0's fields, and whether it may be (protocol section 15).

import { ACCESS, LEVEL, ROOM_FLAG } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { nameKey } from '../../protocol/names.ts';
import { roleOf } from '../../protocol/room-facts.ts';
import { STATUS } from '../../protocol/status.ts';
import { isAdmin, sessionAccess } from '../session/access.ts';
import type { Session } from '../session/session.ts';
import { addressesOf, mainAddressOf } from '../store/addresses.ts';
import { type Anonymity, isAnyInRoom } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { roomFacts } from '../store/rooms.ts';
import { isMailRoom, isPersonal } from './mail.ts';
import { type Expected, expectedFrom } from './places.ts';
import { type Recipients, resolveRecipients } from './recipients.ts';

export interface PlannedPost {
  user: StoredUser;
  room: StoredRoom;
  format: number;
  subject: string;
  author: string;
  path: string;
  address: string;
  anonymous: Anonymity;
  recipients: string;
  cc: string;
  /** whom it is mailed to, instead of being kept in the room */
  mailTo: Recipients | undefined;
  euid: string;
  references: string;
  /** what the message is to take the place of */
  expected: Expected;
  /** no news to its author */
  isRead: boolean;
}

/** Throws Refusal 520, 550, 570. */
export function planPosting(session: Session, fields: readonly string[]): PlannedPost {
  const { user, room, store } = session;
  if (!user) throw new Refusal(STATUS.notLoggedIn, 'Not logged in.');
  if (!room) throw new Refusal(STATUS.higherAccess, 'Higher access is required to post in this room.');
  const field = (n: number) => fields[n]?.trim() ?? '';
  const references = field(11)
    .split('!')
    .map((id) => id.replace(/[<>\s]/g, ''))
    .filter((id) => id !== '')
    .join('|');
  const isMail = isMailRoom(session, room);
  checkPostingRights(session, user, room, isMail, references);

  const author = field(5);
  if (author !== '' && nameKey(author) !== nameKey(user.name) && !isAdmin(user)) {
    throw new Refusal(STATUS.higherAccess, `You don't have permission to author messages as '${author}'.`);
  }
  const email = field(10);
  if (email !== '' && !addressesOf(store, user).some((one) => nameKey(one) === nameKey(email))) {
    throw new Refusal(STATUS.higherAccess, `You don't have permission to author messages as '${email}'.`);
  }

  const named = [1, 7, 8].map((n) => (isPersonal(room) ? field(n) : ''));
  const [to, cc, bcc] = named as [string, string, string];
  const isMailed = isMail || (roleOf(roomFacts(room)) !== 'drafts' && named.some((one) => one !== ''));
  const mailTo = isMailed ? resolveRecipients(store, user, to, cc, bcc) : undefined;
  if (mailTo?.all.length === 0) throw new Refusal(STATUS.noSuchUser, 'At least one recipient is required.');

  return {
    user,
    room,
    format: toInt(fields[3]),
    subject: field(4),
    author: author === '' || nameKey(author) === nameKey(user.name) ? user.name : author,
    path: email || user.name.replaceAll(' ', '_'),
    address: email || mainAddressOf(store, user),
    anonymous: anonymityIn(room, toInt(fields[2]) === 1),
    recipients: to,
    cc,
    mailTo,
    euid: field(9),
    references,
    expected: expectedFrom(field(12)),
    isRead: toInt(fields[14]) !== 0,
  };
}

/** `references`: whoever may only reply needs one that is here. Throws Refusal 550. */
export function checkPostingRights(
  session: Session,
  user: StoredUser,
  room: StoredRoom,
  isMail: boolean,
  references: string,
): void {
  if (user.level < LEVEL.problem && !isMail) {
    throw new Refusal(STATUS.higherAccess, 'Need to be validated to enter (except in Mail> to sysop)');
  }
  const access = sessionAccess(session, room);
  if ((access & ACCESS.post) !== 0) return;
  if ((access & ACCESS.reply) !== 0 && isAnyInRoom(session.store, room.id, references.split('|'))) return;
  throw new Refusal(
    STATUS.higherAccess,
    (access & ACCESS.reply) !== 0
      ? 'You may only reply to existing messages here.'
      : 'Higher access is required to post in this room.',
  );
}

function anonymityIn(room: StoredRoom, isWished: boolean): Anonymity {
  if (room.flags & ROOM_FLAG.anonymousOnly) return 'only';
  return isWished && room.flags & ROOM_FLAG.anonymousOption ? 'option' : 'no';
}
