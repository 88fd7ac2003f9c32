// What is to be done to an object of a room, an event or a page, as it waits: it names the version that it was made
// from, so that what another device has changed meanwhile is not lost (RFC 9110 section 13.1.1).

/** @import { Entry } from './outbox-store.js' */
/** @import { Work } from './outbox.js' */

/**
 * One version, as the server has it.
 * @typedef {{ etag: string, text: string }} Version
 */

/**
 * `text` is what is to be there, undefined: nothing. `base` is what it was made from, undefined where there must be
 * none. `tried` are texts that may have got there already. `title` names it for the reader, `place` is where it is
 * shown, behind the room.
 * @typedef {{ kind: 'object', room: string, name: string, type: string, text?: string, base?: Version,
 *   tried: (string | undefined)[], title: string, place: string[] }} ObjectWork
 */

/**
 * What is done to an object now.
 * @param {Omit<ObjectWork, 'kind' | 'tried'>} what
 * @returns {ObjectWork}
 */
export const objectWork = (what) => ({ kind: 'object', ...what, tried: [] });

/**
 * Both in one; undefined where nothing is left to be done.
 * @param {Entry} earlier @param {Work} work
 * @returns {Entry | undefined}
 */
export function joined(earlier, work) {
  const { state, work: before } = earlier;
  if (before.kind !== 'object' || work.kind !== 'object') return earlier;
  const { base } = before;
  const tried = state === 'waiting' ? before.tried : [...before.tried, before.text];
  if (tried.length === 0 && work.text === base?.text) return undefined;
  return { ...earlier, work: { ...work, base, tried } };
}
