// What may be the name of a message in a room's address, and what a segment of an address may mean: the gateway and the
// embedded room server must say the same.

import { MAX_MEMBER_NAME_BYTES } from '../limits/backend.ts';
import { EUID_VIEWS, VIEW } from '../model.ts';
import { isFieldSafe } from './fields.ts';

/**
 * What stands below a room's address and is no message; test/protocol/member-names.test.ts compares it with the routes.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'feed',
  'info.txt',
  'mailbox',
  'members',
  'roompic',
  'slrp',
  'stat',
]);

/** A segment may be a name: whoever resolves a dot segment, percent-encoded or not, gets to the room. */
export function isPossibleSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && isFieldSafe(segment);
}

/**
 * In an address this is the name of a message, and nothing else. `isFiles`: in a room of files, where a segment is a
 * name before it is anything else; what holds a bar never is one.
 */
export function isAddressable(name: string, isFiles = false): boolean {
  if (!isPossibleSegment(name)) return false;
  return isFiles || (!isWordOfRooms(name) && parseMessageNumber(name) === undefined);
}

/** Below a room's address it is no message: `stat`, `msgs.all`. */
export function isWordOfRooms(name: string): boolean {
  return RESERVED_NAMES.has(name) || name.startsWith('msgs.');
}

/** `'12'` and `'|12'` → 12; undefined for what is no message number. */
export function parseMessageNumber(segment: string): number | undefined {
  const digits = segment.startsWith('|') ? segment.slice(1) : segment;
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** `12` → `'|12'`: a number in every room, for no name holds a bar. */
export function numberSegment(msgnum: number): string {
  return `|${msgnum}`;
}

/** `'12'`, which in a room of files is a name first. */
export function isPlainNumber(segment: string): boolean {
  return !segment.startsWith('|') && parseMessageNumber(segment) !== undefined;
}

/** What may be told of a message by its name in a room. */
export interface NamedMessage {
  msgnum: number;
  /** empty where it has none */
  euid: string;
}

/** programs that keep calendars and address books pass over what has none of these */
const OBJECT_ENDINGS: ReadonlyMap<number, string> = new Map([
  [VIEW.calendar, '.ics'],
  [VIEW.tasks, '.ics'],
  [VIEW.addressBook, '.vcf'],
]);
const ENDINGS: ReadonlySet<string> = new Set(OBJECT_ENDINGS.values());

/**
 * Names of a message that nobody has given one, the first that is free counts: in a room of calendar objects or cards
 * its UID with an ending, else its number with one; its UID in others that know UIDs; none where its number is enough.
 * `view`: the room's default view.
 */
export function ownNames(view: number, { msgnum, euid }: NamedMessage): string[] {
  const ending = ownEnding(view);
  if (ending === undefined) return [];
  const byUid = ended(euid, ending);
  const names = byUid !== '' && isMemberName(byUid) ? [byUid] : [];
  return ending === '' ? names : [...names, `${msgnum}${ending}`];
}

/** The name is one of ownNames. */
export function isOwnName(view: number, { msgnum, euid }: NamedMessage, name: string): boolean {
  const ending = ownEnding(view);
  if (ending === undefined || name === '') return false;
  return name === ended(euid, ending) || (ending !== '' && name === `${msgnum}${ending}`);
}

/** What the names of its own that a message has in a room end in; undefined where the room knows no UIDs. */
export function ownEnding(view: number): string | undefined {
  return EUID_VIEWS.has(view) ? (OBJECT_ENDINGS.get(view) ?? '') : undefined;
}

function ended(euid: string, ending: string): string {
  return euid === '' || euid.endsWith(ending) ? euid : `${euid}${ending}`;
}

/** What people are shown: the name that somebody has chosen for a message, else its title, else its name or number. */
export function titleOf({ msgnum, euid }: NamedMessage, name: string, title: string): string {
  const number = String(msgnum);
  if (name === '') return title || number;
  const isOwn = isEnded(name, number) || (euid !== '' && isEnded(name, euid));
  return (isOwn && title) || name;
}

function isEnded(name: string, start: string): boolean {
  if (!name.startsWith(start)) return false;
  return name.length === start.length || ENDINGS.has(name.slice(start.length));
}

/** It can be the name of a member: addressable, and not too long for the verbs that ask for it. */
export function isMemberName(name: string, isFiles = false): boolean {
  return isAddressable(name, isFiles) && Buffer.byteLength(name) <= MAX_MEMBER_NAME_BYTES;
}

/** The UIDs that it may stand for: `'a@b.ics'` → `['a@b.ics', 'a@b']` */
export function euidsOf(segment: string): string[] {
  if (!isFieldSafe(segment)) return [];
  const bare = segment.replace(/\.(ics|vcf)$/i, '');
  return bare === segment || bare === '' ? [segment] : [segment, bare];
}
