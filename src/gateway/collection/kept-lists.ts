// Lists of members that the embedded room server has given, kept until it says that the room has changed: it is asked
// each time, and looks at the rights of who asks. A list is the same for every reader, so it is kept by the room and
// not by the caller; what differs from one to another (what is read, locks, privileges) is no part of it.

import {
  KEPT_MEMBER_BYTES,
  MAX_KEPT_LIST_BYTES,
  MAX_KEPT_LISTS_BYTES,
  MAX_KNOWN_ROOM_NUMBERS,
} from '../../limits/dav.ts';
import type { EnteredRoom } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { type CollectionKind, collectionKind, type Member } from './member.ts';

/** Who asks, and for which room. */
interface Asker {
  caller: { identity: Identity };
  room: RoomRef;
}

/** What a list is of: the room, how it was, and what kind of room it was, which decides what its folders are. */
export interface ListMoment {
  roomId: number;
  sequence: number;
  entered: EnteredRoom;
}

export interface KeptList extends Omit<ListMoment, 'entered'> {
  kind: CollectionKind;
  /** when the room last changed, by the room server: a database that was put back counts its sequence again */
  mtime: number;
  batches: readonly (readonly Member[])[];
}

/** Takes a list on its way to one who asks, unless it is too long. */
export interface ListKeeper {
  add(batch: readonly Member[]): void;
  /** All of it has been added. */
  keep(): void;
}

export class KeptLists {
  readonly #lists: BoundedMap<string, KeptList & { bytes: number }>;
  /** the room that a user has last been told of under a name */
  readonly #rooms = new BoundedMap<string, number>(MAX_KNOWN_ROOM_NUMBERS);
  readonly #maxBytes: number;

  constructor(maxBytesOfAll = MAX_KEPT_LISTS_BYTES, maxBytes = MAX_KEPT_LIST_BYTES) {
    this.#lists = new BoundedMap(maxBytesOfAll, ({ bytes }) => bytes);
    this.#maxBytes = maxBytes;
  }

  /** What to ask the room server of: only where it says that this is the room, and as it is now, it may be shown. */
  last(context: Asker, folder: string): KeptList | undefined {
    const roomId = this.#rooms.get(roomKey(context));
    return roomId === undefined ? undefined : this.#lists.get(listKey(roomId, folder));
  }

  /** For a list that has just begun. */
  keeper(context: Asker, folder: string, { roomId, sequence, entered }: ListMoment): ListKeeper | undefined {
    const kind = collectionKind(entered);
    const { mtime } = entered;
    // not even the first members are held of what is known to be too long; only a room of files may list fewer than all
    if (kind !== 'files' && entered.totalMessages * KEPT_MEMBER_BYTES > this.#maxBytes) return undefined;
    const batches: (readonly Member[])[] = [];
    let bytes = 0;
    return {
      add: (batch) => {
        for (const member of batch) bytes += memberBytes(member);
        if (bytes > this.#maxBytes) batches.length = 0;
        else batches.push(batch);
      },
      keep: () => {
        if (bytes > this.#maxBytes) return;
        this.#rooms.set(roomKey(context), roomId);
        const key = listKey(roomId, folder);
        const last = this.#lists.get(key);
        // another user may have asked before
        if (last?.sequence === sequence && last.kind === kind && last.mtime === mtime) return;
        this.#lists.set(key, { roomId, sequence, kind, mtime, batches, bytes: bytes + KEPT_MEMBER_BYTES });
      },
    };
  }
}

/** It is what the room holds when it says that it has not changed since. */
export function isOf({ kind, mtime }: KeptList, entered: EnteredRoom): boolean {
  return kind === collectionKind(entered) && mtime === entered.mtime;
}

/** The name is in its address, too, percent-encoded. */
function memberBytes({ name, euid, displayName }: Member): number {
  return KEPT_MEMBER_BYTES + 4 * name.length + euid.length + displayName.length;
}

function roomKey({ caller, room }: Asker): string {
  return `${caller.identity.user}\n${nameKey(room.name)}`;
}

function listKey(roomId: number, folder: string): string {
  return `${roomId}/${folder}`;
}
