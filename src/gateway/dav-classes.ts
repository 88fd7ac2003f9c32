// What OPTIONS says of WebDAV (RFC 4918 section 10.1). Here and nowhere else is turned on what is advertised.

import type { CollectionKind } from '../model.ts';

/** LOCK, UNLOCK and If (RFC 4918 section 6): class 2 */
const HAS_LOCKS: boolean = true;
/** inbox and outbox (RFC 6638): properties lead to them, too */
export const HAS_SCHEDULING: boolean = true;

const ALWAYS = ['1', ...(HAS_LOCKS ? ['2'] : []), '3'];
/** a client may make calendars and address books there (RFC 5689 section 3.1) */
const MAKING = ['extended-mkcol'];
const CALENDARS = ['calendar-access', ...(HAS_SCHEDULING ? ['calendar-auto-schedule'] : [])];
const ADDRESS_BOOKS = ['addressbook'];

/**
 * The fields of an answer to OPTIONS. `kind`: of the room that the address is in; undefined outside of rooms, from
 * where a client looks for its own, and where nobody is logged in who could be told what room it is.
 */
export function davHeaders(kind?: CollectionKind): { DAV: string; 'MS-Author-Via': 'DAV' } {
  const classes = kind === undefined ? [...MAKING, ...CALENDARS, ...ADDRESS_BOOKS] : classesIn(kind);
  return { DAV: [...ALWAYS, ...classes].join(', '), 'MS-Author-Via': 'DAV' };
}

/** RFC 4791 section 5.1, RFC 6352 section 6.1 */
function classesIn(kind: CollectionKind): readonly string[] {
  if (kind === 'calendar' || kind === 'tasks') return CALENDARS;
  return kind === 'addressbook' ? ADDRESS_BOOKS : [];
}
