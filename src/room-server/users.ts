// Users: lists, profiles, own mail and password, administration of accounts (verbs CHEK, LIST, RBIO, EBIO, SETP, CREU,
// AGUP, ASUP, protocol section 18.2), who is online (RWHO, protocol section 18.10), and suggestions for a recipient
// (AUTO, protocol section 18.9). Pictures are in pictures.ts.

import { AppError } from '../errors.ts';
import { MAX_COMPLETIONS } from '../limits/backend.ts';
import { isPersonLike, type Person, recipientOf } from '../mime/objects/properties.ts';
import { LEVEL } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { messageNumbers } from '../protocol/message-fields.ts';
import { accountName } from '../protocol/names.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { type Connection, writeText } from './connection/connection.ts';
import { enterRoomCommand } from './connection/goto.ts';
import { type Identity, levelFrom } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals, unexpectedAnswer } from './connection/server-errors.ts';

const CHECK = command('CHEK');
const UNUSABLE: KnownRefusals = {
  [STATUS.alreadyExists]: ['conflict', 'A user with this name, or a similar one, already exists.'],
  [STATUS.illegalValue]: ['bad_request', 'The room server does not accept this name or password.'],
};
export const ENTER_INBOX = enterRoomCommand({ name: ROOM_MACRO.mail, password: '' }, true);
const OWN_ADDRESSES = command('GVEA');

/** Own mail addresses, the main one first; none for a guest. */
export async function ownAddresses(pool: Pool, identity: Identity): Promise<string[]> {
  const [check, addresses] = await pool.read(identity, [CHECK, OWN_ADDRESSES]);
  if (check!.code === STATUS.notLoggedIn) return [];
  const main = splitFields(expectClass(check!, REPLY.done).text)[3] ?? '';
  return [...new Set([main, ...addresses!.lines])].filter((address) => address !== '');
}

/** From a list of the inbox: the number of messages above `previous`, and the highest number. */
export function newMailIn(list: Answer, highest: number, previous: number): { inbox: number; count: number } {
  const numbers = messageNumbers(expectClass(list, REPLY.listing).lines).filter((number) => number > previous);
  // one may have arrived between the two answers
  return { inbox: Math.max(highest, numbers.at(-1) ?? 0), count: numbers.length };
}

export interface ListedUser {
  name: string;
  level: number;
  usernum: number;
  lastCall: number;
}

/** Rows of LIST. */
export async function listUsers(connection: Connection): Promise<ListedUser[]> {
  return userRowsFrom(await connection.ask(command('LIST')));
}

/** Users whose name contains the text (all for ''), without deleted ones that still have a session. */
export async function findUsers(pool: Pool, identity: Identity, text: string): Promise<ListedUser[]> {
  const [answer] = await pool.read(identity, [command('LIST', text)]);
  return userRowsFrom(answer!).filter(({ level }) => level !== LEVEL.deleted);
}

export function userRowsFrom(answer: Answer): ListedUser[] {
  return expectClass(answer, REPLY.listing).lines.map((line) => {
    const fields = splitFields(line);
    return { name: fields[0]!, level: levelFrom(fields[1]), usernum: toInt(fields[2]), lastCall: toInt(fields[3]) };
  });
}

export interface Profile extends ListedUser {
  /** the profile text */
  bio: string;
  /** undefined: unknown */
  hasPicture: boolean | undefined;
}

/** From the answer to RBIO. Throws not_found (570). */
export function profileFrom(answer: Answer, name: string): Profile {
  const { text, lines } = expectClass(answer, REPLY.listing);
  // `OK|name|number|level|last call|0|0`, and `|1` for a picture if embedded
  const fields = splitFields(text);
  if (toInt(fields[3]) === LEVEL.deleted) throw new AppError('not_found', 'No such user.');
  return {
    name: fields[1] ?? name,
    usernum: toInt(fields[2]),
    level: levelFrom(fields[3]),
    lastCall: toInt(fields[4]),
    bio: lines.map((line) => `${line}\n`).join(''),
    hasPicture: fields[7] === undefined ? undefined : fields[7] === '1',
  };
}

/** Replaces one's own profile text (EBIO). */
export function setProfile(pool: Pool, identity: Identity, text: string): Promise<void> {
  return pool.withConnection(identity, (connection) => writeText(connection, command('EBIO'), text));
}

/** Creates an account (CREU). Throws conflict if the name is taken (574), bad_request for an invalid one. */
export async function createUser(connection: Connection, name: string, password: string): Promise<void> {
  expectClass(await connection.ask(command('CREU', name, password)), REPLY.done, UNUSABLE);
}

