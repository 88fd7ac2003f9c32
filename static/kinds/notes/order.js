// Where notes stand on the board, and which of them some words find.

/** @typedef {import('../../formats/notes.js').Note} Note */

/** @typedef {{ time: number, isPinned: boolean }} Place time in Unix seconds */

/**
 * Pinned ones and the others, the latest first.
 * @template {{ key: string }} K
 * @param {K[]} notes @param {ReadonlyMap<string, Place>} places by key; one that is being written stays where it was
 */
export function arranged(notes, places) {
  const timeOf = (/** @type {K} */ { key }) => places.get(key)?.time ?? 0;
  const isPinned = (/** @type {K} */ { key }) => places.get(key)?.isPinned ?? false;
  const sorted = [...notes].sort((a, b) => timeOf(b) - timeOf(a) || (a.key < b.key ? -1 : 1));
  return { pinned: sorted.filter(isPinned), others: sorted.filter((note) => !isPinned(note)) };
}

/** @param {string} text */
const plain = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether all of the words stand in it. @param {Note} note @param {string} words */
export function isFound({ title, text }, words) {
  const all = plain(`${title}\n${text}`);
  return plain(words)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
