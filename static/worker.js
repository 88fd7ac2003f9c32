// The service worker of the web client: its files, the lists of rooms and the messages that were read last are kept on
// the device and serve where there is no connection (Service Workers, W3C). scripts/bundle-client.ts fills in FILES and
// VERSION; with modules as they are, each file comes from the server where that answers.
//
// A request that the worker sends on says nothing of what the page wanted it for (Fetch Metadata), on which the gateway
// relies: only what changes nothing is taken, and of answers only those to scripts of the page.

/** names below s/ of all that the client is made of @type {string[]} */
const FILES = [];
const VERSION = 'modules';

const worker = /** @type {any} */ (globalThis);
/** `/svc/` */
const prefix = new URL('..', worker.registration.scope).pathname;
const SHELLS = `${prefix} shell `;
const SHELL = SHELLS + VERSION;
/** answers of one user, of nobody else */
const LISTS = `${prefix} lists`;
const MESSAGES = `${prefix} messages`;
/** notes as they are stored, and the texts of others */
const ENTRIES = `${prefix} entries`;
/** queries for the events, tasks or contacts of a room */
const OBJECTS = `${prefix} objects`;
/** how many answers are kept, those with which status, and what in characters is too long */
const BOUNDS = {
  [LISTS]: { most: 60, status: 200, characters: 256 * 1024 },
  [MESSAGES]: { most: 200, status: 200, characters: 256 * 1024 },
  [ENTRIES]: { most: 200, status: 200, characters: 64 * 1024 },
  [OBJECTS]: { most: 24, status: 207, characters: 2 * 1024 * 1024 },
};
/** after a change of a room, until its queries are asked again: others may follow */
const REFRESH_MS = 2000;
/** of the key of a query: what was asked, encoded */
const QUERY = 'X-Query';
/** of a request: the account that the page shows, by which answers are kept and given */
const ACCOUNT = 'X-Account';
const IS_TEXT = /^(?:text\/|application\/(?:\w+\+)?(?:json|xml)\b)/;
/** at most, in UTF-8, of a character as JavaScript counts them */
const BYTES_OF_CHARACTER = 3;
/** rooms whose queries are about to be asked again @type {Set<string>} */
const refreshing = new Set();
const PAGE = `${prefix}a/landing.html`;
/** an entry of LISTS that says whose they are */
const OWNER = `${prefix}a/whoami?kept`;
const isBundled = FILES.length > 0;

/** counts what has been forgotten: an answer that was asked for before is not kept after */
let forgotten = 0;
/** what changes the kept answers goes one after the other */
let last = Promise.resolve();

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (/** @type {any} */ event) => take(event));
worker.addEventListener('notificationclick', (/** @type {any} */ event) => event.waitUntil(lead(event.notification)));

/** To what it is about, in a window of the client that is open or in a new one. @param {any} notification */
async function lead(notification) {
  const { address } = notification.data;
  notification.close();
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find((/** @type {any} */ each) => new URL(each.url).pathname === PAGE);
  if (!open) return worker.clients.openWindow(PAGE + address);
  await open.focus();
  open.postMessage({ address });
}

async function install() {
  const shell = await caches.open(SHELL);
  const page = await fetch(PAGE, { cache: 'no-cache' });
  const named = [...(await page.clone().text()).matchAll(/"\.\.\/s\/(app\/[^"]+)"/g)].map((match) => match[1]);
  // the server may have got another version meanwhile: the browser tries again with that one's worker
  if (!page.ok || (isBundled && !named.every((name) => FILES.includes(name)))) throw new Error('Another version.');
  await shell.addAll(FILES.map((name) => `${prefix}s/${name}`));
  await shell.put(PAGE, page);
  await worker.skipWaiting();
}

