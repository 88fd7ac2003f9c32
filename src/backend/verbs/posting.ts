// ENT0: probing and posting (protocol section 15). The body is taken piece by piece; nothing is stored before the line
// `000`.

import { BACKEND_MAX_MESSAGE_BYTES, POSTING_TURN_MS } from '../../limits/backend.ts';
import { ACCESS, LEVEL, ROOM_FLAG2 } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { type ChangeScope, unionOf } from '../../system/change-counts.ts';
import type { Steps } from '../../system/steps.ts';
import { fieldsForRoom, RejectedByRoom } from '../content/groupware.ts';
import { isAnyUnknown, learnMembers } from '../content/learning.ts';
import { isMailRoom, isPersonal, mailRooms } from '../content/mail.ts';
import { InTheWay, postedName, requireReplacement } from '../content/places.ts';
import { checkPostingRights, type PlannedPost, planPosting } from '../content/posting-plan.ts';
import { markRead } from '../content/read-marks.ts';
import { commitScheduling, deliverNow, requireExpected } from '../content/scheduling.ts';
import { sessionAccess } from '../session/access.ts';
import { LISTING_END, listingStart, ok, statusLine, type TextReply, type TextSink } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { BodyWriter } from '../store/bodies.ts';
import { isAnonymousRoom, saveMessage } from '../store/messages.ts';
import { FORMAT, type StoredRoom, type StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { AIDE_ROOM_KEY, fullName, roomById, roomByName, scopeOf, TRASHCAN_ROOM_KEY } from '../store/rooms.ts';
import { numberSetting } from '../store/settings.ts';
import { countPosted } from '../store/users.ts';

/** of an object of one chunk, of which not many days have to be looked at: it is read at once */
const SHORT_READING_STEPS = 6;
/** Numbers of the confirmation that stand for failures. */
const FAILURE = { storage: -1, empty: -2, rejected: -3, tooLarge: -4 } as const;

/**
 * `ENT0 post|recipients|anonymous|format|subject|author|confirm|cc|bcc|euid|email|references|replaces|at once|
 * read`: a probe answers `200 RECIPIENTS|subject wanted`; a post takes the body after 400 (nothing follows it) or 800
 * (number, text, euid follow). 520, 550, 570 before the body; where that comes at once, behind it, in the place of 100
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
    reply: `${isConfirmed ? 800 : 400} send message\n`,
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
          // what has its name must be known, or there would be two
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

/** The body is taken whatever becomes of it: no line of it must pass for a command. */
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
    if (!store.db.isOpen) throw new Refusal(STATUS.shuttingDown, 'The server has ended.');
  });
}

interface Outcome {
  msgnum: number;
  text: string;
  euid: string;
}

/** Reads what has come, and stores it. Throws, or rejects, as storePosting. */
function post(session: Session, posting: PlannedPost, body: BodyWriter): Outcome | Promise<Outcome> {
  const { euid } = posting;
  if (body.isTooLarge) return { msgnum: FAILURE.tooLarge, text: 'The message is too large.', euid };
  if (body.size === 0) return { msgnum: FAILURE.empty, text: 'Internal error.', euid };
  body.finish();
  // not in the transaction: others wait for that
  const reading = body.readObject();
  for (let left = SHORT_READING_STEPS; left > 0; left--) {
    if (reading.next().done) return store(session, posting, body);
  }
  return inTurns(session, reading).then(() => store(session, posting, body));
}

/** With what others post. Throws, or rejects, as storePosting. */
function store(session: Session, posting: PlannedPost, body: BodyWriter): Outcome | Promise<Outcome> {
  const stored = session.server.commits.run(
    session.id,
    () => storePosting(session, posting, body),
    ({ rooms }) => scopeOfPost(session, posting, rooms),
  );
  return stored instanceof Promise
    ? stored.then((each) => accepted(session, posting, each))
    : accepted(session, posting, stored);
}

/** To be called when it is durable. */
function accepted(session: Session, posting: PlannedPost, { msgnum, euid, rooms }: StoredPosting): Outcome {
  session.server.noteNewMessage(rooms, msgnum);
  deliverNow(session);
  if (session.room === posting.room) session.highestKnown = posting.room.highest;
  return { msgnum, text: 'Message accepted.', euid };
}

/** The rooms where it lies, and what the author has read. */
function scopeOfPost({ store }: Session, { user }: PlannedPost, rooms: readonly number[]): ChangeScope {
  return unionOf([{ users: [user.id] }, ...rooms.map((id) => scopeOf(roomById(store, id)!))]);
}

/** The peer is past the point where a status could refuse its message: failures become numbers. */
function failure(session: Session, { euid }: PlannedPost, error: unknown): Outcome {
  if (error instanceof InTheWay) return { msgnum: error.failure, text: String(error.msgnum), euid };
  if (error instanceof RejectedByRoom) return { msgnum: FAILURE.rejected, text: 'Internal error.', euid };
  if (error instanceof Refusal) return { msgnum: FAILURE.storage, text: error.message, euid };
  session.server.onFault(error);
  return { msgnum: FAILURE.storage, text: 'Internal error.', euid };
}

/** Problem users write for the bin where the site wants that (c_twitdetect), and are not told; sysop hears them. */
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

/** Inside a transaction. Throws Refusal, RejectedByRoom, InTheWay. */
function storePosting(session: Session, posting: PlannedPost, body: BodyWriter): StoredPosting {
  const { user, room, mailTo } = posting;
  if (roomById(session.store, room.id) !== room)
    throw new Refusal(STATUS.noSuchRoom, 'The room was deleted meanwhile.');
  // While the body came he may have been put out, or the room closed.
  checkPostingRights(session, user, room, isMailRoom(session, room), posting.references);
  const { author, address, recipients: to, cc, subject } = posting;
  const mail = { author, address, to, cc, subject, size: body.size };
  const isHidden =
    posting.anonymous !== 'no' || mailTo?.all.some((target) => 'room' in target && isAnonymousRoom(target.room));
  // a rule of a recipient must not find out who has written
  const arriving = isHidden ? { ...mail, author: '', address: '' } : mail;
  const places = mailTo ? mailRooms(session.store, user, mailTo, arriving) : [room];
  const targets = [...new Set(places.map((place) => roomForPost(session, user, place)))];
  const fields = mailTo ? { euid: '', subject } : fieldsForRoom(session.store, room, posting, body);
  const rooms = targets.map(({ id }) => id);
  requireExpected(session, fields.euid);
  // mail says nothing of what is there: who sends it may not put anything in the place of something
  const isInPlace = !mailTo && targets[0] === room;
  if (isInPlace) {
    body.link();
    const name = postedName(session.store, body);
    const mayDelete = (sessionAccess(session, room) & ACCESS.delete) !== 0;
    requireReplacement(session.store, room, { name, euid: fields.euid }, posting.expected, mayDelete);
  }
  const msgnum = saveMessage(session.store, {
    ...posting,
    ...fields,
    // Mail takes on the anonymity of a room that it goes to.
    anonymous: posting.anonymous === 'no' ? undefined : posting.anonymous,
    authorUser: user.id,
    room: fullName(targets[0]!),
    body,
    rooms,
    mayReplace: isInPlace,
  });
  if (isInPlace && posting.isRead) markRead(session.store, user, room, msgnum);
  commitScheduling(session, fields.euid, msgnum);
  // everybody may read how much a user has posted
  if (posting.anonymous === 'no' && !targets.some(isAnonymousRoom)) countPosted(session.store, user);
  return { msgnum, euid: fields.euid, rooms };
}
