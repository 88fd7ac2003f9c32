// The nouns of the product as plain types, shared by all layers. Times are Unix seconds, sizes bytes.

/** what the line protocol calls a view (protocol section 8): 0 bulletin board … 11 queue; 12 is our own */
export const VIEW = {
  board: 0,
  mailbox: 1,
  addressBook: 2,
  calendar: 3,
  tasks: 4,
  notes: 5,
  wiki: 6,
  briefCalendar: 7,
  journal: 8,
  drafts: 9,
  blog: 10,
  queue: 11,
  files: 12,
} as const;

/** Rooms whose members are named by UID (protocol section 17), so by nothing else. */
export const EUID_VIEWS: ReadonlySet<number> = new Set([
  VIEW.addressBook,
  VIEW.calendar,
  VIEW.tasks,
  VIEW.notes,
  VIEW.wiki,
]);

/** Rooms where a message replaces the one with the same euid. */
export const REPLACING_VIEWS: ReadonlySet<number> = new Set([...EUID_VIEWS, VIEW.blog]);

/** A folder of files, whose names may hold slashes: by its default view, or an ordinary room with a directory. */
export function holdsFiles({ defaultView, flags }: Pick<EnteredRoom, 'defaultView' | 'flags'>): boolean {
  return defaultView === VIEW.files || ((flags & ROOM_FLAG.directory) !== 0 && !EUID_VIEWS.has(defaultView));
}

/** Its members have names, so in an address below it a segment is a name before it is a number or a room resource. */
export function hasNames(room: Pick<EnteredRoom, 'defaultView' | 'flags'>): boolean {
  return EUID_VIEWS.has(room.defaultView) || holdsFiles(room);
}

/** messages: boards, mailboxes, blogs and everything else that holds letters */
export type CollectionKind = 'calendar' | 'tasks' | 'addressbook' | 'notes' | 'wiki' | 'files' | 'messages';

const KIND_OF_VIEW: ReadonlyMap<number, CollectionKind> = new Map([
  [VIEW.addressBook, 'addressbook'],
  [VIEW.calendar, 'calendar'],
  [VIEW.tasks, 'tasks'],
  [VIEW.notes, 'notes'],
  [VIEW.wiki, 'wiki'],
]);

/** What a room is as a DAV collection, by its default view; a room with a directory holds files. */
export function collectionKind({ defaultView, flags }: Pick<EnteredRoom, 'defaultView' | 'flags'>): CollectionKind {
  return holdsFiles({ defaultView, flags }) ? 'files' : (KIND_OF_VIEW.get(defaultView) ?? 'messages');
}

/** Holds calendar objects or cards: each has a UID, and keeps the name that a client gave it. */
export function holdsObjects(kind: CollectionKind): boolean {
  return kind === 'calendar' || kind === 'tasks' || kind === 'addressbook';
}

/** namespace and name of the property that keeps the components of a calendar that was made for several */
export const COMPONENT_SET = 'urn:ietf:params:xml:ns:caldav supported-calendar-component-set';

export const CALENDAR_COMPONENTS: readonly string[] = ['VEVENT', 'VTODO', 'VJOURNAL'];

/** The components that a calendar accepts (RFC 4791 section 5.2.3). `kept`: the element of COMPONENT_SET, if it has one. */
export function componentsIn(kind: CollectionKind, kept = ''): readonly string[] {
  if (kind === 'tasks') return ['VTODO'];
  if (kind !== 'calendar') return [];
  const named = CALENDAR_COMPONENTS.filter((name) => kept.includes(`name="${name}"`));
  return named.length > 0 ? named : ['VEVENT'];
}

/** A folder of a files room: `docs/2026/`. */
export function isFolder({ name }: { name: string }): boolean {
  return name.endsWith('/');
}

/** Whether a name is below a folder or, for '', below the collection. */
export function isBelow(folder: string, name: string): boolean {
  return folder === '' ? name !== '' : folder.endsWith('/') && name !== folder && name.startsWith(folder);
}

