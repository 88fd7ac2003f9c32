// What a room is, by the number of its view (`default_view`): its name and its icon. A new kind is a folder, and a line
// here and in loaders.js.

import { VIEW } from '../../src/model.ts';
import { roleIn } from '../model/room-list.js';

/**
 * `isTalk`: messages that people write to each other, which can be moved between such rooms. `isDated`: its members say
 * when something is, not when they were written.
 * @typedef {{ label: string, icon: string, isTalk?: boolean, isDated?: boolean }} Kind
 */

/** @type {Kind} what is shown of a view that nobody has heard of */
const BOARD = { label: 'kind.board', icon: 'forum', isTalk: true };

/**
 * of a room with a directory: files for WebDAV (RFC 4918), and the messages that people may write there all the same
 * @type {Kind}
 */
const DIRECTORY = { ...BOARD, label: 'kind.files', icon: 'folder' };

/** @type {Record<number, Kind>} */
const KINDS = {
  [VIEW.board]: BOARD,
  [VIEW.mailbox]: { label: 'kind.mail', icon: 'mail', isTalk: true },
  [VIEW.addressBook]: { label: 'kind.contacts', icon: 'contacts' },
  [VIEW.calendar]: { label: 'kind.calendar', icon: 'calendar', isDated: true },
  [VIEW.tasks]: { label: 'kind.tasks', icon: 'tasks', isDated: true },
  [VIEW.notes]: { label: 'kind.notes', icon: 'note' },
  [VIEW.wiki]: { label: 'kind.wiki', icon: 'wiki' },
  [VIEW.briefCalendar]: { label: 'kind.calendar', icon: 'calendar', isDated: true },
  [VIEW.journal]: { label: 'kind.journal', icon: 'note' },
  [VIEW.drafts]: { label: 'kind.drafts', icon: 'draft', isTalk: true },
  [VIEW.blog]: { label: 'kind.blog', icon: 'blog' },
  [VIEW.files]: { label: 'kind.files', icon: 'folder' },
};

/** by what one's own rooms are for, which all have the view of mail @type {Record<string, string>} */
const ICONS = { drafts: 'draft', sent: 'send', trash: 'trash', archive: 'archive' };
/** where everybody arrives */
const LOBBY = 'Lobby';

/** Of a room. @typedef {{ default_view: number, is_directory: boolean }} Viewed */

/** @param {Viewed} room */
export function kindOf({ default_view, is_directory }) {
  const kind = KINDS[default_view] ?? BOARD;
  return kind === BOARD && is_directory ? DIRECTORY : kind;
}

/** @param {Viewed & { name: string, is_mailbox: boolean }} room */
export function iconOf(room) {
  const { isTalk, icon } = kindOf(room);
  if (!isTalk) return icon;
  return room.name === LOBBY ? 'lobby' : (ICONS[roleIn(room) ?? ''] ?? icon);
}

/**
 * Whether a message of one may be moved to the other.
 * @param {Viewed} one
 * @param {Viewed} other
 */
export const areAlike = (one, other) =>
  kindOf(one).isTalk ? Boolean(kindOf(other).isTalk) : kindOf(one).label === kindOf(other).label;
