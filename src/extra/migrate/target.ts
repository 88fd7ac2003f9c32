// An ordinary room server as migration target: an administrator creates floors, rooms and accounts and admits members;
// users whose passwords are known post their own messages, because nobody else can use their addresses; marks record
// what the server assigns anew (marks.ts). Mailboxes are filled through another room, or by mail (mail-delivery.ts). See
// protocol sections 8 to 16.

import { AppError } from '../../errors.ts';
import { MAX_COPIED_MARKS, MAX_REFERENCES_BYTES } from '../../limits/backend.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { EUID_VIEWS, ROOM_FLAG, VIEW } from '../../model.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../../protocol/fields.ts';
import { parseMessageFields } from '../../protocol/message-fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { storedHeadersOf } from '../../room-server/messages.ts';
import { deleteFromRoom, moveToRoom } from '../../room-server/posting.ts';
import { createRoomCommand } from '../../room-server/room-admin.ts';
import { floorsFrom, parseRoomRow } from '../../room-server/rooms.ts';
import { openBroughtRoom } from './brought.ts';
import { encodedBody } from './encoded-body.ts';
import { type MailDelivery, openMailDelivery } from './mail-delivery.ts';
import { isMark, markLines, withHiddenAuthor } from './marks.ts';
import type { CopyTarget, Listed, Put, Room, StoredFields, Visit } from './model.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import { type Sessions, sameAccount } from './sessions.ts';
import { listIds, usersOf, withOriginals, withShown } from './source.ts';
import { asText, bytesWithoutCr, HOLDS_END_LINE, takeBody, type WholeBody } from './streams.ts';
import {
  createAccount,
  finishAccount,
  setBio,
  setInfoUnlessThere,
  setRoomPictureUnlessThere,
  setUserPictureUnlessThere,
} from './target-accounts.ts';
import {
  connectionOf,
  ifRefused,
  isMailbox,
  openSite,
  type Site,
  STAGING,
  shortName,
  UNFINISHED,
} from './target-site.ts';

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

/** The server assigns a euid when posting, mostly from the content. */
const isPostedOnly = ({ view }: Room): boolean => EUID_VIEWS.has(view) || view === VIEW.blog;

/** protocol section 17.2 */
const UNFOLDED = 'the old text format, whose lines are joined for display: it is plain text now';
const REWRITTEN_CARD = 'the exact text of the contact, which the room server rewrites';

interface Poster {
  put(room: Room, head: StoredFields, body: AsyncIterable<Buffer>): Promise<Put>;
}

