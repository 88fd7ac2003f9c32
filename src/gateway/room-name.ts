// Names that a room can be given through HTTP.

import { AppError } from '../errors.ts';
import { MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { foldName, nameFault } from '../protocol/name-rules.ts';
import { personalName } from '../protocol/room-facts.ts';
import { realName } from './paths.ts';

/**
 * The name as it is sent to the room server, folded. Under it the room can be reached: it is no macro, no full name of
 * another user's room, no dot segment of a path; and people can distinguish it from others (protocol/name-rules.ts).
 * Throws bad_request.
 */
export function acceptedRoomName(given: string): string {
  const name = Buffer.byteLength(given) > MAX_ROOM_NAME_BYTES ? '' : foldName(given);
  if (name === '' || !isFieldSafe(name) || Buffer.byteLength(name) > MAX_ROOM_NAME_BYTES) {
    throw new AppError('bad_request', 'No room can have this name.');
  }
  const fault = nameFault(name);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  const isMacro = /^_[a-z]+_$/i.test(name) || realName(name) !== name;
  if (isMacro || personalName(name).owner !== undefined || name === '.' || name === '..') {
    throw new AppError('bad_request', 'This name has a meaning of its own.');
  }
  return name;
}
