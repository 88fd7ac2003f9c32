// A room server of ours as the one that `vestibule copy` writes to, by XFER on its administration socket: messages keep
// number order, author, date, id and euid, users their read marks.

import type { Connection } from '../client/connection/connection.ts';
import { enterRoom } from '../client/connection/goto.ts';
import { logIn } from '../client/connection/identity.ts';
import { expectClass } from '../client/connection/refusal.ts';
import { readPicture, writePicture } from '../client/pictures.ts';
import { floorsFrom } from '../client/rooms.ts';
import { writeText } from '../client/text-transfer.ts';
import { createUser as makeAccount } from '../client/users.ts';
import { AppError } from '../errors.ts';
import { MAX_TRANSFER_TEXT_BYTES } from '../limits/backend.ts';
import { command, toInt } from '../protocol/fields.ts';
import { accountName, nameKey } from '../protocol/names.ts';
import { SequenceSet } from '../protocol/sequence-set.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { openOwnBrought } from './brought.ts';
import type { CopyTarget, Room, StoredFields, User, Visit } from './model.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import { listIds, parseRoom, parseVisit, usersOf } from './source.ts';
import { asText, takeBody } from './streams.ts';

/** why a message cannot be sent */
export const END_LINE = 'It holds a line 000.';

/** `open`: another connection to the same server. `spoolFolder`: for bodies that are too large for memory. */
export function openOwnTarget(
  connection: Connection,
  open: () => Promise<Connection>,
  spoolFolder: string,
): CopyTarget {
  let current = '';
  let there: { known: Set<string>; names: NameBook } | undefined;
  const goto = async ({ name, password }: Room): Promise<void> => {
    if (current !== name) await enterRoom(connection, { name, password });
    current = name;
  };
  const done = async (verb: string) => expectClass(await connection.ask(verb), REPLY.done);

  /** those that are there, by keyOf and by what they look like */
  const rooms = async () => {
    if (there) return there;
    const all = expectClass(await connection.ask(command('XFER', 'rooms')), REPLY.listing).lines.map(parseRoom);
    there = { known: new Set(all.map(keyOf)), names: openNameBook(all) };
    return there;
  };

  const visitsIn = async (room: Room): Promise<Visit[]> => {
    await goto(room);
    return expectClass(await connection.ask(command('XFER', 'visits')), REPLY.listing).lines.map(parseVisit);
  };

  return {
    notes: [],
    floors: async () => floorsFrom(await connection.ask(command('LFLR'))),
    createFloor: async (name) => toInt((await done(command('CFLR', name, 1))).text),
    users: () => usersOf(connection),
    createUser: (user) => createAccount(connection, user, ''),
    finishUser: (user) => finishAccount(connection, open, user, ''),
    setBio: (user) => setBio(open, user),
    brought: openOwnBrought(connection),
    async hasRoom(room) {
      return (await rooms()).known.has(keyOf(room));
    },
    async makeRoom(wanted) {
      const { known, names } = await rooms();
      names.requireFree(wanted);
      const { room, lost } = withKnownPassword(wanted, true);
      const { name, flags, floor, order, flags2, view, directory, admin } = room;
      const password = room.password || (room.passwordHash ?? '');
      await done(command('XFER', 'room', name, flags, floor, order, flags2, view, password, directory, admin));
      known.add(keyOf(room));
      names.add(room);
      return lost;
    },
    async list(room) {
      await goto(room);
      return listIds(connection);
    },
    admit: async () => {},
    async put(room, head, body) {
      const whole = await takeBody(body, spoolFolder);
      try {
        if (whole.hasEndLine) throw new AppError('conflict', END_LINE);
        await goto(room);
        expectClass(await connection.start(command('XFER', 'message')), REPLY.sendTextThenListing);
        const [number, reason] = await connection.sendText(asText(headText(head), whole.open()));
        if (toInt(number) < 1) throw new AppError('conflict', reason || 'It was not stored.');
        return { msgnum: toInt(number), lost: '' };
      } finally {
        await whole[Symbol.asyncDispose]();
      }
    },
    async refer(room, msgnum) {
      await goto(room);
      await done(command('XFER', 'refer', msgnum));
      return true;
    },
    async unvisited(room, visits) {
      const there = new Set((await visitsIn(room)).map(({ user }) => accountName(user)));
      return visits.filter(({ user }) => !there.has(accountName(user)));
    },
    async setVisits(room, visits) {
      const there = await visitsIn(room);
      for (const visit of visits) {
        // of whom the source could not tell what he has read
        if (!visit.seen && there.some(({ user, seen }) => user === visit.user && seen)) continue;
        await writeText(connection, command('XFER', 'setvisits'), rowOf(visit));
      }
      return [];
    },
    async setInfo(room, text) {
      await goto(room);
      if ((await connection.ask(command('RINF'))).code === STATUS.listing) return;
      await writeText(connection, command('EINF', 1), text);
    },
    async setRoomPicture(room, picture) {
      await goto(room);
      if (await hasPicture(connection, command('DLRI'))) return drain(picture.bytes);
      await writePicture(connection, command('ULRI', picture.length, picture.contentType), picture);
    },
    async setUserPicture(user, picture) {
      if (await hasPicture(connection, command('DLUI', user))) return drain(picture.bytes);
      await writePicture(connection, command('ULUI', picture.length, picture.contentType, user), picture);
    },
    finish: async () => {},
    close: () => connection.close(),
  };
}

/**
 * ASUP only when the account is known to be a new one, or it would change somebody else's. `password`: in ASUP, where
 * an empty one is none at all on a real server, and leaves it as it is on ours. Throws conflict when the name is
 * taken.
 */
export async function createAccount(connection: Connection, user: User, password: string): Promise<void> {
  await makeAccount(connection, user.name, user.password);
  await setAccount(connection, user, password);
}

/** As createAccount, when it was broken off behind CREU. Throws not_logged_in when the account is somebody else's. */
export async function finishAccount(
  connection: Connection,
  open: () => Promise<Connection>,
  user: User,
  password: string,
): Promise<void> {
  await loggedIn(open, user, async () => {});
  await setAccount(connection, user, password);
}

async function setAccount(connection: Connection, { name, flags, level }: User, password: string): Promise<void> {
  expectClass(await connection.ask(command('ASUP', name, password, flags, 0, 0, level)), REPLY.done);
}

/** Only the user himself can write his profile; a copy knows the password of an account that it makes. */
export async function setBio(open: () => Promise<Connection>, user: User): Promise<void> {
  await loggedIn(open, user, (connection) => writeText(connection, command('EBIO'), user.bio));
}

async function loggedIn(
  open: () => Promise<Connection>,
  { name, password }: User,
  run: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await open();
  try {
    await logIn(connection, { user: name, password });
    await run(connection);
  } finally {
    connection.close();
  }
}

function keyOf({ name }: Room): string {
  return nameKey(name);
}

function headText(head: StoredFields): string {
  return `${[...head].map(([name, value]) => `${name}=${value}\n`).join('')}text\n`;
}

/** Cut where a set of marks has more ranges than a text may hold: what is cut counts as new. */
function rowOf({ user, state, lastRead, view, seen }: Visit): string {
  const ranges = String(seen ?? SequenceSet.upTo(0)).slice(0, MAX_TRANSFER_TEXT_BYTES / 2);
  return `${user}|${state}|${lastRead}|${view}|${ranges}\n`;
}

/** A picture that is there stays. */
export async function hasPicture(connection: Connection, verb: string): Promise<boolean> {
  try {
    await readPicture(connection, verb, {}, ({ bytes }) => drain(bytes));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

export async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}
