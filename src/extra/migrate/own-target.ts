// The embedded room server as migration target, using XFER on its administration socket: preserves message order,
// author, date, id, euid and read marks.

import { AppError } from '../../errors.ts';
import { MAX_TRANSFER_TEXT_BYTES } from '../../limits/backend.ts';
import { command, toInt } from '../../protocol/fields.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { REPLY } from '../../protocol/status.ts';
import { type Connection, writeText } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { floorsFrom } from '../../room-server/rooms.ts';
import { openOwnBrought } from './brought.ts';
import type { CopyTarget, Room, StoredFields, Visit } from './model.ts';
import { type NameBook, openNameBook, withKnownPassword } from './room-names.ts';
import { listIds, parseRoom, parseVisit, usersOf } from './source.ts';
import { asText, HOLDS_END_LINE, takeBody } from './streams.ts';
import {
  createAccount,
  finishAccount,
  setBio,
  setInfoUnlessThere,
  setRoomPictureUnlessThere,
  setUserPictureUnlessThere,
} from './target-accounts.ts';

/** `open`: another connection to the same server. `spoolFolder`: for large bodies. */
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

  /** existing rooms by keyOf, and their names for comparison */
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
        if (whole.hasEndLine) throw new AppError('conflict', HOLDS_END_LINE);
        await goto(room);
        expectClass(await connection.start(command('XFER', 'message')), REPLY.sendTextThenListing);
        const [number, reason] = await connection.sendText(asText(headText(head), whole.open()));
        if (toInt(number) < 1) throw new AppError('conflict', reason || 'It was not stored.');
        return { msgnum: toInt(number), lost: [] };
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
        // keeps existing read marks if the source could not read them
        if (!visit.seen && there.some(({ user, seen }) => user === visit.user && seen)) continue;
        await writeText(connection, command('XFER', 'setvisits'), rowOf(visit));
      }
      return [];
    },
    async setInfo(room, text) {
      await goto(room);
      await setInfoUnlessThere(connection, text);
    },
    async setRoomPicture(room, picture) {
      await goto(room);
      await setRoomPictureUnlessThere(connection, picture);
    },
    setUserPicture: (user, picture) => setUserPictureUnlessThere(connection, user, picture),
    finish: async () => {},
    close: () => connection.close(),
  };
}

function keyOf({ name }: Room): string {
  return nameKey(name);
}

function headText(head: StoredFields): string {
  return `${[...head].map(([name, value]) => `${name}=${value}\n`).join('')}text\n`;
}

/** Truncates an extremely long set of read marks; the rest counts as unread. */
function rowOf({ user, state, lastRead, view, seen }: Visit): string {
  const ranges = String(seen ?? SequenceSet.upTo(0)).slice(0, MAX_TRANSFER_TEXT_BYTES / 2);
  return `${user}|${state}|${lastRead}|${view}|${ranges}\n`;
}
