// Files on their way into rooms: one job each, that goes on while the reader does something else in the page. All that
// can be stored is stored; what is refused is named with the reason. What is left is kept on the device, so that a job
// which ended with its page can go on at the next visit.

import { deleteObject, readObject, writeObject } from '../api/calendars.js';
import { isConnectionProblem, isSessionProblem, messageOf, Problem } from '../api/request.js';
import { signal } from '../core/signal.js';
import { answerOf, within } from './outbox-store.js';
import { user } from './session.js';

/** @typedef {{ uid: string, text: string, title: string }} ImportItem */
/** @typedef {{ uid: string, etag: string, before?: string }} Imported `before`: what it has replaced */
/**
 * @typedef {object} ImportJob
 * @property {string} id
 * @property {string} user
 * @property {string} name of the file
 * @property {string} room
 * @property {string} type
 * @property {ImportItem[]} items
 * @property {number} done those before it need not be looked at again
 * @property {'running' | 'stopped' | 'cancelled' | 'over'} state
 * @property {string} reason why it has stopped
 * @property {{ added: number, updated: number, known: number }} counts
 * @property {{ title: string, reason: string }[]} refused
 * @property {Imported[]} written what can be undone: not what was written before the page was left
 */

const KEPT = 'imports';
/** requests at once */
const AT_ONCE = 4;
/** objects between two notes of how far it has come: what was stored since is the same when it is stored again */
const NOTED_EACH = 20;
/** a server that is busy is asked again so often */
const MOST_TRIES = 4;

/** under way here, or ended a moment ago; set anew with each step */
export const imports = signal(/** @type {ImportJob[]} */ ([]));

const tell = () => imports.set([...imports.get()]);

addEventListener('beforeunload', (event) => {
  if (imports.get().some(({ state }) => state === 'running')) event.preventDefault();
});

/**
 * Begins a new one. @param {{ name: string, room: string, type: string, items: ImportItem[] }} file
 * @returns {{ job: ImportJob, over: Promise<void> }}
 */
export function beginImport(file) {
  const username = user.get()?.username ?? '';
  const counts = { added: 0, updated: 0, known: 0 };
  /** @type {ImportJob} */
  const job = {
    id: crypto.randomUUID(),
    user: username,
    ...file,
    done: 0,
    state: 'running',
    reason: '',
    counts,
    refused: [],
    written: [],
  };
  imports.set([...imports.get(), job]);
  return { job, over: run(job, true) };
}

/** Goes on with one that has stopped. @param {ImportJob} job */
export function continueImport(job) {
  job.state = 'running';
  if (!imports.get().includes(job)) imports.set([...imports.get(), job]);
  return run(job, false);
}

/** What has been stored stays. @param {ImportJob} job */
export function cancelImport(job) {
  job.state = 'cancelled';
  tell();
  return forget(job);
}

/** Nobody wants to know any more. @param {ImportJob} job */
export function closeImport(job) {
  imports.set(imports.get().filter((each) => each !== job));
}

/** Those of who is here that ended with their page. @returns {Promise<ImportJob[]>} */
export async function stoppedImports() {
  /** @type {(ImportJob | { id: string, of: Partial<ImportJob> })[]} */
  const kept = await within('readonly', (store) => answerOf(store.getAll()), KEPT).catch(() => []);
  const here = new Set(imports.get().map(({ id }) => id));
  const stopped = kept.flatMap((each) => {
    if (!('items' in each) || each.user !== user.get()?.username || here.has(each.id)) return [];
    const note = kept.find(({ id }) => id === noteOf(each));
    return [{ ...each, ...(note && 'of' in note ? note.of : {}), state: /** @type {const} */ ('stopped') }];
  });
  const areFree = await Promise.all(stopped.map(isFree));
  return stopped.filter((_, i) => areFree[i]);
}

/** Whether no other window is at it; where locks are not given out nobody can tell. @param {ImportJob} job */
const isFree = async (job) =>
  (await navigator.locks?.request(lockOf(job), { ifAvailable: true }, (lock) => lock !== null)) ?? true;

