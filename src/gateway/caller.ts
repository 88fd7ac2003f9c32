// Who makes a request: HTTP Basic (RFC 7617), the address of a feed, the session cookie, or nobody, in this order.

import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { serializeCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  FAILED_LOGIN_MS,
  KNOWN_NETWORK_RENEW_SECONDS,
  LOG_IN_WAIT_MS,
  MAX_CREDENTIAL_BYTES,
  MAX_LOG_INS_AT_ONCE,
  MAX_LOG_INS_AT_ONCE_PER_NETWORK,
  MAX_WAITING_LOG_INS,
  MAX_WAITING_LOG_INS_PER_NETWORK,
  SESSION_RENEW_SECONDS,
  SESSION_SECONDS,
} from '../limits/sessions.ts';
import type { LoggedIn } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import { type Credentials, GUEST, type Identity, wrongCredentials } from '../room-server/connection/identity.ts';
import { accountOfLogin } from '../room-server/users.ts';
import { FairQueue } from '../system/fair-queue.ts';
import type { App } from './app.ts';
import { originHeaders, refuseForeignOrigin } from './origin.ts';
import { isFeed, requireScope, SAFE_METHODS } from './scope.ts';
import type { SessionData } from './seal.ts';

export const SESSION_COOKIE = 'vestibule';

export interface Caller {
  identity: Identity;
  /** of the cookie that the request carried; undefined with Basic and for guests */
  session: Readonly<SessionData> | undefined;
  isGuest: boolean;
}

const NOBODY: Caller = { identity: GUEST, session: undefined, isGuest: true };

/** The caller; of a request that names an account, it is that one's. Throws as findCaller and requireAccount. */
export async function callerOf(exchange: Exchange, app: App): Promise<Caller> {
  const named = exchange.header('x-account');
  const caller = await findCaller(exchange, app);
  if (named !== undefined) await requireAccount(app, caller, named);
  return caller;
}

/**
 * A page shows one account, and the session belongs to the browser: another window may have changed it. So what a page
 * sends names the account's number, 0 for guests, and does nothing for anybody else. Throws other_account, and
 * not_logged_in where nobody is logged in any more; bad_request for what is no number.
 */
export async function requireAccount(app: App, caller: Caller, named: string): Promise<void> {
  if (!/^\d{1,15}$/.test(named)) throw new AppError('bad_request', 'An account is named by its number.');
  if ((await accountNumber(app, caller)) === Number(named)) return;
  if (caller.isGuest) throw new AppError('not_logged_in', 'The session has ended. Please log in.');
  throw new AppError('other_account', 'Somebody else has logged in meanwhile. Nothing was done.');
}

async function accountNumber(app: App, { identity, session, isGuest }: Caller): Promise<number> {
  if (isGuest) return 0;
  return session?.usernum ?? (await app.pool.identify(identity)).usernum;
}

/**
 * Throws not_logged_in for wrong Basic credentials, too_many_requests for too many of them, forbidden for
 * what an app password is not good for, for credentials that another site names in an address, and for a request that
 * changes something and comes from another site with the visitor's cookie or credentials: a browser that was asked for
 * them adds them to the requests of other sites, too.
 */
async function findCaller(exchange: Exchange, app: App): Promise<Caller> {
  const authorization = exchange.header('authorization');
  const inAddress = authorization === undefined ? credentialsInAddress(exchange, app) : undefined;
  const identity = authorization === undefined ? inAddress : parseBasic(authorization);
  if (identity) return callerByPassword(exchange, app, identity, inAddress !== undefined);
  const cookie = exchange.cookies.get(SESSION_COOKIE);
  const session = cookie === undefined ? undefined : app.sealer.open(cookie);
  if (!session) return NOBODY;
  return (await app.fleet.revocations.isRevoked(session.id)) ? NOBODY : callerBySession(exchange, app, session);
}

