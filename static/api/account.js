// Which account the page shows. A page is one account's for as long as it lives, but the session is the browser's: any
// window may log out, or log in as somebody else. So each request names the account, the gateway refuses it for any
// other (HTTP decision 98), and the windows of a browser tell each other.

/** type of the refusal (RFC 9457) */
export const OTHER_ACCOUNT = 'urn:vestibule:other-account';

/** where this device keeps who was here last: a number, no secret; a host may have several gateways */
const place = () => `account of ${new URL('..', location.href).pathname}`;

/** its number, 0 for nobody; undefined: not known yet @type {number | undefined} */
let shown;
let isOver = false;
/** @type {(hasEnded: boolean) => unknown} */
let tell = () => {};
/** @type {BroadcastChannel | undefined} */
let windows;

/** Of each request, so that nothing is done or shown for anybody else. */
export const accountHeaders = () => (shown === undefined ? undefined : { 'X-Account': String(shown) });

export const shownAccount = () => shown;

/** 0 for nobody; undefined where that is not known. */
export function lastAccount() {
  const kept = localStorage.getItem(place());
  return kept === null ? undefined : Number(kept);
}

/**
 * `listener` runs once, when the browser's session is no longer the page's: another window has changed it, or the
 * server says so. `hasEnded`: it ended by itself.
 * @param {(hasEnded: boolean) => unknown} listener
 */
export function whenOver(listener) {
  tell = listener;
  windows = new BroadcastChannel(place());
  windows.addEventListener('message', ({ data }) => compare(data));
  addEventListener('storage', ({ key }) => key === place() && compare(lastAccount()));
  // a window that was asleep has heard nothing
  addEventListener('pageshow', () => compare(lastAccount()));
  document.addEventListener('visibilitychange', () => compare(lastAccount()));
  // a link can name no account
  addEventListener('click', (event) => compare(lastAccount()) && event.preventDefault(), true);
}

/** The page asks who is here. */
export function forgetAccount() {
  shown = undefined;
}

/** What the server has said, to all windows. @param {number} account */
export function showAccount(account) {
  shown = account;
  announceAccount(account);
}

/** @param {number} account of the browser's session */
function announceAccount(account) {
  if (lastAccount() === account) return;
  windows?.postMessage(account);
  try {
    localStorage.setItem(place(), String(account));
  } catch {
    // full: the server says it, too
  }
}

/**
 * The page logs out by `act`: what it hears of that meanwhile, from a stream that ends, is no news.
 * @param {() => Promise<unknown>} act
 */
export async function endAccount(act) {
  isOver = true;
  try {
    await act();
  } catch (problem) {
    isOver = false;
    const { status, type } = /** @type {any} */ (problem);
    hear(status, type);
    throw problem;
  }
  announceAccount(0);
}

/** Looks whether an answer says that the session is another one. @param {number} status @param {unknown} type */
export function hear(status, type) {
  if (type === OTHER_ACCOUNT) over(false);
  else if (status === 401 && shown) over(true);
}

/** Answers whether the page is over. @param {number | undefined} account of the browser's session */
function compare(account) {
  if (account !== undefined && shown !== undefined && account !== shown) over(false);
  return isOver;
}

/** @param {boolean} hasEnded */
function over(hasEnded) {
  if (isOver) return;
  isOver = true;
  tell(hasEnded);
}
