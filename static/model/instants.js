// Instant messages: the server gives each once and keeps none, so what came and what was sent is kept here, for each
// person: on the device, or where the reader wants nothing kept there, in the tab. All windows of this browser tell
// each other.

import { isConnected } from '../api/connection.js';
import { sendInstantMessage, takeInstantMessages } from '../api/people.js';
import { isKeptOnDevice } from '../api/worker.js';
import { put } from './outbox.js';
import { user } from './session.js';

/** @import { InstantMessage } from '../api/interface.d.ts' */

/** `from` may be oneself. @typedef {InstantMessage & { with: string }} Instant */

const PREFIX = 'talk:';
/** of each person the latest */
const MOST = 200;

const windows = new BroadcastChannel(`instant messages of ${new URL('..', location.href).pathname}`);
/** @type {Set<(messages: Instant[]) => void>} */
const listeners = new Set();

windows.addEventListener('message', ({ data }) => take(data, isKeptOnDevice()));

/** Answers what ends it. @param {(messages: Instant[]) => void} listener */
export function whenInstants(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Looks for new ones; a failure is for the next time. */
export async function fetchInstants() {
  const messages = await takeInstantMessages().catch(() => []);
  if (messages.length > 0) tell(messages.map((each) => ({ ...each, with: each.from })));
}

/** Sends it, or has it wait where there is no connection. Throws Problem. @param {string} to @param {string} text */
export async function sendInstant(to, text) {
  const waits = !isConnected.get() && (await put({ kind: 'instant', room: '', to, text }, 'waiting'));
  if (!waits) await sendInstantNow(to, text);
}

/** Throws Problem. @param {string} to @param {string} text */
export async function sendInstantNow(to, text) {
  await sendInstantMessage(to, text);
  tell([{ from: user.get()?.username ?? '', time: Math.floor(Date.now() / 1000), text, with: to }]);
}

/** @param {Instant[]} messages */
function tell(messages) {
  take(messages, false);
  windows.postMessage(messages);
}

/** @param {Instant[]} messages @param {boolean} areKept by another window */
function take(messages, areKept) {
  if (!areKept) for (const message of messages) keep(message);
  for (const listener of [...listeners]) listener(messages);
}

const place = () => (isKeptOnDevice() ? localStorage : sessionStorage);

/** @param {Instant} message */
function keep(message) {
  const key = keyOf(message.with);
  const all = [...talkWith(message.with), message].slice(-MOST);
  try {
    place().setItem(key, JSON.stringify(all));
  } catch {
    // full: what was said last with this person is worth more than all before; forbidden: it is shown all the same
    try {
      for (const other of talks(place())) place().removeItem(other);
      place().setItem(key, JSON.stringify([message]));
    } catch {}
  }
}

/** of each user by themselves @param {string} name */
const keyOf = (name) => PREFIX + JSON.stringify([user.get()?.username, name.toLowerCase()]);

/** What has been seen of it here, the oldest first. @param {string} name @returns {Instant[]} */
export const talkWith = (name) => JSON.parse(place().getItem(keyOf(name)) ?? '[]');

/** @param {Storage} kept */
const talks = (kept) => Object.keys(kept).filter((key) => key.startsWith(PREFIX));

/** Whoever logs out leaves nothing behind, nor does who is not `next`. @param {string} [next] */
export function forgetInstants(next) {
  for (const kept of [localStorage, sessionStorage])
    for (const key of talks(kept)) if (JSON.parse(key.slice(PREFIX.length))[0] !== next) kept.removeItem(key);
}