/** `spoolFolder`: for large bodies. `mail`: a lossless transport. */
export function openPoster(
  site: Site,
  references: References,
  spoolFolder: string,
  mail: MailDelivery | undefined,
): Poster {
  const { admin, sessions } = site;
  let maxMessageBytes: number | undefined;
  /** bodies encoded in base64 */
  const isEncoded = new WeakSet<WholeBody>();

  /** A real server silently truncates or drops some messages (protocol section 17, quirks Q9, Q40). */
  const requireSendable = async (head: StoredFields, body: WholeBody): Promise<number> => {
    if (body.hasEndLine) throw new AppError('conflict', HOLDS_END_LINE);
    if (body.hasNul) throw new AppError('conflict', 'It contains a NUL byte, where the room server would truncate it.');
    if (maxMessageBytes === undefined) {
      const { code, text } = await site.ask(command('CONF', 'GETVAL', 'c_maxmsglen'));
      maxMessageBytes = (code === STATUS.done && toInt(splitFields(text)[0])) || Number.POSITIVE_INFINITY;
    }
    const bytes = Buffer.byteLength(markLines(head)) + body.size;
    if (bytes <= maxMessageBytes) return maxMessageBytes;
    throw new AppError(
      'conflict',
      `Its ${bytes} bytes exceed the limit of the room server, ${maxMessageBytes} (c_maxmsglen).`,
    );
  };

  /** Posts in `location`, as the author if possible. `target`: the final room. */
  const postAs = async (
    author: string,
    location: string,
    target: Room,
    head: StoredFields,
    body: WholeBody,
  ): Promise<Put> => {
    const goThere = async (connection: Connection): Promise<void> => {
      if (location === STAGING) return site.enterStaging(connection);
      await enterRoom(connection, { name: location, password: site.ownerOf(target) ? '' : target.password }, true);
    };
    const name = site.users.find((user) => sameAccount(user.name, author))?.name;
    const connection = (name === undefined ? undefined : await sessions.as(name)) ?? admin;
    let answersTo = '';
    const mayPost = async (): Promise<boolean> => {
      await goThere(connection);
      answersTo = await references.translated(connection, target.name, head.get('wefw') ?? '');
      return (await connection.ask(entry(0, head, answersTo, ''))).code === STATUS.done;
    };
    const poster = (await mayPost().catch(ifRefused)) ? connection : admin;
    if (poster === admin) await goThere(admin);
    const shown = poster === admin && !sameAccount(sessions.adminName, author) ? author : '';
    expectClass(await poster.start(entry(1, head, answersTo, shown)), REPLY.sendTextThenListing);
    const [number] = await poster.sendText(asText(markLines(head, isEncoded.has(body)), body.open()));
    const msgnum = toInt(number);
    if (msgnum < 1) throw new AppError('conflict', `The room server refuses it (${msgnum}).`);
    if (location !== STAGING) references.note(target.name, { msgid: head.get('msgn') ?? '', msgnum });
    const isOwnAddress = poster !== admin || sameAccount(sessions.adminName, author);
    const lost = isOwnAddress ? [] : [`the address of ${author || 'an unnamed author'}`];
    // a rewritten card has lost its marks
    const [stored] = target.view === VIEW.addressBook ? await storedHeadersOf(poster, [msgnum]) : [];
    if (stored && !stored.some((field) => isMark(field.name))) lost.push(REWRITTEN_CARD);
    if (body.size !== body.shownBytes) lost.push('the CR in its line ends');
    return { msgnum, lost };
  };

  /** `stored`: the original body, for mail; `body`: the one to post. */
  const putWhole = async (room: Room, head: StoredFields, stored: WholeBody, body: WholeBody): Promise<Put> => {
    const maxBytes = await requireSendable(head, body);
    const author = plain(decodeWords(head.get('from') ?? ''));
    const owner = site.ownerOf(room);
    if (owner ? isMailbox(room) : !isPostedOnly(room)) {
      const put = await mail?.deliver(room, head, stored, maxBytes);
      if (put) {
        references.note(room.name, { msgid: head.get('msgn') ?? '', msgnum: put.msgnum });
        return put;
      }
    }
    if (!owner) return await postAs(author, room.name, room, head, body);
    const isOwnToPost = EUID_VIEWS.has(room.view) || (!isMailbox(room) && sameAccount(owner.name, author));
    if (isOwnToPost) return await postAs(owner.name, shortName(room), room, head, body);
    const mover = await site.masterOf(room);
    const put = await postAs(author, STAGING, room, head, body);
    await site.enterStaging(mover);
    await moveToRoom(mover, put.msgnum, shortName(room), true);
    await site.enterStaging(admin);
    await deleteFromRoom(admin, put.msgnum);
    return put;
  };

  return {
    async put(room, stored, body) {
      const head = withHiddenAuthor(stored);
      // buffers everything first: an interrupted post would leave half a message on a real server (quirk Q8)
      await using spooled = await takeBody(body, spoolFolder);
      const hasCr = spooled.size !== spooled.shownBytes;
      const encoded = hasCr ? await encodedBody(spooled, head.get('type') === '4', spoolFolder) : undefined;
      await using posted = encoded?.body ?? spooled;
      if (encoded) isEncoded.add(posted);
      head.set('size', String(posted.shownBytes));
      const put = await putWhole(room, head, spooled, posted);
      return head.get('type') === '1' ? { ...put, lost: [...put.lost, UNFOLDED] } : put;
    },
  };
}

function entry(isPost: 0 | 1, head: StoredFields, references: string, author: string): string {
  const field = (name: string) => plain(head.get(name) ?? '');
  const isAnonymous = head.get('anon') === 'option' ? 1 : '';
  const fields = [isPost, '', isAnonymous, 4, field('subj'), author, 1, '', '', field('exti'), '', references];
  return command('ENT0', ...fields);
}

/** Removes what a field cannot contain. */
function plain(text: string): string {
  return text.replace(/[|\r\n\0]/g, ' ');
}

interface References {
  /** Records a migrated message; `msgid`: its original id. */
  note(room: string, message: Pick<Listed, 'msgnum' | 'msgid'>): void;
  /** In the form of ENT0. `wefw`: original ids separated by bars; `connection` is in the room. */
  translated(connection: Connection, room: string, wefw: string): Promise<string>;
}

export function openReferences(): References {
  /** room name → original id → number */
  const copies = new Map<string, Map<string, number>>();

  const idHere = async (connection: Connection, room: string, id: string): Promise<string> => {
    const msgnum = copies.get(room)?.get(id);
    if (msgnum === undefined) return id;
    const { code, lines } = await connection.ask(command('MSG0', msgnum, 3));
    return (code === STATUS.listing && parseMessageFields(lines).fields.get('msgn')) || id;
  };

  return {
    note(room, { msgid, msgnum }) {
      copies.getOrInsertComputed(room, () => new Map<string, number>()).set(msgid, msgnum);
    },
    async translated(connection, room, wefw) {
      const ids: string[] = [];
      // the last ones are the nearest, as in References (RFC 5322 section 3.6.4)
      let bytes = 0;
      for (const id of wefw.split('|').reverse()) {
        const here = (await idHere(connection, room, id)).replace(/[!|\r\n\0]/g, '');
        bytes += Buffer.byteLength(here) + 1;
        if (bytes > MAX_REFERENCES_BYTES) break;
        ids.unshift(here);
      }
      return ids.join('!');
    },
  };
}
