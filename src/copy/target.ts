// Any room server as the one that `vestibule copy` writes to: an administrator makes floors, rooms and accounts;
// messages are posted by the users whose passwords the copy knows, for nobody can post with another's address; what
// the server gives anew stands in marks (marks.ts). See protocol sections 8 to 16.

import type { Connection } from '../client/connection/connection.ts';
import { deleteFromRoom } from '../client/posting.ts';
import { floorsFrom, parseRoomRow } from '../client/rooms.ts';
import { command, toInt } from '../protocol/fields.ts';
import { openBroughtRoom } from './brought.ts';
import { openMailDelivery } from './mail-delivery.ts';
import type { CopyTarget } from './model.ts';
import { openReferences } from './references.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import type { Sessions } from './sessions.ts';
import { listIds, usersOf, withOriginals, withShown } from './source.ts';
import { bytesWithoutCr } from './streams.ts';
import { createAccount, finishAccount, setBio } from './target-accounts.ts';
import { openPoster } from './target-posting.ts';
import { admit, createTargetRoom, hasRoom, setVisit } from './target-rooms.ts';
import { openSite } from './target-site.ts';
import { setInfoUnlessThere, setRoomPictureUnlessThere, setUserPictureUnlessThere } from './unless-there.ts';

const ALL_ROOMS = [command('LKRA', -1), command('LZRM', -1)];
const NOTES = [
  'An ordinary room server gives copied messages new numbers, ids and times and forgets recipients; their own stand in',
  'header lines X-Vestibule-Original-… of the messages, and come back when they are copied to an embedded room server.',
  'Mail that the server did not take by LMTP was posted in a room of its own first, and says so. A message in several',
  'mailboxes is now one message each.',
];

/** `mailSocket`: where the server may take LMTP, undefined for one on another machine. */
export function openTarget(sessions: Sessions, spoolFolder: string, mailSocket?: string): CopyTarget {
  const site = openSite(sessions);
  const { admin, ask, done } = site;
  let names: NameBook | undefined;
  const references = openReferences();
  const mail = mailSocket === undefined ? undefined : openMailDelivery(site, mailSocket);
  const brought = openBroughtRoom(admin);
  const poster = openPoster(site, references, spoolFolder, mail);
  /** for people, of rooms whose passwords are not the whole ones (quirk Q35) */
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
      // an id of its own means nothing here, but an euid does
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

/** A real server keeps what it has of a message whose sender was cut off (quirk Q8). */
async function isWhole(connection: Connection, msgnum: number): Promise<boolean> {
  return withShown(connection, msgnum, async (head, body) => {
    let size = 0;
    for await (const piece of body) size += bytesWithoutCr(piece);
    return size >= toInt(head.get('size'));
  });
}