/** Changes password or level of an account (ASUP); level 0 deletes it. Throws not_found (570). */
export async function updateUser(
  connection: Connection,
  name: string,
  change: { password?: string; level?: number },
): Promise<void> {
  const found = expectClass(await connection.ask(command('AGUP', name)), REPLY.done);
  const [stored, password, flags, , , level, , lastCall, purgeDays] = splitFields(found.text);
  if (stored === undefined || purgeDays === undefined) {
    throw unexpectedAnswer();
  }
  const fields = [stored, change.password ?? password!, flags!, 0, 0, change.level ?? level!, 0, lastCall!, purgeDays];
  expectClass(await connection.ask(command('ASUP', ...fields)), REPLY.done);
}

/** Changes one's own password (SETP). */
export async function setPassword(connection: Connection, password: string): Promise<void> {
  expectClass(await connection.ask(wholeLineCommand('SETP', password)), REPLY.done);
}

const WHO = command('RWHO');

interface OnlineSession {
  session: number;
  user: string;
  /** empty if hidden from the caller, or none */
  room: string;
  host: string;
  client: string;
  /** Unix seconds */
  lastActivity: number;
}

/** Sessions of logged-in users, newest first. */
export async function listOnline(pool: Pool, identity: Identity): Promise<OnlineSession[]> {
  const [answer] = await pool.read(identity, [WHO]);
  return expectClass(answer!, REPLY.listing).lines.flatMap((line) => {
    const fields = splitFields(line);
    if (toInt(fields[11]) === 0) return [];
    const [, user = '', room = '', host = '', client = ''] = fields;
    return [{ session: toInt(fields[0]), user, room: room.trim(), host, client, lastActivity: toInt(fields[5]) }];
  });
}

/** A guest with connections of its own: after USER, a real server delivers instant messages there (quirk Q65). */
const ASKER: Identity = { user: '', password: 'USER' };

/**
 * The account that a log-in with this name is for, as accountName; failed log-ins are counted by it. The room server says
 * its main name (verb USER), as it may also know a user by address or by the first bytes of a long name. For an unknown
 * user the given name.
 */
export async function accountOfLogin(pool: Pool, user: string): Promise<string> {
  const [answer] = await pool.readAndLeave(ASKER, [command('USER', user)]);
  const told = answer!.code === STATUS.moreNeeded ? /^Password required for (.+)$/.exec(answer!.text) : undefined;
  return accountName(told?.[1] ?? user);
}

const INFO = command('INFO');
const FQDN_LINE = 3;

export interface Suggestion {
  name: string;
  address: string;
  /** for a list of recipients */
  recipient: string;
}

/**
 * People in address books, from AUTO and then `more`, followed by users, whom AUTO may not find: their addresses are
 * derived from their names (protocol section 7).
 */
export async function suggestRecipients(
  pool: Pool,
  identity: Identity,
  text: string,
  more: () => Promise<readonly Person[]> = async () => [],
): Promise<Suggestion[]> {
  const [people, users, info] = await pool.read(identity, [command('AUTO', text), command('LIST', text), INFO]);
  const host = expectClass(info!, REPLY.listing).lines[FQDN_LINE]?.trim() ?? '';
  const isUnknown = people!.code === STATUS.unsupported;
  const found = isUnknown ? [] : expectClass(people!, REPLY.listing).lines.map(parseSuggestion);
  const addresses = new Set(found.map(({ address }) => address.toLowerCase()));
  for (const person of await more()) {
    const address = person.address.toLowerCase();
    if (addresses.has(address) || !isPersonLike(person, text.toLowerCase())) continue;
    addresses.add(address);
    found.push({ ...person, recipient: recipientOf(person) });
  }
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  for (const { name } of userRowsFrom(users!)) {
    if (names.has(name.toLowerCase())) continue;
    const address = host === '' ? '' : `${name.toLowerCase().replace(/[^a-z0-9.-]/g, '_')}@${host}`;
    found.push({ name, address, recipient: name });
  }
  return found.slice(0, MAX_COMPLETIONS);
}

/** `'"Smith, Bob" <bob@x>'` → name without quotes, address, and the whole line */
export function parseSuggestion(line: string): Suggestion {
  const [, phrase = '', address = line.trim()] = /^(.*)<([^<>]*)>\s*$/.exec(line) ?? [];
  const name = phrase.trim().replace(/^"(.*)"$/s, (_, inner: string) => inner.replace(/\\(.)/gs, '$1'));
  return { name, address, recipient: line.trim() };
}
