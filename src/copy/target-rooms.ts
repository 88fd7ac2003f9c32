// Rooms of an ordinary room server that a copy makes, who is let into them, and what users have read there.

import type { Connection } from '../client/connection/connection.ts';
import { enterRoom } from '../client/connection/goto.ts';
import { expectClass } from '../client/connection/refusal.ts';
import { createRoomCommand } from '../client/room-admin.ts';
import { MAX_COPIED_MARKS } from '../limits/backend.ts';
import { ROOM_FLAG } from '../model.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Room, Visit } from './model.ts';
import { withKnownPassword } from './room-names.ts';
import { sameAccount } from './sessions.ts';
import { connectionOf, ifRefused, type Site, shortName, UNFINISHED } from './target-site.ts';

/** one enters such a room with its password or by its name, and needs no invitation */
const OPENS_ITSELF = ROOM_FLAG.password | ROOM_FLAG.guessName;

export async function hasRoom(site: Site, room: Room): Promise<boolean> {
  const connection = await site.masterOf(room);
  const there = await connection.ask(command('GOTO', shortName(room), room.password, 1));
  if (there.code === STATUS.noSuchRoom) return false;
  expectClass(there, REPLY.done);
  return true;
}

/** Answers what could not be kept of it, for people; '' for nothing. */
export async function createTargetRoom(site: Site, room: Room): Promise<string> {
  const { done, admin } = site;
  const { name, flags, floor, order, flags2, view, password, directory, admin: roomAdmin } = room;
  if (site.ownerOf(room)) {
    const connection = await site.masterOf(room);
    const created = { name: shortName(room), kind: 'personal', password: '', floor: 0, view } as const;
    expectClass(await connection.ask(createRoomCommand(created)), REPLY.done);
    return '';
  }
  await site.enterOwn(UNFINISHED, view);
  await done(wholeLineCommand('SETA', roomAdmin)).catch(ifRefused);
  await done(command('SETR', name, password, directory, flags, 0, floor, order, view, flags2));
  site.giveAway(UNFINISHED);
  // who makes a room knows it, and his own view of it is the one that it had then
  await admin.ask(command('VIEW', view));
  const kept = splitFields((await done(command('GETR'))).text)[1] ?? '';
  // a server of ours tells none, and keeps it whole
  return kept === '' || kept === password
    ? ''
    : `${name}: of its password the first ${kept.length} characters are kept.`;
}

/** Each invitation is a notice in the room Aide: only who cannot enter by himself is invited. */
export async function admit(site: Site, room: Room, visits: readonly Visit[]): Promise<void> {
  const { name, password, flags } = withKnownPassword(room, false).room;
  if (!(flags & ROOM_FLAG.private) || site.ownerOf(room)) return;
  for (const { user, state } of visits) {
    if ((state !== 'known' && state !== 'forgotten') || sameAccount(user, site.sessions.adminName)) continue;
    if (flags & OPENS_ITSELF) {
      const connection = await site.sessions.as(user);
      if (connection && (await enterRoom(connection, { name, password }).catch(ifRefused))) continue;
    }
    await enterRoom(site.admin, { name, password }, true);
    await site.done(wholeLineCommand('INVT', user)).catch(ifRefused);
  }
}

/** Answers what could not be kept of it. `all`: numbers of the messages in the room, ascending. */
export async function setVisit(site: Site, visit: Visit, room: Room, all: readonly number[]): Promise<string> {
  const { user, state, seen, lastRead, view } = visit;
  if (!seen && state === 'known') return '';
  const connection = await connectionOf(site, user);
  if (!connection) return `the read marks of ${user}, whose password is not known`;
  const isTheirs = site.ownerOf(room)?.name === user;
  await enterRoom(connection, { name: isTheirs ? shortName(room) : room.name, password: room.password });
  const left = seen ? await setMarks(connection, lastRead, all, (msgnum) => seen.contains(msgnum)) : 0;
  if (view !== '') await connection.ask(command('VIEW', toInt(view)));
  if (state === 'forgotten') await connection.ask(command('FORG'));
  return left > 0 ? `${left} read marks of ${user}` : '';
}

/** Answers how many marks are too many. */
async function setMarks(
  connection: Connection,
  lastRead: number,
  all: readonly number[],
  isSeen: (msgnum: number) => boolean,
): Promise<number> {
  const exceptions = all.filter((msgnum) => isSeen(msgnum) !== msgnum <= lastRead);
  const marks = exceptions.slice(0, MAX_COPIED_MARKS);
  const commands = marks.map((msgnum) => command('SEEN', msgnum, isSeen(msgnum) ? 1 : 0));
  for (const answer of await connection.askAll([command('SLRP', lastRead), ...commands]))
    expectClass(answer, REPLY.done);
  return exceptions.length - marks.length;
}
