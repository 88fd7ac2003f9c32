// The place of a message among the members of a room: what it replaces there, and whether it may. Looked at in the
// transaction that stores it, so that of two who come at once one is told.

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

/** The number of the one member that may go for it: 0 none, `*` any, undefined: nobody has said. */
export type Expected = number | '*' | undefined;

/** Numbers of the confirmation of ENT0 for what is in the way (protocol section 15). */
const IN_THE_WAY = { unexpected: -5, uidTaken: -6, forbidden: -7 } as const;

/** Another member is where the message should go, or another one than was expected. */
export class InTheWay extends Error {
  readonly failure: number;
  /** the member that is there; 0: none is */
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

/** Under which the message was PUT; empty for most. The body is linked. */
export function postedName(store: Store, body: BodyWriter): string {
  if (!body.structure) return '';
  const block = headerBlock(store, { blob: body.link(), chunks: body.chunks() }, body.structure);
  return nameFrom(parseHeaders(block, CONTENT_FIELDS)) ?? '';
}

/**
 * `name`: under which it was PUT, or empty. Throws InTheWay: `unexpected` where it would replace another member than
 * was expected, or none; `uidTaken` where a member of another name has its UID; `forbidden` where the name is that of a
 * member that may not be deleted.
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
