// One run of `vestibule copy`: floors, accounts, rooms, messages, read marks, in this order. What the target has already
// is not brought again, so a run that was broken off is continued by the next one. Called by copy-command.ts.

import { AppError } from '../errors.ts';
import { ROOM_FLAG2 } from '../model.ts';
import { nameFault } from '../protocol/name-rules.ts';
import { accountName, nameKey } from '../protocol/names.ts';
import { SequenceSet } from '../protocol/sequence-set.ts';
import type { Room, Source, Target, User, Visit } from './model.ts';
import type { Report, RoomReport } from './report.ts';

/** What a room server keeps there is its own business. */
const SYSTEM_ROOMS = /^(\d{10}\.My Citadel Config|Local System Configuration|__CitadelSMTPspoolout__|9999999999\..*)$/;
const NOTES = [
  'Not copied: passwords (new ones are in the file of --passwords, where the old ones could not be read), inbox rules,',
  'further addresses, registrations, expiry policies, the history of wiki pages, files of directory rooms.',
];
/** The connection, and so the copy, cannot go on after these. */
const FATAL: ReadonlySet<string> = new Set([
  'backend_lost',
  'backend_protocol',
  'backend_timeout',
  'backend_unreachable',
  'internal', // what this side needs cannot be written
]);

export interface CopyOptions {
  source: Source;
  target: Target;
  report: Report;
  /** The password for an account that is about to be made; it is kept before the account is. */
  passwordFor(user: User): Promise<string>;
  /** Of an account that this copy or one before it has made. */
  passwordOf(user: User): string | undefined;
  /** A copy was broken off while it made this account. */
  isHalfMade(user: User): boolean;
  /** The account of passwordFor() has its access level. */
  hasMade(): Promise<void>;
}

interface CopiedRoom {
  source: Room;
  target: Room;
  report: RoomReport;
  /** numbers on the target, ascending, of what was there before, by id; each stands for one message of the source */
  there: Map<string, number[]>;
  /** by number on the source, ascending: number on the target */
  numbers: Map<number, number>;
}

/** Throws AppError when a connection is lost; run it again then. */
export async function copyAll(options: CopyOptions): Promise<void> {
  const { source, target, report } = options;
  const floors = await copyFloors(options);
  const users = await source.users();
  const owners = await copyUsers(options, users);
  const rooms: CopiedRoom[] = [];
  for (const room of await source.rooms(users)) {
    if (SYSTEM_ROOMS.test(room.name) || room.flags2 & ROOM_FLAG2.system) continue;
    const roomReport = report.room(shownName(room, users));
    await skipping(roomReport, async () => {
      const [number] = /^\d{10}(?=\.)/.exec(room.name) ?? [];
      const owner = number === undefined ? undefined : owners.get(Number(number));
      if (number !== undefined && owner === undefined) throw new AppError('not_found', 'Its owner has no account.');
      const name = owner === undefined ? room.name : room.name.replace(/^\d{10}/, String(owner).padStart(10, '0'));
      const there = { ...room, name, floor: floors.get(room.floor) ?? 0 };
      const lost = await target.ensureRoom(there);
      if (lost !== '') roomReport.lose(lost);
      rooms.push({ source: room, target: there, report: roomReport, there: new Map(), numbers: new Map() });
      await copyLook(options, room, there);
    });
  }
  for (const { source: room, target: there, report: roomReport } of rooms) {
    await skipping(roomReport, async () => target.admit(there, await source.visits(room)));
  }
  await copyMessages(options, rooms);
  for (const { source: room, target: there, report: roomReport, numbers } of rooms) {
    await skipping(roomReport, async () => {
      const visits = (await source.visits(room)).map((visit) => translated(visit, numbers));
      const lost = await target.setVisits(
        there,
        visits,
        [...numbers.values()].sort((a, b) => a - b),
      );
      for (const reason of lost) roomReport.lose(reason);
    });
  }
  await target.finish();
  for (const note of [...source.notes, ...target.notes, ...NOTES]) report.note(note);
}

async function copyFloors({ source, target, report }: CopyOptions): Promise<Map<number, number>> {
  const there = new Map((await target.floors()).map(({ num, name }) => [nameKey(name), num]));
  const numbers = new Map<number, number>();
  for (const { num, name } of await source.floors()) {
    await skipping(report.room(`floor ${name}`), async () => {
      const known = num === 0 ? 0 : there.get(nameKey(name));
      const fault = known === undefined ? nameFault(name) : undefined;
      if (fault !== undefined) throw new AppError('conflict', `${fault} Its rooms are on the first floor.`);
      numbers.set(num, known ?? (await target.createFloor(name)));
    });
  }
  return numbers;
}

