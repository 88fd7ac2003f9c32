// The name under which a client PUTs a message (`r/Files/report.pdf`). It is kept in the message: a stored header holds
// it exactly, the subject makes it findable, because the room server can search subjects (objects with UIDs keep their
// own). So a name works on any room server, from any gateway, and goes along when the message is moved or copied.

import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { MAX_MESSAGE_NAME_BYTES } from '../../limits/dav.ts';
import { MAX_TEMPLATE_VALUE_BYTES } from '../../limits/protocol.ts';
import { NAME_HEADER, SIZE_HEADER } from '../../mime/stored-content.ts';
import { isAddressable, parseMessageNumber } from '../../protocol/member-names.ts';
import { nameKey } from '../../protocol/names.ts';
import { isPageHistory } from '../../room-server/page-history.ts';

/**
 * By which changes of a name in a room wait for each other (system/serial-queue.ts): whether it is free is asked before
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

/** The header lines that keep name and length. */
export function namingHeaders(name: string, size: number): [string, string][] {
  return [
    [NAME_HEADER, encodeURIComponent(name.toWellFormed())],
    [SIZE_HEADER, String(size)],
  ];
}

/**
 * The subject of a named message: the name itself where a room server stores it unchanged, else as one encoded word,
 * and a long one shortened, so that a template line can find it.
 */
export function subjectOfName(name: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(name) && !/[|]|=\?/.test(name);
  if (isPlain && name.length <= MAX_TEMPLATE_VALUE_BYTES) return name;
  const whole = encodedWord(name);
  if (whole.length <= MAX_TEMPLATE_VALUE_BYTES) return whole;
  const digest = hash('sha256', name, 'hex').slice(0, 16);
  let start = '';
  for (const char of name) {
    if (Buffer.byteLength(start + char) > SHORTENED_BYTES) break;
    start += char;
  }
  return encodedWord(`${start}… ${digest}`);
}

/** of a longer name, before the digest that tells it from others */
const SHORTENED_BYTES = 120;

function encodedWord(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text.toWellFormed()).toString('base64')}?=`;
}
