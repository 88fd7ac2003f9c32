// One run of `vestibule copy`: migrates floors, accounts, rooms, messages and read marks, in this order. Skips what the
// target has, and preserves what people have changed or deleted there: settings are applied only to what this run or an
// interrupted one creates (brought.ts).

import { AppError } from '../../errors.ts';
import { ROOM_FLAG2 } from '../../model.ts';
import { nameFault } from '../../protocol/name-rules.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { fullPersonalName, personalName } from '../../protocol/room-facts.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import type { Step } from './brought.ts';
import type { CopySource, CopyTarget, Room, User, Visit } from './model.ts';
import { type Report, type RoomReport, skipping } from './report.ts';

/** rooms that belong to a room server or the migration itself */
const SYSTEM_ROOMS: readonly RegExp[] = [
  /^Local System Configuration$/,
  /^__CitadelSMTPspoolout__$/,
  /^Vestibule copy(: .*)?$/,
];
const SYSTEM_OWNER = 9_999_999_999;
const CONFIG_ROOM = 'My Citadel Config';
const NOTES = [
  'Not copied: passwords that could not be read (new ones are in the file of --passwords), inbox rules, further',
  'addresses, registrations, expiry policies, the history of wiki pages, files of directory rooms.',
];
const GONE_ROOM = 'The room was deleted or renamed at the target after an earlier copy.';
interface CopiedRoom {
  source: Room;
  target: Room;
  report: RoomReport;
  isThere: boolean;
  /** created by this run or an interrupted one */
  isFresh: boolean;
  /** an earlier run has completed it */
  isDone: boolean;
  /** key → ascending numbers of the messages at the target; each stands for one message of the source */
  there: Map<string, number[]>;
  /** key → number of source messages that were migrated, including those deleted since */
  brought: Map<string, number>;
  /** message numbers: source → target, ascending */
  numbers: Map<number, number>;
}

/** Throws AppError if a connection is lost; then run it again. */
export async function copyAll(options: CopyOptions): Promise<void> {
  const { source, target, report } = options;
  const floors = await copyFloors(options);
  const users = await source.users();
  const accounts = await copyUsers(options, users);
  const isNew = (room: CopiedRoom) => (visit: Visit) => room.isFresh || accounts.fresh.has(accountName(visit.user));
  const found = await findRooms(options, users, floors, accounts);
  await makeRooms(options, found);
  // rooms that could not be created were reported
  const rooms = found.filter(({ isThere, isDone }) => isThere || isDone);
  for (const room of rooms.filter(({ isThere }) => isThere)) {
    if (!room.isFresh && accounts.fresh.size === 0) continue;
    await skipping(room.report, async () => {
      await target.admit(room.target, (await source.visits(room.source)).filter(isNew(room)));
    });
  }
  await copyMessages(options, rooms);
  const ended: string[] = [];
  for (const room of rooms.filter(({ isThere }) => isThere)) {
    await skipping(room.report, async () => {
      if (!room.isDone || accounts.fresh.size > 0) {
        const all = await source.visits(room.source);
        const unmet = room.isDone ? [] : await target.unvisited(room.target, all);
        const visits = all.filter((visit) => isNew(room)(visit) || unmet.includes(visit));
        const lost = await target.setVisits(
          room.target,
          visits.map((visit) => translated(visit, room.numbers)),
          [...room.numbers.values()].sort((a, b) => a - b),
        );
        for (const reason of lost) room.report.lose(reason);
      }
      ended.push(room.target.name);
    });
  }
  await target.brought.note('room', ended, 'done');
  const known = users.filter(({ num }) => accounts.numbers.has(num)).map(({ name }) => name);
  await target.brought.note('user', known, 'done');
  await target.finish();
  for (const note of [...source.notes, ...target.notes, ...NOTES]) report.note(note);
}

