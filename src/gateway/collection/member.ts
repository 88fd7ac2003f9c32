// A room as DAV shows it: what kind of collection it is, and what is known of each of its members. Members are
// messages; in a files room a name may hold slashes, and a folder is a member whose name ends in one.

import type { TimeRange } from '../../mime/objects/instances.ts';
import { type EnteredRoom, holdsFiles, VIEW } from '../../model.ts';

/** messages: boards, mailboxes, blogs and all else whose members are letters */
export type CollectionKind = 'calendar' | 'tasks' | 'addressbook' | 'notes' | 'wiki' | 'files' | 'messages';

const KIND_OF_VIEW: ReadonlyMap<number, CollectionKind> = new Map([
  [VIEW.addressBook, 'addressbook'],
  [VIEW.calendar, 'calendar'],
  [VIEW.tasks, 'tasks'],
  [VIEW.notes, 'notes'],
  [VIEW.wiki, 'wiki'],
]);

/** What a room is, by its default view; a room with a directory is a folder of files. */
export function collectionKind({ defaultView, flags }: Pick<EnteredRoom, 'defaultView' | 'flags'>): CollectionKind {
  return holdsFiles({ defaultView, flags }) ? 'files' : (KIND_OF_VIEW.get(defaultView) ?? 'messages');
}

/** Its members are calendar objects or cards, each known by its UID and kept under the name that a client gives. */
export function holdsObjects(kind: CollectionKind): boolean {
  return kind === 'calendar' || kind === 'tasks' || kind === 'addressbook';
}

/** What a calendar takes (RFC 4791 section 5.2.3). */
export function componentsIn(kind: CollectionKind): readonly string[] {
  if (kind === 'tasks') return ['VTODO'];
  return kind === 'calendar' ? ['VEVENT'] : [];
}

export interface Member {
  msgnum: number;
  /** the rest of its href behind the room's, decoded: as it was PUT, else one of its own, else its number */
  name: string;
  /** its UID; empty where it has none */
  euid: string;
  /** Unix seconds: when this version was stored, or got its name; 0 where that is not known */
  time: number;
  /** when the first version was, where the room server knows */
  created?: number | undefined;
  /** its name where it has one, else its subject, else its number */
  displayName: string;
  contentType: string;
  /** bytes that GET sends; undefined where that is not known or was not asked for */
  size: number | undefined;
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY or VCARD; undefined where nothing has told it yet */
  component: string | undefined;
  /** no instance lies outside of it; undefined where nothing has told it yet */
  extent: TimeRange | undefined;
}

/** A folder of a files room: `docs/2026/`. */
export function isFolder({ name }: Pick<Member, 'name'>): boolean {
  return name.endsWith('/');
}

/** What is asked of the members of a room. */
export interface Selection {
  isSizeWanted?: boolean;
  /** of a files room: only what lies directly in this folder, named with its slash; '' or undefined: at the top */
  folder?: string;
  /** of a files room all that lies below the folder, at any depth */
  isDeep?: boolean;
  /** only objects that hold this component, and those of which it is not known */
  component?: string;
  /** only objects whose extent meets it, and those of which it is not known */
  range?: TimeRange;
}

/** All of a room, at one moment. */
export interface Listing {
  entered: EnteredRoom;
  /** for sync-token: a URI (RFC 6578 section 4) */
  token: string;
  /** ascending by number, in batches, as they are read; each name once */
  members: AsyncIterable<readonly Member[]>;
}

/** What has changed in a room since a token was given out. */
export interface MemberChanges {
  entered: EnteredRoom;
  token: string;
  /** new, or another message under the same name */
  changed: AsyncIterable<readonly Member[]>;
  /** names of members that are gone, with none of that name left */
  removed: readonly string[];
}

/** The bytes of a member as GET sends them. */
export interface MemberContent {
  member: Member;
  bytes: Buffer;
}

/** The address of a member: of a files room its name says the folders, too. `collectionHref` ends in a slash. */
export function memberHref(collectionHref: string, { name }: Pick<Member, 'name'>, kind: CollectionKind): string {
  if (/^[\w.-]*$/.test(name)) return collectionHref + name; // most names, in a long list
  const path = kind === 'files' ? name.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(name);
  return collectionHref + path;
}
