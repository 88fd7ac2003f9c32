// A room and other servers: GNET SNET LSUB (protocol sections 18.5 and 18.12). This server talks to no other; it says
// so, to those who may ask. And TLS for those who come: STLS GTLS (protocol section 5).

import { ACCESS } from '../../model.ts';
import { splitFields } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { sessionAccess } from '../session/access.ts';
import { listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { findRoom, fullName } from '../store/rooms.ts';
import { logOut } from './accounts/login.ts';
import { requireRoom } from './marks.ts';
import { isMine } from './room-admin.ts';

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

/**
 * → 200, and behind it the handshake; 510 where TLS is spoken already, 530 where there is no certificate. Who has
 * logged in before may be somebody in between, in whose name the peer would go on (RFC 3207 section 4.2, of SMTP).
 */
export function stls(session: Session): Reply {
  if (session.encryption) throw new Refusal(STATUS.internal, 'TLS negotiation error');
  if (!session.startTls()) throw new Refusal(STATUS.unsupported, 'There is no certificate here.');
  logOut(session);
  return ok('Begin TLS negotiation now');
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
