// Names on a server without them: a message is found by its subject, and has the name if its stored header says so.

import { AppError, unlessGone } from '../../errors.ts';
import { BATCH_MESSAGES, LOOKS_AT_A_NAME, MAX_FILE_PATH_BYTES, MAX_FOUND_NAMES } from '../../limits/dav.ts';
import { nameFrom, subjectOfName } from '../../mime/stored-content.ts';
import { canDelete, collectionKind, type EnteredRoom, EUID_VIEWS, holdsObjects } from '../../model.ts';
import { isFieldSafe, toInt } from '../../protocol/fields.ts';
import { euidsOf, isAmbiguous, isPlainNumber, parseMessageNumber } from '../../protocol/member-names.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { Member, MemberMethods, NamedPost, ReadMessage, ReadOptions } from '../collections.ts';
import type { Connection } from '../connection/connection.ts';
import { perPool, type RoomAccess } from '../connection/pool.ts';
import { readMethod } from '../heads.ts';
import { findAbove, findByEuid, findBySubject, type MessageHead, storedHeadersOf } from '../messages.ts';
import { deleteFromRoom, removeReplaced, requireNewer } from '../posting.ts';
import { memberLists } from './collections.ts';
import { headerFacts, MemberNames, memberOf } from './header-facts.ts';
import { ContentLengths } from './member-contents.ts';
import { messages } from './messages.ts';

/** As MemberMethods.named. */
async function findNamed(connection: Connection, room: EnteredRoom, name: string): Promise<number[]> {
  if (EUID_VIEWS.has(room.defaultView) || !isFieldSafe(name) || Buffer.byteLength(name) > MAX_FILE_PATH_BYTES)
    return [];
  const unnamed = isPlainNumber(name) ? await unnamedMessage(connection, Number(name)) : [];
  const subject = subjectOfName(name);
  let candidates = await findBySubject(connection, subject);
  for (let attempt = 1; ; attempt++) {
    const found = await namedAmong(connection, candidates, name);
    if (found.length > 0) return found;
    if (candidates.length === 0 || attempt === LOOKS_AT_A_NAME) return unnamed;
    // the message of that name may have been replaced since
    const now = await findBySubject(connection, subject);
    if (now.every((number) => candidates.includes(number))) return unnamed;
    candidates = now;
  }
}

/** A files room lists an unnamed message by its number. */
async function unnamedMessage(connection: Connection, msgnum: number): Promise<number[]> {
  const [headers] = await storedHeadersOf(connection, [msgnum]);
  return headers && nameFrom(headers) === undefined ? [msgnum] : [];
}

/** Those of `candidates` that have the name, in the room of the connection. */
export async function namedAmong(
  connection: Connection,
  candidates: readonly number[],
  name: string,
): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < candidates.length; at += BATCH_MESSAGES) {
    const batch = candidates.slice(at, at + BATCH_MESSAGES);
    const headers = await storedHeadersOf(connection, batch);
    found.push(...batch.filter((_, i) => headers[i] && nameFrom(headers[i]) === name));
  }
  return found;
}

/**
 * As MemberMethods.settleName: another gateway may have given the same name meanwhile. The last message of a name wins,
 * as if they had come one after the other. If nothing else was to be replaced, or the caller may not delete, the new
 * message has come too late.
 */
async function settleName(at: RoomAccess, connection: Connection, posted: NamedPost): Promise<boolean> {
  const { name, msgnum, existing } = posted;
  const replaced = [...existing, ...(await rivalsOf(connection, posted))];
  await removeReplaced(connection, replaced);
  rememberName(at, name, msgnum);
  return replaced.length > 0;
}

async function rivalsOf(
  connection: Connection,
  { name, msgnum, before, isConditional }: NamedPost,
): Promise<readonly number[]> {
  requireNewer(msgnum, before);
  const posted = await findAbove(connection, before.highest);
  // with a wrong number the message would be its own rival; it may be gone, replaced by a later one
  if (!posted.some((number) => number >= msgnum)) {
    throw new AppError('backend_protocol', 'The room server does not list the message that it has taken.');
  }
  const earlier = posted.filter((number) => number < msgnum);
  const rivals = await namedAmong(connection, earlier, name);
  if (rivals.length === 0) return rivals;
  if (!canDelete(before)) {
    throw new AppError('conflict', `Another message got this name at the same time; this one is message ${msgnum}.`);
  }
  if (!isConditional) return rivals;
  await deleteFromRoom(connection, msgnum);
  throw new AppError('precondition_failed', 'Another message got this name at the same time.');
}

