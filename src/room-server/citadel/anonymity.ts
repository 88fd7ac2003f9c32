// Authors of anonymous messages, whom nobody is shown, administrators included: an ordinary room server hides the name
// in some of its answers and not in others (quirk Q22).

import { MAX_KNOWN_ANONYMITY } from '../../limits/dav.ts';
import { type EnteredRoom, type MessageRow, ROOM_FLAG } from '../../model.ts';
import { anonymityOf, HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { readFieldsOfMany } from '../messages.ts';
import type { PageVersion } from '../page-history.ts';
import type { Found } from '../server.ts';

/** Versions of a page, which are listed with their authors whatever the room is. */
export function withHiddenVersions<V extends PageVersion>(
  { flags }: Pick<EnteredRoom, 'flags'>,
  versions: readonly V[],
): readonly V[] {
  const isHidden = (flags & (ROOM_FLAG.anonymousOnly | ROOM_FLAG.anonymousOption)) !== 0;
  return isHidden ? versions.map((version) => ({ ...version, author: HIDDEN_NAMES.only })) : versions;
}

/** Of messages by number, as withHiddenAuthors has found them. */
const known = new WeakMap<Pool, BoundedMap<number, number>>();

type Row = Pick<MessageRow, 'msgnum' | 'idHash' | 'from' | 'address'>;

/** Rows of a room's list, with the names that the server should have hidden. */
export async function withHiddenAuthors<R extends Row>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0) return rows;
  const anonymity = known.getOrInsertComputed(pool, () => new BoundedMap(MAX_KNOWN_ANONYMITY));
  const kinds = new Map(rows.map((row) => [row.msgnum, knownKind(anonymity, row)]));
  const unknown = rows.filter(({ msgnum }) => kinds.get(msgnum) === undefined);
  if (unknown.length > 0) {
    const numbers = unknown.map(({ msgnum }) => msgnum);
    const fields = await readFieldsOfMany(pool, identity, room, numbers);
    for (const row of unknown) {
      const read = fields.get(row.msgnum);
      if (!read) continue; // it has gone meanwhile
      const kind = KINDS.indexOf(anonymityOf(read));
      kinds.set(row.msgnum, kind);
      anonymity.set(row.msgnum, idOf(row) * KINDS.length + kind);
    }
  }
  return rows.flatMap((row) => {
    const number = kinds.get(row.msgnum);
    if (number === undefined) return [];
    const kind = KINDS[number];
    return kind === undefined ? row : { ...row, from: HIDDEN_NAMES[kind], address: '' };
  });
}

/** The same for hits in several rooms, the latest first. */
export async function withHiddenAuthorsOf<R extends Found>(
  pool: Pool,
  identity: Identity,
  found: readonly R[],
): Promise<R[]> {
  const shown = await Promise.all(
    [...Map.groupBy(found, ({ room }) => room)].map(([name, rows]) =>
      withHiddenAuthors(pool, identity, { name, password: '' }, rows),
    ),
  );
  return shown.flat().sort((a, b) => b.msgnum - a.msgnum);
}

const KINDS = [undefined, 'only', 'option'] as const;

/** A position in KINDS; undefined while it has not been read: the number may mean another one's message by now. */
function knownKind(anonymity: BoundedMap<number, number>, row: Row): number | undefined {
  const kept = anonymity.get(row.msgnum);
  return kept !== undefined && Math.floor(kept / KINDS.length) === idOf(row) ? kept % KINDS.length : undefined;
}

/** 32 bits of its message id */
function idOf({ idHash }: Row): number {
  return idHash >>> 0;
}
