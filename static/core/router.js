// Where the reader is, kept in the address so that back, forward, reload and bookmarks work: '#/' is the inbox,
// '#/PAGE/ARGUMENT…' a page beside the rooms, '#/r/ROOM/…' a room. What stands behind the room is read by its kind.

/**
 * @typedef {{ page: string, args: string[] }} Route `page` is '' for the inbox; 'r' has the room as its first
 *   argument
 */

/** What cannot be read is the inbox. @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  try {
    const [page, ...args] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
    return page === 'r' && !args[0] ? { page: '', args: [] } : { page, args };
  } catch {
    return { page: '', args: [] };
  }
}

/**
 * `routeTo('a/b', 12, 'reply')` → `'#/r/a%2Fb/12/reply'`
 * @param {string} room @param {(string | number)[]} rest
 */
export const routeTo = (room, ...rest) => pageAddress('r', room, ...rest);

/**
 * `pageAddress('user', 'a/b')` → `'#/user/a%2Fb'`
 * @param {string} page @param {(string | number)[]} args
 */
export function pageAddress(page, ...args) {
  return ['#', page, ...args.map(encodeURIComponent)].join('/');
}

/**
 * What it answers leads to an address, in the place of the one there was when this was called; not where the reader has
 * gone elsewhere meanwhile. Answers whether it did.
 * @returns {(address: string) => boolean}
 */
export function fromHere() {
  const here = location.hash;
  return (address) => {
    if (location.hash !== here) return false;
    location.replace(address);
    return true;
  };
}
