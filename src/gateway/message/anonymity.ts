// Nobody is shown the author of an anonymous message, administrators included. The embedded room server tells nobody;
// an ordinary one hides the name in some of its answers and not in others (quirk Q22).

import { type EnteredRoom, type MessageRow, ROOM_FLAG } from '../../model.ts';
import { anonymityOf, HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import { readFieldsOfMany } from '../../room-server/messages.ts';
import { isOwnServer } from '../../room-server/server.ts';
import type { PageVersion } from '../../room-server/wiki/page-history.ts';
import type { App } from '../app.ts';
import type { RoomContext } from '../room-context.ts';
import type { OpenedMessage } from './head.ts';

/** What stands in the place of the author of an anonymous message; undefined for others. */
export function hiddenFrom({ head }: Pick<OpenedMessage, 'head'>): string | undefined {
  const kind = anonymityOf(head.fields);
  return kind && HIDDEN_NAMES[kind];
}

/** Versions of a page, which an ordinary room server lists with their authors whatever its room is. */
export async function withHiddenVersions<V extends PageVersion>(
  { app, caller }: RoomContext,
  { flags }: Pick<EnteredRoom, 'flags'>,
  versions: readonly V[],
): Promise<readonly V[]> {
  const isHidden = (flags & (ROOM_FLAG.anonymousOnly | ROOM_FLAG.anonymousOption)) !== 0;
  if (!isHidden || (await isOwnServer(app.pool, caller.identity))) return versions;
  return versions.map((version) => ({ ...version, author: HIDDEN_NAMES.only }));
}

type Row = Pick<MessageRow, 'msgnum' | 'idHash' | 'from' | 'address'>;

/** Rows of a room's list, with the names that an ordinary room server should have hidden. */
export async function withHiddenAuthors<R extends Row>(
  { app, caller, room }: RoomContext,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0 || (await isOwnServer(app.pool, caller.identity))) return rows;
  const kinds = new Map(rows.map((row) => [row.msgnum, knownKind(app, row)]));
  const unknown = rows.filter(({ msgnum }) => kinds.get(msgnum) === undefined);
  if (unknown.length > 0) {
    const numbers = unknown.map(({ msgnum }) => msgnum);
    const fields = await readFieldsOfMany(app.pool, caller.identity, room, numbers);
    for (const row of unknown) {
      const read = fields.get(row.msgnum);
      if (!read) continue; // it has gone meanwhile
      const kind = kindOf(read);
      kinds.set(row.msgnum, kind);
      app.anonymity.set(row.msgnum, idOf(row) * STATES + kind);
    }
  }
  return rows.flatMap((row) => {
    const number = kinds.get(row.msgnum);
    if (number === undefined) return [];
    const kind = KINDS[number];
    return kind === undefined ? row : { ...row, from: HIDDEN_NAMES[kind], address: '' };
  });
}

const KINDS = [undefined, 'only', 'option'] as const;
const STATES = KINDS.length;

/** A position in KINDS. */
function kindOf(fields: ReadonlyMap<string, string>): number {
  return KINDS.indexOf(anonymityOf(fields));
}

/** undefined while it has not been read; the number may mean another message on another room server. */
function knownKind({ anonymity }: App, row: Row): number | undefined {
  const known = anonymity.get(row.msgnum);
  return known !== undefined && Math.floor(known / STATES) === idOf(row) ? known % STATES : undefined;
}

/** 32 bits of its message id */
function idOf({ idHash }: Row): number {
  return idHash >>> 0;
}
