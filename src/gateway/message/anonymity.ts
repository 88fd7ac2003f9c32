// The author of an anonymous message is shown to administrators of the room server only. An ordinary one hides the name
// in some of its answers and not in others (quirk Q22), nor of copies in rooms that are not anonymous; and it shows
// everything to the administrator of a room, which everybody is of his own rooms and of the copies there.

import { readFieldsOfMany } from '../../client/messages.ts';
import { isOwnServer } from '../../client/server.ts';
import { LEVEL, type MessageRow } from '../../model.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import type { RoomContext } from '../room-context.ts';
import type { OpenedMessage } from './head.ts';

/** what stands in the place of a name, by the kind of anonymity */
const HIDDEN_NAMES = ['****', 'anonymous'] as const;
type HiddenName = (typeof HIDDEN_NAMES)[number];

/** What MSG0 shows as the author of an anonymous message; undefined for others. */
function hiddenName(fields: ReadonlyMap<string, string>): HiddenName | undefined {
  if (fields.get('nhdr') === 'yes') return '****';
  const from = fields.get('from') ?? '';
  return HIDDEN_NAMES.find((name) => from === name || from.startsWith(`${name} [`));
}

/** The caller may see what the room server sends. To be asked after a connection of his has been used. */
async function maySeeAuthors(app: App, { identity, isGuest }: Caller): Promise<boolean> {
  return !isGuest && (await app.pool.identify(identity)).level >= LEVEL.admin;
}

/** What the caller sees in the place of the author of an anonymous message; undefined: what the room server sends. */
export async function hiddenFrom({ app, caller, head }: OpenedMessage): Promise<string | undefined> {
  const name = hiddenName(head.fields);
  return name === undefined || (await maySeeAuthors(app, caller)) ? undefined : name;
}

type Row = Pick<MessageRow, 'msgnum' | 'idHash' | 'from' | 'address'>;

/** Rows of a room's list, with the names that an ordinary room server should have hidden. */
export async function withHiddenAuthors<R extends Row>(
  { app, caller, room }: RoomContext,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0 || (await isOwnServer(app.pool, caller.identity)) || (await maySeeAuthors(app, caller))) {
    return rows;
  }
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
      app.anonymity.set(row.msgnum, idOf(row) * KINDS + kind);
    }
  }
  return rows.flatMap((row) => {
    const kind = kinds.get(row.msgnum);
    if (kind === undefined) return [];
    return kind === 0 ? row : { ...row, from: HIDDEN_NAMES[kind - 1]!, address: '' };
  });
}

const KINDS = HIDDEN_NAMES.length + 1;

/** 0: not anonymous, else the position in HIDDEN_NAMES and 1 */
function kindOf(fields: ReadonlyMap<string, string>): number {
  const name = hiddenName(fields);
  return name === undefined ? 0 : HIDDEN_NAMES.indexOf(name) + 1;
}

/** undefined while it has not been read; the number may mean another message on another room server. */
function knownKind({ anonymity }: App, row: Row): number | undefined {
  const known = anonymity.get(row.msgnum);
  return known !== undefined && Math.floor(known / KINDS) === idOf(row) ? known % KINDS : undefined;
}

/** 32 bits of its message id */
function idOf({ idHash }: Row): number {
  return idHash >>> 0;
}
