// Where the reader is, kept in the address so that back, forward, reload and bookmarks work.
// '#/' home, '#/login', '#/r/Lobby', '#/r/Lobby/12', '#/r/Lobby/new', '#/r/Lobby/12/reply'

export function parseRoute(hash) {
  let segments;
  try {
    segments = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return { page: 'home' };
  }
  const [first, room, member, action] = segments;
  if (first === 'login') return { page: 'login' };
  if (first !== 'r' || !room) return { page: 'home' };
  if (member === 'new') return { page: 'new', room };
  if (!/^[1-9]\d*$/.test(member ?? '')) return { page: 'room', room };
  return { page: action === 'reply' ? 'reply' : 'message', room, msgnum: Number(member) };
}

/** `routeTo('a/b', 12, 'reply')` → `'#/r/a%2Fb/12/reply'` */
export function routeTo(room, ...rest) {
  return ['#/r', encodeURIComponent(room), ...rest].join('/');
}

/** `apiPath('a/b', 12, 'json')` → `'../r/a%2Fb/12/json'`; `apiPath('a/b', '')` is the room itself */
export function apiPath(room, ...rest) {
  return ['../r', encodeURIComponent(room), ...rest.map(encodeURIComponent)].join('/');
}
