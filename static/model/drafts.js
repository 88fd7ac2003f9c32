// Messages that are being written, kept in the tab until they are sent: a session that ends, a reload or a wrong click
// loses nothing. Each belongs to the user who wrote it.

const PREFIX = 'draft:';

/**
 * @typedef {import('../api/interface.d.ts').UploadRecord} UploadRecord
 * @typedef {{ to: string, cc: string, subject: string, text: string, references: string,
 *   attachments: UploadRecord[] }} MessageDraft
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

/** Whoever logs out leaves nothing behind. */
export function dropAllDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
