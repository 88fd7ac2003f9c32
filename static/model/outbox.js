// What is written without a connection waits here and is sent when there is one again, each thing once
// (outbox-sending.js). Whatever changes something has one way here: it is done at once, or waits.

import { OWN_ROOM } from '../../src/protocol/room-facts.ts';
import { doubtConnection, isConnected } from '../api/connection.js';
import { isConnectionProblem } from '../api/request.js';
import { signal } from '../core/signal.js';
import { addEntry, changeEntry, dropEntry, isUnderWay, readEntries, SENDING_MS } from './outbox-store.js';
import { roomNamed } from './room-list.js';
import { user } from './session.js';

/** @import { Signal } from '../core/signal.js' */
/** @import { Entry, MessageWork, Work, Written } from './outbox-joining.js' */

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

/** @type {() => Promise<Set<string>>} */
let send = async () => new Set();

/** `sender` sends what waits, and answers which rooms have got something. @param {() => Promise<Set<string>>} sender */
export function sendBy(sender) {
  send = sender;
}

/** All but marks, that nobody waits for. */
export const waitingEntries = () => outbox.get().filter(isWritten);

/** @param {Entry} entry @returns {entry is Written} */
const isWritten = (entry) => entry.work.kind !== 'seen' && entry.work.kind !== 'all-seen';

export const waitingMessages = () => outbox.get().filter(isMessage);

/** @param {Entry} entry @returns {entry is Entry & { work: MessageWork }} */
const isMessage = (entry) => entry.work.kind === 'message';

/** Messages of the room that wait to be taken out of it. @param {string} room */
export function goingFrom(room) {
  /** @type {Set<number>} */
  const going = new Set();
  for (const entry of outbox.get()) {
    const { work } = entry;
    if (work.room !== room || !isUnderWay(entry)) continue;
    if (work.kind === 'change') for (const msgnum of work.msgnums) going.add(msgnum);
    if (work.kind === 'object' && work.text === undefined && work.base) going.add(numberOf(work.base.etag));
  }
  return going;
}

/** `"12"` → 12 @param {string} etag */
export const numberOf = (etag) => Number(/\d+/.exec(etag)?.[0]);

/** Reads what waits for who is here. */
export async function read() {
  const name = user.get()?.username;
  const entries = name === undefined ? [] : await readEntries(name);
  if (user.get()?.username === name) outbox.set(entries);
}

export async function changed() {
  windows.postMessage('');
  await read();
}

/**
 * Does `act`, or has `work` wait where there is no connection, or behind what waits for the same room. Answers what
 * `act` does, undefined where it waits. Throws Problem, also where it cannot wait.
 * @template T
 * @param {() => Work | undefined | Promise<Work | undefined>} work undefined: there is nothing to do
 * @param {() => Promise<T>} act @param {string} [room] in which the order matters
 * @returns {Promise<T | undefined>}
 */
export async function orLater(work, act, room) {
  const isBehind = room !== undefined && outbox.get().some((entry) => isAhead(entry, room));
  if ((isBehind || !isConnected.get()) && (await put(await work(), 'waiting'))) {
    if (isConnected.get()) void sendAll();
    return undefined;
  }
  try {
    return await act();
  } catch (problem) {
    if (!isConnectionProblem(problem) || !(await put(await work(), 'unknown'))) throw problem;
    // it may have been this request alone
    doubtConnection().then(() => (isConnected.get() ? sendAll() : undefined));
    return undefined;
  }
}

/** @param {Entry} entry @param {string} room */
const isAhead = (entry, room) => entry.work.room === room && isUnderWay(entry);

/**
 * undefined where nobody is here
 * @param {Work} work @param {Entry['state']} state
 * @returns {Entry | undefined}
 */
export function newEntry(work, state) {
  const name = user.get()?.username;
  return name === undefined ? undefined : { id: crypto.randomUUID(), user: name, time: Date.now(), state, work };
}

/** Answers whether it waits now. @param {Work | undefined} work @param {'waiting' | 'unknown'} state */
export async function put(work, state) {
  const entry = work && newEntry(work, state);
  if (!entry) return !work && user.get() !== undefined;
  const isKept = await addEntry(entry);
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
  const kept = isMail ? OWN_ROOM.sent : message.room;
  return { kind: 'message', ...message, kept, above: Math.max(above, roomNamed(kept)?.highest ?? 0) };
}

/** @param {string} id */
export async function throwAway(id) {
  await dropEntry(id);
  await changed();
}

/** For what was refused, or may have arrived; over what another device has made of it. @param {string} id */
export async function sendAgain(id) {
  await changeEntry(id, ({ theirs, reason, ...entry }) => ({
    ...entry,
    state: 'waiting',
    ...(entry.state === 'conflict' && entry.work.kind === 'object' && { work: { ...entry.work, base: theirs } }),
  }));
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
  sending ??= sendWaiting().finally(() => {
    sending = undefined;
  });
  return sending;
}

async function sendWaiting() {
  await read();
  if (outbox.get().length === 0) return;
  try {
    const rooms = await send();
    if (rooms.size > 0) tellSent(rooms);
  } catch {
    // a part of the client that cannot be loaded, a device that cannot be written to: the next time will do
  }
  // what another window sends, or did when it went away
  if (isConnected.get() && outbox.get().some(isUnderWay)) setTimeout(sendAll, SENDING_MS);
}
