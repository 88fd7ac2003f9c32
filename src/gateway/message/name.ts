// The name under which a client PUTs a message (`r/Files/report.pdf`). It is kept in the message: a stored header holds
// it exactly, the subject makes it findable, because the room server can search subjects (objects with UIDs keep their
// own). So a name works on any room server, from any gateway, and goes along when the message is moved or copied.

import { AppError } from '../../errors.ts';
import { MAX_MESSAGE_NAME_BYTES } from '../../limits/dav.ts';
import { isAddressable, parseMessageNumber } from '../../protocol/member-names.ts';
import { nameKey } from '../../protocol/names.ts';
import { isPageHistory } from '../../room-server/page-history.ts';

/**
 * By which changes of a name in a room wait for each other (system/fair-queue.ts): whether it is free is asked before
 * it is taken. Between two gateways the order of the room server decides (settleName of message/replacement.ts).
 */
export function nameInRoomKey(room: string, name: string): string {
  return `${nameKey(room)}/${name}`;
}

/** The same for objects with one UID; no name holds a line end. */
export function uidInRoomKey(room: string, uid: string): string {
  return `${nameKey(room)}\n${uid}`;
}

/** Throws conflict for what cannot be a name in the room. `isNameFirst` as for isAddressable. */
export function addressableName(name: string, isNameFirst = false): string {
  if (isAddressable(name, isNameFirst)) return name;
  const isNumber = parseMessageNumber(name) !== undefined;
  throw new AppError(
    'conflict',
    isNumber
      ? 'A number is the address of a message. PUT it to "new", or choose another name.'
      : 'A message cannot have this name.',
  );
}

/** Throws conflict for a name that is too long for a message, too; those of files: folder/path.ts. */
export function checkedName(name: string, isNameFirst = false): string {
  addressableName(name, isNameFirst);
  if (Buffer.byteLength(name) > MAX_MESSAGE_NAME_BYTES) throw new AppError('conflict', 'The name is too long.');
  return name;
}

/**
 * The UID of a page. Throws bad_request for one under which a real server keeps a history: that would be lost, and this
 * hidden.
 */
export function checkedPageName(euid: string): string {
  if (isPageHistory(euid)) {
    throw new AppError('bad_request', 'The name of a page cannot end in _HISTORY_: histories of pages are kept so.');
  }
  return euid;
}
