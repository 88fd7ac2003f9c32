// Messages that are being written, kept in the tab until they are sent: a session that ends, a reload or a wrong click
// loses nothing. Each belongs to the user who wrote it.

const PREFIX = 'draft:';

const keyOf = (user, room, msgnum) => PREFIX + JSON.stringify([user, room, msgnum ?? null]);

/** `{ to, cc, subject, text, references, attachments }` or undefined */
export function readDraft(user, room, msgnum) {
  const json = sessionStorage.getItem(keyOf(user, room, msgnum));
  return json === null ? undefined : JSON.parse(json);
}

export function keepDraft(user, room, msgnum, draft) {
  try {
    sessionStorage.setItem(keyOf(user, room, msgnum), JSON.stringify(draft));
  } catch {
    // storage is full or forbidden: the text is still in the form
  }
}

export function dropDraft(user, room, msgnum) {
  sessionStorage.removeItem(keyOf(user, room, msgnum));
}

/** Whoever logs out leaves nothing behind. */
export function dropAllDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
