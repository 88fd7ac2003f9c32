// The caller of a request: HTTP Basic (RFC 7617), the address of a feed, the session cookie, or a guest, in this order;
// and what an app password permits.

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
import type { AppPasswordScope, LoggedIn } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import { type Credentials, GUEST, type Identity, wrongCredentials } from '../room-server/connection/identity.ts';
import { accountOfLogin } from '../room-server/users.ts';
import { FairQueue } from '../system/fair-queue.ts';
import type { App } from './app.ts';
import { originHeaders, refuseForeignOrigin } from './origin.ts';
import type { SessionData } from './seal.ts';

export const SESSION_COOKIE = 'vestibule';

export interface Caller {
  identity: Identity;
  /** of the cookie; undefined with Basic and for guests */
  session: Readonly<SessionData> | undefined;
  isGuest: boolean;
}

const NOBODY: Caller = { identity: GUEST, session: undefined, isGuest: true };

/** Throws as findCaller, and as requireAccount if the request names an account. */
export async function callerOf(exchange: Exchange, app: App): Promise<Caller> {
  const named = exchange.header('x-account');
  const caller = await findCaller(exchange, app);
  if (named !== undefined) await requireAccount(app, caller, named);
  return caller;
}

/**
 * A page shows one account, but another window may change the session of the browser. So a page sends the number of its
 * account, 0 for guests, and the request does nothing for anybody else. Throws other_account, not_logged_in if nobody
 * is logged in any more, bad_request for no number.
 */
export async function requireAccount(app: App, caller: Caller, named: string): Promise<void> {
  if (!/^\d{1,15}$/.test(named)) throw new AppError('bad_request', 'X-Account takes the number of an account.');
  if ((await accountNumber(app, caller)) === Number(named)) return;
  if (caller.isGuest) throw new AppError('not_logged_in', 'The session has ended. Please log in.');
  throw new AppError('other_account', 'Another user has logged in meanwhile. Nothing was changed.');
}

async function accountNumber(app: App, { identity, session, isGuest }: Caller): Promise<number> {
  if (isGuest) return 0;
  return session?.usernum ?? (await app.pool.identify(identity)).usernum;
}

/**
 * Throws not_logged_in for wrong Basic credentials, too_many_requests for too many of them, forbidden if an app
 * password does not permit the request, if another site put credentials into an address, and if another site makes a
 * request that changes something with the visitor's cookie or credentials: a browser that was asked for them sends them
 * with requests of other sites, too.
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
  // credentials in a link of another page are its guess, and must not count as the visitor's
  const mayBeGuess = isInAddress || (isEmbedded(exchange) && !app.pool.isKnown(identity));
  if (mayBeGuess || !SAFE_METHODS.has(exchange.method)) requireOwnOrigin(exchange, app);
  const { scope, usernum } = await logInThrottled(exchange, app, identity, () => app.pool.identify(identity));
  exchange.markLoggedIn(identity.user, usernum);
  if (isInAddress && scope !== 'feed') throw wrongCredentials();
  requireScope(exchange, app, scope);
  return { identity, session: undefined, isGuest: false };
}

function callerBySession(exchange: Exchange, app: App, session: Readonly<SessionData>): Caller {
  if (!SAFE_METHODS.has(exchange.method)) requireOwnOrigin(exchange, app);
  exchange.markLoggedIn(session.user, session.usernum); // sealed after a password was checked
  const now = Math.floor(Date.now() / 1000);
  if (now - session.issued <= SESSION_RENEW_SECONDS) return { identity: identityOf(session), session, isGuest: false };
  const renewed = { ...session, issued: now, expires: now + SESSION_SECONDS };
  setSessionCookie(exchange, app, renewed);
  return { identity: identityOf(renewed), session: renewed, isGuest: false };
}

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

/** A page or message makes the browser send this (a picture, a frame, a fetch), not the visitor, who follows a link. */
function isEmbedded(exchange: Exchange): boolean {
  return (exchange.header('sec-fetch-dest') ?? 'document') !== 'document';
}

/** Throws forbidden if another site or a message makes the visitor's browser send this request. */
export function requireOwnOrigin(exchange: Exchange, app: App): void {
  if (refuseForeignOrigin(originHeaders(exchange, app.allowedOrigins)))
    throw new AppError('forbidden', 'This request comes from another site.');
}

/**
 * Runs `logIn` and counts failures by account and by address. Throws not_logged_in, too_many_requests. A password that
 * others are logged in with is not counted only where the account has logged in before: elsewhere a fast answer would
 * tell it from wrong ones. After a refusal it is counted there, too.
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
  // returning users come first, and do not wait for others behind the same address
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
      await app.fleet.throttle.withdrawn(keys); // no guess: the room server could not be asked
    }
    throw error;
  }
}

/**
 * For actions that need the account's own password: refuses an app password, even a right one. Throws as
 * logInThrottled.
 */
