// What the first view needs is asked for while the modules of the client are still on their way: the page loads this
// one by itself. Each answer serves the first request for it.

import '../core/language.js';
import { lastAccount, shownAccount } from './account.js';

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

/** `account` for which it was asked @type {Map<string, { answer: Promise<Response>, account?: number }>} */
const asked = new Map();

function begin() {
  ask(START);
  // strangers are not told
  const account = lastAccount();
  if (account && /^#?\/?$/.test(location.hash)) ask(NEWS, account);
  // the drawings that the first view is to have
  fetch('../s/icons.svg').catch(() => {});
}

/** @param {string} path @param {number} [account] */
function ask(path, account) {
  const headers = account === undefined ? HEADERS : { ...HEADERS, 'X-Account': String(account) };
  const answer = fetch(path, { headers });
  answer.catch(() => {});
  asked.set(path, { answer, account });
}

/** The answer that is on its way since the page began; undefined where there is none. @param {string} path */
export function earlyAnswer(path) {
  const early = asked.get(path);
  asked.delete(path);
  return performance.now() < EARLY_MS && early?.account === shownAccount() ? early?.answer : undefined;
}

if (typeof document === 'object' && document.documentElement.hasAttribute('data-client')) begin();