async function activate() {
  const shells = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== SHELL);
  // pages that are open still load parts of the version before
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {any} event */
function take(event) {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(prefix)) return;
  const path = pathname.slice(prefix.length);
  if (path === 'a/login' || path === 'a/logout') event.waitUntil(forget());
  else if (isQuery(request, path)) event.respondWith(answerQuery(event));
  else if (request.method !== 'GET') return void (/^r\/[^/]+\/./.test(path) && event.waitUntil(refresh(event)));
  else if (request.mode === 'navigate') {
    if (pathname === PAGE) event.respondWith(isBundled ? keptFirst(PAGE) : freshFirst(PAGE));
  } else if (isBundled ? FILES.includes(path.slice(2)) || path.startsWith('s/app/') : /^s(?:rc)?\//.test(path)) {
    event.respondWith(isBundled ? keptFirst(request) : freshFirst(request));
  } else if (request.destination === '' && !request.headers.has('X-Room-Password')) {
    const cache = cacheFor(path, searchParams);
    if (cache) event.respondWith(answer(event, cache, path === 'a/start'));
  }
}

/** Where the answer is kept; undefined: nowhere. @param {string} path @param {URLSearchParams} query */
function cacheFor(path, query) {
  if (/^r\/[^/]+\/(?:%7C)?\d+\/json$/.test(path) && query.size === 0) return MESSAGES;
  if (/^r\/[^/]+\/(?:%7C)?\d+$/.test(path) && query.size === 0) return ENTRIES;
  if (/^r\/[^/]+\/(?:%7C)?\d+\/json$/.test(path) && query.get('text') === 'plain') return ENTRIES;
  if (/^a\/(?:start|news)$/.test(path) || /^r\/[^/]+\/(?:(?:%7C)?info\.txt)?$/.test(path)) return LISTS;
  const isFirstPage = query.has('last') && !query.has('before') && !query.has('after');
  return /^r\/[^/]+\/(?:%7C)?mailbox$/.test(path) && isFirstPage ? LISTS : undefined;
}

/** A file of this version, or of the one that an open page began with. @param {Request | string} request */
async function keptFirst(request) {
  for (const name of (await caches.keys()).filter((each) => each.startsWith(SHELLS)).reverse()) {
    if (request === PAGE && name !== SHELL) continue;
    const kept = await (await caches.open(name)).match(request);
    if (kept) return kept;
  }
  return fetch(request);
}

/** @param {Request | string} request */
async function freshFirst(request) {
  const shell = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.status === 200) await shell.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await shell.match(request);
    if (kept) return kept;
    throw error;
  }
}

/**
 * Asks for the objects of a room (RFC 4791 section 7.8), and changes nothing.
 * @param {Request} request @param {string} path
 */
const isQuery = ({ method, headers }, path) =>
  method === 'REPORT' && /^r\/[^/]+\/$/.test(path) && !headers.has('X-Room-Password');