/** The number under which a name was found last: a hint where to look first. */
const foundNames = perPool(() => new BoundedMap<string, number>(MAX_FOUND_NAMES));

function rememberName(at: RoomAccess, name: string, msgnum: number): void {
  foundNames(at.pool).set(foundKey(at, name), msgnum);
}

function foundKey({ identity, room }: RoomAccess, name: string): string {
  return `${accountName(identity.user)}\n${nameKey(room.name)}\n${name}`;
}

async function findNumber(at: RoomAccess, segment: string): Promise<number> {
  const { pool, identity, room } = at;
  const found = await pool.visitRoom(identity, room, async (connection, entered) => {
    const isNamed = holdsObjects(collectionKind(entered));
    // a number or a room resource takes precedence over a UID
    for (const euid of isNamed && isAmbiguous(segment) ? [] : euidsOf(segment)) {
      if (messages.isHidden(entered, euid)) continue;
      const match = await findByEuid(connection, euid);
      if (match === undefined) continue;
      return isNamed && !(await mayBeCalled(connection, match, segment)) ? 'listed' : match;
    }
    if (isNamed) return 'listed';
    const [named] = await findNamed(connection, entered, segment);
    if (named !== undefined || segment.endsWith('/')) return named;
    if (collectionKind(entered) !== 'files') return parseMessageNumber(segment);
    // a folder, without its slash
    return (await findNamed(connection, entered, `${segment}/`))[0];
  });
  const number = found === 'listed' ? (await memberLists.find(at, [segment]))[0]?.msgnum : found;
  if (number === undefined) throw new AppError('not_found', 'No such message.');
  return number;
}

/** Whether no other member can have this name: the UID of a named object is only an alias. */
async function mayBeCalled(connection: Connection, msgnum: number, segment: string): Promise<boolean> {
  const [headers] = await storedHeadersOf(connection, [msgnum]);
  const name = headers && nameFrom(headers);
  return name === undefined || name === segment;
}

async function readCalled(
  at: RoomAccess,
  segment: string,
  open: (msgnum: number) => Promise<ReadMessage>,
): Promise<ReadMessage> {
  const remembered = foundNames(at.pool).get(foundKey(at, segment));
  if (remembered !== undefined) {
    const message = await unlessGone(open(remembered));
    if (message && hasName(message.head, segment)) return message;
  }
  for (let attempt = 1; ; attempt++) {
    const msgnum = await findNumber(at, segment);
    // a number never means another message
    const isLast = attempt === LOOKS_AT_A_NAME || String(msgnum) === segment;
    const message = await (isLast ? open(msgnum) : unlessGone(open(msgnum)));
    if (!message) continue;
    rememberName(at, segment, msgnum);
    return message;
  }
}

function hasName({ headers, fields }: MessageHead, segment: string): boolean {
  const name = nameFrom(headers);
  // the UID of a named message is only an alias: another message may have it as its name
  return name === undefined
    ? euidsOf(segment).includes(fields.get('exti') ?? '')
    : name === segment || name === `${segment}/`;
}

const read = readMethod(messages, readCalled);

async function one(
  at: RoomAccess,
  segment: string,
  { isSizeWanted, ...options }: ReadOptions & { isSizeWanted: boolean },
): Promise<Member> {
  const { msgnum, head } = await read(at, segment, options);
  const row = { msgnum, euid: head.fields.get('exti') ?? '', time: toInt(head.fields.get('time')) };
  const cache = headerFacts(at.pool);
  const facts = cache.of(row) ?? cache.add(row, head.headers);
  const name = new MemberNames(head.entered).take(row, facts);
  if (!isSizeWanted) return memberOf(row, name, facts);
  const stored = new Map([[msgnum, head.headers]]);
  const complete = await new ContentLengths(at).complete(new Map([[msgnum, facts]]), stored);
  return memberOf(row, name, complete.get(msgnum)!);
}

export const naming: Pick<MemberMethods, 'one' | 'nameOf' | 'number' | 'read' | 'named' | 'settleName'> = {
  one,
  nameOf: async (_at, { msgnum, head }) =>
    new MemberNames(head.entered).take(
      { msgnum, euid: head.fields.get('exti') ?? '' },
      { name: nameFrom(head.headers) },
    ),
  number: findNumber,
  read,
  named: findNamed,
  settleName,
};
