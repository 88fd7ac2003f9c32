// Instant messages: the server gives each once and keeps none, so what came and what was sent is kept in the tab, for
// each person. All windows of this browser tell each other.

import { isConnected } from '../api/connection.js';
import { sendInstantMessage, takeInstantMessages } from '../api/people.js';
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

windows.addEventListener('message', ({ data }) => take(data));

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
  take(messages);
  windows.postMessage(messages);
}

/** @param {Instant[]} messages */
function take(messages) {
  for (const message of messages) {
    const all = [...talkWith(message.with), message].slice(-MOST);
    try {
      sessionStorage.setItem(keyOf(message.with), JSON.stringify(all));
    } catch {
      // storage is full or forbidden: it is shown all the same
    }
  }
  for (const listener of [...listeners]) listener(messages);
}

/** of each user of the tab by themselves @param {string} name */
const keyOf = (name) => PREFIX + JSON.stringify([user.get()?.username, name.toLowerCase()]);

/** What this tab has seen of it, the oldest first. @param {string} name @returns {Instant[]} */
export const talkWith = (name) => JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '[]');

/** Whoever logs out leaves nothing behind. */
export function forgetInstants() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
