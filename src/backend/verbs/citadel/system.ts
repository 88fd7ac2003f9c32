// The server: QNOP ECHO MORE GTLS; system messages, MESG EMSG; sessions, STEL TERM REQT; chat in a room, RCHT;
// shutdown, DOWN SCDN HALT; and RBDI MIGR GNET SNET LSUB, which do nothing here (protocol sections 5, 18.1, 18.5, 18.10
// and 18.12). System messages are stored with the settings, never as files: a name is not a path (quirk Q5e).

import {
  MAX_CHAT_LINE_BYTES,
  MAX_INFO_TEXT_BYTES,
  MAX_INSTANT_MESSAGE_BYTES,
  MAX_SYSTEM_MESSAGE_NAME_BYTES,
  MAX_SYSTEM_MESSAGES,
} from '../../../limits/backend.ts';
import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { listingText } from '../../content/message-text.ts';
import { hasAdminRights, isAdmin, isMine, readableRoom, requireRoom, sessionAccess } from '../../session/access.ts';
import { listing, ok, type Reply, statusLine, takeText } from '../../session/reply.ts';
import {
  deliverInstant,
  INSTANT_FLAG,
  isChatting,
  loggedInSessions,
  type Session,
  switched,
} from '../../session/session.ts';
import type { StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { findRoom, fullName } from '../../store/rooms.ts';
import { nodeName, setting } from '../../store/store.ts';

const NO_RESTART = 'This server cannot start itself again.';

/** `DOWN` → 231; `DOWN 0` the same as 200; 530 for a restart */
export function down(session: Session, args: string): Reply {
  const mode = args.trim();
  if (mode !== '' && toInt(mode) !== 0) throw new Refusal('unsupported', NO_RESTART);
  session.quit();
  // After the reply, which is written at the end of this turn.
  setImmediate(session.server.onDown);
  const text = 'Shutting down server.  Goodbye.';
  return mode === '' ? statusLine(STATUS.goingDown, text) : ok(text);
}

/** `SCDN 1`: go down when the last user logs out; `SCDN 0`: do not; otherwise → the state. 530 for a restart */
export function scdn({ server }: Session, args: string): Reply {
  const mode = args.trim();
  if (toInt(mode) > 1) throw new Refusal('unsupported', NO_RESTART);
  if (mode !== '') server.isDownWhenIdle = toInt(mode) === 1;
  return ok(server.isDownWhenIdle ? 1 : 0);
}

const LIST_COMMANDS = new Set(['subscribe', 'unsubscribe', 'confirm_subscribe', 'confirm_unsubscribe']);

/** → an empty listing; 550 */
export function gnet(session: Session): Reply {
  const room = myRoom(session);
  return listing(`Network settings for room #${room.id} <${fullName(room)}>`, '');
}

/** 530: such settings would have no effect; 550 */
export function snet(session: Session): Reply {
  myRoom(session);
  throw new Refusal('unsupported', 'Rooms of this server have no network settings.');
}

/**
 * `LSUB command|room|address|url` → 572, 512; enters no room, and does not reveal unknown rooms
 * (quirk Q5a)
 */
export function lsub(session: Session, args: string): Reply {
  const [command = '', name = ''] = splitFields(args);
  if (!LIST_COMMANDS.has(command.toLowerCase())) throw new Refusal('illegalValue', `Invalid command '${command}'`);
  const room = findRoom(session.store, session.user, name);
  const isKnown = room !== undefined && (sessionAccess(session, room) & ACCESS.known) !== 0;
  throw new Refusal(
    'noSuchRoom',
    isKnown ? `'${name}' does not accept subscribe/unsubscribe requests.` : `There is no list called '${name}'`,
  );
}

/** → `200 version|cipher|bits|bits`; 500 in clear */
export function gtls({ encryption }: Session): Reply {
  if (!encryption) throw new Refusal('general', 'Session is not encrypted.');
  const { version, cipher } = encryption;
  const bits = cipher.includes('128') ? 128 : 256;
  return ok(`${version}|${cipher}|${bits}|${bits}`);
}

function myRoom(session: Session): StoredRoom {
  const room = requireRoom(session);
  if (!isMine(session, room)) throw new Refusal('higherAccess', 'This command requires Admin or Room Admin access.');
  return room;
}

/** `STEL 0|1`: hidden from RWHO of others → the state */
export function stel(session: Session, args: string): Reply {
  session.stealth = switched(session.stealth, args);
  return ok(session.stealth ? 1 : 0);
}

/** `TERM session`: closes another session; one's own or, for administrators, any. 512, 550 */
export function term(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const victim = [...session.server.sessions].find((other) => other.id === wanted);
  if (!victim) throw new Refusal('illegalValue', 'No such session.');
  if (victim === session) throw new Refusal('illegalValue', "You can't kill your own session.");
  const isOwn = session.user !== undefined && victim.user === session.user;
  const isAllowed = isOwn || session.isAdminSocket || (isAdmin(session.user) && !session.appPassword);
  if (!isAllowed) throw new Refusal('higherAccess', 'You are not allowed to do that.');
  victim.destroy();
  return ok('Session terminated.');
}

/** `REQT session`, 0 for all: asks to log off */
export function reqt(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const receivers = loggedInSessions(session).filter((other) => wanted === 0 || other.id === wanted);
  deliverInstant(session, receivers, 'Automatic logoff requested.', INSTANT_FLAG.logOff);
  return ok(`Sent termination request to ${receivers.length} sessions.`);
}

const MESSAGE_PREFIX = 'mesg:';

/** `MESG name` → listing, with ^nodename, ^username … filled in; `?` and nothing list the names; 571 */
export function mesg(session: Session, args: string): Reply {
  const name = args.trim();
  if (name === '' || name === '?') {
    const names = namesOf(session).map((one) => ` ${one}\n`);
    return listing(name, name === '' ? '' : names);
  }
  const text = session.store.getConfig(MESSAGE_PREFIX + name);
  if (!text) throw new Refusal('noSuchFile', `Cannot open 'messages/${name}': No such file or directory`);
  return listing(name, listingText(filledIn(session, text)));
}

/** `EMSG name`: 400, then the text; an empty one removes the message. 511, 512 */
export function emsg(session: Session, args: string): Reply {
  const name = args.trim();
  const isName = /^[\w.-]+$/.test(name) && name.length <= MAX_SYSTEM_MESSAGE_NAME_BYTES;
  if (!isName) throw new Refusal('illegalValue', 'A name has letters, digits, dots and dashes.');
  const { store } = session;
  if (!store.getConfig(MESSAGE_PREFIX + name) && namesOf(session).length >= MAX_SYSTEM_MESSAGES) {
    throw new Refusal('tooBig', `There are ${MAX_SYSTEM_MESSAGES} system messages already.`);
  }
  return takeText(name, MAX_INFO_TEXT_BYTES, (text) => {
    if (hasAdminRights(session)) store.setConfig(MESSAGE_PREFIX + name, text);
  });
}

function namesOf({ store }: Session): string[] {
  const rows = store.all`SELECT name FROM config WHERE name >= ${MESSAGE_PREFIX} AND name < 'mesg;' AND value <> ''
    ORDER BY name`;
  return rows.map((row) => String(row.name).slice(MESSAGE_PREFIX.length));
}

function filledIn({ store, user }: Session, text: string): string {
  const values: Record<string, string> = {
    nodename: nodeName(store),
    humannode: setting(store, 'c_humannode') ?? '',
    fqdn: setting(store, 'c_fqdn') ?? '',
    sysadm: setting(store, 'c_sysadm') ?? '',
    username: user?.name ?? '',
    usernum: user ? String(user.id) : '',
  };
  return text.replace(/\^(nodename|humannode|fqdn|sysadm|username|usernum)/g, (_, name: string) => values[name]!);
}

const CHAT_ACTIONS: Readonly<Record<string, (session: Session, room: StoredRoom, seq: string | undefined) => Reply>> = {
  enter,
  exit,
  send,
  poll,
  rwho,
};

/** `RCHT enter|exit|send|poll|seq|rwho`; 500 outside chat mode, 530, 550, 575 */
export function rcht(session: Session, args: string): Reply {
  const [action = '', seq] = splitFields(args);
  const word = action.trim().toLowerCase();
  const run = Object.hasOwn(CHAT_ACTIONS, word) ? CHAT_ACTIONS[word] : undefined;
  if (!run) throw new Refusal('unsupported', 'Invalid subcommand');
  if (run !== enter && session.chatRoom !== session.room) session.chatRoom = undefined;
  if (run !== enter && !session.chatRoom) throw new Refusal('general', 'Session is not in chat mode.');
  return run(session, readableRoom(session), seq);
}

function enter(session: Session, room: StoredRoom): Reply {
  session.chatRoom = room;
  return ok('Entering chat mode.');
}

function exit(session: Session): Reply {
  session.chatRoom = undefined;
  return ok('Exiting chat mode.');
}

/** 400, then lines, each of them a message */
function send(session: Session, room: StoredRoom): Reply {
  if (!(sessionAccess(session, room) & ACCESS.post))
    throw new Refusal('higherAccess', 'You may not post in this room.');
  return takeText('send now', MAX_INSTANT_MESSAGE_BYTES, (text) => {
    // The sender may have been removed from the room meanwhile.
    if (!(sessionAccess(session, room) & ACCESS.post)) return;
    const sender = session.user?.name ?? '';
    session.server.chats.say(room, sender, text.replace(/\n$/, '').split('\n').map(cut));
  });
}

/** The first message after `seq` → `100 seq|time|sender` and the text; 575 */
function poll({ server }: Session, room: StoredRoom, seq: string | undefined): Reply {
  const line = server.chats.lineAfter(room, toInt(seq));
  if (!line) throw new Refusal('noSuchMessage', 'no messages');
  return listing(`${line.seq}|${line.time}|${line.sender}`, listingText(line.text));
}

/** → names of the users in this chat, the newest session first */
function rwho({ server }: Session, room: StoredRoom): Reply {
  const others = [...server.sessions].filter((other) => isChatting(other) && other.room === room).reverse();
  return listing(
    ' ',
    others.map(({ user }) => `${user?.name ?? ''}\n`),
  );
}

function cut(line: string): string {
  const bytes = Buffer.from(line);
  return bytes.length <= MAX_CHAT_LINE_BYTES ? line : bytes.toString('utf8', 0, MAX_CHAT_LINE_BYTES);
}
