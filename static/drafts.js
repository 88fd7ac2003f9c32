// Messages that are being written, kept in the tab until they are sent: a session that ends, a reload or a wrong click
// loses nothing. Each belongs to the user who wrote it.

const PREFIX = 'draft:';

/** `place` is what the address says behind the room. */
const keyOf = (user, room, place) => PREFIX + JSON.stringify([user, room, place]);

/** `{ to, cc, subject, text, references, attachments }` or undefined */
export function readDraft(user, room, place) {
  const json = sessionStorage.getItem(keyOf(user, room, place));
  return json === null ? undefined : JSON.parse(json);
}

export function keepDraft(user, room, place, draft) {
  try {
    sessionStorage.setItem(keyOf(user, room, place), JSON.stringify(draft));
  } catch {
    // storage is full or forbidden: the text is still in the form
  }
}

export function dropDraft(user, room, place) {
  sessionStorage.removeItem(keyOf(user, room, place));
}

/** Whoever logs out leaves nothing behind. */
export function dropAllDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
