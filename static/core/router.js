// Where the reader is, kept in the address so that back, forward, reload and bookmarks work.
// '#/' home, '#/login', '#/search/words', '#/account', '#/people', '#/people/bob', '#/user/bob', '#/users',
// '#/floors', '#/new-room', '#/r/Lobby', '#/r/Lobby/12',
// '#/r/Lobby/new', '#/r/Lobby/settings', '#/r/Lobby/12/reply', '#/r/Lobby/12/reply-all', '#/r/Lobby/12/forward',
// '#/r/Handbook/12/edit', '#/r/Lobby/12/2.1' the message in its part 2.1, '#/r/Handbook/12/history',
// '#/r/Handbook/12/history/VERSION', '#/r/Handbook/page/home', '#/r/Handbook/new/home' a new page of that name

/**
 * @typedef {{ page: 'home' | 'login' | 'account' | 'new-room' | 'users' | 'floors' }} PlainPage
 * @typedef {PlainPage | { page: 'search', words: string } | { page: 'people', to?: string }
 *   | { page: 'user', name: string }} PageRoute beside the rooms
 * @typedef {{ page: 'room', room: string } | { page: 'settings', room: string }
 *   | { page: 'new', room: string, name?: string }
 *   | { page: 'named', room: string, name: string }} RoomRoute
 * @typedef {{ page: 'message', room: string, msgnum: number, part?: string }
 *   | { page: 'history', room: string, msgnum: number, version?: string }
 *   | { page: 'reply' | 'reply-all' | 'forward', room: string, msgnum: number }
 *   | { page: 'edit', room: string, msgnum: number }} MessageRoute
 * @typedef {PageRoute | RoomRoute | MessageRoute} Route
 */

/** @type {readonly string[]} */
const PAGES = ['login', 'account', 'new-room', 'users', 'floors'];
/** @type {readonly string[]} */
const WRITING = ['reply', 'reply-all', 'forward', 'edit'];

/** @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  let segments;
  try {
    segments = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return { page: 'home' };
  }
  const [first, room, member, action, detail] = segments;
  if (first === 'search' && room) return { page: 'search', words: room };
  if (first === 'people') return { page: first, to: room };
  if (first === 'user' && room) return { page: first, name: room };
  if (isPlain(first)) return { page: first };
  if (first !== 'r' || !room) return { page: 'home' };
  if (member === 'new') return { page: member, room, name: action };
  if (member === 'settings') return { page: member, room };
  if (member === 'page' && action) return { page: 'named', room, name: action };
  if (!/^[1-9]\d*$/.test(member ?? '')) return { page: 'room', room };
  const msgnum = Number(member);
  if (action === 'history') return { page: action, room, msgnum, version: detail };
  if (/^\d[\d.]*$/.test(action ?? '')) return { page: 'message', room, msgnum, part: action };
  return { page: isWriting(action) ? action : 'message', room, msgnum };
}

/** @param {string} first @returns {first is PlainPage['page']} */
function isPlain(first) {
  return PAGES.includes(first);
}

/** @param {string} action @returns {action is 'reply' | 'reply-all' | 'forward' | 'edit'} */
function isWriting(action) {
  return WRITING.includes(action);
}

/**
 * `routeTo('a/b', 12, 'reply')` → `'#/r/a%2Fb/12/reply'`
 * @param {string} room @param {(string | number)[]} rest
 */
export function routeTo(room, ...rest) {
  return ['#/r', encodeURIComponent(room), ...rest.map(encodeURIComponent)].join('/');
}

/**
 * `apiPath('a/b', 12, 'json')` → `'../r/a%2Fb/12/json'`; `apiPath('a/b', '')` is the room itself
 * @param {string} room @param {(string | number)[]} rest
 */
export function apiPath(room, ...rest) {
  return ['../r', encodeURIComponent(room), ...rest.map(encodeURIComponent)].join('/');
}

/**
 * `roomAt('/svc/r/a%2Fb/')` → `'a/b'`: a room is called as its server keeps the name, not always as it was typed
 * @param {string} address
 */
export function roomAt(address) {
  return decodeURIComponent(address.split('/').at(-2) ?? '');
}

/**
 * `routeOfPage('/svc/r/Handbook/home')` → `'#/r/Handbook/page/home'`; undefined for what is no address of a page
 * @param {string} address
 */
export function routeOfPage(address) {
  const rooms = new URL('../r/', location.href).pathname;
  const [room, name, ...more] = address.startsWith(rooms) ? address.slice(rooms.length).split('/') : [];
  return room && name && more.length === 0 ? ['#/r', room, 'page', name].join('/') : undefined;
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
