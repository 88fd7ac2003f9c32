// QNOP ECHO MORE GTLS; shutdown (DOWN at once, SCDN when nobody is logged in; the server cannot restart itself); and
// verbs without effect here: HALT RBDI MIGR, and GNET SNET LSUB of networked rooms (protocol sections 5, 18.1, 18.5 and
// 18.12).

import { ACCESS } from '../../../model.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { isMine, requireRoom, sessionAccess } from '../../session/access.ts';
import { listing, ok, type Reply, shuttingDown } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import type { StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { findRoom, fullName } from '../../store/rooms.ts';

/** the one verb without a reply */
export function qnop(): Reply {
  return '';
}

/** `ECHO text` → `200 text` */
export function echo(_session: Session, args: string): Reply {
  return ok(args);
}

/** → 200 and the prompt of text clients */
export function more(): Reply {
  return ok('<more>');
}

/** The directory is looked up, never kept: it is always as good as rebuilt. */
export function rbdi(): Reply {
  return ok('Directory index has been rebuilt.');
}

/** A real server's own way to export and import itself. */
export function migr(): Reply {
  throw new Refusal(STATUS.unsupported, 'Not here: see the commands backup and copy of the program.');
}

const NO_RESTART = 'This server cannot start itself again.';

/** `DOWN` → 231; `DOWN 0` the same as 200; 530 for a restart */
export function down(session: Session, args: string): Reply {
  const mode = args.trim();
  if (mode !== '' && toInt(mode) !== 0) throw new Refusal(STATUS.unsupported, NO_RESTART);
  session.quit();
  // Behind the reply, which is written when this turn is over.
  setImmediate(session.server.onDown);
  const text = 'Shutting down server.  Goodbye.';
  return mode === '' ? shuttingDown(text) : ok(text);
}

/** 530 */
export function halt(): Reply {
  throw new Refusal(STATUS.unsupported, 'This server only ends: DOWN.');
}

/** `SCDN 1`: go down when the last user logs out; `SCDN 0`: do not; otherwise → the state. 530 for a restart */
export function scdn({ server }: Session, args: string): Reply {
  const mode = args.trim();
  if (toInt(mode) > 1) throw new Refusal(STATUS.unsupported, NO_RESTART);
  if (mode !== '') server.isDownWhenIdle = toInt(mode) === 1;
  return ok(server.isDownWhenIdle ? 1 : 0);
}

const LIST_COMMANDS = new Set(['subscribe', 'unsubscribe', 'confirm_subscribe', 'confirm_unsubscribe']);

/** → an empty listing; 550 */
export function gnet(session: Session): Reply {
  const room = myRoom(session);
  return listing(`Network settings for room #${room.id} <${fullName(room)}>`, '');
}

/** 530: settings that nobody obeys are not taken; 550 */
export function snet(session: Session): Reply {
  myRoom(session);
  throw new Refusal(STATUS.unsupported, 'Rooms of this server have no network settings.');
}

/**
 * `LSUB command|room|address|url` → 572, 512; enters no room, and tells nothing of those one does not know
 * (quirk Q5a)
 */
export function lsub(session: Session, args: string): Reply {
  const [command = '', name = ''] = splitFields(args);
  if (!LIST_COMMANDS.has(command.toLowerCase())) throw new Refusal(STATUS.illegalValue, `Invalid command '${command}'`);
  const room = findRoom(session.store, session.user, name);
  const isKnown = room !== undefined && (sessionAccess(session, room) & ACCESS.known) !== 0;
  throw new Refusal(
    STATUS.noSuchRoom,
    isKnown ? `'${name}' does not accept subscribe/unsubscribe requests.` : `There is no list called '${name}'`,
  );
}

/** → `200 version|cipher|bits|bits`; 500 in clear */
export function gtls({ encryption }: Session): Reply {
  if (!encryption) throw new Refusal(STATUS.general, 'Session is not encrypted.');
  const { version, cipher } = encryption;
  const bits = cipher.includes('128') ? 128 : 256;
  return ok(`${version}|${cipher}|${bits}|${bits}`);
}

function myRoom(session: Session): StoredRoom {
  const room = requireRoom(session);
  if (!isMine(session, room))
    throw new Refusal(STATUS.higherAccess, 'This command requires Admin or Room Admin access.');
  return room;
}
