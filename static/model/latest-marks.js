// Marks of read and unread that follow each other.

/** @typedef {{ room: string, msgnums: number[], seen: boolean }} Marks */

/**
 * Of each message the latest mark alone, the latest first: in whatever order these arrive, they mean the same.
 * @param {Iterable<Marks>} made @returns {Marks[]}
 */
export function latestMarks(made) {
  /** @type {Set<string>} */
  const known = new Set();
  return [...made].reverse().flatMap((marks) => {
    const msgnums = marks.msgnums.filter((msgnum) => {
      const name = JSON.stringify([marks.room, msgnum]);
      return !known.has(name) && known.add(name);
    });
    return msgnums.length > 0 ? [{ ...marks, msgnums }] : [];
  });
}
