// Versions of a wiki page: lists and reads them (verb WIKI, protocol section 18.11).

import { parseHeaderLines } from '../mime/headers.ts';
import type { EnteredRoom } from '../model.ts';
import { command, splitFields, toInt } from '../protocol/fields.ts';
import { parseMessageFields } from '../protocol/message-fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/server-errors.ts';
import type { MessageHead } from './messages.ts';

const NO_VERSION: KnownRefusals = {
  [STATUS.noSuchMessage]: ['not_found', 'No such page or version.'],
};

/** suffix of the euid of a page's history; the page's name precedes it */
const HISTORY_MARK = '_HISTORY_';

/** A real server stores histories among the pages (protocol section 17.4, quirk Q63). */
export function isPageHistory(euid: string): boolean {
  return euid.endsWith(HISTORY_MARK);
}

export interface PageVersion {
  uuid: string;
  /** Unix seconds */
  time: number;
  author: string;
}

export type VersionHead = PageVersion & Omit<MessageHead, 'seen'>;

const listCommand = (page: string) => command('WIKI', 'history', page);

/** The latest first. Throws not_found. */
export async function listVersions(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  page: string,
): Promise<{ entered: EnteredRoom; versions: PageVersion[] }> {
  const { entered, answers } = await pool.readInRoom(identity, room, [listCommand(page)]);
  return { entered, versions: versionsFrom(expectClass(answers[0]!, REPLY.listing, NO_VERSION).lines) };
}

/** `uuid|time|author|node` */
function versionsFrom(lines: readonly string[]): PageVersion[] {
  return lines.map((line) => {
    const [uuid = '', time, author = ''] = splitFields(line);
    return { uuid, time: toInt(time), author };
  });
}

/** Calls `use` with one version and its RFC 5322 text (CR LF), to be consumed before it returns. Throws not_found. */
export function withVersion<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  page: string,
  uuid: string,
  use: (head: VersionHead, bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const fetch = command('WIKI', 'rev', page, uuid, 'fetch');
  return pool.visitRoom(identity, room, async (connection, entered) => {
    const [list, fetched] = await connection.askAll([listCommand(page), fetch]);
    const versions = versionsFrom(expectClass(list!, REPLY.listing, NO_VERSION).lines);
    // the list omits very old ones, which can still be fetched
    const version = versions.find((each) => each.uuid === uuid) ?? { uuid, time: 0, author: '' };
    const msgnum = toInt(expectClass(fetched!, REPLY.done, NO_VERSION).text);
    const head = await readFetched(connection, msgnum);
    expectClass(await connection.start(command('MSG2', msgnum)), REPLY.listing);
    return use({ ...version, ...head, entered }, connection.listing());
  });
}

/** Without FRESH_LIST, whose list would not contain the fetched message. */
async function readFetched(connection: Connection, msgnum: number) {
  const [fields, headers] = await connection.askAll([command('MSG0', msgnum, 1), command('MSG2', msgnum, 1)]);
  return {
    ...parseMessageFields(expectClass(fields!, REPLY.listing).lines),
    headers: parseHeaderLines(expectClass(headers!, REPLY.listing).lines),
  };
}
