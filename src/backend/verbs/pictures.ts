// Pictures of users and rooms: ULUI DLUI ULRI DLRI (protocol sections 18.5 and 18.8). The type is the one that
// the client states, checked to be image/…; the gateway serves it safely.

import { MIN_PICTURE_BYTES } from '../../limits/backend.ts';
import { MAX_PICTURE_BYTES } from '../../limits/http.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { isAdmin, mayAdminister, readableRoom, requireUser, roomToAdminister } from '../session/access.ts';
import { binaryStart, collected, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { findUser, userNamed } from '../store/users.ts';

/** RFC 2045 token after image/ */
const IMAGE_TYPE = /^image\/[\w!#$%&'*+.^`~-]{1,60}$/i;

/** `ULUI size|type|user` → `700 size`; 0 removes; another's picture is for administrators; 511, 512, 550, 570, 571 */
export function ului(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length < 2) throw new Refusal('illegalValue', 'Usage error');
  const name = fields[2]?.trim() ?? '';
  const found = name === '' ? requireUser(session) : findUser(session.store, name);
  if (!found) throw new Refusal('noSuchUser', `${name} not found.`);
  if (found !== session.user && !session.isAdminSocket && !isAdmin(session.user)) {
    throw new Refusal('higherAccess', "Higher access required to change another user's photo.");
  }
  return upload(session.store, 'user', found.id, fields);
}

/** `DLUI user` → 600 as DLAT; 570, 571 */
export function dlui(session: Session, args: string): Reply {
  return download(session.store, 'user', userNamed(session.store, splitFields(args)[0]!).id);
}

/** `ULRI size|type` → `700 size`; a size of 0 removes; 511, 512, 550, 571 */
export function ulri(session: Session, args: string): Reply {
  const room = roomToAdminister(session);
  return upload(session.store, 'room', room.id, splitFields(args), () => mayAdminister(session, room));
}

/** → 600 as DLAT; 550, 571 */
export function dlri(session: Session): Reply {
  if (!session.room) throw new Refusal('noSuchFile', 'No image found.');
  return download(session.store, 'room', readableRoom(session).id);
}

/** `isStillAllowed`: called when the picture has arrived */
function upload(
  store: Store,
  table: 'user' | 'room',
  id: number,
  fields: string[],
  isStillAllowed = () => true,
): Reply {
  // Our extension: a real server cannot remove a picture, and refuses this size.
  if (fields[0]!.trim() === '0') return remove(store, table, id);
  const size = toInt(fields[0]);
  const type = fields[1]?.trim() ?? '';
  if (size < MIN_PICTURE_BYTES) throw new Refusal('illegalValue', "That's an awfully small file.  Try again.");
  if (!IMAGE_TYPE.test(type)) throw new Refusal('illegalValue', 'Only image files are permitted.');
  if (size > MAX_PICTURE_BYTES) throw new Refusal('tooBig', `Pictures may have ${MAX_PICTURE_BYTES} bytes.`);
  return collected(size, (bytes) => {
    if (!isStillAllowed()) return;
    store.transaction(() =>
      store.prepare(`UPDATE ${table} SET picture = ?, picture_type = ? WHERE id = ?`).run(bytes, type, id),
    );
  });
}

function remove(store: Store, table: 'user' | 'room', id: number): Reply {
  const sql = `UPDATE ${table} SET picture = NULL, picture_type = NULL WHERE id = ? AND picture IS NOT NULL`;
  const { changes } = store.transaction(() => store.prepare(sql).run(id));
  if (changes < 1) throw new Refusal('noSuchFile', 'No image found.');
  return ok('Picture removed.');
}

function download(store: Store, table: 'user' | 'room', id: number): Reply {
  const row = store.prepare(`SELECT picture, picture_type AS type FROM ${table} WHERE id = ?`).get(id);
  if (!(row?.picture instanceof Uint8Array)) throw new Refusal('noSuchFile', 'No image found.');
  return { stream: [binaryStart(row.picture.length, -1, '', String(row.type), ''), Buffer.from(row.picture)] };
}
