// Instant messages between sessions: SEXP GEXP DEXP REQT ASYN (protocol section 18.10). They are kept in memory only.

import { MAX_INSTANT_MESSAGE_BYTES, MAX_INSTANT_MESSAGES } from '../../limits/backend.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { listingText } from '../content/listing-text.ts';
import { isAdmin } from '../session/access.ts';
import { collectText } from '../session/collect.ts';
import { askText, listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { mainAddressOf } from '../store/addresses.ts';
import type { InstantMessage } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { nodeName } from '../store/settings.ts';
import { findUser } from '../store/users.ts';
import { switched } from './sessions.ts';

const FLAG = { broadcast: 1, logOff: 2 } as const;

/** `SEXP user|text`: no text only asks, `-` takes lines (400), `broadcast` is everybody → 200; 550, 553, 570 */
export function sexp(session: Session, args: string): Reply {
  const [name = '', text = ''] = splitFields(args);
  const isBroadcast = name.trim().toLowerCase() === 'broadcast';
  if (isBroadcast && !isAdmin(session.user)) {
    throw new Refusal(STATUS.higherAccess, 'Higher access required to send a broadcast.');
  }
  const receivers = isBroadcast ? loggedIn(session) : receiversNamed(session, name.trim());
  const flags = isBroadcast ? FLAG.broadcast : 0;
  if (text === '') return ok('Ok to send message.');
  if (text === '-') {
    const users = receivers.map((one) => one.user);
    return {
      reply: askText(`Transmit message (will deliver to ${receivers.length} users)`),
      text: collectText(MAX_INSTANT_MESSAGE_BYTES, (lines) => {
        // A receiver may have logged out meanwhile, and somebody else in, on the same connection.
        const still = receivers.filter((one, i) => one.user !== undefined && one.user === users[i]);
        if (lines !== undefined) deliver(session, still, lines, flags);
        return '';
      }),
    };
  }
  deliver(session, receivers, text, flags);
  return receivers.length === 1 ? ok('Message sent.') : ok(`Message sent to ${receivers.length} users.`);
}

function receiversNamed(session: Session, name: string): Session[] {
  const user = name === '' ? session.lastPager : findUser(session.store, name);
  if (!user)
    throw new Refusal(STATUS.noSuchUser, name === '' ? 'You were not previously paged.' : `'${name}' does not exist.`);
  const mayIntrude = session.isAdminSocket || isAdmin(session.user);
  const receivers = loggedIn(session).filter(
    (other) =>
      other.user === user &&
      (mayIntrude || !other.refusesMessages) &&
      other.instantMessages.length < MAX_INSTANT_MESSAGES,
  );
  if (receivers.length === 0) {
    throw new Refusal(STATUS.notOpen, `'${user.name}' is not logged in or is not accepting messages.`);
  }
  return receivers;
}

function loggedIn({ server }: Session): Session[] {
  return [...server.sessions].filter((other) => other.user);
}

function deliver(session: Session, receivers: Session[], text: string, flags: number): void {
  const { user, store } = session;
  const message: InstantMessage = {
    time: now(),
    flags,
    sender: user?.name ?? '',
    address: user ? mainAddressOf(store, user) : '',
    text,
  };
  for (const receiver of receivers) {
    if (receiver.instantMessages.length >= MAX_INSTANT_MESSAGES) continue;
    receiver.instantMessages.push(message);
    receiver.noticeInstantMessage();
  }
}

/** Takes the next message → `100 more|time|flags|sender|node|address` and its text; 575 */
export function gexp(session: Session): Reply {
  const message = session.instantMessages.shift();
  if (!message) throw new Refusal(STATUS.noSuchMessage, 'No instant messages waiting.');
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

/** `REQT session`, 0 for all: asks to log off */
export function reqt(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const receivers = loggedIn(session).filter((other) => wanted === 0 || other.id === wanted);
  deliver(session, receivers, 'Automatic logoff requested.', FLAG.logOff);
  return ok(`Sent termination request to ${receivers.length} sessions.`);
}
