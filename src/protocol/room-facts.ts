// Facts about rooms that the room server, the gateway and the web client share: which of a user's own rooms is for
// what, and whose room a name means (protocol section 8). Pure: the browser runs it, too.

import { VIEW } from '../model.ts';
import { nameKey } from './names.ts';

/**
 * One's own rooms by what they are for, under the names that every room server gives them. What is shown to a reader is
 * translated (static/words), the name is not. The archive is made when something is archived for the first time.
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

/** Names that stand for one's own room, whatever it is called; the line protocol has none for the last two. */
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

/** roles of rooms whose messages their owner has written, thrown away or dealt with */
const WITHOUT_NEWS: ReadonlySet<RoomRole | undefined> = new Set(['sent', 'drafts', 'trash', 'archive'] as const);

export interface RoomFacts {
  /** also with the number of its owner in front */
  name: string;
  isPersonal: boolean;
  defaultView: number;
}

/** Undefined for a shared room, and for one that its owner has made for something else. */
export function roleOf({ name, isPersonal, defaultView }: RoomFacts): RoomRole | undefined {
  if (!isPersonal) return undefined;
  return defaultView === VIEW.drafts ? 'drafts' : ROLES.get(nameKey(personalName(name).name));
}

/** Whether unread messages of this room count: in totals, badges, news, and for who goes to the next one. */
export function hasNews(room: RoomFacts): boolean {
  return !WITHOUT_NEWS.has(roleOf(room));
}

/** A message posted there has to have a recipient. `currentView`: the one that its user has chosen, or the default. */
export function needsRecipient(room: RoomFacts, currentView: number): boolean {
  const role = roleOf(room);
  return room.isPersonal && role !== 'drafts' && (role === 'mail' || currentView === VIEW.mailbox);
}

/** Others than its owner see a personal room as `'0000000042.Mail'`: owner 42, name `'Mail'`. */
export function personalName(name: string): { owner: number | undefined; name: string } {
  const [, owner, short] = /^(\d{10})\.(.*)$/s.exec(name) ?? [];
  return owner === undefined ? { owner, name } : { owner: Number(owner), name: short! };
}

/** `42`, `'Mail'` → `'0000000042.Mail'` */
export function fullPersonalName(owner: number | string, name: string): string {
  return `${String(owner).padStart(10, '0')}.${name}`;
}
