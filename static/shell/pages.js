// The pages beside rooms: what the address calls them, what they are called, and the module that shows them. Each
// exports `show(host, args, signal)`, which fills the stage and may answer a title of its own.

/**
 * @typedef {{ show: (host: HTMLElement, args: string[], signal: AbortSignal) => Promise<string | void> | string |
 *   void }} Page
 */

/**
 * `needsUser` false: guests may see it, too.
 * @type {Record<string, { title: string, needsUser?: boolean, load: () => Promise<Page> }>}
 */
export const PAGES = {
  '': { title: 'page.inbox', needsUser: false, load: () => import('../pages/home.js') },
  rooms: { title: 'page.rooms', needsUser: false, load: () => import('../pages/rooms.js') },
  search: { title: 'page.search', load: () => import('../pages/search.js') },
  account: { title: 'page.account', load: () => import('../pages/account.js') },
  settings: { title: 'settings.places', load: () => import('../pages/settings.js') },
  outbox: { title: 'outbox.title', load: () => import('../pages/outbox.js') },
  people: { title: 'page.people', load: () => import('../pages/people.js') },
  chat: { title: 'page.chat', load: () => import('../pages/chat.js') },
  user: { title: 'page.user', load: () => import('../pages/profile.js') },
  users: { title: 'page.users', load: () => import('../pages/users.js') },
  floors: { title: 'page.floors', load: () => import('../pages/floors.js') },
  'new-room': { title: 'page.new-room', load: () => import('../pages/new-room.js') },
};
