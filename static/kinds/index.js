// What a room is, by the number of its view (`default_view`): its name, its icon, and the module that shows it. A new
// kind is a folder and its line here; the module exports `mount` (kind.d.ts).

import { VIEW } from '../../src/model.ts';
import { roleIn } from '../model/room-list.js';

/** @import { Mount } from './kind.d.ts' */

/**
 * `isTalk`: messages that people write to each other, which can be moved between such rooms. `isDated`: its members say
 * when something is, not when they were written.
 * @typedef {{ label: string, icon: string, isTalk?: boolean, isDated?: boolean, load: () => Promise<{ mount: Mount }>
 *   }} Kind
 */

const calendar = () => import('./calendar/calendar.js');
const mail = () => import('./mail/mail.js');
const entries = () => import('./entries/entries.js');
const wiki = () => import('./wiki/wiki.js');

/** @type {Kind} what is shown of a view that nobody has heard of */
const BOARD = { label: 'kind.board', icon: 'forum', isTalk: true, load: () => import('./board/looks.js') };

/**
 * of a room with a directory: files for WebDAV (RFC 4918), and the messages that people may write there all the same
 * @type {Kind}
 */
const DIRECTORY = { ...BOARD, label: 'kind.files', icon: 'folder' };

/** @type {Record<number, Kind>} */
const KINDS = {
  [VIEW.board]: BOARD,
  [VIEW.mailbox]: { label: 'kind.mail', icon: 'mail', isTalk: true, load: mail },
  [VIEW.addressBook]: { label: 'kind.contacts', icon: 'contacts', load: () => import('./contacts/contacts.js') },
  [VIEW.calendar]: { label: 'kind.calendar', icon: 'calendar', isDated: true, load: calendar },
  [VIEW.tasks]: { label: 'kind.tasks', icon: 'tasks', isDated: true, load: () => import('./tasks/tasks.js') },
  [VIEW.notes]: { label: 'kind.notes', icon: 'note', load: () => import('./notes/notes.js') },
  [VIEW.wiki]: { label: 'kind.wiki', icon: 'wiki', load: wiki },
  [VIEW.briefCalendar]: { label: 'kind.calendar', icon: 'calendar', isDated: true, load: calendar },
  [VIEW.journal]: { label: 'kind.journal', icon: 'note', load: entries },
  [VIEW.drafts]: { label: 'kind.drafts', icon: 'draft', isTalk: true, load: mail },
  [VIEW.blog]: { label: 'kind.blog', icon: 'blog', load: () => import('./blog/blog.js') },
  [VIEW.files]: { label: 'kind.files', icon: 'folder', load: () => import('./files/files.js') },
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
