// Any room server as the one that `vestibule copy` writes to: an administrator makes floors, rooms and accounts; messages
// are posted by the users whose passwords the copy knows, for nobody can post with another's address; what the server gives
// anew stands in marks (marks.ts). Spec sections 8 to 16.

import type { Connection } from '../client/connection.ts';
import { enter } from '../client/goto.ts';
import { writePicture } from '../client/pictures.ts';
import { move, remove } from '../client/posting.ts';
import { expectClass } from '../client/refusal.ts';
import { floorsFrom, parseRoomRow } from '../client/rooms.ts';
import { storedHeadersOf } from '../client/stored-headers.ts';
import { sendText } from '../client/text-transfer.ts';
import { AppError } from '../errors.ts';
import { MAX_COPIED_MARKS } from '../limits/backend.ts';
import { FACTS_BATCH_MESSAGES } from '../limits/dav.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { ROOM_FLAG, VIEW } from '../model.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { nameKey } from '../protocol/names.ts';
import { STATUS } from '../protocol/status.ts';
import { markLines, originalId } from './marks.ts';
import type { Head, Listed, Put, Room, Target, User, Visit } from './model.ts';
import { createAccount, drain, END_LINE, finishAccount, hasPicture, setBio } from './own-target.ts';
import { openReferences } from './references.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import { type Sessions, sameAccount } from './sessions.ts';
import { usersOf, withShown } from './source.ts';
import { asText, bytesWithoutCr, type WholeBody, wholeBody } from './streams.ts';

/** Where messages for the mailboxes of users are posted first: a mailbox itself takes nothing without a recipient. */
const STAGING = 'Vestibule copy: mail under way';
/** A room gets this name first, then all its settings at once with its own: what is broken off is never taken for it. */
const UNFINISHED = 'Vestibule copy: a room that is being made';
/** kinds of rooms, as CRE8 numbers them */
const INVITATION = 3;
const PERSONAL = 4;
/** In these the room server takes the UID from the content, so a message has to be posted in them. */
const UID_VIEWS: ReadonlySet<number> = new Set([VIEW.addressBook, VIEW.calendar, VIEW.tasks, VIEW.notes, VIEW.wiki]);
const ALL = command('MSGS', 'ALL');
const ALL_ROOMS = [command('LKRA', -1), command('LZRM', -1)];
const NOTES = [
  'An ordinary room server gives copied messages new numbers, ids and times and forgets recipients; their own stand in',
  'header lines X-Vestibule-Original-… of the messages, and come back when they are copied to an embedded room server.',
  'Mail was posted in a room of its own first, and says so. A message in several mailboxes is now one message each.',
  'One of version 980 rewrites contacts without those lines, so that every copy brings them again.',
];