export async function logInByPassword(exchange: Exchange, app: App, credentials: Credentials): Promise<LoggedIn> {
  const user = await logInThrottled(exchange, app, credentials, () => app.pool.logIn(credentials));
  if (user.scope === undefined) return user;
  const text = 'This is an app password. Programs use it; here your own is wanted.';
  throw new AppError('not_logged_in', text, { backendCode: STATUS.passwordRequired });
}

/** Strangers who try many names delay each other, not users elsewhere. */
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

/** So that the throttle does not forget the networks of users who stay logged in. */
function isOfLate(seconds: number | undefined): boolean {
  return seconds !== undefined && seconds > Date.now() / 1000 - KNOWN_NETWORK_RENEW_SECONDS;
}

function keysOf(exchange: Exchange, account: string): string[] {
  return [`account:${account}`, `address:${exchange.remoteAddress}`];
}

/** A name or password that cannot be sent as one field belongs to no account. */
function isPossible(credential: string): boolean {
  return isFieldSafe(credential) && Buffer.byteLength(credential) <= MAX_CREDENTIAL_BYTES;
}

/** Waits until this many milliseconds have passed since `started` (performance.now()). */
export function atLeast(started: number, milliseconds: number): Promise<void> {
  const left = milliseconds - (performance.now() - started);
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : Promise.resolve();
}

/** The last call of a request wins: handlers may change what callerOf renewed. */
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

/** `Basic dXNlcjpwYXNz`: UTF-8, the password may contain colons. Throws not_logged_in for anything else. */
function parseBasic(authorization: string): Credentials {
  const token = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const text = token === undefined ? '' : Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw new AppError('not_logged_in', 'The Authorization header cannot be used.');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Credentials of a feed, `?user=NAME&token=SECRET`; undefined for other requests. No other password may be in an
 * address, which programs keep in lists and logs.
 */
function credentialsInAddress(exchange: Exchange, app: App): Credentials | undefined {
  if (exchange.rawQuery === '' || !isFeed(exchange, app)) return undefined;
  const token = exchange.query.get('token');
  if (token === undefined) return undefined;
  const user = exchange.query.get('user') ?? '';
  if (user === '') throw wrongCredentials(); // that would be a guest
  return { user, password: token };
}

/** The key of the caller's uploads, from the user's number: name and password may change during a session. */
export async function ownerOf(app: App, { identity }: Caller): Promise<string> {
  const { usernum } = await app.pool.identify(identity);
  return hash('sha256', `user ${usernum}`, 'hex');
}

/** from the tables of routes */
type Addresses = Pick<App, 'prefix' | 'davRoutes'>;

/** Methods that change nothing (RFC 9110 section 9.2.1, RFC 4918 section 9.1, RFC 3253 section 3.6). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']);
/** methods of the JSON interface at addresses that it shares with WebDAV */
const NOT_DAV: ReadonlySet<string> = new Set(['PATCH', 'POST']);

/**
 * Throws forbidden unless the scope of the app password permits the request; undefined: the account's own password.
 * That no app password reaches the account itself is checked by the room server, for the line protocol, too.
 */
export function requireScope(exchange: Exchange, app: Addresses, scope: AppPasswordScope | undefined): void {
  if (scope === undefined || isWithin(exchange, app, scope)) return;
  throw new AppError('forbidden', 'This app password does not permit that.');
}

function isWithin(exchange: Exchange, app: Addresses, scope: AppPasswordScope): boolean {
  switch (scope) {
    case 'all':
      return true;
    case 'read':
      return isSafe(exchange);
    case 'dav':
      return isDav(exchange, app);
    case 'feed':
      return isSafe(exchange) && isFeed(exchange, app);
  }
}

function isSafe({ method, isChanging }: Exchange): boolean {
  return SAFE_METHODS.has(method) && !isChanging;
}

/**
 * A WebDAV method at a WebDAV address; POST only at the outbox (RFC 6638 section 5). The parameters of a PUT make it a
 * post or mail. Which rooms take objects and files, and no posts, is the room server's to decide.
 */
function isDav({ method, route, isChanging, rawQuery }: Exchange, { davRoutes }: Addresses): boolean {
  if (method === 'OPTIONS') return true; // answered from the tables of routes
  if (!davRoutes.has(route) || isChanging || (method === 'PUT' && rawQuery !== '')) return false;
  return !NOT_DAV.has(method) || (method === 'POST' && /\/outbox\/?$/.test(route));
}

/** GET r/:room/feed */
function isFeed({ route }: Exchange, { prefix }: Addresses): boolean {
  return route === `${prefix}r/:room/feed`;
}
