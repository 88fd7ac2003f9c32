// What is written without a connection waits here and is sent when there is one again, each thing once: of what was on
// its way when the connection broke it is looked first whether it has arrived.

import { doubtConnection, isConnected } from '../api/connection.js';
import { changeMessages, MOST_ROWS, markAllSeen, postMessage, readMailbox, readMessage } from '../api/messages.js';
import { isConnectionProblem, messageOf } from '../api/request.js';
import { signal } from '../core/signal.js';
import { dropDraftsSavedAs } from './drafts.js';
import { addEntry, changeEntry, claimEntry, dropEntry, isDue, readEntries } from './outbox-store.js';
import { roomNamed } from './room-list.js';
import { nameIn, user } from './session.js';

/** @import { Signal } from '../core/signal.js' */
/** @import { Entry } from './outbox-store.js' */
/** @import { MessageDraft, PageDraft } from './drafts.js' */

/**
 * `room` it goes to; `kept` where it can be looked for, above the number `above`; `draft` in `draftRoom`
 * at `place` brings it back into its form.
 * @typedef {{ kind: 'message', room: string, parameters: Record<string, string>, text: string,
 *   content: { type: string, body: string }, kept: string, above: number,
 *   draft: MessageDraft | PageDraft, draftRoom: string, place: string }} MessageWork
 * @typedef {{ kind: 'seen', room: string, msgnums: number[], seen: boolean, isMany: boolean }} SeenWork
 * @typedef {{ kind: 'all-seen', room: string, last: number }} AllSeenWork
 * @typedef {MessageWork | SeenWork | AllSeenWork} Work
 */

const SENT = 'Sent Items';
/** of the messages that came since, so many are looked at */
const MOST_LOOKED_AT = 40;

/** of the user who is here, in the order in which they were written @type {Signal<Entry[]>} */
export const outbox = signal(/** @type {Entry[]} */ ([]));

/** all windows have the same */
const windows = new BroadcastChannel(`outbox of ${new URL('..', location.href).pathname}`);
windows.addEventListener('message', () => read());

/** @type {(rooms: Set<string>) => unknown} */
let tellSent = () => {};

/** `listener` hears which rooms have got something. @param {(rooms: Set<string>) => unknown} listener */
export function whenSent(listener) {
  tellSent = listener;
}

/** Messages, without marks that nobody waits for. */
export const waitingMessages = () => outbox.get().filter(isMessage);

/** @param {Entry} entry @returns {entry is Entry & { work: MessageWork }} */
const isMessage = (entry) => entry.work.kind === 'message';

/** Reads what waits for who is here. */
export async function read() {
  const name = user.get()?.username;
  const entries = name === undefined ? [] : await readEntries(name);
  if (user.get()?.username === name) outbox.set(entries);
}

async function changed() {
  windows.postMessage('');
  await read();
}

/**
 * Does `act`, or has `work` wait where there is no connection. Answers what `act` does, undefined where it waits.
 * Throws Problem, also where it cannot wait.
 * @template T
 * @param {() => Work} work @param {() => Promise<T>} act
 * @returns {Promise<T | undefined>}
 */
export async function orLater(work, act) {
  if (!isConnected.get() && (await put(work(), 'waiting'))) return undefined;
  try {
    return await act();
  } catch (problem) {
    if (!isConnectionProblem(problem) || !(await put(work(), 'unknown'))) throw problem;
    // it may have been this request alone
    doubtConnection().then(() => (isConnected.get() ? sendAll() : undefined));
    return undefined;
  }
}

/** Answers whether it waits now. @param {Work} work @param {'waiting' | 'unknown'} state */
async function put(work, state) {
  const name = user.get()?.username;
  if (name === undefined) return false;
  const isKept = await addEntry({ id: crypto.randomUUID(), user: name, time: Date.now(), state, work });
  if (isKept) await changed();
  return isKept;
}

/**
 * A message that goes to `room`; `above` is the highest number that is known there.
 * @param {Omit<MessageWork, 'kind' | 'kept' | 'above'> & { above?: number }} message
 * @returns {MessageWork}
 */
export function messageWork({ above = 0, ...message }) {
  const isMail = Boolean(message.parameters.mailto || message.parameters.mailcc || message.parameters.mailbcc);
  const kept = isMail ? SENT : message.room;
  return { kind: 'message', ...message, kept, above: Math.max(above, roomNamed(kept)?.highest ?? 0) };
}

/** @param {string} id */
export async function throwAway(id) {
  await dropEntry(id);
  await changed();
}

/** For what was refused, or may have arrived. @param {string} id */
export async function sendAgain(id) {
  await changeEntry(id, (entry) => ({ ...entry, state: 'waiting', reason: undefined }));
  await changed();
  await sendAll();
}

/** Whoever logs out leaves nothing behind. */
export async function clearOutbox() {
  const name = user.get()?.username;
  if (name === undefined) return;
  for (const { id } of await readEntries(name)) await dropEntry(id);
  await changed();
}

/** @type {Promise<void> | undefined} */
let sending;

/** Sends what waits, one after the other. */
export function sendAll() {
  sending ??= sendEach().finally(() => {
    sending = undefined;
  });
  return sending;
}

async function sendEach() {
  await read();
  const rooms = new Set();
  for (const { id, work } of outbox.get().filter((entry) => isDue(entry, Date.now()))) {
    const name = user.get()?.username;
    const claimed = await claimEntry(id, Date.now());
    if (!claimed) continue;
    if (claimed.entry.user !== name) break;
    try {
      const arrived = claimed.was === 'waiting' ? undefined : await arrivedAs(claimed.entry);
      const msgnum = arrived ?? (await send(work));
      await dropEntry(id);
      if (work.kind === 'message') await raise(work.kept, msgnum);
      rooms.add(work.room);
    } catch (problem) {
      const isBroken = isConnectionProblem(problem);
      // a mark that is not taken is no loss
      if (!isBroken && work.kind !== 'message') await dropEntry(id);
      else {
        const state = isBroken ? 'unknown' : 'refused';
        await changeEntry(id, (entry) => ({ ...entry, state, reason: messageOf(problem) }));
      }
      if (isBroken) break;
    }
    await changed();
  }
  await changed();
  if (rooms.size > 0) tellSent(rooms);
}

/** Throws Problem. @param {Work} work */
async function send(work) {
  if (work.kind === 'all-seen') return markAllSeen(work.room, work.last);
  if (work.kind === 'seen')
    return changeMessages(work.room, work.msgnums, { seen: work.seen }, { isMany: work.isMany });
  const done = await postMessage(work.room, work.parameters, work.content);
  const saved = 'saved' in work.draft ? work.draft.saved : undefined;
  if (saved !== undefined) dropDraftsSavedAs(saved);
  return done;
}

/**
 * Its number, where it has arrived: a message from oneself with its subject and its text. Marks can be set twice.
 * Throws Problem.
 * @param {Entry} entry
 */
async function arrivedAs({ work, user: username }) {
  if (work.kind !== 'message') return undefined;
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
  if (!Number.isInteger(msgnum) || kept === SENT) return;
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
