// What OPTIONS says of WebDAV (RFC 4918 section 10.1). Here and nowhere else is turned on what is advertised.

/** LOCK, UNLOCK and If (RFC 4918 section 6): class 2 */
const HAS_LOCKS: boolean = true;
/** inbox and outbox (RFC 6638): properties lead to them, too */
export const HAS_SCHEDULING: boolean = true;

const CLASSES = [
  '1',
  ...(HAS_LOCKS ? ['2'] : []),
  '3',
  'extended-mkcol',
  'calendar-access',
  ...(HAS_SCHEDULING ? ['calendar-auto-schedule'] : []),
  'addressbook',
];

/** The same on every resource: any room may be a calendar, and from any one a client may look for its own. */
export const DAV_HEADERS = { DAV: CLASSES.join(', '), 'MS-Author-Via': 'DAV' } as const;
