// What a server of the documented verbs does not do by itself: read marks that go along with a moved message, and
// deleting a folder with its content.

import { AppError, unlessGone } from '../../errors.ts';
import { MAX_FAILED_MEMBERS } from '../../limits/dav.ts';
import { isFolder, LEVEL, parentFolder, REPLACING_VIEWS, VIEW } from '../../model.ts';
import { command, wholeLineCommand } from '../../protocol/fields.ts';
import type { SequenceSet } from '../../protocol/sequence-set.ts';
import type { NamedMember, Undeleted } from '../collections.ts';
import type { Connection } from '../connection/connection.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { RoomAccess } from '../connection/pool.ts';
import { noSuchMessage, otherAuthor, readFieldsOfMany, readMarks } from '../messages.ts';
import { moveMany, removeReplaced } from '../posting.ts';
import type { Repost } from '../server.ts';
import { membersIn } from './collections.ts';

/** As MessageMethods.keepingMarks. */
export async function keepingMarks(
  at: RoomAccess,
  numbers: readonly number[],
  there: RoomRef,
  move: () => Promise<void>,
  isNew = false,
): Promise<void> {
  const seen = await readMarks(at);
  await move();
  const marks = markCommands(numbers, seen, isNew);
  const set = at.pool.withRoom(at.identity, there, (connection) => connection.askAll(marks));
  await set.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

function markCommands(numbers: readonly number[], seen: SequenceSet, isNew: boolean): string[] {
  const mark = (msgnum: number) => command('SEEN', msgnum, seen.contains(msgnum) ? 1 : 0);
  if (!isNew) return numbers.map(mark);
  const read = numbers.filter((msgnum) => seen.contains(msgnum));
  const last = read.at(-1) ?? 0;
  const unread = numbers.filter((msgnum) => msgnum < last && !seen.contains(msgnum));
  // with many marks each costs a real server some milliseconds
  return unread.length < read.length ? [wholeLineCommand('SLRP', String(last)), ...unread.map(mark)] : read.map(mark);
}

/** As MessageMethods.moveMany. */
export async function moveAll(
  at: RoomAccess,
  numbers: readonly number[],
  target: string,
  repost: Repost,
): Promise<void> {
  const { pool, identity, room } = at;
  const there = { name: target, password: '' };
  const to = (await unlessGone(pool.readInRoom(identity, there, [])))?.entered;
  const fields = await readFieldsOfMany(pool, identity, room, numbers);
  // a real server would list a number in the target room that this room does not have (quirk Q5b)
  const present = [...fields.keys()].sort((a, b) => a - b);
  if (present.length === 0) throw noSuchMessage();
  const { level, name: user } = await pool.identify(identity);
  const isReferred =
    to?.defaultView === VIEW.blog &&
    level < LEVEL.admin &&
    [...fields.values()].some((each) => otherAuthor(each, user) !== undefined);
  const isIndexed = to !== undefined && REPLACING_VIEWS.has(to.defaultView);
  const ids = new Map<string, string>();
  const others: number[] = [];
  for (const msgnum of present) {
    if (!(isIndexed && (await repost(msgnum, to, { ids, isReferred })))) others.push(msgnum);
  }
  const move = () => pool.withRoom(identity, room, (connection) => moveMany(connection, others, target));
  if (others.length > 0) await keepingMarks(at, others, there, move);
}

/** As MemberMethods.removeFolder: first the files in it, then the folders, itself last. */
export async function removeFolder(at: RoomAccess, folder: NamedMember): Promise<readonly Undeleted[]> {
  const left: Undeleted[] = [];
  /** folders that contain what is left */
  const needed = new Set<string>();
  const folders: NamedMember[] = [folder];
  const remove = (members: readonly NamedMember[]) =>
    at.pool.withRoom(at.identity, at.room, async (connection) => {
      for (const { name, msgnum } of members) {
        if (needed.has(name) || left.length >= MAX_FAILED_MEMBERS) continue;
        const error = await refusedDeletion(connection, msgnum);
        if (!error) continue;
        left.push({ name, error });
        for (let around = parentFolder(name); around; around = parentFolder(around)) needed.add(around);
      }
    });
  for await (const batch of membersIn(at, { folder: folder.name, isDeep: true })) {
    for (const member of batch) if (isFolder(member)) folders.push(member);
    const files = batch.filter((member) => !isFolder(member));
    if (files.length > 0) await remove(files);
  }
  // the deepest first
  await remove(folders.sort((one, other) => other.name.length - one.name.length));
  return left;
}

/** Undefined if it was deleted. Throws what is no refusal. */
async function refusedDeletion(connection: Connection, msgnum: number): Promise<AppError | undefined> {
  try {
    await removeReplaced(connection, [msgnum]);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.backendCode !== undefined) return error;
    throw error;
  }
}
