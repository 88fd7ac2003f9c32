// The versions of a page of a wiki: their list, and reading one (verb WIKI, protocol section 18.11).

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
  [STATUS.noSuchMessage]: ['not_found', 'There is no such page, or no such version.'],
};

/** ends the euid of the message that holds the history of a page; what stands before it is the name of the page */
const HISTORY_MARK = '_HISTORY_';

/** A real server keeps such a message beside its pages (protocol section 17.4, quirk Q63). */
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

/**
 * Gives one version to `use`: what is known of it, and its RFC 5322 text with CR LF line ends, to be consumed before
 * `use` returns. Throws not_found.
 */
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
    // one so old that the list does not name it can be fetched all the same
    const version = versions.find((each) => each.uuid === uuid) ?? { uuid, time: 0, author: '' };
    const msgnum = toInt(expectClass(fetched!, REPLY.done, NO_VERSION).text);
    const head = await readFetched(connection, msgnum);
    expectClass(await connection.start(command('MSG2', msgnum)), REPLY.listing);
    return use({ ...version, ...head, entered }, connection.listing());
  });
}

/** Without a new list of messages before it, which would not hold what was fetched. */
async function readFetched(connection: Connection, msgnum: number) {
  const [fields, headers] = await connection.askAll([command('MSG0', msgnum, 1), command('MSG2', msgnum, 1)]);
  return {
    ...parseMessageFields(expectClass(fields!, REPLY.listing).lines),
    headers: parseHeaderLines(expectClass(headers!, REPLY.listing).lines),
  };
}
