// A room server that behaves as a Citadel 980 does where it differs from ours: the embedded one, behind a relay that
// takes one command at a time, knows no verb of our own, and does what the quirks say (src/protocol/QUIRKS.md). Each
// difference is told by an option, so that a test names those it is about. A real one is put in its place by
// CITADEL_URL where a suite is run on it.

import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { StoredRoom } from '../../src/backend/store/records.ts';
import { isInRoom } from '../../src/backend/store/references.ts';
import { findRoom } from '../../src/backend/store/rooms.ts';
import type { Store } from '../../src/backend/store/store.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { updateVisit, visitOf, visitorsOf } from '../../src/backend/store/visits.ts';
import { VIEW } from '../../src/model.ts';
import { splitFields } from '../../src/protocol/fields.ts';
import { searchTerms } from '../../src/protocol/search-words.ts';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { rewrittenCard } from './real-cards.ts';
import { RealEuids } from './real-euids.ts';
import { keepHistory, RealPages, wikiCommand, wikiReply } from './real-wiki.ts';
import { startRoomServer, type TestRoomServer, type TestRoomServerOptions } from './room-server.ts';
import { startSlowFront } from './slow-front.ts';
import { listenOnUnixSocket, SocketReader, type UnixListener } from './unix-listener.ts';

/** verbs that only the embedded room server has, and those a gateway must get along without */
const OWN_VERBS = /^(NTFY|FIND|XFER|SKEY|MEMB|PROP|SCHD)\b/;
const DEAR_LIST = /^MSGS (LAST|FIRST|GT|LT|NEW|OLD)\b/i;
const REAL_BACKLOG = 5;
const NOTICE = 57; // a status line that begins with 9
const INFO_SOFTWARE = 5; // line of INFO, counted from the status line
const INFO_OWN_VERBS = 26;

/** in place of a reply: the connection is broken off */
export const LOST = 'LOST';

/** What one connection has said so far. */
export interface RealSession {
  user: string;
  /** whom USER has named, until PASS: instant messages for him are delivered here, and lost (quirk Q65) */
  selected: string;
  /** as the last GOTO that was granted named it */
  room: string;
  /** as GOTO has told */
  isRoomAdmin: boolean;
  commands: string[];
}

/** A command and its whole reply, LF line ends. */
export interface Answered {
  session: RealSession;
  command: string;
  reply: string;
}

export interface RealServerOptions extends Omit<TestRoomServerOptions, 'version'> {
  /** log-ins at once; a further one is refused with 551, and nobody idle goes for it (quirk Q56) */
  maxSessions?: number;
  /**
   * `c_maxmsglen`: of a longer message the lines up to the one that crosses it are kept, and the confirmation is as
   * ever (quirk Q40)
   */
  maxMessageBytes?: number;
  /** what an administrator has said: `{ c_creataide: '0' }`, who makes a room does not administer it (quirk Q62) */
  settings?: Record<string, string>;
  /**
   * SRCH, MSGS SEARCH and AUTO find nothing above this number, and AUTO no users (quirk Q57); may be changed meanwhile
   */
  index?: { upTo: number };
  /** milliseconds that each round trip takes: a link that is slow */
  latencyMs?: number;
  /** its socket has a backlog of 5, and each accept takes so many milliseconds (quirk Q55) */
  acceptMs?: number;
  /** Answers a command in the server's place: whole lines with LF, or undefined. */
  answer?: (command: string, session: RealSession) => string | undefined;
  /** Changes the reply of the server; LOST breaks off the connection in its place. */
  rewrite?: (answered: Answered) => string;
}

export interface RealServer extends UnixListener {
  /** what is behind the relay: its store is the state of this server */
  behind: TestRoomServer;
  /** every connection there has been, with its command lines as they came */
  sessions: RealSession[];
  /** connections that are logged in now, and the most there have been at once */
  loggedIn(): number;
  mostLoggedIn(): number;
  /** times that a client waited for replies before it said more: the round trips of all connections */
  roundTrips(): number;
  /** lists that it makes by looking at the read marks: seconds each where those are scattered (quirk Q58) */
  dearLists(): string[];
  /** rooms whose KILL has broken the server (quirk Q61) */
  broken: string[];
}

