// What was done and can still be undone: shown at once, sent when the toast that offers the way back expires, when the
// page is left, or when the reader goes where it would show. Not when another user, or none, is here by then.

import { Problem } from '../api/request.js';
import { t } from '../core/i18n.js';
import { whenUserGoes } from './session.js';

/**
 * @typedef {object} Action
 * @property {string[]} rooms that show it only once it is sent
 * @property {(keepalive: boolean) => Promise<unknown>} send what makes it so; throws Problem
 * @property {() => void} revert shows again what was there before
 * @property {(problem: unknown) => void} [refused] hears why it was not done, after revert
 * @property {() => void} [over] it can be undone no more
 */

/** @type {Set<Pending>} */
const waiting = new Set();
/** @type {Set<Promise<unknown>>} */
const under = new Set();

/** @typedef {{ undo(): void, send(keepalive?: boolean): Promise<void>, touches(room: string): boolean }} Pending */

/** Its effect is shown already; offerUndo() sends it in time. @param {Action} action @returns {Pending} */
export function later({ rooms, send, revert, refused, over }) {
  const end = () => {
    endWaiting();
    return waiting.delete(pending);
  };
  /** @type {Pending} */
  const pending = {
    undo() {
      if (end()) revert();
    },
    async send(keepalive = false) {
      if (!end()) return;
      over?.();
      const sent = send(keepalive).catch((problem) => {
        revert();
        refused?.(problem);
      });
      under.add(sent);
      await sent;
      under.delete(sent);
    },
    touches: (room) => rooms.some((each) => each.toLowerCase() === room.toLowerCase()),
  };
  // who is here now has not done it
  const endWaiting = whenUserGoes(() => {
    end();
    over?.();
    revert();
    refused?.(new Problem(401, t('log-in.session-ended'), ''));
  });
  waiting.add(pending);
  return pending;
}

/** What would show in the room, or whatever waits, is done when this is. @param {string} [room] */
export async function settle(room) {
  await Promise.all([...waiting].filter((each) => room === undefined || each.touches(room)).map((each) => each.send()));
  await Promise.all(under);
}

addEventListener('pagehide', () => {
  for (const pending of [...waiting]) pending.send(true);
});