async function callerByPassword(
  exchange: Exchange,
  app: App,
  identity: Credentials,
  isInAddress: boolean,
): Promise<Caller> {
  // credentials that another page names are that page's guess, which would count as one from the visitor's own network
  const mayBeGuess = isInAddress || (isEmbedded(exchange) && !app.pool.isKnown(identity));
  if (mayBeGuess || !SAFE_METHODS.has(exchange.method)) requireOwnOrigin(exchange, app);
  const { scope } = await logInThrottled(exchange, app, identity, () => app.pool.identify(identity));
  exchange.markLoggedIn(identity.user);
  if (isInAddress && scope !== 'feed') throw wrongCredentials();
  requireScope(exchange, app, scope);
  return { identity, session: undefined, isGuest: false };
}

function callerBySession(exchange: Exchange, app: App, session: Readonly<SessionData>): Caller {
  if (!SAFE_METHODS.has(exchange.method)) requireOwnOrigin(exchange, app);
  exchange.markLoggedIn(session.user); // it is sealed when a password has been checked
  const now = Math.floor(Date.now() / 1000);
  if (now - session.issued <= SESSION_RENEW_SECONDS) return { identity: identityOf(session), session, isGuest: false };
  const renewed = { ...session, issued: now, expires: now + SESSION_SECONDS };
  setSessionCookie(exchange, app, renewed);
  return { identity: identityOf(renewed), session: renewed, isGuest: false };
}

/** Of a session, without the rest of its cookie. */
export function identityOf(session: Readonly<SessionData>): Identity {
  const { user } = session;
  return session.key === undefined ? { user, password: session.password } : { user, key: session.key };
}

/** The same, for what needs a logged-in caller. Throws not_logged_in. */
export async function userOf(exchange: Exchange, app: App): Promise<Caller> {
  const caller = await callerOf(exchange, app);
  if (caller.isGuest) throw new AppError('not_logged_in', 'Please log in.');
  return caller;
}

/** A page or message makes the browser send this, not the visitor, who follows a link: a picture, a frame, a fetch. */
function isEmbedded(exchange: Exchange): boolean {
  return (exchange.header('sec-fetch-dest') ?? 'document') !== 'document';
}

/** Throws forbidden when another site, or a message, makes the visitor's browser send this request. */
export function requireOwnOrigin(exchange: Exchange, app: App): void {
  if (refuseForeignOrigin(originHeaders(exchange, app.allowedOrigins)))
    throw new AppError('forbidden', 'This request comes from another site.');
}

/**
 * Runs `logIn`, counting failures by account and by address. Throws not_logged_in, too_many_requests. Only where the
 * account has logged in from is a password that others are logged in with not counted: elsewhere, an answer to it that
 * nothing slows down would tell it from all wrong ones. Nor is it there, once somebody is refused.
 */
export async function logInThrottled<T>(
  exchange: Exchange,
  app: App,
  identity: Credentials,
  logIn: () => Promise<T>,
): Promise<T> {
  if (!isPossible(identity.user) || !isPossible(identity.password)) {
    throw wrongCredentials();
  }
  const from = `${identity.user}\0${exchange.remoteAddress}`;
  if (app.pool.isKnown(identity) && isOfLate(app.loggedInFrom.get(from))) return logIn();
  const started = performance.now();
  const keys = keysOf(exchange, await accountOfLogin(app.pool, identity.user));
  const wait = await app.fleet.throttle.check(keys);
  if (wait > 0) {
    app.loggedInFrom.delete(from);
    throw new AppError('too_many_requests', 'Too many failed log-ins. Please wait.', { retryAfterSeconds: wait });
  }
  // who has logged in from here before comes first, and is not held up by others behind the same address
  const isFirst = app.loggedInFrom.get(from) !== undefined;
  try {
    const leave = await app.logIns.enter(isFirst ? from : exchange.remoteNetwork, exchange.gone, isFirst);
    const result = await logIn().finally(leave);
    await app.fleet.throttle.succeeded(keys);
    app.loggedInFrom.set(from, Date.now() / 1000);
    return result;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_logged_in') {
      await app.fleet.throttle.failed(keys);
      await atLeast(started, FAILED_LOGIN_MS);
    } else {
      await app.fleet.throttle.withdrawn(keys); // it was no guess: the room server could not be asked
    }
    throw error;
  }
}