/** All rooms to migrate, with their names at the target. */
async function findRooms(
  { source, target, report }: CopyOptions,
  users: readonly User[],
  floors: ReadonlyMap<number, number>,
  accounts: Accounts,
): Promise<CopiedRoom[]> {
  const rooms: CopiedRoom[] = [];
  for (const room of await source.rooms(users)) {
    const { owner: number, name: short } = personalName(room.name);
    const isConfig = number === SYSTEM_OWNER || (number !== undefined && short === CONFIG_ROOM);
    const isSystem = isConfig || SYSTEM_ROOMS.some((name) => name.test(room.name));
    if (isSystem || room.flags2 & ROOM_FLAG2.system) continue;
    const roomReport = report.room(shownName(room, users));
    await skipping(roomReport, async () => {
      const owner = number === undefined ? undefined : accounts.numbers.get(number);
      if (number !== undefined && accounts.gone.has(number)) return roomReport.lose(GONE_ACCOUNT);
      if (number !== undefined && owner === undefined) throw new AppError('not_found', 'Its owner does not exist.');
      const name = owner === undefined ? room.name : fullPersonalName(owner, short);
      const there = { ...room, name, floor: floors.get(room.floor) ?? 0 };
      const isThere = await target.hasRoom(there);
      const step = await target.brought.step('room', name);
      const ownerName = users.find(({ num }) => num === number)?.name;
      const isOfFresh = ownerName !== undefined && accounts.fresh.has(accountName(ownerName));
      rooms.push({
        source: room,
        target: there,
        report: roomReport,
        isThere,
        isFresh: step === 'made' || (step === undefined && (!isThere || isOfFresh)),
        isDone: step === 'done',
        there: new Map(),
        brought: new Map(),
        numbers: new Map(),
      });
    });
  }
  return rooms;
}

/** Creates missing rooms, and sets their descriptions and pictures. */
async function makeRooms(options: CopyOptions, rooms: readonly CopiedRoom[]): Promise<void> {
  const { source, target } = options;
  const missing = rooms.filter(({ isThere, isDone }) => !isThere && !isDone);
  await target.brought.note(
    'room',
    missing.map(({ target: { name } }) => name),
    'made',
  );
  for (const room of rooms) {
    if (room.isDone) continue;
    await skipping(room.report, async () => {
      const lost = room.isThere ? '' : await target.makeRoom(room.target);
      if (lost !== '') room.report.lose(lost);
      room.isThere = true;
      const info = await source.info(room.source);
      if (info !== undefined) await target.setInfo(room.target, info);
      await source.withRoomPicture(room.source, (picture) => target.setRoomPicture(room.target, picture));
    });
  }
}

/** In the order of message numbers across rooms, so that this order is preserved. */
async function copyMessages(options: CopyOptions, rooms: readonly CopiedRoom[]): Promise<void> {
  const { source, target, report } = options;
  const plan = new Map<number, { key: string; rooms: CopiedRoom[] }>();
  for (const room of rooms) {
    await skipping(room.report, async () => {
      for (const { key, msgnum } of room.isThere ? await target.list(room.target) : []) {
        room.there.getOrInsertComputed(key, () => []).push(msgnum);
      }
      // accounts for incomplete messages that were removed again
      room.brought = await target.brought.messages(room.target.name);
      for (const [key, { length }] of room.there) {
        if (length > (room.brought.get(key) ?? 0)) room.brought.set(key, length);
      }
      for (const { key, msgnum } of await source.list(room.source)) {
        room.report.found();
        plan.getOrInsertComputed(msgnum, () => ({ key, rooms: [] })).rooms.push(room);
      }
    });
  }
  for (const msgnum of [...plan.keys()].sort((a, b) => a - b)) {
    const { key, rooms: targets } = plan.get(msgnum)!;
    const found = targets.map(({ there }) => there.get(key)?.shift());
    let number = found.find((one) => one !== undefined);
    for (const [i, room] of targets.entries()) {
      report.at(room.report);
      await skipping(room.report, async () => {
        const times = room.brought.get(key) ?? 0;
        if (times > 0) {
          room.brought.set(key, times - 1);
          if (found[i] !== undefined) room.numbers.set(msgnum, found[i]);
          return room.report.wasThere();
        }
        if (!room.isThere) throw new AppError('not_found', GONE_ROOM);
        if (number === undefined || !(await target.refer(room.target, number))) {
          const put = await source.withMessage(room.source, msgnum, (head, body) =>
            target.put(room.target, head, body),
          );
          number = put.msgnum;
          for (const lost of put.lost) room.report.lose(lost);
        }
        room.report.copied();
        room.numbers.set(msgnum, number);
      });
    }
  }
}

