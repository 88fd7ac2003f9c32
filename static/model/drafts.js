// Messages that are being written, kept in the tab until they are sent: a session that ends, a reload or a wrong click
// loses nothing. Each belongs to the user who wrote it.

const PREFIX = 'draft:';

/**
 * @typedef {import('../api/interface.d.ts').UploadRecord} UploadRecord
 * @typedef {{ to: string[], cc: string[], bcc: string[], subject: string, text: string, html: string,
 *   isPlain: boolean, references: string, attachments: UploadRecord[], saved?: number }} MessageDraft
 *   `text` counts where it is plain; `saved` is its number among the drafts of the server
 * @typedef {{ name: string, type: string, text: string }} PageDraft
 */

/**
 * `place` is what the address says behind the room.
 * @param {string} user @param {string} room @param {string} place
 */
const keyOf = (user, room, place) => PREFIX + JSON.stringify([user, room, place]);

/**
 * A MessageDraft or a PageDraft, as `place` says, or undefined.
 * @param {string} user @param {string} room @param {string} place
 */
export function readDraft(user, room, place) {
  const json = sessionStorage.getItem(keyOf(user, room, place));
  return json === null ? undefined : JSON.parse(json);
}

/**
 * @param {string} user
 * @param {string} room
 * @param {string} place
 * @param {MessageDraft | PageDraft} draft
 */
export function keepDraft(user, room, place, draft) {
  try {
    sessionStorage.setItem(keyOf(user, room, place), JSON.stringify(draft));
  } catch {
    // storage is full or forbidden: the text is still in the form
  }
}

/** @param {string} user @param {string} room @param {string} place */
export function dropDraft(user, room, place) {
  sessionStorage.removeItem(keyOf(user, room, place));
}

/** Those that are kept as this one of the server's drafts, which has been sent or thrown away. @param {number} saved */
export function dropDraftsSavedAs(saved) {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && JSON.parse(sessionStorage.getItem(key) ?? '{}').saved === saved) {
      sessionStorage.removeItem(key);
    }
  }
}

/** Whoever logs out leaves nothing behind. */
export function dropAllDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
