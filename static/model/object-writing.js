// Writes an object or a page over what is there now, found by its name: what another device has changed elsewhere in it
// stays, and where both have changed the same the reader is asked. Nothing is lost without a word.

import { deleteObject, readObject, writeObject } from '../api/calendars.js';
import { Problem } from '../api/request.js';
import { t } from '../core/i18n.js';
import { mergeVersions } from '../formats/merge.js';
import { changed, newEntry } from './outbox.js';
import { stepOf } from './outbox-step.js';
import { addEntry } from './outbox-store.js';

/** @import { ObjectWork, Version } from './outbox-joining.js' */

/**
 * Which one is to be there; undefined: the reader has not decided. `mine` undefined: it was to be deleted; `theirs`
 * undefined: it has been.
 * @typedef {(mine: string | undefined, theirs: string | undefined) => Promise<'mine' | 'theirs' | undefined>} Ask
 */

/** so often an object is looked at that others change at the same time */
const MOST_TRIES = 12;
/** it is not there any more, or has been changed meanwhile */
const OVERTAKEN = new Set([404, 409, 412]);

/** Another device was faster, and the reader has not decided. */
export class Undecided extends Problem {
  /** @param {Version} [theirs] undefined: deleted */
  constructor(theirs) {
    super(412, t('wiki.not-saved'), t('versions.undecided'));
    this.theirs = theirs;
  }
}

/** @param {unknown} problem */
export const isOvertaken = (problem) => problem instanceof Problem && OVERTAKEN.has(problem.status);

/**
 * Answers what is there then, undefined: nothing. `address`: what it is written to, where that is not its name.
 * `isKnown`: its base is what is there, as far as anybody knows. Throws Problem, Undecided.
 * @param {ObjectWork} work @param {Ask} ask
 * @param {{ isKnown?: boolean, address?: (there: Version | undefined) => string, own?: string }} [options] `own`: ETag
 *   of what was written last from here
 * @returns {Promise<Version | undefined>}
 */
export async function writeOver(work, ask, { isKnown = false, address = () => work.name, own } = {}) {
  const { room, name, type } = work;
  let { text, base } = work;
  for (let tries = 0; ; tries++) {
    const there = isKnown && tries === 0 ? base : await objectAt(room, name);
    const step = isKnown && tries === 0 ? { over: base } : stepOf({ ...work, text, base }, there);
    if (step === 'done') return there;
    if (step === 'conflict' && !(there && there.etag === own)) {
      const settled = await settle({ text, base }, there, ask);
      if (settled.isTheirs) return there;
      // from here on it is a change of what is there
      ({ text } = settled);
      base = there;
      if (text === there?.text) return there;
    }
    try {
      if (text !== undefined) return { text, etag: await writeObject(room, address(there), text, there?.etag, type) };
      await deleteObject(room, address(there), there?.etag ?? '*');
      return undefined;
    } catch (problem) {
      if (!isOvertaken(problem) || tries >= MOST_TRIES) throw problem;
      // those who write the same at the same time part
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * tries));
    }
  }
}

/**
 * What is to be there. Throws Undecided.
 * @param {{ text?: string, base?: Version }} mine @param {Version | undefined} there @param {Ask} ask
 * @returns {Promise<{ text?: string, isTheirs?: boolean }>}
 */
async function settle({ text, base }, there, ask) {
  const merge = (/** @type {import('../formats/merge.js').Side | undefined} */ side) =>
    base && there && text !== undefined ? mergeVersions(base.text, text, there.text, side) : undefined;
  const merged = merge(undefined);
  if (merged !== undefined) return { text: merged };
  const [mine, theirs] = [merge('mine') ?? text, merge('theirs') ?? there?.text];
  const side = await ask(mine, theirs);
  if (side === undefined) throw new Undecided(there);
  if (side === 'mine') return { text: mine };
  return theirs === there?.text ? { isTheirs: true } : { text: theirs };
}

/**
 * What is to be written of a text that has no versions: what others have changed since it was `seen` stays. Throws
 * Undecided.
 * @param {string} seen @param {string} mine @param {string} there what it is now @param {Ask} ask
 */
export async function mergedText(seen, mine, there, ask) {
  if (there === seen || there === mine) return mine;
  const { text, isTheirs } = await settle({ text: mine, base: version(seen) }, version(there), ask);
  return isTheirs || text === undefined ? there : text;
}

/** @param {string} text */
const version = (text) => ({ etag: '', text });

/** undefined: there is none. Throws Problem. @param {string} room @param {string} name */
export async function objectAt(room, name) {
  try {
    return await readObject(room, name, undefined, '*/*');
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 404) return undefined;
    throw problem;
  }
}

/**
 * Does `act`; what the reader has not decided about waits in the outbox until he does. Throws Problem.
 * @template T
 * @param {ObjectWork} work @param {() => Promise<T>} act
 */
export async function keepUndecided(work, act) {
  try {
    return await act();
  } catch (problem) {
    if (!(problem instanceof Undecided)) throw problem;
    const entry = newEntry(work, 'conflict');
    if (!entry || !(await addEntry({ ...entry, theirs: problem.theirs }))) throw problem;
    await changed();
    throw new Problem(0, problem.title, t('outbox.stuck', { count: 1 }));
  }
}
