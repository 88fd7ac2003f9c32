// The source of `vestibule copy`: reads everything from an embedded room server (XFER), and from others what an
// administrator can see (protocol sections 8 to 14). Restores fields from marks of an earlier migration (marks.ts).

import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { BATCH_MESSAGES } from '../../limits/dav.ts';
import { SPOOL_MEMORY_BYTES } from '../../limits/http.ts';
import { base64Encoder, transform, withoutCr } from '../../mime/coding/transfer.ts';
import { headerValue, parseHeaderLines } from '../../mime/headers.ts';
import { type EnteredRoom, LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../model.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { binaryLength } from '../../protocol/framing.ts';
import { anonymityOf, parseMessageFields } from '../../protocol/message-fields.ts';
import { fullPersonalName, OWN_ROOM } from '../../protocol/room-facts.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { REPLY, replyClass, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { enterRoom } from '../../room-server/connection/goto.ts';
import { expectClass } from '../../room-server/connection/server-errors.ts';
import { FRESH_LIST, storedHeadersOf } from '../../room-server/messages.ts';
import { isPageHistory } from '../../room-server/page-history.ts';
import { type Picture, readPicture } from '../../room-server/pictures.ts';
import { floorsFrom, parseRoomRow, SYSTEM_ACCOUNT } from '../../room-server/rooms.ts';
import { listUsers } from '../../room-server/users.ts';
import { base64Header } from './encoded-body.ts';
import { isMark, originalIds, withHiddenAuthor, withoutMarks } from './marks.ts';
import type { CopySource, Listed, Room, StoredFields, User, Visit } from './model.ts';
import { afterLines, asText, firstLines } from './streams.ts';

/** limits of servers that do not list others' personal rooms */
const NOTES = [
  "An ordinary room server does not reveal other users' read marks, nor personal rooms except the usual ones",
  `(${Object.values(OWN_ROOM).join(', ')}).`,
  'It does not show CR: multiparts have LF line ends now.',
];
/** header fields that an ordinary room server stores as message fields */
const KEPT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['rep2', 'Reply-To'],
  ['list', 'List-ID'],
  ['nvto', 'Envelope-To'],
]);
const ALL_IDS = command('MSGS', 'ALL', '', '', 8);

/** Whether this is the administration socket of an embedded server, which answers XFER. */
export async function answersXfer(connection: Connection): Promise<boolean> {
  return (await connection.ask(command('XFER'))).code === STATUS.done;
}

/** `account`: the logged-in one; '' on an administration socket. */
export function openSource(connection: Connection, hasXfer: boolean, account: string): CopySource {
  /** name of the current room */
  let current = '';
  /** the account's read mark there */
  let lastSeen = 0;
  const goto = async ({ name, password }: Room): Promise<void> => {
    if (current === name) return;
    ({ lastSeen } = await enterRoom(connection, { name, password }, true));
    current = name;
    await connection.ask(FRESH_LIST);
  };
  const lines = async (verb: string) => expectClass(await connection.ask(verb), REPLY.listing).lines;

  return {
    notes: hasXfer ? [] : NOTES,
    floors: async () => floorsFrom(await connection.ask(command('LFLR'))),
    users: () => usersOf(connection),
    async rooms(users) {
      if (hasXfer) return (await lines(command('XFER', 'rooms'))).map(parseRoom);
      const rooms = await listRooms(connection, users);
      current = ''; // listRooms() has changed the room
      return rooms;
    },
    async list(room) {
      await goto(room);
      const listed = await listIds(connection);
      if (hasXfer) return listed;
      const isPage = ({ euid }: { euid: string }) => room.view !== VIEW.wiki || !isPageHistory(euid);
      return (await withOriginals(connection, listed.filter(isPage))).map(({ isCopy: _, ...message }) => message);
    },
    async withMessage(room, msgnum, use) {
      await goto(room);
      if (hasXfer) return withStored(connection, msgnum, use);
      return withShown(connection, msgnum, use);
    },
    async visits(room) {
      await goto(room);
      if (hasXfer) return (await lines(command('XFER', 'visits'))).map(parseVisit);
      const names = (await lines(command('WHOK'))).filter((name) => !SYSTEM_ACCOUNT.test(name));
      const own = account === '' ? undefined : await connection.ask(command('GTSN'));
      return names.map((user): Visit => {
        const seen = user === account && own?.code === STATUS.done ? SequenceSet.parse(own.text) : undefined;
        return { user, state: 'known', lastRead: seen ? lastSeen : 0, view: '', seen };
      });
    },
    async info(room) {
      await goto(room);
      const answer = await connection.ask(command('RINF'));
      if (answer.code === STATUS.noSuchFile) return undefined;
      return expectClass(answer, REPLY.listing)
        .lines.map((line) => `${line}\n`)
        .join('');
    },
    async withRoomPicture(room, use) {
      await goto(room);
      await withPicture(connection, command('DLRI'), use);
    },
    withUserPicture: (user, use) => withPicture(connection, command('DLUI', user), use),
  };
}