/** @param {ImportJob} job */
const lockOf = ({ id }) => `import ${id}`;
/** @param {ImportJob} job */
const noteOf = ({ id }) => `${id} note`;

/** @param {ImportJob} job @param {boolean} isNew */
async function run(job, isNew) {
  tell();
  const act = async () => {
    // where the device has no place for it, it goes on in this page only
    if (isNew) await within('readwrite', (store) => answerOf(store.put({ ...job })), KEPT).catch(() => {});
    await Promise.all(Array.from({ length: AT_ONCE }, workers(job)));
    if (job.state === 'running') {
      job.state = 'over';
      await forget(job);
    } else if (job.state === 'stopped') await note(job);
    tell();
  };
  await (navigator.locks ? navigator.locks.request(lockOf(job), act) : act());
}

/** @param {ImportJob} job */
function workers(job) {
  let next = job.done;
  /** @type {Set<number>} */
  const ahead = new Set();
  return async () => {
    while (next < job.items.length && job.state === 'running') {
      const at = next++;
      const item = job.items[at];
      try {
        await bringIn(job, item);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        // the others would not come either
        if (isConnectionProblem(problem) || isSessionProblem(problem) || problem.status === 507) {
          job.state = 'stopped';
          job.reason = messageOf(problem);
          return;
        }
        job.refused.push({ title: item.title, reason: messageOf(problem) });
      }
      ahead.add(at);
      while (ahead.delete(job.done)) {
        job.done++;
        if (job.done % NOTED_EACH === 0) void note(job);
      }
      tell();
    }
  };
}

/**
 * By its UID: what is there is replaced, as calendars and address books elsewhere do.
 * @param {ImportJob} job @param {ImportItem} item
 */
async function bringIn({ room, type, counts, written }, { uid, text }) {
  for (let tries = 1; ; tries++) {
    try {
      const there = await stored(room, uid, text, type);
      counts[there.kind]++;
      if (there.kind !== 'known') written.push({ uid, ...there });
      return;
    } catch (problem) {
      const isBusy = problem instanceof Problem && (problem.status === 503 || problem.status === 429);
      if (!isBusy || tries === MOST_TRIES) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 1000 * (problem.retryAfterSeconds ?? 1)));
    }
  }
}

/**
 * @param {string} room @param {string} uid @param {string} text @param {string} type
 * @returns {Promise<{ kind: 'added' | 'updated' | 'known', etag: string, before?: string }>}
 */
async function stored(room, uid, text, type) {
  try {
    return { kind: 'added', etag: await writeObject(room, uid, text, undefined, type) };
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 412) throw problem;
  }
  const { etag, text: before } = await readObject(room, uid, undefined, '*/*');
  if (before === text) return { kind: 'known', etag };
  return { kind: 'updated', etag: await writeObject(room, uid, text, etag, type), before };
}

/**
 * Takes back what it has written here; what somebody has changed since stays. Answers how much was taken back.
 * @param {ImportJob} job
 */
export async function undoImport({ room, type, written }) {
  let undone = 0;
  for (let last = written.pop(); last; last = written.pop()) {
    const { uid, etag, before } = last;
    try {
      await (before === undefined ? deleteObject(room, uid, etag) : writeObject(room, uid, before, etag, type));
      undone++;
    } catch (problem) {
      if (!(problem instanceof Problem) || isConnectionProblem(problem)) throw problem;
    }
  }
  return undone;
}

/** @param {ImportJob} job */
function note(job) {
  const { done, counts, refused } = job;
  const of = { done, counts: { ...counts }, refused: [...refused] };
  return within('readwrite', (store) => answerOf(store.put({ id: noteOf(job), of })), KEPT).catch(() => {});
}

/** @param {ImportJob} job */
export const forget = (job) =>
  within(
    'readwrite',
    (store) => Promise.all([job.id, noteOf(job)].map((id) => answerOf(store.delete(id)))),
    KEPT,
  ).catch(() => {});
