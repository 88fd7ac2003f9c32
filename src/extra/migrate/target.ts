// An ordinary room server as migration target: an administrator creates floors, rooms and accounts and admits members;
// users whose passwords are known post their own messages, because nobody else can use their addresses; marks record
// what the server assigns anew (marks.ts). See protocol sections 8 to 16.

import { MAX_COPIED_MARKS } from '../../limits/backend.ts';
import { ROOM_FLAG } from '../../model.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { deleteFromRoom } from '../../room-server/posting.ts';
import { createRoomCommand } from '../../room-server/room-admin.ts';
import { floorsFrom, parseRoomRow } from '../../room-server/rooms.ts';
import { openBroughtRoom } from './brought.ts';
import { openMailDelivery } from './mail-delivery.ts';
import type { CopyTarget, Room, Visit } from './model.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import { type Sessions, sameAccount } from './sessions.ts';
import { listIds, usersOf, withOriginals, withShown } from './source.ts';
import { bytesWithoutCr } from './streams.ts';
import {
  createAccount,
  finishAccount,
  setBio,
  setInfoUnlessThere,
  setRoomPictureUnlessThere,
  setUserPictureUnlessThere,
} from './target-accounts.ts';
import { openPoster, openReferences } from './target-posting.ts';
import { connectionOf, ifRefused, openSite, type Site, shortName, UNFINISHED } from './target-site.ts';

const ALL_ROOMS = [command('LKRA', -1), command('LZRM', -1)];
const NOTES = [
  'An ordinary room server assigns new numbers, ids and times to messages, and drops recipients. The original values',
  'are in their header lines X-Vestibule-Original-…, and are restored when they are copied to an embedded room server.',
  'Mail that the server did not accept by LMTP was posted in another room first, and says so. A message in several',
  'mailboxes is now one message in each.',
];

/** `mailSocket`: the server's LMTP socket; undefined if it is on another machine. */
export function openTarget(sessions: Sessions, spoolFolder: string, mailSocket?: string): CopyTarget {
  const site = openSite(sessions);
  const { admin, ask, done } = site;
  let names: NameBook | undefined;
  const references = openReferences();
  const mail = mailSocket === undefined ? undefined : openMailDelivery(site, mailSocket, spoolFolder);
  const brought = openBroughtRoom(admin);
  const poster = openPoster(site, references, spoolFolder, mail);
  /** for the report: rooms with truncated passwords (quirk Q35) */
  const cutPasswords: string[] = [];

  return {
    get notes() {
      return [...NOTES, ...cutPasswords];
    },
    brought,
    floors: async () => floorsFrom(await ask(command('LFLR'))),
    createFloor: async (name) => toInt((await done(command('CFLR', name, 1))).text),
    async users() {
      site.users = await usersOf(admin);
      return [...site.users];
    },
    createUser: (user) => createAccount(admin, user, user.password),
    finishUser: (user) => finishAccount(admin, sessions.open, user, user.password),
    setBio: (user) => setBio(sessions.open, user),
    hasRoom: (room) => hasRoom(site, room),
    async makeRoom(wanted) {
      names ??= openNameBook((await admin.askAll(ALL_ROOMS)).flatMap(({ lines }) => lines.map(parseRoomRow)));
      names.requireFree(wanted);
      const { room, lost } = withKnownPassword(wanted, false);
      const cut = await createTargetRoom(site, room);
      if (cut !== '') cutPasswords.push(cut);
      names.add(room);
      return lost;
    },
    async list(room) {
      const connection = await site.inRoom(room);
      const all = await withOriginals(connection, await listIds(connection));
      const last = all.findLast(({ isCopy }) => isCopy);
      const isHalf = last !== undefined && !(await isWhole(connection, last.msgnum));
      if (isHalf) {
        await deleteFromRoom(connection, last.msgnum);
        await brought.add(room.name, last.key, -1);
      }
      // ids are assigned by this server, but euids are not
      const listed = all.filter((one) => (one.isCopy || one.euid !== '') && !(isHalf && one === last));
      for (const message of listed) references.note(room.name, message);
      return listed;
    },
    admit: (room, visits) => admit(site, room, visits),
    async put(room, head, body) {
      const key = head.get('exti') || head.get('msgn') || '';
      const put = await poster.put(room, head, body);
      await brought.add(room.name, key, 1);
      return put;
    },
    refer: async () => false,
    unvisited: async () => [],
    async setVisits(room, visits, all) {
      const lost: string[] = [];
      for (const visit of visits) {
        const reason = await setVisit(site, visit, room, all);
        if (reason !== '') lost.push(reason);
      }
      return lost;
    },
    setInfo: async (room, text) => setInfoUnlessThere(await site.inRoom(room), text),
    setRoomPicture: async (room, picture) => setRoomPictureUnlessThere(await site.inRoom(room), picture),
    setUserPicture: (user, picture) => setUserPictureUnlessThere(admin, user, picture),
    async finish() {
      await brought.flush();
      await site.clear();
    },
    close() {
      mail?.close();
      sessions.close();
    },
  };
}

/** A real server keeps the incomplete message of an interrupted sender (quirk Q8). */
async function isWhole(connection: Connection, msgnum: number): Promise<boolean> {
  return withShown(connection, msgnum, async (head, body) => {
    let size = 0;
    for await (const piece of body) size += bytesWithoutCr(piece);
    return size >= toInt(head.get('size'));
  });
}

/** rooms that open with a password or by name need no invitation */
const OPENS_ITSELF = ROOM_FLAG.password | ROOM_FLAG.guessName;

export async function hasRoom(site: Site, room: Room): Promise<boolean> {
  const connection = await site.masterOf(room);
  const there = await connection.ask(command('GOTO', shortName(room), room.password, 1));
  if (there.code === STATUS.noSuchRoom) return false;
  expectClass(there, REPLY.done);
  return true;
}

/** Returns what was lost, for the report, or ''. */
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
  // the creator knows the room, with the view that it had initially
  await admin.ask(command('VIEW', view));
  const stored = splitFields((await done(command('GETR'))).text)[1] ?? '';
  // the embedded room server does not reveal it, and stores all of it
  return stored === '' || stored === password
    ? ''
    : `${name}: the password was truncated to ${stored.length} characters.`;
}

/** Invites only those who cannot enter otherwise: each invitation is announced in the room Aide. */
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

/** Returns what was lost. `all`: ascending message numbers of the room. */
export async function setVisit(site: Site, visit: Visit, room: Room, all: readonly number[]): Promise<string> {
  const { user, state, seen, lastRead, view } = visit;
  if (!seen && state === 'known') return '';
  const connection = await connectionOf(site, user);
  if (!connection) return `the read marks of ${user}, whose password is unknown`;
  const isTheirs = site.ownerOf(room)?.name === user;
  await enterRoom(connection, { name: isTheirs ? shortName(room) : room.name, password: room.password });
  const left = seen ? await setMarks(connection, lastRead, all, (msgnum) => seen.contains(msgnum)) : 0;
  if (view !== '') await connection.ask(command('VIEW', toInt(view)));
  if (state === 'forgotten') await connection.ask(command('FORG'));
  return left > 0 ? `${left} read marks of ${user}` : '';
}

/** Returns the number of marks over the limit. */
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
