// Which names a message may have in a room's path, and what a path segment means. Shared by the gateway and the
// embedded room server.

import { MAX_MEMBER_NAME_BYTES } from '../limits/backend.ts';
import { EUID_VIEWS, VIEW } from '../model.ts';
import { isFieldSafe } from './fields.ts';

/** Segments below a room that are no messages; test/protocol/member-names.test.ts compares them with the routes. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  'feed info.txt mailbox members roompic slrp stat'.split(' '),
);

/** Excludes dot segments: clients resolve them, percent-encoded or not. */
export function isPossibleSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && isFieldSafe(segment);
}

/**
 * A message with this name can be addressed by it. `isNameFirst`: in a room whose members have names (hasNames of
 * model.ts), where numbers and room resources give way to them. No name holds a bar.
 */
export function isAddressable(name: string, isNameFirst = false): boolean {
  return isPossibleSegment(name) && (isNameFirst || !isAmbiguous(name));
}

/** Below a room's address it may be a number or a room resource as well as a name. */
export function isAmbiguous(segment: string): boolean {
  return isWordOfRooms(segment) || isPlainNumber(segment);
}

/** A resource of the room rather than a message: `stat`, `msgs.all`. */
export function isWordOfRooms(name: string): boolean {
  return RESERVED_NAMES.has(name) || name.startsWith('msgs.');
}

/** `'12'` and `'|12'` → 12; undefined otherwise. */
export function parseMessageNumber(segment: string): number | undefined {
  const digits = segment.startsWith('|') ? segment.slice(1) : segment;
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** `12` → `'|12'`: unambiguous in every room, since names contain no bar. */
export function numberSegment(msgnum: number): string {
  return `|${msgnum}`;
}

/** `'12'`, which is a name first where members have names. */
export function isPlainNumber(segment: string): boolean {
  return !segment.startsWith('|') && parseMessageNumber(segment) !== undefined;
}

export interface NamedMessage {
  msgnum: number;
  /** '' if there is none */
  euid: string;
}

/** calendar and address book programs ignore resources without these extensions */
const OBJECT_ENDINGS: ReadonlyMap<number, string> = new Map([
  [VIEW.calendar, '.ics'],
  [VIEW.tasks, '.ics'],
  [VIEW.addressBook, '.vcf'],
]);
const ENDINGS: ReadonlySet<string> = new Set(OBJECT_ENDINGS.values());

/**
 * Default names of an unnamed message; the first free one is used. In a room of calendar objects or cards: UID or
 * number with an extension. In other rooms with UIDs: the UID. Otherwise none. `view`: the room's default view.
 */
export function ownNames(view: number, { msgnum, euid }: NamedMessage): string[] {
  const ending = ownEnding(view);
  if (ending === undefined) return [];
  const byUid = ended(euid, ending);
  const names = byUid !== '' && isMemberName(byUid, true) ? [byUid] : [];
  return ending === '' ? names : [...names, `${msgnum}${ending}`];
}

/** Whether the name is one of ownNames. */
export function isOwnName(view: number, { msgnum, euid }: NamedMessage, name: string): boolean {
  const ending = ownEnding(view);
  if (ending === undefined || name === '') return false;
  return name === ended(euid, ending) || (ending !== '' && name === `${msgnum}${ending}`);
}

/** The extension of default names in a room; undefined if the room has no UIDs. */
export function ownEnding(view: number): string | undefined {
  return EUID_VIEWS.has(view) ? (OBJECT_ENDINGS.get(view) ?? '') : undefined;
}

function ended(euid: string, ending: string): string {
  return euid === '' || euid.endsWith(ending) ? euid : `${euid}${ending}`;
}

/** The title to display: the name that a user gave, else the title, else the default name or number. */
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

/** Addressable, and within the length limit of verbs. */
export function isMemberName(name: string, isNameFirst = false): boolean {
  return isAddressable(name, isNameFirst) && Buffer.byteLength(name) <= MAX_MEMBER_NAME_BYTES;
}

/** The UIDs that it may mean: `'a@b.ics'` → `['a@b.ics', 'a@b']` */
export function euidsOf(segment: string): string[] {
  if (!isFieldSafe(segment)) return [];
  const bare = segment.replace(/\.(ics|vcf)$/i, '');
  return bare === segment || bare === '' ? [segment] : [segment, bare];
}
