// Renames members in their room, and copies or moves them to another one. Messages do not change; one that is to be in
// a room twice becomes two messages with one body.

import { REPLACING_VIEWS, VIEW } from '../../model.ts';
import { copyProperties, dropProperties } from './dead-properties.ts';
import { nextNumber } from './messages.ts';
import {
  addToRoom,
  isInRoom,
  messageByEuid,
  messageByName,
  nameInRoom,
  removeFromRoom,
  renameInRoom,
  replaceInRoom,
} from './references.ts';
import { roomById } from './rooms.ts';
import { reindexMessage } from './search-index.ts';
import type { Store } from './store.ts';
import { copyHistory } from './wiki-history.ts';

/** A member and its target. */
export interface Placement {
  source: number;
  msgnum: number;
  target: number;
  /** its name there; empty: its number */
  name: string;
}

/** Members that are in the way at the target: one with the name, and one with another name but the same UID. */
export function inPlaceOf(store: Store, { source, msgnum, target, name }: Placement) {
  const holder = name === '' ? undefined : messageByName(store, target, name);
  const euid = euidOf(store, source, msgnum);
  const isUidKept = euid !== '' && REPLACING_VIEWS.has(roomById(store, target)!.view);
  const sameUid = isUidKept ? messageByEuid(store, target, euid) : undefined;
  return { holder, uidTakenBy: sameUid === holder ? undefined : sameUid };
}

/** Renames a member, replacing the one that has the name. Inside a transaction only. */
export function renameMember(store: Store, { source, msgnum, name }: Placement): void {
  const before = nameInRoom(store, source, msgnum);
  if (name === '' || name === before) return;
  const holder = messageByName(store, source, name);
  if (holder !== undefined) replaceInRoom(store, source, holder, name);
  const members = [before || String(msgnum), name] as const;
  copyProperties(store, { room: source, member: members[0] }, { room: source, member: members[1] });
  dropProperties(store, source, members[0]);
  renameInRoom(store, source, { message: msgnum, name: before }, name);
}

/** Returns the number of the copy, which is the same in another room. Inside a transaction only. */
export function copyMember(store: Store, { source, msgnum, target, name }: Placement, created?: number): number {
  const euid = euidOf(store, source, msgnum);
  const before = nameInRoom(store, source, msgnum);
  const copy = isInRoom(store, target, msgnum) ? duplicate(store, msgnum) : msgnum;
  if (source !== target && euid !== '' && roomById(store, target)!.view === VIEW.wiki)
    copyHistory(store, source, target, euid);
  addToRoom(store, target, copy, euid, { name: name || undefined, mayReplace: true, created });
  reindexMessage(store, copy);
  const member = nameInRoom(store, target, copy) || String(copy);
  copyProperties(store, { room: source, member: before || String(msgnum) }, { room: target, member });
  return copy;
}

/** Copies to another room and removes from the source. Inside a transaction only. */
export function moveMember(store: Store, placement: Placement): number {
  const { source, msgnum } = placement;
  const row = store.prepare('SELECT created FROM room_message WHERE room = ? AND message = ?').get(source, msgnum);
  const moved = copyMember(store, placement, Number(row?.created ?? 0));
  removeFromRoom(store, source, [msgnum]);
  return moved;
}

/** A copy of this message with the same body, in no room yet. Inside a transaction only. */
export function duplicate(store: Store, msgnum: number): number {
  const id = nextNumber(store);
  store
    .prepare(
      `INSERT INTO message (id, msgid, time, format, author, author_user, path, address, anonymous, room, recipients,
         cc, exti, refs, subject, blob, parts)
       SELECT ?, msgid, time, format, author, author_user, path, address, anonymous, room, recipients, cc,
         exti, refs, subject, blob, parts FROM message WHERE id = ?`,
    )
    .run(id, msgnum);
  store
    .prepare(
      `INSERT INTO message_fact (message, name, component, starts, ends, line)
       SELECT ?, name, component, starts, ends, line FROM message_fact WHERE message = ?`,
    )
    .run(id, msgnum);
  return id;
}

function euidOf(store: Store, roomId: number, msgnum: number): string {
  const row = store.prepare('SELECT exti FROM room_message WHERE room = ? AND message = ?').get(roomId, msgnum);
  return String(row?.exti ?? '');
}
