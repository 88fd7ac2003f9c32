// Whether the server can be reached. A request that fails raises the doubt, a small one of this module's own settles
// it: what the browser says of its network, and streams that end, are hints only. While the server cannot be reached it
// is tried again and again.

import { signal } from '../core/signal.js';
import { accountHeaders, hear } from './account.js';
import { HEADERS } from './early.js';

/** @import { Signal } from '../core/signal.js' */

/** it is not kept by the service worker, so an answer comes from the server */
const PROBE = '../a/whoami';
const FIRST_MS = 1000;
const MOST_MS = 30_000;
/** a line that takes everything and gives nothing is no connection */
const PATIENCE_MS = 15_000;

/** @type {Signal<boolean>} */
export const isConnected = signal(true);

let timer = 0;
let wait = FIRST_MS;
/** @type {Promise<void> | undefined} */
let probing;

/** Something has failed as if there were no connection: looks whether there is one. */
export function doubtConnection() {
  probing ??= probe().finally(() => {
    probing = undefined;
  });
  return probing;
}

async function probe() {
  clearTimeout(timer);
  try {
    const headers = { ...HEADERS, ...accountHeaders() };
    const answer = await fetch(PROBE, { cache: 'no-store', headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) hear(answer.status, (await answer.json().catch(() => ({}))).type);
  } catch {
    timer = window.setTimeout(doubtConnection, wait);
    wait = Math.min(wait * 2, MOST_MS);
    isConnected.set(false);
    return;
  }
  wait = FIRST_MS;
  isConnected.set(true);
}

/** The device was told so by an answer that the service worker had kept. */
export function connectionIsLost() {
  isConnected.set(false);
  doubtConnection();
}

if (typeof document === 'object' && typeof addEventListener === 'function') {
  for (const hint of ['online', 'offline']) addEventListener(hint, () => doubtConnection());
  // a page that comes back as it was
  addEventListener('pageshow', ({ persisted }) => persisted && doubtConnection());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isConnected.get()) doubtConnection();
  });
}
