// Where the reader is, kept in the address so that back, forward, reload and bookmarks work.
// '#/' home, '#/login', '#/search/words', '#/account', '#/people', '#/people/bob', '#/new-room', '#/r/Lobby', '#/r/Lobby/12',
// '#/r/Lobby/new', '#/r/Lobby/settings', '#/r/Lobby/12/reply', '#/r/Lobby/12/reply-all', '#/r/Lobby/12/forward', '#/r/Handbook/12/edit',
// '#/r/Lobby/12/2.1' the message in its part 2.1

const PAGES = ['login', 'account', 'new-room'];
const WRITING = ['reply', 'reply-all', 'forward', 'edit'];

export function parseRoute(hash) {
  let segments;
  try {
    segments = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return { page: 'home' };
  }
  const [first, room, member, action] = segments;
  if (first === 'search' && room) return { page: 'search', words: room };
  if (first === 'people') return { page: first, to: room };
  if (PAGES.includes(first)) return { page: first };
  if (first !== 'r' || !room) return { page: 'home' };
  if (member === 'new' || member === 'settings') return { page: member, room };
  if (!/^[1-9]\d*$/.test(member ?? '')) return { page: 'room', room };
  const msgnum = Number(member);
  if (/^\d[\d.]*$/.test(action ?? '')) return { page: 'message', room, msgnum, part: action };
  return { page: WRITING.includes(action) ? action : 'message', room, msgnum };
}

/** `routeTo('a/b', 12, 'reply')` → `'#/r/a%2Fb/12/reply'` */
export function routeTo(room, ...rest) {
  return ['#/r', encodeURIComponent(room), ...rest].join('/');
}

/** `apiPath('a/b', 12, 'json')` → `'../r/a%2Fb/12/json'`; `apiPath('a/b', '')` is the room itself */
export function apiPath(room, ...rest) {
  return ['../r', encodeURIComponent(room), ...rest.map(encodeURIComponent)].join('/');
}