/** `users` as startRoomServer: name → level; passwords `<name>pw`, `admin`/`adminpw`. Closed when the test ends. */
export async function startRealServer(
  t: { after(done: () => Promise<void> | void): void },
  options: RealServerOptions = {},
): Promise<RealServer> {
  const {
    maxSessions,
    maxMessageBytes,
    settings = {},
    index,
    latencyMs,
    acceptMs,
    answer,
    rewrite,
    ...behindOptions
  } = options;
  const behind = await startRoomServer(t, behindOptions);
  for (const [name, value] of Object.entries(settings)) behind.store.setConfig(name, value);
  const euids = new RealEuids(behind.store);
  const pages = new RealPages();
  const sessions: RealSession[] = [];
  const broken: string[] = [];
  /** rows of rooms that KILL has deleted (quirk Q20) */
  const deleted: string[] = [];
  let loggedIn = 0;
  let most = 0;
  let trips = 0;

  const listener = await listenOnUnixSocket((socket) => {
    const upstream = connect(behind.socketPath);
    const session: RealSession = { user: '', selected: '', room: '', isRoomAdmin: false, commands: [] };
    sessions.push(session);
    const end = (): void => {
      if (session.user !== '') loggedIn--;
      session.user = '';
      session.selected = '';
      upstream.destroy();
      socket.destroy();
    };
    for (const one of [socket, upstream]) one.on('error', () => {}).on('close', end);
    serve(socket, upstream, session).then(end, end);
  });
  t.after(() => listener.close());

  async function serve(socket: Socket, upstream: Socket, session: RealSession): Promise<void> {
    const client = new SocketReader(socket);
    const server = new SocketReader(upstream);
    /** a line that the server may say without being asked (ASYN) */
    let unasked: Promise<Buffer> | undefined;
    const nextCommand = async (): Promise<Buffer> => {
      const line = client.line();
      for (;;) {
        unasked ??= server.line();
        const isCommand = await Promise.race([line.then(() => true), unasked.then(() => false)]);
        if (isCommand) return line;
        const notice = await unasked;
        unasked = undefined;
        if (notice.length === 0) return notice;
        socket.write(notice);
      }
    };
    const nextStatus = async (): Promise<Buffer> => {
      for (;;) {
        const status = await (unasked ?? server.line());
        unasked = undefined;
        if (status[0] !== NOTICE) return status;
        socket.write(status);
      }
    };
    const elsewhere = async (room: string) => {
      upstream.write(`GOTO ${room}\n`);
      await nextStatus();
    };
    socket.write(await server.line());
    for (;;) {
      const isWaiting = !client.hasLine();
      const line = await nextCommand();
      if (line.at(-1) !== 10) return;
      if (isWaiting) {
        trips++;
        if (latencyMs !== undefined) await setTimeout(latencyMs);
      }
      const command = line.toString().replace(/\r?\n$/, '');
      session.commands.push(command);
      const own = ownAnswer(command, session);
      if (own !== undefined) {
        send(socket, own);
        if (/^[48]/.test(own)) while (!isEnd(await client.line()));
        continue;
      }
      const isMailedDraft = /^Drafts$/i.test(session.room) && isMail(command);
      const [, list = '', target = ''] = /^(?:MOVE|DELE) ([\d,]+)\|?([^|]*)/i.exec(command) ?? [];
      const numbers = list.split(',').map(Number);
      euids.note(roomOf(session), numbers);
      const targetRoom = target === '' ? undefined : roomNamed(session, target);
      // it keeps no read marks of what goes to another room
      const visits = targetRoom ? [...visitorsOf(behind.store, targetRoom.id)] : [];
      const coming = numbers.filter((number) => targetRoom && !isInRoom(behind.store, targetRoom.id, number));
      if (isMailedDraft) await elsewhere('Mail'); // what has recipients is sent from anywhere (quirk Q11)
      upstream.write(wikiLine(command, session) ?? cutNameLine(command, session) ?? line);
      const status = await nextStatus();
      const reply = await wholeReply(status, client, server, socket, upstream, session);
      if (isMailedDraft) await elsewhere(session.room);
      if (status.toString().startsWith('2')) euids.enter(targetRoom, coming, /\|1$/.test(command));
      for (const visit of targetRoom ? visitorsOf(behind.store, targetRoom.id) : []) {
        const { seen } = visits.find(({ user }) => user === visit.user) ?? { seen: SequenceSet.upTo(0) };
        behind.store.transaction(() => updateVisit(behind.store, visit, { seen }));
      }
      keepTrack(command, status.toString(), session);
      const sent = reply && changed({ session, command, reply: reply.toString('latin1') });
      if (sent === LOST) return;
      if (sent !== undefined) send(socket, sent);
      if (/^QUIT/i.test(command)) return;
    }
  }

  /** What follows the status line; the text that the client sends for it is passed on. */
  async function wholeReply(
    status: Buffer,
    client: SocketReader,
    server: SocketReader,
    socket: Socket,
    upstream: Socket,
    session: RealSession,
  ): Promise<Buffer | undefined> {
    const kind = String.fromCharCode(status[0] ?? 0);
    const length = Number(/^\d{3}.(\d+)/.exec(status.toString())?.[1] ?? 0);
    if (kind === '6') return Buffer.concat([status, await server.bytes(length)]);
    if (kind === '1') return Buffer.concat([status, ...(await listing(server))]);
    if (kind !== '4' && kind !== '7' && kind !== '8') return status;
    send(socket, status.toString('latin1'));
    if (kind === '7') {
      upstream.write(await client.bytes(length));
      return undefined;
    }
    const isPost = /^ENT0 1/i.test(session.commands.at(-1) ?? '');
    const room = isPost ? roomOf(session) : undefined;
    const isHeld = room?.view === VIEW.addressBook || room?.view === VIEW.wiki;
    const held: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    for (let line = await client.line(); ; line = await client.line()) {
      if (line.length === 0) return undefined;
      if (isEnd(line)) {
        const text = Buffer.concat(held);
        const command = session.commands.at(-1)!;
        isRefused = room?.view === VIEW.wiki && size > 0 && pages.refuses(room, command, text.toString('latin1'));
        if (isPost && size > 0 && !isRefused) keepHistory(behind.store, room, session.user, command);
        if (isHeld && !isRefused) upstream.write((room?.view === VIEW.addressBook && rewrittenCard(text)) || text);
        upstream.write(line);
        break;
      }
      if (isHeld) held.push(line);
      else if (!isPost || maxMessageBytes === undefined || size < maxMessageBytes) upstream.write(line);
      size += line.length;
    }
    const confirmation = kind === '8' ? Buffer.concat(await listing(server)) : undefined;
    return isRefused ? Buffer.from('-3\nInternal error.\n\n000\n') : confirmation;
  }

  function ownAnswer(command: string, session: RealSession): string | undefined {
    if (OWN_VERBS.test(command)) return '530 Unrecognized or unsupported command.\n';
    const mine = answer?.(command, session);
    if (mine !== undefined) return mine;
    if (/^PASS /i.test(command) && maxSessions !== undefined && loggedIn >= maxSessions) {
      return '551 Too many users are already online.\n';
    }
    const [, receiver] = /^SEXP ([^|]+)\|-/i.exec(command) ?? [];
    if (receiver && sessions.some(({ selected }) => selected.toLowerCase() === receiver.toLowerCase())) {
      return '400 Transmit message (will deliver to 1 users)\n';
    }
    if (/^KILL 1/i.test(command) && isNeeded(session.room, settings)) {
      broken.push(session.room);
      return '200 ok\n';
    }
    return undefined;
  }

  function keepTrack(command: string, status: string, session: RealSession): void {
    const verb = command.slice(0, 4).toUpperCase();
    if (verb === 'KILL' && command.endsWith(' 1') && status.startsWith('2')) {
      const number = String(deleted.length + 1).padStart(4, '0');
      deleted.push(`9999999999.6b00e572.${number}.${session.room}|16386|0|64|0|486|0|0|1795220850|`);
    }
    if (verb === 'USER') session.selected = /^300 Password required for (.*)/.exec(status)?.[1] ?? '';
    if (verb === 'PASS' && status.startsWith('2')) session.selected = '';
    if (verb === 'PASS' && status.startsWith('2')) {
      session.user = status.slice(4).split('|')[0]!;
      loggedIn++;
      most = Math.max(most, loggedIn);
    }
    if (verb === 'LOUT' && session.user !== '') {
      session.user = '';
      loggedIn--;
    }
    if (verb === 'GOTO' && status.startsWith('2')) {
      const fields = status.slice(4).split('|');
      session.room = fields[0]!;
      session.isRoomAdmin = fields[8] === '1';
      if (splitFields(command)[2] !== '1') becomeKnown(session.user, command.slice(5).split('|')[0]!);
    }
  }

  /** Whoever enters a room knows it, be he an administrator in somebody's mailbox (quirk Q59). */
  function becomeKnown(userName: string, roomName: string): void {
    const { store } = behind;
    const user = findUser(store, userName);
    const room = user && findRoom(store, user, roomName);
    if (!user || !room) return;
    store.transaction(() => updateVisit(store, visitOf(store, user.id, room.id), { state: 'known' }));
  }

  /** where the session is */
  function roomOf(session: RealSession): StoredRoom | undefined {
    return roomNamed(session, session.room);
  }

  function roomNamed({ user }: RealSession, name: string): StoredRoom | undefined {
    const account = findUser(behind.store, user);
    return account && findRoom(behind.store, account, name);
  }

  function wikiLine(command: string, session: RealSession): string | undefined {
    return /^WIKI /i.test(command) ? `${wikiCommand(behind.store, roomOf(session), command)}\n` : undefined;
  }

  /** A new name of a room is cut, and the confirmation is as ever. */
  function cutNameLine(command: string, session: RealSession): string | undefined {
    const [, head, name, rest] = /^(CRE8 1\||SETR )([^|]*)(.*)$/i.exec(command) ?? [];
    if (name === undefined) return undefined;
    const isPersonal = /^CRE8/i.test(command) ? rest!.startsWith('|4|') : roomOf(session)?.owner != null;
    const kept = Buffer.from(name).subarray(0, isPersonal ? PERSONAL_ROOM_NAME_BYTES : ROOM_NAME_BYTES);
    return `${head}${kept}${rest}\n`;
  }

  function changed(answered: Answered): string {
    const { command } = answered;
    let reply = wikiReply(command, answered.reply);
    if (/^INFO/i.test(command))
      reply = withLine(withLine(reply, INFO_SOFTWARE, 'Citadel Server 980'), INFO_OWN_VERBS, '');
    if (/^(LKRA|LRMS)/i.test(command) && reply.startsWith('1')) {
      reply = reply.replace(/000\n$/, `${deleted.map((row) => `${row}\n`).join('')}000\n`);
    }
    const setting = /^CONF GETVAL\|(\w+)$/i.exec(command)?.[1];
    const limit = { c_maxmsglen: String(maxMessageBytes ?? 10_485_760) };
    const told = setting && { ...NAMED_ROOMS, ...limit, ...settings }[setting];
    if (told !== undefined && /^[25]00/.test(reply)) reply = `200 ${told}|\n`; // 550 to who is no administrator
    if (index && /^(SRCH |MSGS SEARCH|AUTO )/i.test(command) && reply.startsWith('1')) {
      const isHit = /^AUTO/i.test(command)
        ? (line: string) => isOnCard(line, index.upTo, behind.store)
        : (line: string) => Number.parseInt(line, 10) <= index.upTo;
      const [status, ...lines] = reply.split('\n');
      reply = [status, ...lines.slice(0, -2).filter(isHit), '000', ''].join('\n');
    }
    if (/^(MSG0|MSG2|MSGS) /i.test(command)) reply = withAuthors({ ...answered, reply }, behind.store);
    return rewrite?.({ ...answered, reply }) ?? reply;
  }

  const path =
    acceptMs === undefined
      ? listener.path
      : await startSlowFront(t, listener.path, { backlog: REAL_BACKLOG, acceptMs });
  return {
    ...listener,
    path,
    behind,
    sessions,
    broken,
    dearLists: () => sessions.flatMap(({ commands }) => commands.filter((line) => DEAR_LIST.test(line))),
    loggedIn: () => loggedIn,
    mostLoggedIn: () => most,
    roundTrips: () => trips,
  };
}

