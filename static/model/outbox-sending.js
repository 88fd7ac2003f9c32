// Sends what has waited for the connection, each thing once: of what was on its way when the connection broke it is
// looked first whether it has arrived, and of an object what is there now.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { moveObject } from '../api/calendars.js';
import { changeMessages, MOST_ROWS, markAllSeen, postMessage, readMailbox, readMessage } from '../api/messages.js';
import { readWhoAmI } from '../api/people.js';
import { isConnectionProblem, isSessionProblem, messageOf, Problem } from '../api/request.js';
import { dropDraftsSavedAs } from './drafts.js';
import { sendInstantNow } from './instants.js';
import { isOvertaken, objectAt, Undecided, writeOver } from './object-writing.js';
import { changed, outbox, read } from './outbox.js';
import { changeEntry, claimEntry, dropEntry, endEntry, isDue } from './outbox-store.js';
import { nameIn, user } from './session.js';

/** @import { ChangeWork, Entry, MarkWork, MessageWork, MoveWork, ObjectWork } from './outbox-joining.js' */

/** of the messages that came since, so many are looked at */
const MOST_LOOKED_AT = 40;

const MOST_OWN_VERSIONS = 100;

/**
 * ETags of what this window wrote last, by room and name: the page may not have read it yet.
 * @type {Map<string, string>}
 */
const ownVersions = new Map();

/** Answers the rooms that have got something. @returns {Promise<Set<string>>} */
export async function sendEach() {
  await read();
  const rooms = new Set();
  // another window may have logged somebody else in meanwhile: that is refused
  if (!(await readWhoAmI().catch(() => undefined))?.logged_in) return rooms;
  /** what has had its turn: what was joined to it meanwhile comes once more @type {Set<string>} */
  const over = new Set();
  for (;;) {
    const next = outbox.get().find((entry) => isDue(entry, Date.now()) && !over.has(entry.id));
    if (!next) break;
    const claimed = await claimEntry(next.id, Date.now());
    if (!claimed) {
      over.add(next.id);
      await read();
      continue;
    }
    if (claimed.entry.user !== user.get()?.username) break;
    try {
      await send(claimed.entry, claimed.was !== 'waiting');
      const { work } = claimed.entry;
      rooms.add(work.room);
      if (work.kind === 'move') rooms.add(work.to);
      if (work.kind === 'change' && 'move_to' in work.change) rooms.add(work.change.move_to);
    } catch (problem) {
      over.add(next.id);
      // it waits until the same user is here again
      if (isSessionProblem(problem)) await changeEntry(next.id, (entry) => ({ ...entry, state: claimed.was }));
      else await keep(claimed.entry, problem);
      if (isConnectionProblem(problem) || isSessionProblem(problem)) break;
    }
    await changed();
  }
  await changed();
  return rooms;
}

/** It was not done. @param {Entry} entry @param {unknown} problem */
async function keep({ id, work }, problem) {
  const isBroken = isConnectionProblem(problem);
  // a mark that is not taken is no loss
  if (!isBroken && (work.kind === 'seen' || work.kind === 'all-seen')) return void (await dropEntry(id));
  // whether an instant message has come is nowhere to be seen
  const state = isBroken && work.kind !== 'instant' ? 'unknown' : 'refused';
  await changeEntry(id, (entry) =>
    problem instanceof Undecided
      ? { ...entry, state: 'conflict', theirs: problem.theirs }
      : { ...entry, state, reason: messageOf(problem) },
  );
}

/** Throws Problem, Undecided. @param {Entry} entry @param {boolean} isUnknown it may have arrived */
async function send(entry, isUnknown) {
  const { work, id } = entry;
  if (work.kind === 'object') return endEntry(entry, await writeOnce(work));
  if (work.kind === 'message') {
    const msgnum = (isUnknown ? await arrivedAs(entry.user, work) : undefined) ?? (await post(work));
    await dropEntry(id);
    return raise(work.kept, msgnum);
  }
  if (work.kind === 'instant') await sendInstantNow(work.to, work.text);
  else if (work.kind === 'change') await change(work);
  else if (work.kind === 'move') await move(work);
  else await mark(work);
  await dropEntry(id);
}

