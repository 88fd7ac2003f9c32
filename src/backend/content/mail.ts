// Mail rooms and delivery: one message in the sender's Sent Items and in the Mail of each recipient
// (protocol section 16).

import { ROOM_FLAG, VIEW } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { personalRoom } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';
import { type ArrivingMail, filedRooms } from './inbox-rules.ts';
import type { Recipients } from './recipients.ts';

/** A room that belongs to one user, mailboxes among them. */
export function isPersonal(room: StoredRoom): boolean {
  return (room.flags & ROOM_FLAG.personal) !== 0;
}

/** Drafts keep what is posted there, whatever recipients it names. */
export function isDrafts(room: StoredRoom): boolean {
  return isPersonal(room) && nameKey(room.name) === 'drafts';
}

/** A recipient is required: Mail, and personal rooms its user looks at as a mailbox, but not Drafts. */
export function isMailRoom(session: Session, room: StoredRoom): boolean {
  if (!isPersonal(room) || isDrafts(room)) return false;
  const ownView = session.user && visitOf(session.store, session.user.id, room.id).view;
  return nameKey(room.name) === 'mail' || (ownView ?? room.view) === VIEW.mailbox;
}

/**
 * The rooms that refer to a mail, the sender's Sent Items first, each once; where the recipients' rules say. Creates
 * what is missing.
 */
export function mailRooms(store: Store, sender: StoredUser, recipients: Recipients, mail: ArrivingMail): StoredRoom[] {
  const rooms = new Set([personalRoom(store, sender, 'Sent Items')]);
  const users = new Set<StoredUser>();
  for (const target of recipients.all) {
    if ('room' in target) rooms.add(target.room);
    else users.add(target.user);
  }
  for (const user of users) {
    for (const room of filedRooms(store, user, personalRoom(store, user, 'Mail'), mail)) rooms.add(room);
  }
  return [...rooms];
}
