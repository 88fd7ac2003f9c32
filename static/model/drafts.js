// What is being written, kept in the tab until the server has acknowledged it or the reader has thrown it away: a
// session that ends, a reload or a wrong click loses nothing. Each draft belongs to the user who wrote it, and is shown
// to nobody else.

import { user } from './session.js';

const PREFIX = 'draft:';

/**
 * @typedef {import('../api/interface.d.ts').UploadRecord} UploadRecord
 * @typedef {{ to: string[], cc: string[], bcc: string[], subject: string, text: string, html: string,
 *   isPlain: boolean, references: string, attachments: UploadRecord[], hasDropped?: boolean, saved?: number,
 *   isSaved?: boolean, typed?: { to: string, cc: string, bcc: string },
 *   forwarded?: import('../formats/forwarded.js').Forwarded & { files: UploadRecord[] } }} MessageDraft
 *   `text` counts where it is plain; `hasDropped`: files have been taken out; `saved` is its number among the drafts of
 *   the server, `isSaved` where that has all of it; `typed` is what is no recipient yet; `files` of a
 *   forwarded message are its pictures, for a text without HTML
 * @typedef {{ name: string, type: string, text: string }} PageDraft
 */

/** Files, which only the memory of the page can hold, by key @type {Map<string, unknown>} */
const files = new Map();

/** @param {string} key */
const keptAt = (key) => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;

/**
 * What the user who is here writes at this place: a room and what the address says behind it, or an address and a form.
 * @param {string[]} place
 */
export function draftAt(...place) {
  const key = PREFIX + JSON.stringify([user.get()?.username, ...place]);
  return {
    /** What was kept, undefined for nothing. @returns {any} */
    read: () => keptAt(key),
    /** Answers whether there was room for it. @param {unknown} value */
    keep(value) {
      try {
        sessionStorage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        // storage is full or forbidden: the text is still in the form
        return false;
      }
    },
    drop() {
      sessionStorage.removeItem(key);
      files.delete(key);
    },
    /** Beside what is kept, until the page is reloaded. @param {unknown} value */
    holdFiles: (value) => void files.set(key, value),
    /** @returns {any} */
    heldFiles: () => files.get(key),
  };
}

/** @typedef {ReturnType<typeof draftAt>} Draft */

/** Those of who is here. */
const ownKeys = () => {
  const start = PREFIX + JSON.stringify([user.get()?.username]).slice(0, -1);
  return Object.keys(sessionStorage).filter((key) => key.startsWith(`${start},`));
};

/** Those that are kept as this one of the server's drafts, which has been sent or thrown away. @param {number} saved */
export function dropDraftsSavedAs(saved) {
  for (const key of ownKeys()) if (keptAt(key).saved === saved) sessionStorage.removeItem(key);
}

/** Whether something would be lost that the server does not have. */
export const areDraftsLeft = () => ownKeys().some((key) => keptAt(key).isSaved !== true);

/** Whoever logs out leaves nothing behind in this tab. */
export function dropOwnDrafts() {
  for (const key of ownKeys()) {
    sessionStorage.removeItem(key);
    files.delete(key);
  }
}