/** Kept by what is asked: a cache takes nothing but GET for a key. @param {any} event */
async function answerQuery(event) {
  const { request } = event;
  const text = await request.clone().text();
  // some objects by their numbers: a part of what a query answers, and what has changed of it
  if (text.includes('-multiget xmlns')) {
    event.waitUntil(refresh(event));
    return fetch(request);
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const query = [...digest].map((each) => each.toString(16)).join('.');
  const headers = { [QUERY]: encodeURIComponent(text), ...accountOf(request) };
  const key = new Request(`${request.url}?query=${query}`, { headers });
  return answer(event, OBJECTS, false, key);
}

/**
 * What is kept of the queries of a room is asked anew, soon: something of it has changed.
 * @param {any} event
 */
async function refresh({ request }) {
  const [room] = new URL(request.url).pathname.slice(prefix.length).match(/^r\/[^/]+\//) ?? [''];
  const kept = await caches.open(OBJECTS);
  const isOf = (/** @type {Request} */ { url }) => new URL(url).pathname === prefix + room;
  if (refreshing.has(room) || !(await kept.keys()).some(isOf)) return;
  refreshing.add(room);
  await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
  refreshing.delete(room);
  for (const key of (await kept.keys()).filter(isOf)) {
    const since = forgotten;
    const headers = { 'Content-Type': 'application/xml; charset=utf-8', Depth: '1', ...accountOf(key) };
    const body = decodeURIComponent(key.headers.get(QUERY) ?? '');
    const response = await fetch(prefix + room, { method: 'REPORT', headers, body }).catch(() => undefined);
    if (response) await inTurn(() => look(key, response, { cache: OBJECTS, isStart: false, since }));
  }
}

/**
 * From the server, or where that cannot be reached what was kept.
 * @param {any} event @param {string} cache @param {boolean} isStart it says who is here
 * @param {Request} [key] what it is kept by
 */
async function answer(event, cache, isStart, key = event.request) {
  const { request } = event;
  const since = forgotten;
  try {
    const response = await fetch(request);
    if (response.status < 300 && !mayBeKept(response, BOUNDS[cache])) return response;
    const copy = response.clone();
    event.waitUntil(inTurn(() => look(key, copy, { cache, isStart, since })));
    return response;
  } catch (error) {
    const isMeant = !request.signal.aborted && (await isOwners(request, await caches.open(LISTS)));
    const kept = isMeant && (await (await caches.open(cache)).match(key));
    if (kept && since === forgotten) return kept;
    throw error;
  }
}

/** As a header field, where the request has it. @param {Request} request @returns {Record<string, string>} */
function accountOf({ headers }) {
  const account = headers.get(ACCOUNT);
  return account === null ? {} : { [ACCOUNT]: account };
}

/**
 * It names no other account than that whose answers are kept; a page that begins names none.
 * @param {Request} request @param {Cache} lists
 */
async function isOwners(request, lists) {
  const owner = await lists.match(OWNER);
  const { [ACCOUNT]: account } = accountOf(request);
  return owner !== undefined && (account === undefined || account === owner.headers.get(ACCOUNT));
}

/**
 * It is text, and not too long as far as it says so: the copy of another one would be held whole.
 * @param {Response} response @param {{ characters: number }} bounds
 */
const mayBeKept = ({ headers }, { characters }) =>
  IS_TEXT.test(headers.get('Content-Type') ?? '') &&
  Number(headers.get('Content-Length') ?? 0) <= characters * BYTES_OF_CHARACTER;

/**
 * @param {Request} request @param {Response} response
 * @param {{ cache: string, isStart: boolean, since: number }} how
 */
async function look(request, response, { cache, isStart, since: asked }) {
  let since = asked;
  if (since !== forgotten) return;
  // a session that is over may have been somebody else's
  if (response.status === 401) return forget();
  const { most, status, characters } = BOUNDS[cache];
  if (response.status !== status) return void (await (await caches.open(cache)).delete(request));
  const text = await response.text();
  if (isStart) since = await setOwner(JSON.parse(text).user, since);
  const lists = await caches.open(LISTS);
  const kept = await caches.open(cache);
  // looked at last: of a cache that is deleted after this, the one that is open here goes with it
  if (text.length > characters || !(await isOwners(request, lists)) || since !== forgotten) return;
  // what was read last stands last
  await kept.delete(request);
  const headers = { 'Content-Type': response.headers.get('Content-Type') ?? '', 'X-Kept': String(Date.now()) };
  await kept.put(request, new Response(text, { headers }));
  const [...requests] = (await kept.keys()).filter(({ url }) => !url.endsWith(OWNER));
  await Promise.all(requests.slice(0, Math.max(0, requests.length - most)).map((each) => kept.delete(each)));
}

/**
 * Nothing of another user's stays, and nothing of a guest's. Answers what `forgotten` is, unless somebody else forgets.
 * @param {{ logged_in: boolean, username: string, usernum: number }} user @param {number} asked
 */
async function setOwner({ logged_in, username, usernum }, asked) {
  const lists = await caches.open(LISTS);
  const owner = await lists.match(OWNER);
  if ((logged_in && owner?.headers.get(ACCOUNT) === String(usernum)) || asked !== forgotten) return asked;
  const forgetting = forget();
  const since = forgotten;
  await forgetting;
  const own = await caches.open(LISTS);
  if (logged_in && since === forgotten)
    await own.put(OWNER, new Response(username, { headers: { [ACCOUNT]: String(usernum) } }));
  return since;
}

function forget() {
  forgotten++;
  return Promise.all(Object.keys(BOUNDS).map((name) => caches.delete(name)));
}

/** @param {() => Promise<unknown>} act @returns {Promise<void>} */
function inTurn(act) {
  last = last.then(act).then(
    () => {},
    () => {},
  );
  return last;
}
