// Rooms that cannot be created unchanged at the target: because of a forbidden name (protocol/name-rules.ts), whatever
// that server accepts, or an unreadable password.

import { AppError } from '../../errors.ts';
import { ROOM_FLAG } from '../../model.ts';
import { areAlike, foldName, lookKey, nameFault } from '../../protocol/name-rules.ts';
import { personalName } from '../../protocol/room-facts.ts';
import type { Room } from './model.ts';

export interface NameBook {
  /** Throws conflict if no room can have this name. */
  requireFree(room: Room): void;
  /** Records a created room. */
  add(room: Room): void;
}

/** `rooms`: existing ones. Rooms with refused names are skipped: renamed, the next run would not recognize them. */
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
      const fault = foldName(shown) === shown ? nameFault(shown) : 'A name has single spaces between words only.';
      if (fault !== undefined) throw refused(fault);
      const taken =
        owner !== undefined ? undefined : publicNames.get(lookKey(name))?.find((each) => areAlike(each, name));
      if (taken !== undefined) throw refused(`The name looks like that of the room ${taken}.`);
    },
  };
}

function refused(why: string): AppError {
  return new AppError('conflict', `${why} Rename it, and copy again.`);
}

/** Converts a room with an unreadable password to invitation only; `lost` says so. */
export function withKnownPassword(room: Room, canKeepHash: boolean): { room: Room; lost: string } {
  const isKnown = room.password !== '' || (canKeepHash && (room.passwordHash ?? '') !== '');
  if (!(room.flags & ROOM_FLAG.password) || isKnown) return { room, lost: '' };
  const flags = (room.flags & ~ROOM_FLAG.password) | ROOM_FLAG.private;
  return { room: { ...room, flags }, lost: 'its password, which cannot be read: it is invitation only now' };
}
