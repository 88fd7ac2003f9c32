// Rooms that cannot be made on the target as they are: by a name that no room is given (protocol/name-rules.ts),
// whatever the room server there would take, or with a password that cannot be read.

import { AppError } from '../../errors.ts';
import { ROOM_FLAG } from '../../model.ts';
import { areAlike, foldName, lookKey, nameFault } from '../../protocol/name-rules.ts';
import { personalName } from '../../protocol/room-facts.ts';
import type { Room } from './model.ts';

export interface NameBook {
  /** Throws conflict where no room can be made under this name. */
  requireFree(room: Room): void;
  /** A room that is there now. */
  add(room: Room): void;
}

/**
 * `rooms`: those that are there. A room whose name is refused stays behind: under another name the next run would not
 * know it, and what is like it may be what its name was to be taken for.
 */
export function openNameBook(rooms: Iterable<Pick<Room, 'name' | 'flags'>>): NameBook {
  const publicNames = new Map<string, string[]>();
  const add = ({ name, flags }: Pick<Room, 'name' | 'flags'>): void => {
    if (flags & ROOM_FLAG.private || personalName(name).owner !== undefined) return;
    publicNames.getOrInsertComputed(lookKey(name), () => []).push(name);
  };
  for (const room of rooms) add(room);
  return {
    add,
    requireFree({ name }) {
      const { owner, name: shown } = personalName(name);
      const fault = foldName(shown) === shown ? nameFault(shown) : 'A name has single blanks between its words only.';
      if (fault !== undefined) throw refused(fault);
      const taken =
        owner !== undefined ? undefined : publicNames.get(lookKey(name))?.find((each) => areAlike(each, name));
      if (taken !== undefined) throw refused(`There is a room ${taken}, and this name looks like it.`);
    },
  };
}

function refused(why: string): AppError {
  return new AppError('conflict', `${why} Give it another name, and copy again.`);
}

/** The room, by invitation where its password is neither kept nor known, and what that makes of it; '' for nothing. */
export function withKnownPassword(room: Room, canKeepHash: boolean): { room: Room; lost: string } {
  const isKnown = room.password !== '' || (canKeepHash && (room.passwordHash ?? '') !== '');
  if (!(room.flags & ROOM_FLAG.password) || isKnown) return { room, lost: '' };
  const flags = (room.flags & ~ROOM_FLAG.password) | ROOM_FLAG.private;
  return { room: { ...room, flags }, lost: 'its password, which cannot be read: it is by invitation now' };
}