/** From LIST, AGUP and RBIO. */
export async function usersOf(connection: Connection): Promise<User[]> {
  const rows = (await listUsers(connection)).filter(({ level }) => level !== LEVEL.deleted);
  const users: User[] = [];
  for (const { name, usernum: num, level } of rows) {
    const [account, profile] = await connection.askAll([command('AGUP', name), command('RBIO', name)]);
    // name|password|flags|…
    const fields = splitFields(expectClass(account!, REPLY.done).text);
    const bio = profile!.lines.map((line) => `${line}\n`).join('');
    users.push({ num, name, level, flags: toInt(fields[2]), password: fields[1] ?? '', bio });
  }
  return users;
}

/** Numbers, ids and euids of all messages in the current room. */
export async function listIds(connection: Connection): Promise<(Listed & { euid: string })[]> {
  expectClass(await connection.start(ALL_IDS), REPLY.sendTextThenListing);
  const rows = await connection.sendText([Buffer.from('msgn\nexti\n')]);
  return rows.map((row) => {
    const [, msgid = '', ...rest] = row.split('|');
    const euid = rest.join('|'); // may contain bars
    return { msgnum: toInt(row), msgid, euid, key: euid || msgid };
  });
}

/** Restores the original ids from marks of earlier migrations (marks.ts). */
export async function withOriginals(
  connection: Connection,
  listed: readonly (Listed & { euid: string })[],
): Promise<(Listed & { euid: string; isCopy: boolean })[]> {
  const known: (Listed & { euid: string; isCopy: boolean })[] = [];
  for (let at = 0; at < listed.length; at += BATCH_MESSAGES) {
    const batch = listed.slice(at, at + BATCH_MESSAGES);
    const numbers = batch.map(({ msgnum }) => msgnum);
    const headers = await storedHeadersOf(connection, numbers);
    for (const [i, message] of batch.entries()) {
      const ids = originalIds((headers[i] ?? []).map(({ name, value }) => `${name}: ${value}`));
      known.push({ ...message, ...ids, isCopy: ids !== undefined });
    }
  }
  return known;
}

/** Parses a row of XFER rooms. */
export function parseRoom(line: string): Room {
  const [name = '', flags, floor, order, flags2, view, passwordHash = '', directory = '', admin = ''] =
    splitFields(line);
  const numbers = { flags: toInt(flags), floor: toInt(floor), order: toInt(order), flags2: toInt(flags2) };
  return { name, ...numbers, view: toInt(view), password: '', passwordHash, directory, admin };
}

/** Parses a row of XFER visits. */
export function parseVisit(line: string): Visit {
  const [user = '', state = '', lastRead, view = '', seen = ''] = splitFields(line);
  return { user, state, lastRead: toInt(lastRead), view, seen: SequenceSet.parse(seen) };
}

async function listRooms(connection: Connection, users: readonly User[]): Promise<Room[]> {
  const rooms: Room[] = [];
  const answers = await connection.askAll([command('LKRA', -1), command('LZRM', -1)]);
  const shared = answers
    .flatMap((answer) => expectClass(answer, REPLY.listing).lines.map(parseRoomRow))
    .filter((row) => (row.flags2 & ROOM_FLAG2.system) === 0 && (row.flags & ROOM_FLAG.personal) === 0);
  for (const { name, flags, floor, order, flags2, defaultView: view } of shared) {
    const room = { name, flags, floor, order, flags2, view, password: '', directory: '', admin: '' };
    if (!(await ifThere(enterRoom(connection, room, true)))) continue;
    const [settings, admin] = await connection.askAll([command('GETR'), command('GETA')]);
    const fields = settings!.code === STATUS.done ? splitFields(settings!.text) : [];
    rooms.push({
      ...room,
      password: fields[1] ?? '',
      directory: fields[2] ?? '',
      admin: admin!.code === STATUS.done ? admin!.text.trim() : '',
    });
  }
  for (const { num } of users) {
    for (const usual of Object.values(OWN_ROOM)) {
      const name = fullPersonalName(num, usual);
      const entered = await ifThere(enterRoom(connection, { name, password: '' }, true));
      if (!entered) continue;
      const { flags, flags2, defaultView: view } = entered;
      rooms.push({ name, flags, floor: 0, order: 0, flags2, view, password: '', directory: '', admin: '' });
    }
  }
  return rooms;
}