export function openTarget(sessions: Sessions, spoolFolder: string): Target {
  const { admin, adminName } = sessions;
  const ask = (verb: string) => admin.ask(verb);
  const done = async (verb: string) => expectClass(await ask(verb), 2);
  let users: readonly User[] = [];
  let names: NameBook | undefined;
  const references = openReferences();
  /** rooms for the copy alone that are there, and clean */
  const used = new Set<string>();
  let maxMessageBytes: number | undefined;
  /** for people, of rooms whose passwords are not the whole ones (quirk Q35) */
  const cutPasswords: string[] = [];

  const ownerOf = ({ name }: Room) => users.find(({ num }) => num === Number(/^(\d{10})\./.exec(name)?.[1]));
  /** The connection that may do everything in this room, which it has entered. */
  const inRoom = async (room: Room): Promise<Connection> => {
    const owner = ownerOf(room);
    const connection = owner ? await sessions.as(owner.name) : admin;
    if (!connection) throw new AppError('forbidden', `The password of ${owner!.name} is not known.`);
    await enter(connection, { name: shortName(room), password: room.password });
    return connection;
  };

  /** The administrator goes into a room that is there for the copy alone, and has nothing in it at first. */
  const enterOwn = async (name: string): Promise<void> => {
    if (!used.has(name)) {
      const made = await ask(command('CRE8', 1, name, INVITATION, '', 0, '', VIEW.board));
      if (made.code !== STATUS.alreadyExists) expectClass(made, 2);
    }
    await enter(admin, { name, password: '' });
    if (!used.has(name)) for (const msgnum of await numbers(admin)) await remove(admin, msgnum);
    used.add(name);
  };

  /** A real server takes what it would cut or drop as if all were well (spec section 17, quirks Q9, Q40). */
  const requireSendable = async (head: Head, body: WholeBody): Promise<void> => {
    if (body.hasEndLine) throw new AppError('conflict', END_LINE);
    if (body.hasNul) throw new AppError('conflict', 'It holds a NUL byte, where the room server would cut it off.');
    if (maxMessageBytes === undefined) {
      const { code, text } = await ask(command('CONF', 'GETVAL', 'c_maxmsglen'));
      maxMessageBytes = (code === 200 && toInt(splitFields(text)[0])) || Number.POSITIVE_INFINITY;
    }
    const bytes = Buffer.byteLength(markLines(head)) + body.size;
    if (bytes <= maxMessageBytes) return;
    throw new AppError(
      'conflict',
      `It has ${bytes} bytes, and the room server takes ${maxMessageBytes} (c_maxmsglen).`,
    );
  };

  /** Posts it where `room` says, as its author if that can be. `target`: where it is for. */
  const postAs = async (
    author: string,
    room: string,
    target: Room,
    head: Head,
    body: AsyncIterable<Buffer>,
  ): Promise<Put> => {
    const password = ownerOf(target) ? '' : target.password;
    const name = users.find((user) => sameAccount(user.name, author))?.name;
    const connection = (name === undefined ? undefined : await sessions.as(name)) ?? admin;
    if (connection !== admin && room === STAGING) {
      await enter(admin, { name: STAGING, password: '' });
      await done(wholeLineCommand('INVT', name!));
    }
    let answersTo = '';
    const mayPost = async (): Promise<boolean> => {
      await enter(connection, { name: room, password });
      answersTo = await references.translated(connection, target.name, head.get('wefw') ?? '');
      return (await connection.ask(entry(0, head, answersTo, ''))).code === 200;
    };
    const poster = (await mayPost().catch(ifRefused)) ? connection : admin;
    if (poster === admin) await enter(admin, { name: room, password });
    const shown = poster === admin && !sameAccount(adminName, author) ? author : '';
    expectClass(await poster.start(entry(1, head, answersTo, shown)), 8);
    const [number] = await poster.sendText(asText(markLines(head), body));
    const msgnum = toInt(number);
    if (msgnum < 1) throw new AppError('conflict', `The room server does not take it (${msgnum}).`);
    if (room !== STAGING) references.note(target.name, { msgid: head.get('msgn') ?? '', msgnum });
    const isOwnAddress = poster !== admin || sameAccount(adminName, author);
    return { msgnum, lost: isOwnAddress ? '' : `the address of ${author || 'an unnamed author'}` };
  };

  return {
    get notes() {
      return [...NOTES, ...cutPasswords];
    },
    floors: async () => floorsFrom(await ask(command('LFLR'))),
    createFloor: async (name) => toInt((await done(command('CFLR', name, 1))).text),
    async users() {
      users = await usersOf(admin);
      return [...users];
    },
    createUser: (user) => createAccount(admin, user, user.password),
    finishUser: (user) => finishAccount(admin, sessions.open, user, user.password),
    setBio: (user) => setBio(sessions.open, user),
    async ensureRoom(wanted) {
      const { room, lost } = withKnownPassword(wanted, false);
      const { name, flags, floor, order, flags2, view, password, directory, admin: roomAdmin } = room;
      const owner = ownerOf(room);
      const connection = owner ? await sessions.as(owner.name) : admin;
      if (!connection) throw new AppError('forbidden', `The password of ${owner!.name} is not known.`);
      const there = await connection.ask(command('GOTO', shortName(room), password, 1));
      if (there.code !== STATUS.noSuchRoom) {
        expectClass(there, 2);
        return '';
      }
      names ??= openNameBook((await admin.askAll(ALL_ROOMS)).flatMap(({ lines }) => lines.map(parseRoomRow)));
      names.requireFree(room);
      if (owner) {
        expectClass(await connection.ask(command('CRE8', 1, shortName(room), PERSONAL, '', 0, '', view)), 2);
      } else {
        await enterOwn(UNFINISHED);
        await done(wholeLineCommand('SETA', roomAdmin)).catch(ifRefused);
        await done(command('SETR', name, password, directory, flags, 0, floor, order, view, flags2));
        used.delete(UNFINISHED);
        const kept = splitFields((await done(command('GETR'))).text)[1] ?? '';
        // a server of ours tells none, and keeps it whole
        if (kept !== '' && kept !== password)
          cutPasswords.push(`${name}: of its password the first ${kept.length} characters are kept.`);
        names.add(room);
      }
      return lost;
    },
    async list(room) {
      const connection = await inRoom(room);
      const all = await numbers(connection);
      const listed: Listed[] = [];
      for (let at = 0; at < all.length; at += FACTS_BATCH_MESSAGES) {
        const batch = all.slice(at, at + FACTS_BATCH_MESSAGES);
        const headers = await storedHeadersOf(connection, batch);
        headers.forEach((fields, i) => {
          const msgid = originalId((fields ?? []).map(({ name, value }) => `${name}: ${value}`));
          if (msgid !== undefined) listed.push({ msgnum: batch[i]!, msgid });
        });
      }
      const last = listed.at(-1);
      if (last && !(await isWhole(connection, last.msgnum))) {
        await remove(connection, last.msgnum);
        listed.pop();
      }
      for (const message of listed) references.note(room.name, message);
      return listed;
    },
    async admit(room, visits) {
      if (!(room.flags & ROOM_FLAG.private) || ownerOf(room)) return;
      await enter(admin, { name: room.name, password: room.password });
      for (const { user, state } of visits) {
        if (state === 'known' || state === 'forgotten') await done(wholeLineCommand('INVT', user)).catch(ifRefused);
      }
    },
    async put(room, head, body) {
      // A connection that breaks off would leave half a message on a real server (quirk Q8): first all of it, then the post.
      const spooled = await wholeBody(body, spoolFolder);
      head.set('size', String(spooled.shownBytes));
      try {
        await requireSendable(head, spooled);
        const author = plain(decodeWords(head.get('from') ?? ''));
        const owner = ownerOf(room);
        if (!owner) return await postAs(author, room.name, room, head, spooled.open());
        const isOwnToPost = UID_VIEWS.has(room.view) || (!isMailbox(room) && sameAccount(owner.name, author));
        if (isOwnToPost) return await postAs(owner.name, shortName(room), room, head, spooled.open());
        await enterOwn(STAGING);
        const put = await postAs(author, STAGING, room, head, spooled.open());
        await enter(admin, { name: STAGING, password: '' });
        await done(wholeLineCommand('INVT', owner.name));
        const connection = (await sessions.as(owner.name))!;
        await enter(connection, { name: STAGING, password: '' });
        await move(connection, put.msgnum, shortName(room), true);
        await enter(admin, { name: STAGING, password: '' });
        await remove(admin, put.msgnum);
        return put;
      } finally {
        await spooled.dispose();
      }
    },
    refer: async () => false,
    async setVisits(room, visits, all) {
      const lost: string[] = [];
      for (const visit of visits) {
        const reason = await setVisit(visit, room, all);
        if (reason !== '') lost.push(reason);
      }
      return lost;
    },
    async setInfo(room, text) {
      const connection = await inRoom(room);
      if ((await connection.ask(command('RINF'))).code === 100) return;
      await sendText(connection, command('EINF', 1), text);
    },
    async setRoomPicture(room, picture) {
      const connection = await inRoom(room);
      if (await hasPicture(connection, command('DLRI'))) return drain(picture.bytes);
      await writePicture(connection, command('ULRI', picture.length, picture.contentType), picture);
    },
    async setUserPicture(user, picture) {
      if (await hasPicture(admin, command('DLUI', user))) return drain(picture.bytes);
      await writePicture(admin, command('ULUI', picture.length, picture.contentType, user), picture);
    },
    async finish() {
      for (const name of [STAGING, UNFINISHED]) {
        if ((await ask(command('GOTO', name))).code === 200) await done(command('KILL', 1));
      }
    },
    close: () => sessions.close(),
  };

  /** Answers what of it could not be kept. `all`: numbers of the messages in the room, ascending. */
  async function setVisit(visit: Visit, room: Room, all: readonly number[]): Promise<string> {
    const { user, state, seen, lastRead, view } = visit;
    if (!seen && state === 'known') return '';
    const connection = sameAccount(user, adminName) ? admin : await sessions.as(user);
    if (!connection) return `the read marks of ${user}, whose password is not known`;
    const isTheirs = ownerOf(room)?.name === user;
    await enter(connection, { name: isTheirs ? shortName(room) : room.name, password: room.password });
    const exceptions = seen ? all.filter((msgnum) => seen.contains(msgnum) !== msgnum <= lastRead) : [];
    if (seen) {
      const marks = exceptions.slice(0, MAX_COPIED_MARKS);
      const commands = marks.map((msgnum) => command('SEEN', msgnum, seen.contains(msgnum) ? 1 : 0));
      for (const answer of await connection.askAll([command('SLRP', lastRead), ...commands])) expectClass(answer, 2);
    }
    if (view !== '') await connection.ask(command('VIEW', toInt(view)));
    if (state === 'forgotten') await connection.ask(command('FORG'));
    const left = exceptions.length - MAX_COPIED_MARKS;
    return left > 0 ? `${left} read marks of ${user}` : '';
  }
}

