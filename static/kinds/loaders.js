// The module that shows a room, by the number of its view. It exports `mount` (kind.d.ts).

import { VIEW } from '../../src/model.ts';

/** @import { Mount } from './kind.d.ts' */
/** @import { Viewed } from './index.js' */

const calendar = () => import('./calendar/calendar.js');
const mail = () => import('./mail/mail.js');

/** also what is shown of a view that nobody has heard of, and of a room with a directory */
const board = () => import('./board/looks.js');

/** @type {Record<number, () => Promise<{ mount: Mount }>>} */
const LOADERS = {
  [VIEW.mailbox]: mail,
  [VIEW.addressBook]: () => import('./contacts/contacts.js'),
  [VIEW.calendar]: calendar,
  [VIEW.tasks]: () => import('./tasks/tasks.js'),
  [VIEW.notes]: () => import('./notes/notes.js'),
  [VIEW.wiki]: () => import('./wiki/wiki.js'),
  [VIEW.briefCalendar]: calendar,
  [VIEW.journal]: () => import('./entries/entries.js'),
  [VIEW.drafts]: mail,
  [VIEW.blog]: () => import('./blog/blog.js'),
  [VIEW.files]: () => import('./files/files.js'),
};

/** @param {Viewed} room @returns {Promise<{ mount: Mount }>} */
export const loadKind = ({ default_view }) => (LOADERS[default_view] ?? board)();
