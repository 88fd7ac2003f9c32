// The list of sessions, RWHO, and instant messages between them: SEXP GEXP DEXP ASYN (protocol section 18.10).

import { MAX_INSTANT_MESSAGE_BYTES, MAX_INSTANT_MESSAGES } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { splitFields } from '../../protocol/fields.ts';
import { listingText } from '../content/listing-text.ts';
import { isAdmin, sessionAccess } from '../session/access.ts';
import { collectText } from '../session/collect.ts';
import { deliverInstant, INSTANT_FLAG, isChatting, loggedInSessions } from '../session/instant-messages.ts';
import { askText, listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { switched } from '../session/session-state.ts';
import { Refusal } from '../store/refusal.ts';
import { fullName, shownName } from '../store/rooms.ts';
import { guestsAllowed, nodeName } from '../store/settings.ts';
import { findUser } from '../store/users.ts';

/** `SEXP user|text`: no text only asks, `-` takes lines (400), `broadcast` is everybody → 200; 550, 553, 570 */
export function sexp(session: Session, args: string): Reply {
  const [name = '', text = ''] = splitFields(args);
  const isBroadcast = name.trim().toLowerCase() === 'broadcast';
  if (isBroadcast && !isAdmin(session.user)) {
    throw new Refusal('higherAccess', 'Higher access required to send a broadcast.');
  }
  const receivers = isBroadcast ? loggedInSessions(session) : receiversNamed(session, name.trim());
  const flags = isBroadcast ? INSTANT_FLAG.broadcast : 0;
  if (text === '') return ok('Ok to send message.');
  if (text === '-') {
    const users = receivers.map((one) => one.user);
    return {
      reply: askText(`Transmit message (will deliver to ${receivers.length} users)`),
      text: collectText(MAX_INSTANT_MESSAGE_BYTES, (lines) => {
        // On a receiver's connection another user may have logged in meanwhile.
        const still = receivers.filter((one, i) => one.user !== undefined && one.user === users[i]);
        if (lines !== undefined) deliverInstant(session, still, lines, flags);
        return '';
      }),
    };
  }
  deliverInstant(session, receivers, text, flags);
  return receivers.length === 1 ? ok('Message sent.') : ok(`Message sent to ${receivers.length} users.`);
}

function receiversNamed(session: Session, name: string): Session[] {
  const user = name === '' ? session.lastPager : findUser(session.store, name);
  if (!user)
    throw new Refusal('noSuchUser', name === '' ? 'You were not previously paged.' : `'${name}' does not exist.`);
  const mayIntrude = session.isAdminSocket || isAdmin(session.user);
  const receivers = loggedInSessions(session).filter(
    (other) =>
      other.user === user &&
      (mayIntrude || !other.refusesMessages) &&
      other.instantMessages.length < MAX_INSTANT_MESSAGES,
  );
  if (receivers.length === 0) {
    throw new Refusal('notOpen', `'${user.name}' is not logged in or is not accepting messages.`);
  }
  return receivers;
}

/** Takes the next message → `100 more|time|flags|sender|node|address` and its text; 575 */
export function gexp(session: Session): Reply {
  const message = session.instantMessages.shift();
  if (!message) throw new Refusal('noSuchMessage', 'No instant messages waiting.');
  const { time, flags, sender, address, text } = message;
  session.lastPager = sender === '' ? undefined : findUser(session.store, sender);
  const more = session.instantMessages.length > 0 ? 1 : 0;
  return listing(`${more}|${time}|${flags}|${sender}|${nodeName(session.store)}|${address}`, listingText(text));
}

/** `DEXP 0|1`: refuse messages of all but administrators → the state */
export function dexp(session: Session, args: string): Reply {
  session.refusesMessages = switched(session.refusesMessages, args);
  return ok(session.refusesMessages ? 1 : 0);
}

/** `ASYN 0|1`: say 902 when an instant message arrives → the state */
export function asyn(session: Session, args: string): Reply {
  session.asyncMode = switched(session.asyncMode, args);
  return ok(session.asyncMode ? 1 : 0);
}

/** the column of the chat mark in RWHO, as on a real server */
const CHAT_MARK_COLUMN = 14;

/**
 * → rows `session|user|room|host|client|last activity|last command|flags||||logged in`, newest first. Without
 * the right to read here, only the session itself.
 */
export function rwho(viewer: Session): Reply {
  const seesAll = viewer.isAdminSocket || isAdmin(viewer.user);
  const seesOthers = viewer.isAdminSocket || viewer.user !== undefined || guestsAllowed(viewer.store);
  let rows = '';
  for (const other of [...viewer.server.sessions].reverse()) {
    if (other !== viewer && (!seesOthers || (other.stealth && !seesAll))) continue;
    const flags = (other.lastCommand === 'ENT0' ? '*' : '.') + (other.stealth && seesAll ? '-' : '');
    rows += [
      other.id,
      other.user?.name ?? '(not logged in)',
      seenRoom(viewer, other),
      other.clientHost,
      other.clientName,
      other.lastActivity,
      other.lastCommand,
      flags,
      '',
      '',
      '',
      other.user ? 1 : 0,
    ].join('|');
    rows += '\n';
  }
  return listing(' ', rows, viewer.flag);
}

function seenRoom(viewer: Session, other: Session): string {
  const { room } = other;
  if (!room) return '';
  const isOwn = room.owner !== null && room.owner === viewer.user?.id;
  if (!isOwn && !(sessionAccess(viewer, room) & ACCESS.known)) return ' ';
  const name = isOwn ? shownName(room, viewer.user) : fullName(room);
  return isChatting(other) ? `${name.padEnd(CHAT_MARK_COLUMN)}<chat>` : name;
}