/** The folder that contains a member: `'a/b.txt'` → `'a/'`, `'a/b/'` → `'a/'`, `'b.txt'` → `''`, `''` → undefined */
export function parentFolder(name: string): string | undefined {
  if (name === '') return undefined;
  const slash = name.lastIndexOf('/', name.length - 2);
  return name.slice(0, slash + 1);
}

/** QRflags of a room (protocol section 8) */
export const ROOM_FLAG = {
  permanent: 1,
  inUse: 2,
  private: 4,
  password: 8,
  guessName: 16,
  directory: 32,
  upload: 64,
  download: 128,
  visibleDirectory: 256,
  anonymousOnly: 512,
  anonymousOption: 1024,
  network: 2048,
  preferredOnly: 4096,
  readOnly: 8192,
  personal: 16384,
} as const;

/** QRflags2 of a room */
export const ROOM_FLAG2 = {
  system: 1,
  selfList: 2,
  collaborativeDelete: 4,
  subjectRequired: 8,
  acceptsMail: 16,
  moderated: 32,
  noUploadNotice: 64,
} as const;

/** access field of a room row (protocol section 9) */
export const ACCESS = {
  known: 2,
  enter: 4,
  hasNew: 8,
  forgotten: 16,
  post: 32,
  admin: 64,
  delete: 128,
  reply: 256,
} as const;

/** access level of a user (protocol section 7) */
export const LEVEL = { deleted: 0, new: 1, problem: 2, local: 3, network: 4, preferred: 5, admin: 6 } as const;

export interface Floor {
  num: number;
  name: string;
  /** rooms on the floor, personal ones included */
  refcount: number;
}

/** one row of LKRA and its sisters */
export interface RoomRow {
  name: string;
  flags: number;
  floor: number;
  order: number;
  flags2: number;
  access: number;
  currentView: number;
  defaultView: number;
  mtime: number;
}

/** what GOTO answers */
export interface EnteredRoom {
  name: string;
  newMessages: number;
  totalMessages: number;
  infoChanged: boolean;
  flags: number;
  highest: number;
  lastSeen: number;
  isPersonal: boolean;
  isAdmin: boolean;
  floor: number;
  currentView: number;
  defaultView: number;
  isTrash: boolean;
  flags2: number;
  mtime: number;
}

/** Admins may delete messages, owners in personal rooms, and in a collaborative room everybody who may post. */
export function canDelete(room: EnteredRoom): boolean {
  return room.isAdmin || room.isPersonal || (room.flags2 & ROOM_FLAG2.collaborativeDelete) !== 0;
}

/** one row of MSGS mode 9, header text as it came (RFC 2047 words not decoded) */
export interface MessageRow {
  msgnum: number;
  time: number;
  from: string;
  node: string;
  address: string;
  subject: string;
  /** of the message id; 0 for none */
  idHash: number;
  referenceHashes: number[];
}

/** media type of what does not say what it is (RFC 2045 section 5.2) */
export const UNTYPED = 'text/plain';

/** `part=` line of MSG0 (protocol section 12); length is that of the encoded part */
export interface PartRow {
  name: string;
  filename: string;
  partnum: string;
  disposition: string;
  contentType: string;
  length: number;
  contentId: string;
  charset: string;
}

/** what PASS answers */
/**
 * What an app password is good for: reading alone, the DAV tree, everything but the account itself, or one room as a
 * feed.
 */
export const APP_PASSWORD_SCOPES = ['read', 'dav', 'all', 'feed'] as const;
export type AppPasswordScope = (typeof APP_PASSWORD_SCOPES)[number];

export interface LoggedIn {
  name: string;
  level: number;
  timesCalled: number;
  posted: number;
  flags: number;
  usernum: number;
  previousLogin: number;
  /** it was an app password; undefined: the account's own, or a session key */
  scope?: AppPasswordScope | undefined;
}
