// What lists are made of: answers of the interface with what only some servers can tell.

import type { MailboxEntry, RoomListEntry } from './interface.d.ts';

/** a message in a list */
export type Row = Omit<MailboxEntry, 'references' | 'msgidhash'> & {
  /** of the Message-ID */
  msgidhash?: number;
  /** what it answers: hashes, or Message-IDs */
  references: (string | number)[];
  msgid?: string;
  /** the first line of its text */
  snippet?: string;
  has_files?: boolean;
  /** whom it went to, in a room of what was sent */
  to?: string;
};

/** without `total` it is everything that the room holds */
export interface RowList {
  msgs: Row[];
  total?: number;
  unread?: number;
}

/** a room in the list, with its counts where the room server tells them cheaply */
export interface ListedRoom extends RoomListEntry {
  unread?: number;
  total?: number;
}
