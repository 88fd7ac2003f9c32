// What the first view needs is asked for while the modules of the client are still on their way: the page loads this
// one by itself. Each answer serves the first request for it.

import '../core/language.js';

export const START = '../a/start';
/** the newest unread messages of each room that has some */
export const NEWS = '../a/news?rooms=20&messages=3';

/**
 * Of every request. Without TLS a browser does not say that a script of the page asks, and the gateway would have it
 * open its own log-in window where a session is over.
 */
export const HEADERS = { Accept: 'application/json, text/plain;q=0.5, */*;q=0.1', 'X-Requested-With': 'fetch' };
/** an answer that nobody has asked for in this time is not true any more */
const EARLY_MS = 10_000;

/** where this device keeps who was here last: a name, no secret */
const LAST_USER = 'last-user';

/** @type {Map<string, Promise<Response>>} */
const asked = new Map();

function begin() {
  ask(START);
  // strangers are not told
  if (lastUser() !== '' && /^#?\/?$/.test(location.hash)) ask(NEWS);
  // the drawings that the first view is to have
  fetch('../s/icons.svg').catch(() => {});
}

/** @param {string} path */
function ask(path) {
  const answer = fetch(path, { headers: HEADERS });
  answer.catch(() => {});
  asked.set(path, answer);
}

/** The answer that is on its way since the page began; undefined where there is none. @param {string} path */
export function earlyAnswer(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return performance.now() < EARLY_MS ? answer : undefined;
}

/** '' for nobody. */
export const lastUser = () => localStorage.getItem(LAST_USER) ?? '';

/** @param {string} name '' for nobody */
export function keepLastUser(name) {
  if (name === '') localStorage.removeItem(LAST_USER);
  else localStorage.setItem(LAST_USER, name);
}

if (typeof document === 'object' && document.documentElement.hasAttribute('data-client')) begin();
