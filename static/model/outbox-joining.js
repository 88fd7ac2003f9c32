// What is to be done to an object of a room, an event or a page, as it waits: it names the version that it was made
// from, so that what another device has changed meanwhile is not lost (RFC 9110 section 13.1.1).

/** @import { Change } from '../api/messages.js' */
/** @import { MessageDraft, PageDraft } from './drafts.js' */

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
 * `room` it goes to; `kept` where it can be looked for, above the number `above`; `draft` in `draftRoom`
 * at `place` brings it back into its form.
 * @typedef {{ kind: 'message', room: string, parameters: Record<string, string>, text: string,
 *   content: { type: string, body: string }, kept: string, above: number,
 *   draft: MessageDraft | PageDraft, draftRoom: string, place: string }} MessageWork
 * @typedef {{ kind: 'change', room: string, msgnums: number[], change: Change, isMany: boolean,
 *   title: string }} ChangeWork messages that are deleted or moved; `title` says it in the reader's words
 * @typedef {{ kind: 'move', room: string, name: string, to: string, text: string, title: string }} MoveWork an event
 *   that goes into another calendar; `text` is what it says
 * @typedef {{ kind: 'instant', room: '', to: string, text: string }} InstantWork
 * @typedef {{ kind: 'seen', room: string, msgnums: number[], seen: boolean }} SeenWork
 * @typedef {{ kind: 'all-seen', room: string, last: number }} AllSeenWork
 * @typedef {SeenWork | AllSeenWork} MarkWork
 * @typedef {MessageWork | ObjectWork | ChangeWork | MoveWork | InstantWork} WrittenWork what the reader waits for
 * @typedef {WrittenWork | MarkWork} Work
 */
/** @typedef {Entry & { work: WrittenWork }} Written */

/**
 * `waiting`: never sent. `sending`: some window sends it, since `since`. `unknown`: it was sent and no answer came.
 * `refused`: the server said no, `reason` is why. `conflict`: another device has changed the object meanwhile, to
 * `theirs`, or has taken it away.
 * @typedef {'waiting' | 'sending' | 'unknown' | 'refused' | 'conflict'} State
 */

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} user
 * @property {number} time when it was written, in ms
 * @property {State} state
 * @property {number} [since] ms
 * @property {string} [reason]
 * @property {Version} [theirs]
 * @property {Work} work
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
