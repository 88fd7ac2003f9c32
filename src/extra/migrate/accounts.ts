// Migrates floors and accounts. Also records which accounts this run creates, and which were deleted at the target
// since an earlier run.

import { AppError } from '../../errors.ts';
import { nameFault } from '../../protocol/name-rules.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import type { Step } from './brought.ts';
import type { CopySource, CopyTarget, User } from './model.ts';
import { type Report, skipping } from './report.ts';

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

export interface Accounts {
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