function send(socket: Socket, text: string): void {
  socket.write(Buffer.from(text, 'latin1'));
}

async function listing(server: SocketReader): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  for (;;) {
    const line = await server.line();
    lines.push(line);
    if (line.length === 0 || line.toString('latin1') === '000\n') return lines;
  }
}

/** A line `Name <address>` of AUTO is of a card that the index has. */
function isOnCard(line: string, upTo: number, store: Store): boolean {
  const address = Buffer.from(/[^<>\s]+(?=>?$)/.exec(line)?.[0] ?? '', 'latin1').toString();
  const sql = 'SELECT rowid FROM message_text WHERE message_text MATCH ? AND rowid <= ?';
  return store.prepare(sql).all(searchTerms(address).join(' AND '), upTo).length > 0;
}

const isEnd = (line: Buffer): boolean => line.length === 0 || /^000\r?\n$/.test(line.toString('latin1'));

const ROOM_NAME_BYTES = 127;
const PERSONAL_ROOM_NAME_BYTES = 116;

/** What these rooms are called unless an administrator says otherwise. */
const NAMED_ROOMS = { c_baseroom: 'Lobby', c_aideroom: 'Aide', c_twitroom: 'Trashcan' };

function isNeeded(room: string, settings: Readonly<Record<string, string>>): boolean {
  const names = Object.values({ ...NAMED_ROOMS, ...settings });
  return [...names, 'Global Address Book'].some((name) => name.toLowerCase() === room.toLowerCase());
}