/** A visit with the message numbers of the target. */
function translated(visit: Visit, numbers: ReadonlyMap<number, number>): Visit {
  const ranges = [{ low: 0, high: 0 }];
  let isOpen = true;
  let lastRead = 0;
  let previous = 0;
  for (const [from, to] of numbers) {
    if (from <= visit.lastRead) lastRead = Math.max(lastRead, to);
    const isSeen = visit.seen?.contains(from) ?? false;
    // numbers between two messages of the room belong to other rooms
    if (isSeen && isOpen && to > previous) ranges.at(-1)!.high = to;
    else if (isSeen) ranges.push({ low: to, high: to });
    isOpen = isSeen;
    previous = to;
  }
  return { ...visit, lastRead, seen: visit.seen && SequenceSet.of(ranges) };
}

function shownName({ name }: Room, users: readonly User[]): string {
  const { owner: number, name: short } = personalName(name);
  const owner = users.find(({ num }) => num === number);
  return number === undefined ? name : `${short} of ${owner?.name ?? number}`;
}

export const GONE_ACCOUNT = 'its account, which was deleted at the target after an earlier copy';

export interface CopyOptions {
  source: CopySource;
  target: CopyTarget;
  report: Report;
  /** The password for an account about to be created; saved first. */
  passwordFor(user: User): Promise<string>;
  /** The password of an account created by this run or an earlier one. */
  passwordOf(user: User): string | undefined;
  /** An earlier run was interrupted while creating this account. */
  isHalfMade(user: User): boolean;
  /** The account of passwordFor() is complete. */
  hasMade(): Promise<void>;
}

interface Accounts {
  /** user numbers: source → target */
  numbers: Map<number, number>;
  /** accountName of the accounts created by this run or an interrupted one */
  fresh: Set<string>;
  /** source numbers of accounts deleted at the target since an earlier run */
  gone: Set<number>;
}

/** Floor numbers: source → target. */
export async function copyFloors({ source, target, report }: CopyOptions): Promise<Map<number, number>> {
  const there = new Map((await target.floors()).map(({ num, name }) => [nameKey(name), num]));
  const numbers = new Map<number, number>();
  const known: string[] = [];
  for (const { num, name } of await source.floors()) {
    await skipping(report.room(`floor ${name}`), async () => {
      const number = num === 0 ? 0 : there.get(nameKey(name));
      if (number === undefined && (await target.brought.step('floor', name))) return; // deleted at the target
      const fault = number === undefined ? nameFault(name) : undefined;
      if (fault !== undefined) throw new AppError('conflict', `${fault} Its rooms are on the first floor.`);
      numbers.set(num, number ?? (await target.createFloor(name)));
      known.push(name);
    });
  }
  await target.brought.note('floor', known, 'done');
  return numbers;
}

export async function copyUsers(options: CopyOptions, users: readonly User[]): Promise<Accounts> {
  const { source, target, report, passwordFor, passwordOf, isHalfMade, hasMade } = options;
  const before = new Map((await target.users()).map((user) => [accountName(user.name), user]));
  const steps = new Map<User, Step | undefined>();
  for (const user of users) steps.set(user, await target.brought.step('user', user.name));
  const isMissing = (user: User) => !before.has(accountName(user.name)) && steps.get(user) !== 'done';
  const missing = users.filter(isMissing);
  await target.brought.note(
    'user',
    missing.map(({ name }) => name),
    'made',
  );
  const fresh = new Set(
    [...missing, ...users.filter((user) => steps.get(user) === 'made')].map(({ name }) => accountName(name)),
  );
  const gone = new Set<number>();
  for (const user of users) {
    const userReport = report.room(`user ${user.name}`);
    await skipping(userReport, async () => {
      const there = before.get(accountName(user.name));
      const isDone = steps.get(user) === 'done';
      if (!there && isDone) {
        gone.add(user.num);
        return userReport.lose(GONE_ACCOUNT);
      }
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
        userReport.lose(`access level ${user.level}`); // changed at the target
      }
      if (isDone) return;
      if (user.bio !== '' && !there?.bio && password !== undefined) await target.setBio({ ...user, password });
      await source.withUserPicture(user.name, (picture) => target.setUserPicture(user.name, picture));
    });
  }
  const after = new Map((await target.users()).map(({ name, num }) => [accountName(name), num]));
  const numbers = users.flatMap(({ num, name }): [number, number][] => {
    const there = after.get(accountName(name));
    return there === undefined ? [] : [[num, there]];
  });
  return { numbers: new Map(numbers), fresh, gone };
}
