// ENT0: checks what is to be posted, takes the body piece by piece, and stores the message at the line `000`
// (protocol section 15).

import { BACKEND_MAX_MESSAGE_BYTES, POSTING_TURN_MS } from '../../limits/backend.ts';
import { ACCESS, LEVEL, ROOM_FLAG, ROOM_FLAG2 } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { nameKey } from '../../protocol/names.ts';
import { roleOf } from '../../protocol/room-facts.ts';
import { STATUS } from '../../protocol/status.ts';
import { type ChangeScope, unionOf } from '../../system/change-counts.ts';
import type { Steps } from '../../system/steps.ts';
import { isAnyUnknown, learnMembers } from '../content/learning.ts';
import { isMailRoom, isPersonal, mailRooms, type Recipients, resolveRecipients } from '../content/mail.ts';
import {
  type Expected,
  expectedFrom,
  fieldsForRoom,
  MemberConflict,
  postedName,
  RejectedByRoom,
  requireReplacement,
} from '../content/posting-rules.ts';
import { markRead } from '../content/read-marks.ts';
import { commitScheduling, deliverNow, requireExpected } from '../content/scheduling.ts';
import { isAdmin, isForDav, sessionAccess } from '../session/access.ts';
import { LISTING_END, listingStart, ok, statusLine, type TextReply, type TextSink } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { BodyWriter } from '../store/bodies.ts';
import { type Anonymity, isAnonymousRoom, isAnyInRoom, saveMessage } from '../store/messages.ts';
import { FORMAT, type StoredRoom, type StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import {
  AIDE_ROOM_KEY,
  fullName,
  roomById,
  roomByName,
  roomFacts,
  scopeOf,
  TRASHCAN_ROOM_KEY,
} from '../store/rooms.ts';
import { numberSetting } from '../store/store.ts';
import { addressesOf, countPosted, mainAddressOf } from '../store/users.ts';

/** steps within which a small object is parsed at once */
const SHORT_PARSING_STEPS = 6;

/** Numbers of the confirmation that stand for failures; a Refusal has its own. */
const FAILURE = { storage: -1, empty: -2, rejected: -3, tooLarge: -4 } as const;

/**
 * `ENT0 post|recipients|anonymous|format|subject|author|confirm|cc|bcc|euid|email|references|replaces|at once|
 * read`: a probe answers `200 RECIPIENTS|subject wanted`; a post takes the body after 400 (nothing follows it) or 800
 * (number, text, euid follow). 520, 550, 570 before the body; if the body is sent along, after it, instead of 100
 * and these lines.
 */
export const ent0: Verb = (session, args) => {
  const fields = splitFields(args);
  if (toInt(fields[13]) !== 0) return takeAtOnce(session, fields);
  const posting = planPosting(session, fields);
  if (toInt(fields[0]) === 0) {
    const labels = posting.mailTo?.to.map(({ label }) => label).join(', ') ?? '';
    return ok(`${labels}|${posting.room.flags2 & ROOM_FLAG2.subjectRequired ? 1 : 0}`);
  }
  return takeBody(session, posting, toInt(fields[6]) !== 0);
};

function takeBody(session: Session, posting: PlannedPost, isConfirmed: boolean): TextReply {
  const configured = numberSetting(session.store, 'c_maxmsglen');
  const maxBytes = configured > 0 ? Math.min(configured, BACKEND_MAX_MESSAGE_BYTES) : BACKEND_MAX_MESSAGE_BYTES;
  const body = new BodyWriter(session.store, { isMime: posting.format === FORMAT.mime, maxBytes });
  let failed: Outcome | undefined;
  return {
    reply: statusLine(isConfirmed ? STATUS.sendTextThenListing : STATUS.sendText, 'send message'),
    text: {
      write(bytes) {
        if (failed) return;
        try {
          body.append(bytes);
        } catch (error) {
          failed = failure(session, posting, error);
          body.abort();
        }
      },
      end() {
        const confirm = ({ msgnum, text, euid }: Outcome) => {
          if (msgnum < 0) body.abort();
          return isConfirmed ? `${msgnum}\n${text}\n${euid}\n${LISTING_END}` : '';
        };
        if (failed) return confirm(failed);
        const fail = (error: unknown) => failure(session, posting, error);
        try {
          // a member with the same name must be known, or there would be two
          const stored = isAnyUnknown(session.store, posting.room.id)
            ? inTurns(session, learnMembers(session.store, posting.room)).then(() => post(session, posting, body))
            : post(session, posting, body);
          return stored instanceof Promise ? stored.catch(fail).then(confirm) : confirm(stored);
        } catch (error) {
          return confirm(fail(error));
        }
      },
      abort: () => body.abort(),
    },
  };
}

/** Consumes the body in any case: no line of it may be taken for a command. */
function takeAtOnce(session: Session, fields: readonly string[]): TextReply {
  let body: TextSink | undefined;
  let failed: unknown;
  try {
    body = takeBody(session, planPosting(session, fields), true).text;
  } catch (error) {
    failed = error;
  }
  return {
    reply: '',
    text: {
      write: (bytes) => body?.write(bytes),
      end() {
        if (failed instanceof Refusal) return statusLine(failed.code, failed.message);
        if (!body) throw failed;
        const owed = body.end();
        return owed instanceof Promise ? owed.then((lines) => `${SENT}${lines}`) : `${SENT}${owed}`;
      },
      abort: () => body?.abort(),
    },
  };
}

const SENT = listingStart('Message:');

/** Others have their turns meanwhile. */
function inTurns({ server, store }: Session, work: Steps<unknown>): Promise<unknown> {
  return server.turns.run(work, POSTING_TURN_MS, () => {
    if (!store.db.isOpen) throw new Refusal('shuttingDown', 'The server has ended.');
  });
}

interface Outcome {
  msgnum: number;
  text: string;
  euid: string;
}

/** Parses the body and stores the message together with posts of other sessions. Throws or rejects as storePosting. */
function post(session: Session, posting: PlannedPost, body: BodyWriter): Outcome | Promise<Outcome> {
  const { euid } = posting;
  if (body.isTooLarge) return { msgnum: FAILURE.tooLarge, text: 'The message is too large.', euid };
  if (body.size === 0) return { msgnum: FAILURE.empty, text: 'Internal error.', euid };
  body.finish();
  const store = () => {
    const stored = session.server.commits.run(
      session.id,
      () => storePosting(session, posting, body),
      ({ rooms }) => scopeOfPost(session, posting, rooms),
    );
    return stored instanceof Promise
      ? stored.then((each) => accepted(session, posting, each))
      : accepted(session, posting, stored);
  };
  // outside the transaction, which others wait for
  const parsing = body.readObject();
  for (let left = SHORT_PARSING_STEPS; left > 0; left--) if (parsing.next().done) return store();
  return inTurns(session, parsing).then(store);
}

/** Call it when the message is durable. */
function accepted(session: Session, posting: PlannedPost, { msgnum, euid, rooms }: StoredPosting): Outcome {
  session.server.noteNewMessage(rooms, msgnum);
  deliverNow(session);
  if (session.room === posting.room) session.highestKnown = posting.room.highest;
  return { msgnum, text: 'Message accepted.', euid };
}

/** The rooms of the message, and the read marks of its author. */
function scopeOfPost({ store }: Session, { user }: PlannedPost, rooms: readonly number[]): ChangeScope {
  return unionOf([{ users: [user.id] }, ...rooms.map((id) => scopeOf(roomById(store, id)!))]);
}

/** After the body no status can refuse the message, so failures become numbers. */
function failure(session: Session, { euid }: PlannedPost, error: unknown): Outcome {
  if (error instanceof MemberConflict) return { msgnum: error.failure, text: String(error.msgnum), euid };
  if (error instanceof RejectedByRoom) return { msgnum: FAILURE.rejected, text: 'Internal error.', euid };
  if (error instanceof Refusal) return { msgnum: error.failure, text: error.message, euid };
  session.server.onFault(error);
  return { msgnum: FAILURE.storage, text: 'Internal error.', euid };
}

/** With c_twitdetect, posts of problem users go to the trash without notice to them; mail to sysop still arrives. */
function roomForPost({ store }: Session, user: StoredUser, room: StoredRoom): StoredRoom {
  const isOpen = !isPersonal(room) && room.key !== AIDE_ROOM_KEY;
  const isDiverted = isOpen && user.level === LEVEL.problem && numberSetting(store, 'c_twitdetect') !== 0;
  return (isDiverted && roomByName(store, TRASHCAN_ROOM_KEY)) || room;
}

interface StoredPosting {
  msgnum: number;
  euid: string;
  rooms: number[];
}

/** Inside a transaction. Throws Refusal, RejectedByRoom, MemberConflict. */
function storePosting(session: Session, posting: PlannedPost, body: BodyWriter): StoredPosting {
  const { user, room, mailTo } = posting;
  if (roomById(session.store, room.id) !== room) throw new Refusal('noSuchRoom', 'The room was deleted meanwhile.');
  // Meanwhile the user may have been removed from the room, or the room closed.
  checkPostingRights(session, user, room, isMailRoom(session, room), posting.references);
  const { author, address, recipients: to, cc, subject } = posting;
  const mail = { author, address, to, cc, subject, size: body.size };
  const isHidden =
    posting.anonymous !== 'no' || mailTo?.all.some((target) => 'room' in target && isAnonymousRoom(target.room));
  // a recipient's rules must not reveal the author
  const arriving = isHidden ? { ...mail, author: '', address: '' } : mail;
  const wanted = mailTo ? mailRooms(session.store, user, mailTo, arriving) : [room];
  const targets = [...new Set(wanted.map((each) => roomForPost(session, user, each)))];
  const fields = mailTo ? { euid: '', subject } : fieldsForRoom(session.store, room, posting, body);
  const rooms = targets.map(({ id }) => id);
  requireExpected(session, fields.euid);
  // mail never replaces a message of its recipient
  const isInThisRoom = !mailTo && targets[0] === room;
  if (isInThisRoom) {
    body.link();
    const name = postedName(session.store, body);
    const mayDelete = (sessionAccess(session, room) & ACCESS.delete) !== 0;
    requireReplacement(session.store, room, { name, euid: fields.euid }, posting.expected, mayDelete);
  }
  const msgnum = saveMessage(session.store, {
    ...posting,
    ...fields,
    // Mail becomes anonymous in a room that requires it.
    anonymous: posting.anonymous === 'no' ? undefined : posting.anonymous,
    authorUser: user.id,
    room: fullName(targets[0]!),
    body,
    rooms,
    mayReplace: isInThisRoom,
  });
  if (isInThisRoom && posting.isRead) markRead(session.store, user, room, msgnum);
  commitScheduling(session, fields.euid, msgnum);
  // the number of posts of a user is public
  if (posting.anonymous === 'no' && !targets.some(isAnonymousRoom)) countPosted(session.store, user);
  return { msgnum, euid: fields.euid, rooms };
}

interface PlannedPost {
  user: StoredUser;
  room: StoredRoom;
  format: number;
  subject: string;
  author: string;
  path: string;
  address: string;
  anonymous: Anonymity;
  recipients: string;
  cc: string;
  /** recipients; the message is mailed to them instead of being stored in the room */
  mailTo: Recipients | undefined;
  euid: string;
  references: string;
  /** the message that it may replace */
  expected: Expected;
  /** marked as read by its author */
  isRead: boolean;
}

/** Throws Refusal 520, 550, 570. */
function planPosting(session: Session, fields: readonly string[]): PlannedPost {
  const { user, room, store } = session;
  if (!user) throw new Refusal('notLoggedIn', 'Not logged in.');
  if (!room) throw new Refusal('higherAccess', 'Higher access is required to post in this room.');
  const field = (n: number) => fields[n]?.trim() ?? '';
  const references = field(11)
    .split('!')
    .map((id) => id.replace(/[<>\s]/g, ''))
    .filter((id) => id !== '')
    .join('|');
  const isMail = isMailRoom(session, room);
  checkPostingRights(session, user, room, isMail, references);

  const author = field(5);
  if (author !== '' && nameKey(author) !== nameKey(user.name) && !isAdmin(user)) {
    throw new Refusal('higherAccess', `You don't have permission to author messages as '${author}'.`);
  }
  const email = field(10);
  if (email !== '' && !addressesOf(store, user).some((one) => nameKey(one) === nameKey(email))) {
    throw new Refusal('higherAccess', `You don't have permission to author messages as '${email}'.`);
  }

  const named = [1, 7, 8].map((n) => (isPersonal(room) ? field(n) : ''));
  const [to, cc, bcc] = named as [string, string, string];
  const isMailed = isMail || (roleOf(roomFacts(room)) !== 'drafts' && named.some((one) => one !== ''));
  if (isMailed && isForDav(session)) {
    throw new Refusal('higherAccess', 'This app password does not send mail.');
  }
  const mailTo = isMailed ? resolveRecipients(store, user, to, cc, bcc) : undefined;
  if (mailTo?.all.length === 0) throw new Refusal('noSuchUser', 'At least one recipient is required.');

  return {
    user,
    room,
    format: toInt(fields[3]),
    subject: field(4),
    author: author === '' || nameKey(author) === nameKey(user.name) ? user.name : author,
    path: email || user.name.replaceAll(' ', '_'),
    address: email || mainAddressOf(store, user),
    anonymous: anonymityIn(room, toInt(fields[2]) === 1),
    recipients: to,
    cc,
    mailTo,
    euid: field(9),
    references,
    expected: expectedFrom(field(12)),
    isRead: toInt(fields[14]) !== 0,
  };
}

/** `references`: with the right to reply only, one of them must be in the room. Throws Refusal 550. */
function checkPostingRights(
  session: Session,
  user: StoredUser,
  room: StoredRoom,
  isMail: boolean,
  references: string,
): void {
  if (user.level < LEVEL.problem && !isMail) {
    throw new Refusal('higherAccess', 'Need to be validated to enter (except in Mail> to sysop)');
  }
  const access = sessionAccess(session, room);
  if ((access & ACCESS.post) !== 0) return;
  if ((access & ACCESS.reply) !== 0 && isAnyInRoom(session.store, room.id, references.split('|'))) return;
  throw new Refusal(
    'higherAccess',
    (access & ACCESS.reply) !== 0
      ? 'You may only reply to existing messages here.'
      : 'Higher access is required to post in this room.',
  );
}

function anonymityIn(room: StoredRoom, isWished: boolean): Anonymity {
  if (room.flags & ROOM_FLAG.anonymousOnly) return 'only';
  return isWished && room.flags & ROOM_FLAG.anonymousOption ? 'option' : 'no';
}
