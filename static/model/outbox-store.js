// What waits for the connection, kept on the device by user (Indexed Database API, W3C): it is there after a reload,
// and all windows of the browser have the same. Where the browser has no place for it, nothing can wait.

import { joined } from './outbox-joining.js';

/** @import { Entry, State } from './outbox-joining.js' */

const STORE = 'entries';
const MOST_ENTRIES = 100;
/** characters of one: what is longer has to be sent while there is a connection */
const MOST_CHARACTERS = 2_000_000;
/** who sends it has been gone for long */
export const SENDING_MS = 120_000;

/** @type {Map<string, Promise<IDBDatabase>>} */
const opened = new Map();

/** One for each address of a gateway, which may share the host with others. @param {string} kept */
function open(kept) {
  const known = opened.get(kept);
  if (known) return known;
  /** @type {Promise<IDBDatabase>} */
  const opening = new Promise((resolve, reject) => {
    const asked = indexedDB.open(`${new URL('..', location.href).pathname} ${kept}`, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: 'id' });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  opened.set(kept, opening);
  return opening;
}

/**
 * `act` gets the store; the answer comes when all of it is on the disk.
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => Promise<T>} act
 * @param {string} [kept] what the store holds
 * @returns {Promise<T>}
 */
export async function within(mode, act, kept = 'outbox') {
  const transaction = (await open(kept)).transaction(STORE, mode, { durability: 'strict' });
  const { promise, resolve, reject } = Promise.withResolvers();
  transaction.oncomplete = resolve;
  transaction.onabort = () => reject(transaction.error);
  const [done] = await Promise.all([act(transaction.objectStore(STORE)), promise]);
  return done;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answerOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** In the order in which they were written. @param {string} user @returns {Promise<Entry[]>} */
export async function readEntries(user) {
  const all = /** @type {Entry[]} */ (await within('readonly', (store) => answerOf(store.getAll())).catch(() => []));
  return all.filter((entry) => entry.user === user).sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
}

/**
 * Answers whether there was room for it. What is done to an object that something waits to be done to is one with that.
 * @param {Entry} entry
 */
export async function addEntry(entry) {
  try {
    return await within('readwrite', async (store) => {
      const all = /** @type {Entry[]} */ (await answerOf(store.getAll()));
      const earlier = all.find((each) => isSameObject(each, entry) && isUnderWay(each));
      const kept = earlier ? joined(earlier, entry.work) : entry;
      if (!earlier && all.length >= MOST_ENTRIES) return false;
      if (JSON.stringify(kept ?? '').length > MOST_CHARACTERS) return false;
      await (kept ? answerOf(store.put(kept)) : answerOf(store.delete(earlier?.id ?? '')));
      return true;
    });
  } catch {
    return false;
  }
}

/** @param {Entry} one @param {Entry} other */
const isSameObject = ({ user, work }, other) =>
  user === other.user &&
  work.kind === 'object' &&
  other.work.kind === 'object' &&
  work.room === other.work.room &&
  work.name === other.work.name;

/**
 * What `change` makes of the entry as it is now; undefined: it stays. Answers what it made, so of several windows one.
 * @param {string} id @param {(entry: Entry) => Entry | undefined} change
 */
export const changeEntry = (id, change) =>
  within('readwrite', async (store) => {
    const entry = /** @type {Entry | undefined} */ (await answerOf(store.get(id)));
    const changed = entry && change(entry);
    if (changed) await answerOf(store.put(changed));
    return changed;
  });

/** @param {string} id */
export const dropEntry = (id) => within('readwrite', (store) => answerOf(store.delete(id)));

/**
 * It has been done: `now` is what is there. What was joined to it meanwhile is still to be done, to that.
 * @param {Entry} done @param {import('./outbox-joining.js').Version} [now]
 */
export const endEntry = ({ id, work }, now) =>
  within('readwrite', async (store) => {
    const entry = /** @type {Entry | undefined} */ (await answerOf(store.get(id)));
    const isMore = entry?.work.kind === 'object' && work.kind === 'object' && entry.work.text !== work.text;
    if (!isMore) await answerOf(store.delete(id));
    else await answerOf(store.put({ ...entry, state: 'waiting', work: { ...entry.work, base: now, tried: [] } }));
  });

/**
 * For the window that is going to send it: undefined where another one does, or has. What some window was sending when
 * it went away may have arrived.
 * @param {string} id @param {number} now ms
 */
export async function claimEntry(id, now) {
  let was = /** @type {State} */ ('waiting');
  const claimed = await changeEntry(id, (entry) => {
    if (!isDue(entry, now)) return undefined;
    was = entry.state === 'waiting' ? 'waiting' : 'unknown';
    return { ...entry, state: 'sending', since: now };
  });
  return claimed && { entry: claimed, was };
}

/** Whether it is to be sent by itself. @param {Pick<Entry, 'state' | 'since'>} entry @param {number} now ms */
export const isDue = ({ state, since = 0 }, now) =>
  state === 'waiting' || state === 'unknown' || (state === 'sending' && now - since > SENDING_MS);

/** Whether it will be done by itself, or is being done. @param {Pick<Entry, 'state'>} entry */
export const isUnderWay = ({ state }) => state !== 'refused' && state !== 'conflict';