/** User numbers on the target by those on the source. */
async function copyUsers(options: CopyOptions, users: readonly User[]): Promise<Map<number, number>> {
  const { source, target, report, passwordFor, passwordOf, isHalfMade, hasMade } = options;
  const before = new Map((await target.users()).map((user) => [accountName(user.name), user]));
  for (const user of users) {
    const userReport = report.room(`user ${user.name}`);
    await skipping(userReport, async () => {
      const there = before.get(accountName(user.name));
      if (!there) {
        await target.createUser({ ...user, password: await passwordFor(user) });
        await hasMade();
        report.madeUser();
      }
      const password = passwordOf(user);
      if (there && password !== undefined && isHalfMade(user)) {
        await target.finishUser({ ...user, password });
        await hasMade();
      } else if (there && password !== undefined && there.level !== user.level) {
        userReport.lose(`access level ${user.level}`); // changed there
      }
      if (user.bio !== '' && !there?.bio && password !== undefined) await target.setBio({ ...user, password });
      await source.withUserPicture(user.name, (picture) => target.setUserPicture(user.name, picture));
    });
  }
  const after = new Map((await target.users()).map(({ name, num }) => [accountName(name), num]));
  return new Map(
    users.flatMap(({ num, name }): [number, number][] => {
      const there = after.get(accountName(name));
      return there === undefined ? [] : [[num, there]];
    }),
  );
}

async function copyLook({ source, target }: CopyOptions, room: Room, there: Room): Promise<void> {
  const info = await source.info(room);
  if (info !== undefined) await target.setInfo(there, info);
  await source.withRoomPicture(room, (picture) => target.setRoomPicture(there, picture));
}

/** In the order of their numbers, whatever rooms they are in, so that they keep this order everywhere. */
async function copyMessages(options: CopyOptions, rooms: readonly CopiedRoom[]): Promise<void> {
  const { source, target, report } = options;
  const plan = new Map<number, { msgid: string; rooms: CopiedRoom[] }>();
  for (const room of rooms) {
    await skipping(room.report, async () => {
      for (const { msgid, msgnum } of await target.list(room.target)) {
        const same = room.there.get(msgid);
        if (same) same.push(msgnum);
        else room.there.set(msgid, [msgnum]);
      }
      for (const { msgid, msgnum } of await source.list(room.source)) {
        room.report.found();
        const planned = plan.get(msgnum);
        if (planned) planned.rooms.push(room);
        else plan.set(msgnum, { msgid, rooms: [room] });
      }
    });
  }
  for (const msgnum of [...plan.keys()].sort((a, b) => a - b)) {
    const { msgid, rooms: places } = plan.get(msgnum)!;
    const found = places.map(({ there }) => there.get(msgid)?.shift());
    let number = found.find((one) => one !== undefined);
    for (const [i, room] of places.entries()) {
      const known = found[i];
      report.at(room.report);
      await skipping(room.report, async () => {
        if (known !== undefined) room.report.wasThere();
        else if (number === undefined || !(await target.refer(room.target, number))) {
          const put = await source.withMessage(room.source, msgnum, (head, body) =>
            target.put(room.target, head, body),
          );
          number = put.msgnum;
          room.report.copied();
          if (put.lost !== '') room.report.lose(put.lost);
        } else room.report.copied();
        room.numbers.set(msgnum, known ?? number!);
      });
    }
  }
}

/** A visit in the numbers of the target. */
function translated(visit: Visit, numbers: ReadonlyMap<number, number>): Visit {
  const ranges = [{ low: 0, high: 0 }];
  let isOpen = true;
  let lastRead = 0;
  let previous = 0;
  for (const [from, to] of numbers) {
    if (from <= visit.lastRead) lastRead = Math.max(lastRead, to);
    const isSeen = visit.seen?.contains(from) ?? false;
    // what lies between two messages of the room is in other rooms
    if (isSeen && isOpen && to > previous) ranges.at(-1)!.high = to;
    else if (isSeen) ranges.push({ low: to, high: to });
    isOpen = isSeen;
    previous = to;
  }
  return { ...visit, lastRead, seen: visit.seen && SequenceSet.of(ranges) };
}

function shownName({ name }: Room, users: readonly User[]): string {
  const [, number, short] = /^(\d{10})\.(.*)$/.exec(name) ?? [];
  const owner = users.find(({ num }) => num === Number(number));
  return number === undefined ? name : `${short} of ${owner?.name ?? number}`;
}

/** What one room, user or message fails with is reported, and the next one follows. */
async function skipping(report: RoomReport, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError) || FATAL.has(error.code)) throw error;
    report.skip(error.message);
  }
}
