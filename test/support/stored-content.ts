// Everything people would miss of a data folder, as plain rows that do not depend on numbers: to be compared after a
// copy. Reads the database; a server may be running on it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { BROUGHT_ROOM } from '../../src/room-server/rooms.ts';

/** neither what is being removed nor the room in which copies note what they have brought */
const PEOPLES = `r.dropped = 0 AND r.name <> '${BROUGHT_ROOM}'`;

export interface StoredContent {
  /** `room: id, time, author …, hash of the body`, in the order of the room */
  messages: string[];
  /** of messages, each counted once, whatever rooms it is in */
  count: number;
  rooms: string[];
  users: string[];
  /** `user in room: state, ids of what he has read` */
  visits: string[];
}

export function storedContent(folder: string): StoredContent {
  const db = new DatabaseSync(join(folder, 'vestibule.db'), { readOnly: true, timeout: 5000 });
  const all = (sql: string) => db.prepare(sql).all() as Record<string, string | number | null>[];
  const names = new Map(all('SELECT id, name FROM user').map(({ id, name }) => [id, name]));
  const roomName = (owner: unknown, name: unknown) =>
    `${owner === null ? '' : `${names.get(owner as number)}/`}${name}`;
  const withoutNumber = (name: unknown) => String(name).replace(/^\d{10}/, 'N');

  const hashes = new Map<unknown, ReturnType<typeof createHash>>();
  for (const { blob, data } of all('SELECT blob, data FROM chunk ORDER BY blob, seq')) {
    if (!hashes.has(blob)) hashes.set(blob, createHash('sha256'));
    hashes.get(blob)!.update(data as unknown as Uint8Array);
  }
  const digests = new Map([...hashes].map(([blob, hash]) => [blob, hash.digest('hex').slice(0, 12)]));
  const inRooms = new Map<unknown, { id: number; msgid: string }[]>();
  const messages = all(
    `SELECT rm.room AS in_room, r.owner, r.name, m.* FROM room_message rm JOIN message m ON m.id = rm.message
     JOIN room r ON r.id = rm.room WHERE ${PEOPLES} ORDER BY rm.room, m.id`,
  ).map((m) => {
    const listed = inRooms.get(m.in_room) ?? [];
    listed.push({ id: Number(m.id), msgid: String(m.msgid) });
    inRooms.set(m.in_room, listed);
    const head = [m.msgid, m.time, m.format, m.author, m.path, m.address, m.anonymous, withoutNumber(m.room)];
    const rest = [m.recipients, m.cc, m.exti, m.refs, m.subject, digests.get(m.blob)];
    return `${roomName(m.owner, m.name)}: ${[...head, ...rest].join('|')}`;
  });
  const rooms = all(
    `SELECT r.*, f.name AS floor_name, length(r.picture) AS picture_bytes FROM room r
     JOIN floor f ON f.num = r.floor WHERE ${PEOPLES}`,
  ).map((r) =>
    [roomName(r.owner, r.name), r.flags, r.flags2, r.floor_name, r.sort_order, r.view, r.password, r.directory]
      .concat([names.get(r.admin) ?? '', r.info, r.picture_bytes, r.picture_type])
      .join('|'),
  );
  const users = all('SELECT *, length(picture) AS picture_bytes FROM user').map((u) =>
    [u.name, u.level, u.flags, u.profile, u.picture_bytes, u.picture_type].join('|'),
  );
  const visits = all(`SELECT v.*, r.owner, r.name FROM visit v JOIN room r ON r.id = v.room WHERE ${PEOPLES}`).map(
    (v) => {
      const seen = SequenceSet.parse(String(v.seen));
      const listed = inRooms.get(v.room) ?? [];
      const read = listed.filter(({ id }) => seen.contains(id)).map(({ msgid }) => msgid);
      const last = listed.findLast(({ id }) => id <= Number(v.last_read))?.msgid ?? '';
      return (
        `${names.get(v.user)} in ${roomName(v.owner, v.name)}: ` +
        `${[v.state, v.view, last, read.join(' ')].join('|')}`
      );
    },
  );
  const count = Number(all('SELECT count(*) AS count FROM message')[0]!.count);
  db.close();
  return { messages, count, rooms: rooms.sort(), users: users.sort(), visits: visits.sort() };
}
