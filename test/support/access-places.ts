// The places of the table of who may do what, and which routes are asked in each.

import { DEEP_PATHS } from '../../src/gateway/folder/deep-path.ts';
import { VIEW } from '../../src/model.ts';

/**
 * open to all, with another's account; the same, with one's own; by invitation: with messages, files, pages, events,
 * tasks, contacts; a mailbox of one's own; with a password; where most may only read
 */
export const PLACES = [
  'open',
  'own',
  'closed',
  'files',
  'wiki',
  'cal',
  'tasks',
  'cards',
  'mail',
  'secret',
  'still',
] as const;
export type Place = (typeof PLACES)[number];

/** what a path or a body may name, as it stands in a path */
export interface World extends Record<string, string> {
  room: string;
  name: string;
  version: string;
  user: string;
  floor: string;
  upload: string;
  /** the id of an app password of who keeps the room */
  password: string;
}

/** of the room `secret` */
export const ROOM_PASSWORD = 'sesame';

export const VIEW_OF: Readonly<Partial<Record<Place, number>>> = {
  files: VIEW.files,
  wiki: VIEW.wiki,
  cal: VIEW.calendar,
  tasks: VIEW.tasks,
  cards: VIEW.addressBook,
  mail: VIEW.mailbox,
};

/** what everybody has that holds the same as a place */
export const OWN_COLLECTION: Readonly<Partial<Record<Place, string>>> = {
  cal: 'Calendar',
  tasks: 'Tasks',
  cards: 'Contacts',
};

/** by which calendars differ from rooms with messages, and these from each other */
const OF_COLLECTIONS =
  /^(?:GET|PUT|DELETE|PROPFIND|PROPPATCH|REPORT|MKCOL|MOVE|COPY|LOCK|UNLOCK) r\/:room(?:\/:name)?$/;

/** Below the name of something in a room. */
export function isDeep(pattern: string): boolean {
  return DEEP_PATHS.includes(pattern);
}

export function placesOf(method: string, pattern: string): Place[] {
  const route = `${method} ${pattern}`;
  if (pattern.startsWith('u/:user')) {
    const isAccount = /^u\/:user\/?$/.test(pattern) && (method === 'PATCH' || method === 'DELETE');
    return isAccount ? ['open'] : ['open', 'own'];
  }
  // objects in calendars and address books of others are asked for there
  if (route === 'REPORT r/') return ['open', 'cal', 'cards'];
  if (!pattern.includes(':room')) return ['open'];
  if (pattern.includes('*path')) return ['files'];
  if (pattern.includes('/history')) return ['files', 'wiki'];
  // an invitation is answered below a message; for other methods it is a file
  if (isDeep(pattern) && method !== 'POST') {
    if (method === 'GET' && !pattern.endsWith('/'))
      return ['open', 'closed', 'files', 'cal', 'mail', 'secret', 'still'];
    return method === 'MKCOL' || method === 'UNLOCK' ? ['open', 'closed', 'files'] : ['open', 'closed', 'files', 'cal'];
  }
  const all: Place[] = ['open', 'closed', 'cal'];
  if (route === 'MKCOL r/:room/:name') all.push('files');
  if (pattern.endsWith('/')) return all;
  if (OF_COLLECTIONS.test(route)) all.push('tasks', 'cards');
  return [...all, 'mail', 'secret', 'still'];
}
