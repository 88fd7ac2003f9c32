// Mail rooms and delivery: one message in the sender's Sent Items and in the Mail of each recipient
// (protocol section 16).

import { ROOM_FLAG } from '../../model.ts';
import { needsRecipient, OWN_ROOM } from '../../protocol/room-facts.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { roomFacts } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { personalRoom } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';
import { type ArrivingMail, filedRooms } from './inbox-rules.ts';
import type { Recipients } from './recipients.ts';

/** A room of one user, such as a mailbox. */
export function isPersonal(room: StoredRoom): boolean {
  return (room.flags & ROOM_FLAG.personal) !== 0;
}

/** Whether posts in the room need a recipient. */
export function isMailRoom(session: Session, room: StoredRoom): boolean {
  const ownView = session.user && visitOf(session.store, session.user.id, room.id).view;
  return needsRecipient(roomFacts(room), ownView ?? room.view);
}

/**
 * The rooms that refer to a mail, the sender's Sent Items first, each once; where the recipients' rules say. Creates
 * what is missing.
 */
export function mailRooms(store: Store, sender: StoredUser, recipients: Recipients, mail: ArrivingMail): StoredRoom[] {
  const rooms = new Set([personalRoom(store, sender, OWN_ROOM.sent)]);
  const users = new Set<StoredUser>();
  for (const target of recipients.all) {
    if ('room' in target) rooms.add(target.room);
    else users.add(target.user);
  }
  for (const user of users) {
    for (const room of filedRooms(store, user, personalRoom(store, user, OWN_ROOM.mail), mail)) rooms.add(room);
  }
  return [...rooms];
}
