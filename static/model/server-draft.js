// A mail that is being written, among the drafts of the server: one message, replaced by each newer state of it, so
// that any device can go on with it.

import { ROOM_MACRO } from '../../src/protocol/room-facts.ts';
import { changeMessages, postMessage } from '../api/messages.js';
import { MAIL } from './room-store.js';

/**
 * What is posted: parameters of the request and the content.
 * @typedef {{ parameters: Record<string, string>, content: { type: string, body: string } }} Letter
 */

/** @param {number} [msgnum] where it is a draft already */
export function serverDraft(msgnum) {
  let saved = msgnum;
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  const inPlace = (/** @type {Letter} */ { parameters }) => ({ ...parameters, draft: saved ? String(saved) : '' });
  const put = async (/** @type {Letter} */ letter, keepalive = false) => {
    saved = await postMessage(ROOM_MACRO.drafts, inPlace(letter), letter.content, { keepalive });
    return saved;
  };
  return {
    /** its number, where it is kept */
    msgnum: () => saved,
    /**
     * One after the other. Answers its new number. Throws Problem.
     * @param {Letter} letter
     * @returns {Promise<number>}
     */
    save(letter) {
      const done = last.then(() => put(letter));
      last = done.catch(() => {});
      return done;
    },
    /** Now, for the page is being left. @param {Letter} letter */
    saveLeaving: (letter) => put(letter, true).catch(() => {}),
    /** Sends it, and it is no draft any more. Throws Problem. @param {Letter} letter @param {boolean} keepalive */
    async send(letter, keepalive) {
      // whichever of one's own rooms is open, mail leaves from the mailbox
      if (!keepalive) await last;
      return postMessage(MAIL, inPlace(letter), letter.content, { keepalive });
    },
    /** Throws Problem. */
    async discard() {
      await last;
      if (saved !== undefined) await changeMessages(ROOM_MACRO.drafts, [saved], { delete: true }, { isMany: false });
      saved = undefined;
    },
  };
}
