// Logging in and out, the caller's own account, new mail: paths below `a/`.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import {
  type Caller,
  callerOf,
  clearSessionCookie,
  identityOf,
  logInByPassword,
  requireOwnOrigin,
  SESSION_COOKIE,
  setSessionCookie,
  userOf,
} from '../gateway/caller.ts';
import { isOwnFetch, isOwnNavigation, originHeaders } from '../gateway/origin.ts';
import { newSessionId, type SessionData } from '../gateway/seal.ts';
import { readBody, readJson, utf8Of } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseForm } from '../http/query.ts';
import { asJson, asPlainText, send, sendEmpty } from '../http/respond.ts';
import { MAX_SMALL_BODY_BYTES } from '../limits/http.ts';
import { SESSION_SECONDS } from '../limits/sessions.ts';
import type { Credentials } from '../room-server/connection/identity.ts';
import { serverOf } from '../room-server/driver.ts';
import { ownAddresses } from '../room-server/users.ts';
import { sendLogOutPage } from './pages.ts';

const NEGOTIATED = { Vary: 'Accept' };

/** POST a/login: JSON, form or `user|password` → the session cookie. */
export async function logIn(exchange: Exchange, app: App): Promise<void> {
  requireOwnOrigin(exchange, app);
  await requireNamed(exchange, app);
  const credentials = await readCredentials(exchange);
  try {
    const user = await logInByPassword(exchange, app, credentials);
    const { accounts } = await serverOf(app.pool, credentials);
    const identity = await app.pool.withConnection(credentials, (connection) =>
      accounts.beginSession(connection, credentials),
    );
    const now = Math.floor(Date.now() / 1000);
    const former = sessionOf(exchange, app);
    // the former session stays valid for others with its cookie; pages of this browser notice the new one
    if (former && former.usernum !== user.usernum)
      await app.fleet.notices.tell({ about: 'replaced session', sessionId: former.id });
    setSessionCookie(exchange, app, {
      ...identity,
      id: newSessionId(),
      usernum: user.usernum,
      issued: now,
      expires: now + SESSION_SECONDS,
      inbox: (await accounts.newMailSince(app.pool, identity, undefined)).inbox,
    });
    await send(
      exchange,
      200,
      asJson({
        result: true,
        message: `Welcome, ${user.name}.`,
        fullname: user.name,
        axlevel: user.level,
        timescalled: user.timesCalled,
        posted: user.posted,
        usernum: user.usernum,
        previous_login: user.previousLogin,
      }),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_logged_in') throw error;
    await send(exchange, 401, asJson({ result: false, message: error.message, code: error.backendCode ?? 540 }));
  }
}

/** If the request names an account, its session must belong to it, even if the caller does not matter. */
async function requireNamed(exchange: Exchange, app: App): Promise<void> {
  if (exchange.header('x-account') !== undefined) await callerOf(exchange, app);
}

/** POST a/logout → 204, the cookie cleared and all its copies revoked. The form of the log-out page is redirected. */
export async function logOut(exchange: Exchange, app: App): Promise<void> {
  requireOwnOrigin(exchange, app);
  await endCookie(exchange, app);
  if (isPageWanted(exchange)) await sendEmpty(exchange, 303, { Location: app.landing });
  else await sendEmpty(exchange, 204);
}

/**
 * GET a/logout does the same for programs and links in our own pages, and redirects to the landing page. Any other
 * link, which may be in a message or on another site, gets a page with a button. Throws forbidden if no page is wanted.
 */
export async function logOutAndRedirect(exchange: Exchange, app: App): Promise<void> {
  const headers = originHeaders(exchange, app.allowedOrigins);
  if (!isOwnFetch(headers) && !isOwnNavigation(headers)) {
    if (!isPageWanted(exchange)) throw new AppError('forbidden', 'To log out, send POST.');
    return sendLogOutPage(exchange, app);
  }
  await endCookie(exchange, app);
  await sendEmpty(exchange, 303, { Location: app.landing });
}

function isPageWanted(exchange: Exchange): boolean {
  return exchange.accepts('application/json', 'text/html') === 'text/html';
}

async function endCookie(exchange: Exchange, app: App): Promise<void> {
  await requireNamed(exchange, app);
  const session = sessionOf(exchange, app);
  if (session) {
    // a copy that was just renewed may expire later than this one
    const lastExpiry = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
    // from here on a copy is a guest, even if the room server does not answer
    await app.fleet.revocations.revoke(session.id, lastExpiry); // first: if this fails, nothing has happened
    app.watches.wake();
    if (session.key !== undefined) {
      const identity = identityOf(session);
      const { accounts } = await serverOf(app.pool, identity);
      await accounts.endSession(app.pool, identity);
    }
  }
  clearSessionCookie(exchange, app);
}

function sessionOf(exchange: Exchange, app: App): Readonly<SessionData> | undefined {
  const cookie = exchange.cookies.get(SESSION_COOKIE);
  return cookie === undefined ? undefined : app.sealer.open(cookie);
}

/** GET a/whoami → JSON, or the bare name for `Accept: text/plain`. */
export async function whoami(exchange: Exchange, app: App): Promise<void> {
  const caller = await callerOf(exchange, app);
  if (!isTextWanted(exchange)) return send(exchange, 200, asJson(await whoIs(exchange, app, caller)), NEGOTIATED);
  const name = caller.isGuest ? '' : (await app.pool.identify(caller.identity)).name;
  return send(exchange, 200, asPlainText(name), NEGOTIATED);
}

/** The answer of a/whoami. Throws as pool.identify. */
export async function whoIs(exchange: Exchange, app: App, { identity, session, isGuest }: Caller) {
  const { pool } = app;
  if (isGuest)
    return { logged_in: false, username: '', fullname: '', axlevel: 0, usernum: 0, email: '', addresses: [] };
  const user = await pool.identify(identity);
  const addresses = await ownAddresses(pool, identity);
  // a cookie of an earlier version, or a room server that renumbered its accounts: pages use this number
  if (session && session.usernum !== user.usernum && !app.replacedSessions.get(session.id))
    setSessionCookie(exchange, app, { ...session, usernum: user.usernum });
  return {
    logged_in: true,
    username: user.name,
    fullname: user.name,
    axlevel: user.level,
    usernum: user.usernum,
    email: addresses[0] ?? '',
    addresses,
    // of an app password; absent for the account's password
    scope: user.scope,
  };
}

/**
 * GET a/biff → number of new messages in the inbox since this session's last check. Only requests of programs and our
 * own pages count as a check, not those that a link or another site causes.
 */
export async function biff(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const { session } = caller;
  const account = await app.pool.accountOf(caller.identity);
  const previous = session?.inbox ?? app.inboxSeen.get(account);
  const { accounts } = await serverOf(app.pool, caller.identity);
  const { inbox, count } = await accounts.newMailSince(app.pool, caller.identity, previous);
  // a HEAD shows no number, so it is not a check
  const isCheck = exchange.method !== 'HEAD' && isOwnFetch(originHeaders(exchange, app.allowedOrigins));
  if (inbox !== previous && isCheck) {
    if (!session) await app.fleet.notices.tell({ about: 'inbox', account, seen: inbox });
    else if (!app.replacedSessions.get(session.id)) setSessionCookie(exchange, app, { ...session, inbox });
  }
  if (isTextWanted(exchange)) await send(exchange, 200, asPlainText(String(count)), NEGOTIATED);
  else await send(exchange, 200, asJson({ new: count }), NEGOTIATED);
}

function isTextWanted(exchange: Exchange): boolean {
  return exchange.accepts('application/json', 'text/plain') === 'text/plain';
}

/** Reads the credentials of a log-in: JSON, a form or `user|password`. Throws bad_request, unsupported_media_type. */
async function readCredentials(exchange: Exchange): Promise<Credentials> {
  const type = (exchange.header('content-type') ?? 'text/plain').split(';')[0]!.trim().toLowerCase();
  if (type === 'application/json') {
    const { username, password } = ((await readJson(exchange)) ?? {}) as { username?: unknown; password?: unknown };
    return checked(username, password);
  }
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && type !== 'text/plain') {
    throw new AppError('unsupported_media_type', 'Send JSON, a form, or username|password as text/plain.');
  }
  const body = await readBody(exchange, MAX_SMALL_BODY_BYTES);
  // curl -d sends `user|password` under the type of a form as well
  return isForm && (body.includes('=') || !body.includes('|')) ? fromForm(body) : fromBar(utf8Of(body));
}

function fromForm(body: Buffer): Credentials {
  const form = parseForm(body.toString('latin1'));
  return checked(form.get('username'), form.get('password'));
}

function fromBar(text: string): Credentials {
  const line = text.replace(/\r?\n$/, '');
  const bar = line.indexOf('|');
  return bar < 0 ? checked(undefined, undefined) : checked(line.slice(0, bar), line.slice(bar + 1));
}

function checked(user: unknown, password: unknown): Credentials {
  if (typeof user !== 'string' || typeof password !== 'string' || user.trim() === '') {
    throw new AppError('bad_request', 'Send a username and a password.');
  }
  return { user: user.trim(), password };
}