/** A real server keeps what it has of a message whose sender was cut off (quirk Q8). */
async function isWhole(connection: Connection, msgnum: number): Promise<boolean> {
  return withShown(connection, msgnum, async (head, body) => {
    let size = 0;
    for await (const piece of body) size += bytesWithoutCr(piece);
    return size >= toInt(head.get('size'));
  });
}

/** What one user may not is no reason to stop; a lost connection is. */
function ifRefused(error: unknown): false {
  if (error instanceof AppError && error.backendCode !== undefined) return false;
  throw error;
}

function entry(isPost: 0 | 1, head: Head, references: string, author: string): string {
  const field = (name: string) => plain(head.get(name) ?? '');
  const isAnonymous = head.get('anon') === 'option' ? 1 : '';
  const fields = [isPost, '', isAnonymous, 4, field('subj'), author, 1, '', '', field('exti'), '', references];
  return command('ENT0', ...fields);
}

async function numbers(connection: Connection): Promise<number[]> {
  return expectClass(await connection.ask(ALL), 1).lines.map(toInt);
}

/** Without what a field cannot hold. */
function plain(text: string): string {
  return text.replace(/[|\r\n\0]/g, ' ');
}

function shortName({ name }: Room): string {
  return name.replace(/^\d{10}\./, '');
}

function isMailbox(room: Room): boolean {
  return nameKey(shortName(room)) !== 'drafts' && (room.view === VIEW.mailbox || shortName(room) === 'Mail');
}
