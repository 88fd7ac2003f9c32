// What a message replaces among the members of a room, and whether it may. Checked in the transaction that stores it,
// so that of two concurrent writers one is refused.

import { parseHeaders } from '../../mime/headers.ts';
import { CONTENT_FIELDS, nameFrom } from '../../mime/stored-content.ts';
import { REPLACING_VIEWS } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { euidsOf, isMemberName, isOwnName } from '../../protocol/member-names.ts';
import type { BodyWriter } from '../store/bodies.ts';
import { headerBlock } from '../store/message-facts.ts';
import { hasMemberNames, type StoredRoom } from '../store/records.ts';
import { messageByEuid, messageByName, nameInRoom } from '../store/references.ts';
import type { Store } from '../store/store.ts';

/** The number of the member that it may replace: 0 none, `*` any, undefined: not stated. */
export type Expected = number | '*' | undefined;

/** Numbers of the confirmation of ENT0 for what is in the way (protocol section 15). */
const IN_THE_WAY = { unexpected: -5, uidTaken: -6, forbidden: -7 } as const;

/** Another member is in the way, or a different one than expected. */
export class InTheWay extends Error {
  readonly failure: number;
  /** the member in the way; 0: none */
  readonly msgnum: number;

  constructor(why: keyof typeof IN_THE_WAY, msgnum: number) {
    super(why);
    this.failure = IN_THE_WAY[why];
    this.msgnum = msgnum;
  }
}

/** `''` → undefined, `'*'`, `'12'` → 12 */
export function expectedFrom(field: string): Expected {
  if (field === '') return undefined;
  return field === '*' ? field : Math.max(toInt(field), 0);
}

/** The name that the message was PUT under; empty for most. The body must be linked. */
export function postedName(store: Store, body: BodyWriter): string {
  if (!body.structure) return '';
  const block = headerBlock(store, { blob: body.link(), chunks: body.chunks() }, body.structure);
  return nameFrom(parseHeaders(block, CONTENT_FIELDS)) ?? '';
}

/**
 * `name`: the name it was PUT under, or empty. Throws InTheWay: `unexpected` if it would replace a different member
 * than expected, or none; `uidTaken` if a member with another name has its UID; `forbidden` if the member with its name
 * may not be deleted.
 */
export function requireReplacement(
  store: Store,
  room: StoredRoom,
  { name, euid }: { name: string; euid: string },
  expected: Expected,
  mayDelete: boolean,
): void {
  const given = isMemberName(name, hasMemberNames(room)) ? name : '';
  const holder = given === '' ? undefined : messageByName(store, room.id, given);
  const sameUid = euid !== '' && REPLACING_VIEWS.has(room.view) ? messageByEuid(store, room.id, euid) : undefined;
  // `<UID>.ics` means the member that has its UID for a name, and so does its number
  const isSame =
    sameUid !== undefined && (sameUid === expected || isNamedByUid(store, room, sameUid, euid, given || euid));
  const replaced = holder ?? (isSame || expected === undefined ? sameUid : undefined);
  if (expected !== undefined) {
    if (sameUid !== undefined && sameUid !== replaced) throw new InTheWay('uidTaken', sameUid);
    const isMet = expected === '*' ? replaced !== undefined : expected === (replaced ?? 0);
    if (!isMet) throw new InTheWay('unexpected', replaced ?? 0);
  }
  if (holder !== undefined && holder !== sameUid && !mayDelete) throw new InTheWay('forbidden', holder);
}

function isNamedByUid(store: Store, room: StoredRoom, msgnum: number, euid: string, name: string): boolean {
  const present = nameInRoom(store, room.id, msgnum);
  const isOwn = present === '' || isOwnName(room.view, { msgnum, euid }, present);
  return isOwn && euidsOf(name).includes(euid);
}
