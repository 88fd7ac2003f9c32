// Facts about rooms that the room server, the gateway and the web client share: the role of a user's own rooms, and the
// owner of a personal room (protocol section 8).

import { VIEW } from '../model.ts';
import { nameKey } from './names.ts';

/**
 * A user's own rooms by role, with the names that every room server gives them. The interface shows translations
 * (static/words). The archive is created on first use.
 */
export const OWN_ROOM = {
  mail: 'Mail',
  sent: 'Sent Items',
  drafts: 'Drafts',
  trash: 'Trash',
  archive: 'Archive',
  calendar: 'Calendar',
  tasks: 'Tasks',
  notes: 'Notes',
  contacts: 'Contacts',
} as const;

export type RoomRole = keyof typeof OWN_ROOM;

/** Aliases for the user's own rooms; the line protocol lacks the last two. */
export const ROOM_MACRO = {
  mail: '_MAIL_',
  drafts: '_DRAFTS_',
  trash: '_TRASH_',
  calendar: '_CALENDAR_',
  tasks: '_TASKS_',
  notes: '_NOTES_',
  contacts: '_CONTACTS_',
  sent: '_SENT_',
} as const;

const ROLES = new Map(Object.entries(OWN_ROOM).map(([role, name]) => [nameKey(name), role as RoomRole]));

/** roles of rooms whose messages their owner has written, deleted or dealt with */
const WITHOUT_NEWS: ReadonlySet<RoomRole | undefined> = new Set(['sent', 'drafts', 'trash', 'archive'] as const);

export interface RoomFacts {
  /** possibly with the owner's number as prefix */
  name: string;
  isPersonal: boolean;
  defaultView: number;
}

/** undefined for a shared room and for other personal rooms. */
export function roleOf({ name, isPersonal, defaultView }: RoomFacts): RoomRole | undefined {
  if (!isPersonal) return undefined;
  return defaultView === VIEW.drafts ? 'drafts' : ROLES.get(nameKey(personalName(name).name));
}

/** Whether unread messages in this room count, in totals, badges and navigation. */
export function hasNews(room: RoomFacts): boolean {
  return !WITHOUT_NEWS.has(roleOf(room));
}

/** Whether a message posted here needs a recipient. `currentView`: the user's view of the room. */
export function needsRecipient(room: RoomFacts, currentView: number): boolean {
  const role = roleOf(room);
  return room.isPersonal && role !== 'drafts' && (role === 'mail' || currentView === VIEW.mailbox);
}

/** A personal room as others see it: `'0000000042.Mail'` → owner 42, name `'Mail'` */
export function personalName(name: string): { owner: number | undefined; name: string } {
  const [, owner, short] = /^(\d{10})\.(.*)$/s.exec(name) ?? [];
  return owner === undefined ? { owner, name } : { owner: Number(owner), name: short! };
}

const OWNER_OF_DELETED_ROOMS = 9_999_999_999;

/** A real server lists deleted rooms until its nightly purge (quirk Q20). */
export function isDeletedRoom(name: string): boolean {
  return personalName(name).owner === OWNER_OF_DELETED_ROOMS;
}

/** `42`, `'Mail'` → `'0000000042.Mail'` */
export function fullPersonalName(owner: number | string, name: string): string {
  return `${String(owner).padStart(10, '0')}.${name}`;
}
