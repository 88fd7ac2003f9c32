// Floors and accounts of a copy, with what else it needs to know of them: which the run has made, and which people
// have deleted at the target since an earlier one brought them.

import { AppError } from '../../errors.ts';
import { nameFault } from '../../protocol/name-rules.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import type { Step } from './brought.ts';
import type { CopySource, CopyTarget, User } from './model.ts';
import { type Report, skipping } from './report.ts';

export const GONE_ACCOUNT = 'its account, which was deleted there since a copy brought it';

export interface CopyOptions {
  source: CopySource;
  target: CopyTarget;
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

export interface Accounts {
  /** user numbers on the target by those on the source */
  numbers: Map<number, number>;
  /** by accountName, made by this run or by one that was broken off */
  fresh: Set<string>;
  /** numbers on the source, of those that were deleted on the target since a copy brought them */
  gone: Set<number>;
}

/** Numbers on the target by those on the source. */
export async function copyFloors({ source, target, report }: CopyOptions): Promise<Map<number, number>> {
  const there = new Map((await target.floors()).map(({ num, name }) => [nameKey(name), num]));
  const numbers = new Map<number, number>();
  const known: string[] = [];
  for (const { num, name } of await source.floors()) {
    await skipping(report.room(`floor ${name}`), async () => {
      const number = num === 0 ? 0 : there.get(nameKey(name));
      if (number === undefined && (await target.brought.step('floor', name))) return; // deleted since
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
        userReport.lose(`access level ${user.level}`); // changed there
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