/** Throws Problem. @param {MarkWork} work */
const mark = (work) =>
  work.kind === 'all-seen'
    ? markAllSeen(work.room, work.last)
    : changeMessages(work.room, work.msgnums, { seen: work.seen }, {});

/** What is not there any more has been taken away. Throws Problem. @param {ChangeWork} work */
async function change({ room, msgnums, change: wanted, isMany }) {
  try {
    await changeMessages(room, msgnums, wanted, { isMany });
  } catch (problem) {
    if (!isOvertaken(problem)) throw problem;
    for (const msgnum of msgnums) {
      await changeMessages(room, [msgnum], wanted, { isMany: false }).catch((each) => {
        if (!(each instanceof Problem && each.status === 404)) throw each;
      });
    }
  }
}

/** Throws Problem. @param {MoveWork} work */
async function move({ room, name, to }) {
  try {
    await moveObject(room, name, to);
  } catch (problem) {
    const hasGone = problem instanceof Problem && problem.status === 404;
    // it may have arrived already
    if (!hasGone || !(await objectAt(to, name))) throw problem;
  }
}

/**
 * Answers what is there now. Throws Problem, Undecided: the reader is asked in the list of what waits.
 * @param {ObjectWork} work
 */
async function writeOnce(work) {
  const place = `${work.room}/${work.name}`;
  const done = await writeOver(work, async () => undefined, { own: ownVersions.get(place) });
  // what was merged was not seen as a whole
  if (done && done.text === work.text) noteOwn(place, done.etag);
  return done;
}

/** @param {string} place @param {string} etag */
function noteOwn(place, etag) {
  ownVersions.delete(place);
  ownVersions.set(place, etag);
  if (ownVersions.size > MOST_OWN_VERSIONS) ownVersions.delete([...ownVersions.keys()][0]);
}

/** Throws Problem. @param {MessageWork} work */
async function post(work) {
  const done = await postMessage(work.room, work.parameters, work.content);
  const saved = 'saved' in work.draft ? work.draft.saved : undefined;
  if (saved !== undefined) dropDraftsSavedAs(saved);
  return done;
}

/**
 * Its number, where it has arrived: a message from oneself with its subject and its text. Throws Problem.
 * @param {string} username @param {MessageWork} work
 */
async function arrivedAs(username, work) {
  const { msgs } = await readMailbox(work.kept, { last: MOST_ROWS, after: work.above });
  const subject = work.parameters.subj ?? '';
  const own = msgs.filter((row) => nameIn(row.author) === nameIn(username) && row.subject === subject);
  for (const { msgnum } of own.slice(0, MOST_LOOKED_AT)) {
    const { text } = await readMessage(work.kept, msgnum, { isPlain: true });
    if (isSameText(text, work.text)) return msgnum;
  }
  return undefined;
}

/** What is this message is not another one that says the same. @param {string} kept @param {unknown} msgnum */
async function raise(kept, msgnum) {
  if (!Number.isInteger(msgnum) || kept === OWN_ROOM.sent) return;
  const number = Number(msgnum);
  for (const { id } of outbox.get()) {
    await changeEntry(id, (entry) =>
      entry.work.kind === 'message' && entry.work.kept === kept
        ? { ...entry, work: { ...entry.work, above: Math.max(entry.work.above, number) } }
        : undefined,
    );
  }
}

/** Room servers may set blanks and line ends otherwise. @param {string} one @param {string} other */
const isSameText = (one, other) => bare(one) === bare(other);

/** @param {string} text */
const bare = (text) => text.replaceAll(/\s+/g, '');