/**
 * For what takes the account's own password. An app password is refused, also a right one. Throws as logInThrottled.
 */
export async function logInByPassword(exchange: Exchange, app: App, credentials: Credentials): Promise<LoggedIn> {
  const user = await logInThrottled(exchange, app, credentials, () => app.pool.logIn(credentials));
  if (user.scope === undefined) return user;
  const text = 'This is an app password. Programs use it; here your own is wanted.';
  throw new AppError('not_logged_in', text, { backendCode: STATUS.passwordRequired });
}

/** Strangers who try many names delay each other, not who comes from elsewhere. */
export function newLogInQueue(): FairQueue {
  return new FairQueue({
    slots: MAX_LOG_INS_AT_ONCE,
    slotsPerCaller: MAX_LOG_INS_AT_ONCE_PER_NETWORK,
    maxWaiting: MAX_WAITING_LOG_INS,
    maxWaitingPerCaller: MAX_WAITING_LOG_INS_PER_NETWORK,
    maxWaitMs: LOG_IN_WAIT_MS,
    refused: (isOwnFault) => {
      const text = `Too many log-ins${isOwnFault ? ' from your network' : ''} at once. Try again soon.`;
      return new AppError('busy', text, { retryAfterSeconds: 5 });
    },
  });
}

/** So that the throttle does not forget the networks of who is always logged in. */
function isOfLate(seconds: number | undefined): boolean {
  return seconds !== undefined && seconds > Date.now() / 1000 - KNOWN_NETWORK_RENEW_SECONDS;
}

function keysOf(exchange: Exchange, account: string): string[] {
  return [`account:${account}`, `address:${exchange.remoteAddress}`];
}

/** Of an account's name or password; what cannot be sent as one field belongs to no account. */
function isPossible(credential: string): boolean {
  return isFieldSafe(credential) && Buffer.byteLength(credential) <= MAX_CREDENTIAL_BYTES;
}

/** Waits until so many milliseconds have passed since `started`, of performance.now(). */
export function atLeast(started: number, milliseconds: number): Promise<void> {
  const left = milliseconds - (performance.now() - started);
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : Promise.resolve();
}

/** The last one of a request wins: handlers may change what callerOf has renewed. */
export function setSessionCookie(exchange: Exchange, app: App, data: SessionData): void {
  const value = app.sealer.seal(data);
  exchange.addHeader('Set-Cookie', cookieText(exchange, app, value, data.expires - data.issued));
}

/** Makes the browser forget its session cookie. */
export function clearSessionCookie(exchange: Exchange, app: App): void {
  exchange.addHeader('Set-Cookie', cookieText(exchange, app, '', 0));
}

function cookieText(exchange: Exchange, app: App, value: string, maxAgeSeconds: number): string {
  return serializeCookie(SESSION_COOKIE, value, {
    maxAgeSeconds,
    path: app.prefix,
    httpOnly: true,
    secure: app.hasSecureCookies || exchange.secure,
    sameSite: 'Lax',
  });
}

/** `Basic dXNlcjpwYXNz`: UTF-8, the password may hold colons. Throws not_logged_in for anything else. */
function parseBasic(authorization: string): Credentials {
  const token = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const text = token === undefined ? '' : Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw new AppError('not_logged_in', 'The Authorization header cannot be used.');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Those of a feed, `?user=NAME&token=SECRET`; undefined elsewhere, and without them. No other password is taken from an
 * address, which programs keep in lists and logs.
 */
function credentialsInAddress(exchange: Exchange, app: App): Credentials | undefined {
  if (exchange.rawQuery === '' || !isFeed(exchange, app)) return undefined;
  const token = exchange.query.get('token');
  if (token === undefined) return undefined;
  const user = exchange.query.get('user') ?? '';
  if (user === '') throw wrongCredentials(); // that would be nobody
  return { user, password: token };
}

/**
 * The key of the caller's uploads: made of the number of the user, because a name or password may change during a
 * session.
 */
export async function ownerOf(app: App, { identity }: Caller): Promise<string> {
  const { usernum } = await app.pool.identify(identity);
  return hash('sha256', `user ${usernum}`, 'hex');
}