/** undefined: the room is deleted or unnamed (quirks Q4, Q20). */
async function ifThere(entering: Promise<EnteredRoom>): Promise<EnteredRoom | undefined> {
  try {
    return await entering;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return undefined;
  }
}

/** Reads a message as stored (XFER read). */
async function withStored<T>(
  connection: Connection,
  msgnum: number,
  use: (head: StoredFields, body: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const status = expectClass(await connection.start(command('XFER', 'read', msgnum)), REPLY.binary);
  const { lines, rest } = await firstLines(connection.binary(binaryLength(status)), (line) => line !== 'text');
  return use(parseMessageFields(lines).fields, afterLines(rest, 1));
}

/**
 * Reads a message of the current room with MSG0 and MSG2, which prepends generated headers (its mode 3 returns these
 * alone) and hides CR; single-part text is read with DLAT.
 */
export async function withShown<T>(
  connection: Connection,
  msgnum: number,
  use: (head: StoredFields, body: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const modes = [command('MSG2', msgnum, 3), command('MSG2', msgnum, 1)];
  const [fields, ...headers] = await connection.askAll([command('MSG0', msgnum, 3), ...modes]);
  const head = parseMessageFields(expectClass(fields!, REPLY.listing).lines).fields;
  head.set('anon', anonymityOf(head) ?? 'no');
  const isMime = head.get('type') === '4';
  const [made, all] = headers.map((answer) => expectClass(answer, REPLY.listing).lines.filter((line) => line.trim()));
  const stored = all!.slice(made!.length);
  const give = (lines: readonly string[], rest: AsyncIterable<Buffer>) => {
    const [original, body] = withoutMarks(head, lines, rest);
    return use(withHiddenAuthor(original), isMime ? asText(fieldLines(head), body) : body);
  };
  // migrated messages have no unencoded CR
  const isPlain = isMime && !stored.some(isMark) && isPlainPart(stored);
  const part = isPlain ? await partWithCr(connection, msgnum) : undefined;
  const bytes = stored.map((line) => Buffer.from(line).toString('latin1'));
  if (part) return give(base64Header(bytes), asText('\n', transform(part, base64Encoder())));
  expectClass(await connection.start(command('MSG2', msgnum, isMime ? 0 : 2)), REPLY.listing);
  const body = withoutCr(afterLines(connection.listing(), isMime ? made!.length : 0));
  const { lines, rest } = await firstLines(body, (line) => isMime && line !== '', 'latin1');
  return give(lines, rest);
}

/** Fields that the embedded room server stores as header lines. */
function fieldLines(head: StoredFields): string {
  const kept = [...KEPT_FIELDS].filter(([name]) => head.get(name)?.trim());
  return kept.map(([name, field]) => `${field}: ${head.get(name)}\n`).join('');
}

function isPlainPart(header: readonly string[]): boolean {
  const fields = parseHeaderLines(header);
  const encoding = headerValue(fields, 'Content-Transfer-Encoding')?.trim().toLowerCase();
  return encoding !== 'base64' && !/^(multipart|message)\//i.test(headerValue(fields, 'Content-Type') ?? '');
}

/** Part 1; undefined if it is small and without CR, so that MSG2 shows it correctly. */
async function partWithCr(connection: Connection, msgnum: number): Promise<AsyncIterable<Buffer> | undefined> {
  const status = await connection.start(command('DLAT', msgnum, '1'));
  if (replyClass(status.code) !== REPLY.binary) return undefined;
  const length = binaryLength(status);
  if (length > SPOOL_MEMORY_BYTES) return connection.binary(length);
  const bytes = Buffer.concat(await Array.fromAsync(connection.binary(length)));
  return bytes.includes('\r') ? Readable.from([bytes]) : undefined;
}

async function withPicture(
  connection: Connection,
  verb: string,
  use: (picture: Picture) => Promise<void>,
): Promise<void> {
  try {
    await readPicture(connection, verb, {}, use);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
}