function isMail(command: string): boolean {
  const fields = /^ENT0 /i.test(command) ? command.split('|') : [];
  return [1, 7, 8].some((i) => (fields[i] ?? '') !== '');
}

interface Author {
  author: string;
  path: string;
  address: string;
}

/**
 * What it tells of anonymous messages, wherever they lie (quirk Q22): all in lists, else all but the name, that to room
 * admins.
 */
function withAuthors({ command, reply, session }: Answered, store: Store): string {
  const authorOf = (msgnum: string) =>
    store.prepare(`SELECT author, path, address FROM message WHERE id = ? AND anonymous <> 'no'`).get(Number(msgnum)) as
      | Author
      | undefined;
  if (/^MSGS .*\|9$/i.test(command)) {
    return reply.replace(/^(\d+)\|(\d+)\|[^|]*\|([^|]*)\|[^|]*\|/gm, (row, msgnum: string, time, node) => {
      const known = authorOf(msgnum);
      return known ? `${msgnum}|${time}|${known.author}|${node}|${known.address}|` : row;
    });
  }
  const [, verb, msgnum] = /^(MSG[02]) (\d+)/i.exec(command) ?? [];
  const known = msgnum !== undefined && reply.startsWith('1') ? authorOf(msgnum) : undefined;
  if (!known) return reply;
  if (verb!.toUpperCase() === 'MSG2') return reply.replace(/\n(?!Return-Path)/, `\nReturn-Path: ${known.path}\r\n`);
  if (/^path=/m.test(reply)) return reply; // an administrator is told anyhow
  const shown = session.isRoomAdmin ? `from=$1 [${known.author}]` : 'from=$1';
  return reply
    .replace(/^from=(.*)$/m, `${shown}\nrfca=${known.address}\nlocl=yes`)
    .replace(/^(msgn=.*)$/m, `$1\npath=${known.path}`);
}

function withLine(reply: string, number: number, text: string): string {
  const lines = reply.split('\n');
  if (lines[number] !== undefined) lines[number] = text;
  return lines.join('\n');
}
